"""``python -m sqlrec``."""

import sys

from .cli import main

sys.exit(main())
