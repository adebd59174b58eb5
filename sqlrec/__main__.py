"""``python -m sqlrec``, and the program ``sqlrec``."""

import sys


def main() -> int:
    """Run the command line; while it is read too, Ctrl-C ends it with a line."""
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        if sys.stderr:
            print("sqlrec: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
