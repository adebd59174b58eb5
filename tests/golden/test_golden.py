"""Golden values and texts: changes are deliberate."""

import json
from itertools import islice

from pytest import mark, param

from . import values


@mark.parametrize("some", [values.every_form, values.of_logs, param(values.cases, marks=mark.slow)])
def test_values_equal_golden_values(some):
    held = json.loads(values.VALUES.read_text(encoding="utf-8"))
    # The first of each kind of golden value, for tests that do not compute all of them.
    result = values.found(some() if some is values.cases else islice(some(), 2))
    changed = []
    for case in held | result if some is values.cases else result:
        before, after = held.get(case, {}), result.get(case, {})
        for row in before | after:
            was, now = before.get(row, []), after.get(row, [])
            if len(was) != len(now) or not all(map(values.same, now, was)):
                changed.append(f"{case}: {row}: was {was}, is {now}")
    assert not changed, "where all of this is meant: python -m tests.golden.values"


def test_golden_texts_are_up_to_date(update):
    written = update.golden()
    assert {*update.GOLDEN.glob("*/*.sql")} < set(written), "run python docs/update.py"
    assert not outdated(written), "run python docs/update.py"


@mark.slow
def test_golden_hashes_are_up_to_date(update):
    assert not outdated(update.golden_hashes()), "run python docs/update.py"


def outdated(written):
    """Return the files whose text differs from the current output."""
    return [path for path, text in written.items() if path.read_text(encoding="utf-8") != text]
