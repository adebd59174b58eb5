"""The measured cases, in parts; the processes of a part read the same tables."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent / ".venv-benchmarks"
PEERS = sorted(path.stem for path in (HERE / "peers").glob("*.py"))

CUTOFFS = (5, 10, 15, 20)
DEEP = (10, 20, 50, 100)
FIFTY = tuple(range(2, 101, 2))
FIVE = ("ndcg", "average_precision", "precision", "recall", "reciprocal_rank")
TEN = (*FIVE, "hit_rate", "f_beta", "average_recall", "r_precision", "dcg")
# Large tables are in several files.
FILES = {"recs": "recs*.parquet", "truth": "truth*.parquet"}
SCANNED = "select count(*), sum(rank) from 'recs*.parquet' join 'truth*.parquet' "
SCANNED += "using (user_id, item_id)"
# The files of recs and truth in each format.
FORMATS = {
    "Parquet": ("recs*.parquet", "truth*.parquet"),
    "CSV": ("recs.csv", "truth.csv"),
    "JSON lines": ("recs.jsonl", "truth.jsonl"),
    "list column": ("lists.parquet", "truth*.parquet"),
}
UNNESTED = "(select user_id, unnest(item_id) as item_id, generate_subscripts(item_id, 1) as rank "
UNNESTED += "from 'lists.parquet')"
RANKED = "select sum(rank) from (select row_number() over (partition by user_id "
RANKED += "order by score desc) as rank from 'recs*.parquet')"
# The cheapest search for repeated items: sort by user and item, compare with the row before.
SEARCHED = "select count(*) from (select user_id, item_id, lag(user_id) over () as user_before, "
SEARCHED += "lag(item_id) over () as item_before from (select user_id, item_id "
SEARCHED += "from 'recs*.parquet' where rank <= {} order by user_id, item_id)) "
SEARCHED += "where user_id = user_before and item_id = item_before"


@dataclass(frozen=True)
class Case:
    """A process.

    Attributes:
        name: The name in the table.
        command: The arguments of Python.
        data: The set of tables, a folder in which it runs, or empty.
        answers: Cases with the same text here must have the same values.
        python: The path of its Python.
    """

    name: str
    command: tuple[str, ...]
    data: str = "recs"
    answers: str = ""
    python: str = sys.executable


@dataclass(frozen=True)
class Part:
    """Cases that are measured in turn, in several rounds.

    Attributes:
        data: The options of data.py by set of tables.
        cases: The cases.
        rounds: The number of rounds; None for the number requested.
    """

    data: dict[str, dict[str, Any]]
    cases: list[Case]
    rounds: int | None = None


def program(name: str, *arguments: str) -> tuple[str, ...]:
    """Return the command of one of programs.py."""
    return (str(HERE / "programs.py"), name, *arguments)


def sqlrec(
    metrics: tuple[str, ...], cutoffs: tuple[int, ...] = CUTOFFS, **options: Any
) -> tuple[str, ...]:
    """Return the command that evaluates metrics at all cutoffs, or at their own."""
    return program("evaluate", at_cutoffs(metrics, cutoffs), json.dumps(FILES | options))


def pasted(metrics: tuple[str, ...], cutoffs: tuple[int, ...], order: str) -> tuple[str, ...]:
    """Return the command that runs only the printed statement, without sqlrec."""
    requests = at_cutoffs(metrics, cutoffs).split()
    options = ["--dialect", "duckdb", "--order", order]
    command = [sys.executable, "-m", "sqlrec", "sql", *requests, *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8")
    return program("pasted", json.dumps(FILES), text.stdout)


def at_cutoffs(metrics: tuple[str, ...], cutoffs: tuple[int, ...] = CUTOFFS) -> str:
    """Return the requests: each metric at all cutoffs, unless it has its own."""
    requests = [
        request if "@" in request else f"{request}@{k}" for request in metrics for k in cutoffs
    ]
    return " ".join(dict.fromkeys(requests))


def _bare_queries(cutoffs: tuple[int, ...], data: str = "recs") -> list[Case]:
    """Return the bare queries. Their sum is a lower bound for an evaluation with checks."""
    queries = {
        "scan and join": SCANNED,
        "ranking by score": RANKED,
        "search for repeated items": SEARCHED.format(cutoffs[-1]),
    }
    return [Case(f"bare {name}", program("bare", sql), data) for name, sql in queries.items()]


def _five_metrics(
    users: int, answers: str, cutoffs: tuple[int, ...], by_hand: dict[str, str]
) -> Part:
    cases = _bare_queries(cutoffs)
    for order in ("rank", "score"):
        commands = {
            "": sqlrec(FIVE, cutoffs, order=order),
            "printed SQL ": pasted(FIVE, cutoffs, order),
            **{f"{tool} by hand ": program(name, order) for tool, name in by_hand.items()},
        }
        cases += [
            Case(f"{tool}from {order}s", command, answers=answers)
            for tool, command in commands.items()
        ]
    return Part({"recs": {"users": users}}, cases)


def five(users: int) -> Part:
    """Five metrics at four cutoffs, relative to the engine and to handwritten SQL."""
    return _five_metrics(users, "five", CUTOFFS, {"SQL": "duckdb_sql", "Polars": "polars"})


def deep(users: int) -> Part:
    """Five metrics of lists that are read to their last rank."""
    return _five_metrics(users, "deep", DEEP, {})


def fifty(users: int) -> Part:
    """Five metrics at 50 cutoffs, for a curve over the list."""
    return Part(
        {"recs": {"users": users}},
        [
            *_bare_queries(FIFTY),
            Case("from ranks", sqlrec(FIVE, FIFTY, order="rank"), answers="fifty"),
            Case("from scores", sqlrec(FIVE, FIFTY, order="score"), answers="fifty"),
        ],
    )


def additions(users: int) -> Part:
    """The costs of segments, intervals, summaries and a library's rules, and of `explain`."""
    by = {"users": "users.parquet", "by": ["country", "device"]}
    return Part(
        {"recs": {"users": users, "segments": 5}},
        [
            Case("means", sqlrec(FIVE, order="rank", interval=None)),
            Case("by two columns, each and together", sqlrec(FIVE, order="rank", each=True, **by)),
            Case("interval by t", sqlrec(FIVE, order="rank", interval="t")),
            Case(
                "interval and summaries",
                sqlrec(FIVE, order="rank", interval="t", summaries=["median", "p90"]),
            ),
            Case("as rectools", sqlrec(FIVE, order="rank", convention="rectools")),
            Case("one metric", sqlrec(("ndcg@10",), order="rank")),
            Case(
                "explain of one metric",
                program("explain", "ndcg@10", json.dumps(FILES | {"order": "rank"})),
            ),
        ],
    )


def unjudged(users: int) -> Part:
    """Lists of users without truth, who are not in the means."""
    return Part(
        {"all": {"users": users}, "fifth": {"users": users, "without-truth": 0.8}},
        _bare_queries(CUTOFFS, "fifth")
        + [
            Case(f"{share}, from {order}s", sqlrec(FIVE, order=order), data)
            for order in ("rank", "score")
            for share, data in (("all users have truth", "all"), ("a fifth has truth", "fifth"))
        ],
    )


def catalogue(users: int) -> Part:
    """All metrics that need only recs, truth and history, in one call."""
    files = json.dumps(FILES | {"history": "history*.parquet", "order": "score"})
    return Part(
        {"recs": {"users": users, "grades": 3, "history": 20}},
        [
            Case("five metrics", sqlrec(FIVE, order="score"), answers="five"),
            Case("all metrics", program("catalogue", files), answers="five"),
        ],
    )


def readers(users: int) -> Part:
    """Equal rows in each format, relative to DuckDB's minimum to read and join them."""
    cases = []
    for name, (recs, truth) in FORMATS.items():
        scanned = SCANNED.replace("truth*.parquet", truth)
        rows = UNNESTED if recs.startswith("lists") else f"'{recs}'"
        files = {"recs": recs, "truth": truth} | ({} if rows == UNNESTED else {"order": "rank"})
        cases += [
            Case(f"bare {name}", program("bare", scanned.replace("'recs*.parquet'", rows))),
            Case(name, sqlrec(("ndcg@10", "recall@5"), **files), answers="readers"),
        ]
    formats = "csv,jsonl,lists"
    return Part({"recs": {"users": max(1, users // 10), "formats": formats}}, cases)


def small() -> Part:
    """Start-up and imports: a process in Python and on the command line, and a report."""
    inputs = ("--recs", "recs.parquet", "--truth", "truth.parquet", "--order", "rank")
    model_flags = [
        word for model in range(4) for word in ("--recs", f"m{model}=model-{model}.parquet")
    ]
    metrics = ("ndcg@10", "recall@5")
    report = (
        "report",
        *metrics,
        *model_flags,
        "--truth",
        "truth.parquet",
        "--output",
        "report.html",
    )
    return Part(
        {"recs": {"users": 1000}, "models": {"users": 500, "models": 4}},
        [
            Case("bare scan and join", program("bare", SCANNED)),
            Case("1,000 users", sqlrec(FIVE, order="score")),
            Case("sqlrec evaluate", ("-m", "sqlrec", "evaluate", *metrics, *inputs)),
            Case("sqlrec list", ("-m", "sqlrec", "list"), ""),
            Case("report of four models", ("-m", "sqlrec", *report, "--order", "rank"), "models"),
        ],
    )


def questions(users: int) -> Part:
    """A second call on the same tables: an evaluated metric, or a comparison."""
    tables = {f"m{number}": f"model-{number}.parquet" for number in range(2)}
    cases = []
    for order in ("rank", "score"):
        for then in ("", "evaluate", "compare"):
            inputs = json.dumps({"recs": tables, "truth": "truth*.parquet"})
            command = program("questions", at_cutoffs(FIVE), order, then, inputs)
            cases.append(Case(f"evaluate{then and f', then {then}'}, {order}s", command))
    return Part({"recs": {"users": users, "models": 2}}, cases)


def models(users: int) -> Part:
    """Eight models against one truth."""
    tables = {f"m{number}": f"model-{number}.parquet" for number in range(8)}
    return Part(
        {"one": {"users": users}, "recs": {"users": users, "models": 8}},
        [
            Case("one model", sqlrec(FIVE, order="rank"), "one"),
            Case("8 models, a column", sqlrec(FIVE, order="rank"), answers="models"),
            Case("8 models, tables", sqlrec(FIVE, order="rank", recs=tables), answers="models"),
        ],
    )


def diversity(users: int) -> Part:
    """Comparisons between lists, and of items within lists of many lengths."""
    counted = (
        "select sum(found) from (select count(*) as found from 'recs*.parquet' group by item_id)"
    )
    lengths = (10, 100, 1000)
    data = {"between": {"users": users * 10, "length": 50, "truth": 0}}
    cases = [
        Case("bare count by item", program("bare", counted), "between"),
        Case(
            "inter-list diversity",
            sqlrec(("inter_list_diversity@50",), truth=None, order="rank"),
            "between",
        ),
    ]
    # Pairs of items take much longer, so there are fewer lists.
    for metric, rows in (("hamming_diversity", users * 100), ("jaccard_diversity", users * 10)):
        for length in lengths:
            name = f"{metric} {length}"
            data[name] = {
                "users": max(1, rows // length),
                "length": length,
                "truth": 0,
                "categories": 50,
            }
            options = {"truth": None, "items": "items.parquet", "order": "rank"}
            cases.append(Case(name, sqlrec((f"{metric}@all",), **options), name))
    return Part(data, cases)


def bootstrap(users: int) -> Part:
    """Intervals from 1,000 samples of users: of a mean, and of a metric of all lists together."""
    drawn = {"order": "rank", "interval": "bootstrap", "replicates": 1000}
    overall = ("gini@10", "shannon_entropy@10", "herfindahl@10", "inter_list_diversity@10")
    return Part(
        {"recs": {"users": users}},
        [
            Case("bootstrap interval", sqlrec(("ndcg@10",), **drawn)),
            Case("bootstrap of all lists together", sqlrec(overall, truth=None, **drawn)),
        ],
    )


def growth(sizes: list[int]) -> Part:
    """Increasing numbers of rows; from 100 million on also with limited memory."""
    data, cases = {}, []
    for size in sizes:
        data[f"{size}"] = {"users": max(1, size // 100)}
        # From a billion rows on, only with limited memory.
        limits = {0: [None], 100_000_000: [None, "2GB"], 1_000_000_000: ["4GB"]}
        choices = [limits[rows] for rows in limits if size >= rows]
        for order in ("rank", "score"):
            for limit in choices[-1]:
                name = f"{size:,} rows from {order}s{f' in {limit}' if limit else ''}"
                settings = {"memory_limit": limit, "temp_directory": "spilled"}
                options = {"order": order} | ({"settings": settings} if limit else {})
                cases.append(Case(name, sqlrec(FIVE, **options), f"{size}", f"{size}"))
    return Part(data, cases, 1)


def output(users: int) -> Part:
    """Per-user values, written to a file with little memory."""
    settings = {"memory_limit": "1500MB", "temp_directory": "spilled"}
    options = json.dumps(FILES | {"order": "rank", "settings": settings})
    command = program("per_user", at_cutoffs(TEN), options, "values.parquet")
    return Part(
        {"recs": {"users": users, "length": 20}}, [Case("per-user values in 1500MB", command)], 1
    )


def peers(users: int, peer_users: int | None) -> Part:
    """Other libraries, and sqlrec on the same files, by their conventions and by defaults."""
    data, cases = {}, []
    for name in PEERS:
        peer = constants(name)
        order, metrics = peer["ORDER"], peer["METRICS"]
        # In one file, because not every library reads several.
        data[name] = {
            "users": peer_users or max(1, int(users * peer["SHARE"])),
            "part-rows": sys.maxsize,
        }
        metrics = [
            (request.replace("{k}", str(k)) if "@" in request else f"{request}@all")
            for request in metrics
            for k in CUTOFFS
        ]
        same = sqlrec(tuple(dict.fromkeys(metrics)), convention=name, order=order)
        python = str(ENVIRONMENTS / name / "bin" / "python")
        script = ("-P", str(HERE / "peers" / f"{name}.py"), *map(str, CUTOFFS))
        cases += [
            Case(name, script, name, name, python),
            Case(f"sqlrec as {name}", same, name, name),
            Case(f"sqlrec by default, tables of {name}", sqlrec(tuple(metrics), order=order), name),
        ]
        if order == "rank":
            scores = sqlrec(tuple(metrics), order="score")
            cases.append(Case(f"sqlrec by default from scores, tables of {name}", scores, name))
    return Part(data, cases, 1)


def constants(peer: str) -> dict[str, Any]:
    """Return the constants of a peer's script, without running it."""
    code = ast.parse((HERE / "peers" / f"{peer}.py").read_text(encoding="utf-8"))
    return {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in code.body
        if isinstance(node, ast.Assign)
    }
