"""The entry point of ``python -m sqlrec`` and of the command ``sqlrec``."""

import sys


def main() -> int:
    """Run the command line. Ctrl-C prints one line, even while modules are imported."""
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        if sys.stderr:
            print("sqlrec: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
