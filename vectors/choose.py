"""Choose the tiny tables on which forms of metrics differ, and write their seeds.

Run it when the catalogue of conventions changes: ``python vectors/choose.py``.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from sqlrec.analyses.identify import formulas
from sqlrec.analyses.identify_tables import (
    METRICS,
    forms_on_tables,
    separating,
    small_table,
    values_of,
)
from sqlrec.catalogue.requests import parse_metrics

SEEDS = Path(__file__).parent.parent / "sqlrec" / "analyses" / "seeds.py"

# The cutoff, the number of seeds, and the number of tables that separate a pair of forms.
K, POOL, TIMES = 3, 120, 2

HEAD = '''"""Seeds of the tables that separate forms of metrics, which vectors/choose.py chooses."""

SEEDS = (
'''


def main() -> None:
    """Write the seeds."""
    warnings.simplefilter("ignore")
    tables = [small_table(seed, K) for seed in range(POOL)]
    values = []
    for name in METRICS:
        (own,) = parse_metrics(f"{name}@{K}")
        values.append(values_of([form.request for form in forms_on_tables(own)], tables))
        _, columns = formulas(own.text, tuple(tables))
        values.append({str(n): column for n, column in enumerate(columns)})
        print(name, len(values[-2]), len(values[-1]), flush=True)
    chosen = separating(values, [table.size for table in tables], TIMES)
    lines = [", ".join(map(str, chosen[n : n + 15])) for n in range(0, len(chosen), 15)]
    SEEDS.write_text(
        HEAD + "".join(f"    *({line},),\n" for line in lines) + ")\n", encoding="utf-8"
    )
    print(len(chosen), "tables")


if __name__ == "__main__":
    main()
