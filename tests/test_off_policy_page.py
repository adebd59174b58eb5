"""What the page of off-policy evaluation shows is true."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import sqlrec
from sqlrec.catalogue.headers import TABLES
from sqlrec.run.job import SMALL_SAMPLE, SMALL_SHARE

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "off_policy.md").read_text(encoding="utf-8")
METRICS = [one for one in sqlrec.metrics().values() if one.rows == "logged"]


def test_the_example_prints_what_is_shown():
    codes = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    shown = re.findall(r"^```\n(model.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    names = {}
    for code, own in zip(codes, shown, strict=True):
        printed = StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == own


def test_it_names_all_metrics_and_columns():
    columns = {name for one in METRICS for need in one.needs for name in need.columns}
    for name in (*columns, *TABLES["logs"][1], *(one.name for one in METRICS)):
        assert f"`{name}`" in PAGE, name


def test_it_says_when_a_warning_comes():
    assert (SMALL_SAMPLE, SMALL_SHARE) == (100, 0.01)
    assert "below 100 or below 1 % of the decisions" in " ".join(PAGE.split())
