"""Measure sqlrec against the bare work of the engine: python benchmarks/run.py --help.

Each case is a process of its own, with start-up and imports, on the same files: users x 100
recommendations in random order, 50,000 items, ten relevant items per user. What is reported is CPU
seconds (user and system) and the largest memory, as the operating system counts them: the median of
several rounds, in each of which every case runs once. Ratios are made within a round.
"""

import argparse
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

import sqlrec

README = Path(__file__).parent.parent / "README.md"

# 100 different items for each user, and ten wanted ones, of which some four are among them.
DATA = """
create table recs as
select
    user_id,
    (hash(user_id) % 50000 + place * (1 + hash(user_id, 1) % 400)) % 50000 as item,
    row_number() over (partition by user_id order by hash(user_id, place, 2)) as rank
from range({users}) as users(user_id), range(100) as places(place);

copy (
    select user_id, cast(item as bigint) as item_id, rank, 1 / ln(1 + rank) as score
    from recs
    order by hash(user_id, item, 3)
) to '{folder}/recs.parquet';

copy (
    select user_id, cast(item as bigint) as item_id
    from (
        select user_id, item from recs where hash(user_id, rank, 4) % 25 = 0
        union
        select user_id, hash(user_id, wish, 5) % 50000
        from range({users}) as users(user_id), range(6) as wishes(wish)
    )
    order by hash(user_id, item, 6)
) to '{folder}/truth.parquet';
"""

FIVE = ("ndcg", "map", "precision", "recall", "mrr")
TEN = (*FIVE, "hit_rate", "f1", "mar", "r_precision", "dcg")
CUTOFFS = (5, 10, 15, 20)


def sqlrec_case(metrics: tuple[str, ...], cutoffs: tuple[int, ...], order: str) -> str:
    """Write a program that evaluates metrics from ranks or from scores."""
    asked = [f"{metric}@{k}" for metric in metrics for k in cutoffs]
    return (
        f"import sqlrec; print(sqlrec.evaluate({asked}, recs='recs.parquet', "
        f"truth='truth.parquet', order='{order}'))"
    )


def bare_case(sql: str) -> str:
    """Write a program that runs a query on the bare engine."""
    return f"import duckdb; print(duckdb.sql('''{sql}''').fetchall())"


JOIN = bare_case(
    "select count(*), sum(rank) from 'recs.parquet' as recs join 'truth.parquet' as truth "
    "on truth.user_id = recs.user_id and truth.item_id = recs.item_id"
)
WINDOW = bare_case(
    "select sum(place) from (select user_id, item_id, row_number() over "
    "(partition by user_id order by score desc) as place from 'recs.parquet')"
)

# name: (program, what it is measured against)
CASES = {
    "bare scan and join": (JOIN, ()),
    "bare ranking by score": (WINDOW, ()),
    "5 metrics x 4 cutoffs from ranks": (
        sqlrec_case(FIVE, CUTOFFS, "rank"),
        ("bare scan and join",),
    ),
    "5 metrics x 4 cutoffs from scores": (
        sqlrec_case(FIVE, CUTOFFS, "score"),
        ("bare scan and join", "bare ranking by score"),
    ),
    "1 metric x 1 cutoff from scores": (sqlrec_case(("ndcg",), (20,), "score"), ()),
    "10 metrics x 4 cutoffs from scores": (
        sqlrec_case(TEN, CUTOFFS, "score"),
        ("1 metric x 1 cutoff from scores",),
    ),
    "1 metric x 1 cutoff from ranks": (sqlrec_case(("ndcg",), (20,), "rank"), ()),
    "10 metrics x 4 cutoffs from ranks": (
        sqlrec_case(TEN, CUTOFFS, "rank"),
        ("1 metric x 1 cutoff from ranks",),
    ),
}


def measure(program: str, folder: Path) -> tuple[float, float]:
    """Run a program and return its CPU seconds and its largest memory in MB."""
    child = subprocess.Popen([sys.executable, "-c", program], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"failed: {program}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def table(rounds: list[dict[str, tuple[float, float]]]) -> str:
    """Write medians as a Markdown table."""
    lines = ["| case | CPU s | ratio | to | memory MB |", "| --- | ---: | ---: | --- | ---: |"]
    for name, (_, against) in CASES.items():
        cpu = statistics.median(one[name][0] for one in rounds)
        memory = statistics.median(one[name][1] for one in rounds)
        ratio = ""
        if against:
            base = [sum(one[other][0] for other in against) for one in rounds]
            ratios = [one[name][0] / below for one, below in zip(rounds, base, strict=True)]
            ratio = f"{statistics.median(ratios):.2f}"
        lines.append(f"| {name} | {cpu:.2f} | {ratio} | {' + '.join(against)} | {memory:.0f} |")
    return "\n".join(lines)


def main() -> None:
    """Make the data, measure every case in every round, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--readme", action="store_true", help="put the table into the README")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # In a process of its own: the memory of this one would count as that of every child.
        data = DATA.format(users=options.users, folder=folder)
        measure(f"import duckdb; duckdb.execute({data!r})", folder)
        rounds = [
            {case: measure(program, folder) for case, (program, _) in CASES.items()}
            for _ in range(options.rounds)
        ]
    machine = (
        f"{options.users} users x 100 recommendations, {os.cpu_count()} cores "
        f"({platform.machine()}), Python {platform.python_version()}, DuckDB {duckdb.__version__}, "
        f"sqlrec {sqlrec.__version__}; medians of {options.rounds} rounds."
    )
    written = f"{table(rounds)}\n\n{machine}"
    print(written)
    if options.readme:
        text = README.read_text(encoding="utf-8")
        place = r"(<!-- speed:.*?-->\n).*(<!-- end of speed)"
        text = re.sub(place, lambda m: f"{m[1]}\n{written}\n\n{m[2]}", text, flags=re.DOTALL)
        README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
