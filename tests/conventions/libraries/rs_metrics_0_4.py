"""rs_metrics 0.4.1, the version that its documentation describes: its values.

It reads the tables as 0.6.0 does, and also has mar.
"""

import runpy
from pathlib import Path

LIBRARY = "rs_metrics"
REQUIREMENTS = "rs_metrics==0.4.1 pandas==2.3.3 numpy==1.26.4"

SHARED = runpy.run_path(str(Path(__file__).with_name("rs_metrics.py")))


def values(tables):
    return SHARED["values"](tables, [*SHARED["NAMES"], "mar"])
