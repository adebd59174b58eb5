"""The table of simulated coverage and error rates is what simulations find."""

import re
from pathlib import Path

from pytest import approx, mark

from .simulations import rates

PAGE = (Path(__file__).parent.parent / "docs" / "statistics.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (`.*(?:coverage|alarms?)) \| ([\d.]+) % \|$", re.MULTILINE)


@mark.slow
def test_the_table_has_what_simulations_find():
    found = rates()
    table = {name: float(share) / 100 for name, share in ROW.findall(PAGE)}
    assert table.keys() == found.keys()
    for name, share in found.items():
        assert share == approx(table[name], abs=0.002), name
        if "coverage" in name:
            assert 0.93 < share < 0.97, name
        elif "hits" in name:
            # By t there are too many, as the page says.
            assert (share > 0.055) == name.startswith("`t`"), name
        elif "impression" not in name:
            # Of 1,000 experiments, 5 % and two standard errors.
            assert share <= 0.064, name
