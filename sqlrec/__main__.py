"""``python -m sqlrec``, and the program ``sqlrec``."""

import sys


def main() -> int:
    """Run the command line. Ctrl-C prints one line, also while modules are imported."""
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        if sys.stderr:
            print("sqlrec: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
