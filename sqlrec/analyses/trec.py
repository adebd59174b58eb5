"""trec_eval: the names of its measures, their order, and how it prints them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..catalogue.conventions import convention
from ..catalogue.requests import MetricRequest, ask, parse_metrics, spelled
from ..dialects import identifier
from ..engines import files, trec_files
from ..errors import InputError, MetricError
from ..evaluation import evaluate
from ..run.job import open_inputs, prepare

NAME = "trec_eval"

# Measures in the order in which they are printed, each with its parameters where it has some.
_PLACES = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(n / 10 for n in range(11))
_CUT = {
    **dict.fromkeys(("P", "recall", "ndcg_cut", "map_cut", "relative_P"), _PLACES),
    "success": (1, 5, 10),
    "unj": (5, 10, 20),
}
_SHARES = {"iprec_at_recall": _TENTHS, "Rprec_mult": tuple(2 * share for share in _TENTHS[1:])}
_BY_GAINS = ("G", "ndcg", "ndcg_rel", "Rndcg")
_COUNTS = ("num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")
_ORDER = (
    *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref"),
    *("recip_rank", "iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref"),
    *("Rprec_mult", "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut"),
    *("map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall", "set_map"),
    *("set_F", "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj"),
)
_GROUPS = {
    "official": _ORDER[: _ORDER.index("relstring")],
    "set": (
        *("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P"),
        *("set_recall", "set_relative_P", "set_map", "set_F"),
    ),
    "all_trec": _ORDER,
}

# What is said of all topics together alone.
_OF_ALL = ("runid", "num_q", "gm_map", "gm_bpref")

# To trec_eval a topic without a list is a list of one item without judgement. What that makes wrong
# it puts right by name: of these, and of strings, it does not find the names with parameters.
_WITH_PARAMETERS = ("utility", "rbp_resid")


@dataclass(frozen=True)
class _Line:
    """A line of what is printed.

    Attributes:
        measure: The measure, without parameters; empty for a metric that trec_eval has not.
        name: What stands in the line.
        asked: What is evaluated; the mean of several.
        gains: What grades are worth, where not themselves.
        length: How many places a string of grades has.
    """

    measure: str
    name: str
    asked: tuple[MetricRequest, ...] = ()
    gains: tuple[tuple[float, float], ...] = ()
    length: int = 0


def printed(metrics: Iterable[str], table: str | None = None, **options: Any) -> str:
    """Evaluate, and write what trec_eval prints: the values of topics, and of all.

    Args:
        metrics: Measures as ``trec_eval -m`` takes them, or as it prints them, or metrics of ours.
        table: ``per-user`` for topics alone, ``result`` for all together alone; else both.
        **options: As ``sqlrec.evaluate`` takes them.

    Raises:
        InputError: Several models or segments; gains of a truth that is not a file.
        MetricError: A measure or metric that does not exist.
    """
    if options.get("by") or table in ("user-counts", "gaps"):
        raise InputError(
            f"--format trec has topics and all: leave out --by and --table {table or 'result'}"
        )
    lines = _lines(metrics, options.get("convention") or NAME)
    users, topics, together = _values(lines, options)
    written = []
    if table != "result":
        strings = {x.length: _strings(x.length, options) for x in lines if x.length}
        for user in users:
            for line in lines:
                if line.length:
                    nothing = "" if line.name == line.measure else "-"
                    signs = strings[line.length].get(user, nothing)
                    written.append(f"{line.name:<22}\t{user}\t'{signs}'")
                elif line.measure not in _OF_ALL and user in topics[line.name]:
                    written.append(_written(line, user, topics[line.name][user]))
    if table != "per-user":
        for line in lines:
            if line.measure == "runid":
                written.append(f"{line.name:<22}\tall\t{_run(options['recs'])}")
            elif line.name in together:
                written.append(_written(line, "all", together[line.name]))
    return "\n".join(written)


def _values(
    lines: list[_Line], options: dict[str, Any]
) -> tuple[list[str], dict[str, dict[str, float]], dict[str, float]]:
    """Return the topics, and by the names of lines the values of each topic and of all."""
    base, relevant = (_ask(name, None, f"{name} of lists") for name in ("num_ret", "num_rel"))
    topics: dict[tuple[Any, ...], dict[str, float]] = {}
    means: dict[tuple[Any, ...], float] = {}
    for gains in dict.fromkeys([(), *(line.gains for line in lines)]):
        asked = {(a.label, a.k): a for line in lines if line.gains == gains for a in line.asked}
        given = options
        if gains:
            given = options | {"truth": _regraded(options, gains), "relevance_threshold": None}
        every: list[Any] = [base, relevant, *asked.values()]
        with warnings.catch_warnings():
            # Measures of trec_eval reach down to place 1000, whatever lists hold.
            warnings.filterwarnings("ignore", ".*every list is shorter than")
            result = evaluate(every, **(given | {"interval": None}))
        rows = result.rows().to_pylist()
        if len({row["model"] for row in rows}) > 1:
            raise InputError("--format trec prints one run: give one --recs, without models")
        for row in rows:
            means[gains, row["metric"], row["k"]] = row["value"]
        for row in result.per_user().to_arrow().to_pylist():
            values = topics.setdefault((gains, row["metric"], row["k"]), {})
            if row["value"] is not None:
                values[str(row["user_id"])] = row["value"]
    if options.get("population") == "judged" and options.get("relevance_threshold") is not None:
        # Its sum of num_rel over all topics does not know the level.
        every = [base, _ask("num_rel")]
        plain = evaluate(every, **(options | {"relevance_threshold": None, "interval": None}))
        means[(), "num_rel", None] = plain.to_arrow()["value"].to_pylist()[1]
    users = sorted(topics[(), base.label, None], key=str.encode)
    for line in lines:
        if line.measure in _WITH_PARAMETERS and line.name != line.measure:
            shown = topics[(), base.label, None]
            _add_nothing(line, topics, {user for user in users if not shown[user]})
        if line.measure == "Rndcg" and line.gains:
            # The level is of grades, not of gains.
            values, counts = topics[line.gains, "Rndcg", None], topics[(), relevant.label, None]
            values |= {user: 0.0 for user in values if not counts.get(user)}
    found: dict[str, dict[str, float]] = {}
    together: dict[str, float] = {}
    for line in lines:
        if line.measure == "num_q":
            together[line.name] = len(users)
        columns = [topics[line.gains, one.label, one.k] for one in line.asked]
        found[line.name] = {
            user: _mean(column[user] for column in columns)
            for user in users
            if columns and all(user in column for column in columns)
        }
        if line.measure in ("", *_COUNTS, *_OF_ALL):
            for one in line.asked:
                value = means[line.gains, one.label, one.k]
                if value is not None:
                    together[line.name] = value
        elif found[line.name]:
            # Added up in the order of trec_eval, so that the last digit is its own too.
            together[line.name] = _mean(found[line.name].values())
    return users, found, together


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)


def _add_nothing(
    line: _Line, topics: Mapping[tuple[Any, ...], dict[str, float]], without_list: set[str]
) -> None:
    """Give topics without a list what a measure has of one item without judgement."""
    (one,) = line.asked
    values, prices = topics[line.gains, one.label, one.k], one.settings
    for user in without_list:
        utility = line.measure == "utility"
        values[user] = values[user] + prices["noise"] - prices["rest"] if utility else 1.0


def _written(line: _Line, topic: str, value: float) -> str:
    """Format a line; counts have no decimals."""
    whole = line.measure in ("num_q", *_COUNTS)
    return f"{line.name:<22}\t{topic}\t{value:{'.0f' if whole else '6.4f'}}"


def _lines(metrics: Iterable[str], chosen: str) -> list[_Line]:
    """Read what is asked, and put it in the order of trec_eval; what it has not comes last."""
    params: dict[str, set[float] | str] = {}
    others: list[_Line] = []
    for text in metrics:
        for name in _GROUPS.get(text, ()):
            params.setdefault(name, "")
        if text in _GROUPS:
            continue
        name, given = _measure(text)
        if not name:
            for one in parse_metrics(text, chosen):
                name, given = _ours(one)
                if name:
                    _add(params, name, given)
                else:
                    others.append(_Line("", spelled(one.label, one.k), (one,)))
        else:
            _add(params, name, given)
    lines = [line for name in _ORDER if name in params for line in _lines_of(name, params[name])]
    return [*lines, *others]


def _measure(text: str) -> tuple[str, str]:
    """Take a measure and its parameters apart: ``P.5,10`` or ``P_5``; empty where it is none."""
    if text in _ORDER:
        return text, ""
    for name in sorted(_ORDER, key=len, reverse=True):
        if text.startswith((f"{name}.", f"{name}_")):
            return name, text[len(name) + 1 :]
    return "", ""


def _ours(one: MetricRequest) -> tuple[str, str]:
    """Return what trec_eval calls a metric of ours, and its parameter; empty where it has none."""
    if one.convention != NAME:
        return "", ""
    for entry in convention(NAME).entries:
        same = ask(convention(NAME), entry, one.k, "")
        cut = (entry.name in _CUT) == (one.k is not None)
        if cut and (same.metric, same.params) == (one.metric, one.params):
            name, given = _measure(entry.name)
            return name, str(one.k) if name in _CUT else given
    return "", ""


def _add(params: dict[str, set[float] | str], name: str, given: str) -> None:
    """Note a measure with its parameters: cutoffs add up, of all else the last is taken."""
    if given and name in (*_CUT, *_SHARES):
        before = params.get(name)
        params[name] = (before if isinstance(before, set) else set()) | {*_numbers(name, given)}
    elif given or name not in params:
        params[name] = given


def _lines_of(name: str, given: set[float] | str) -> list[_Line]:
    """Return the lines of a measure with parameters, or with those that it has by itself."""
    if name in _CUT:
        places = sorted({int(place) for place in given or _CUT[name]})
        if places[0] < 1:
            raise MetricError(f"{name}_{places[0]}: a cutoff is a whole number from 1")
        return [_Line(name, f"{name}_{k}", (_ask(name, k),)) for k in places]
    if name in _SHARES:
        return [_share(name, share) for share in sorted(map(float, given or _SHARES[name]))]
    label = f"{name}_{given}" if given else name
    if name == "relstring":
        length = int(_numbers(name, str(given))[0]) if given else 10
        return [_Line(name, label, length=length)]
    if name in ("runid", "num_q"):
        return [_Line(name, name)]
    if not given:
        return [_Line(name, name, (_ask(name),))]
    if name == "11pt_avg":
        points = (_share("iprec_at_recall", x).asked[0] for x in _numbers(name, str(given)))
        return [_Line(name, label, tuple(points))]
    if name in _BY_GAINS:
        return [_Line(name, label, (_ask(name),), _gains(name, str(given)))]
    switched = _switched(name, str(given))
    return [_Line(name, label, (_ask(name, None, name, switched),))]


def _switched(name: str, given: str) -> dict[str, float]:
    """Return our parameters for those of a measure."""
    if name in ("rbp", "rbp_resid") and given.startswith("p="):
        return {"p": _numbers(name, given[2:])[0]}
    keys = {"utility": ("hit", "noise", "miss", "rest"), "set_F": ("x",)}.get(name, ())
    numbers = _numbers(name, given) if keys else ()
    if not keys or len(numbers) != len(keys):
        raise MetricError(f"{name}.{given}: {name} takes {len(keys) or 'no'} numbers")
    return dict(zip(keys, numbers, strict=True))


def _share(name: str, share: float) -> _Line:
    """Return the line of a measure at a share of the relevant items."""
    label = f"{name}_{share:3.2f}"
    entry, key = {
        "iprec_at_recall": ("iprec_at_recall_0.00", "recall"),
        "Rprec_mult": ("Rprec", "multiple"),
    }[name]
    return _Line(name, label, (_ask(entry, None, f"{name}_{share}", {key: share}),))


def _ask(
    name: str, k: int | None = None, label: str = "", switched: Mapping[str, Any] | None = None
) -> MetricRequest:
    """Ask for a measure, with some parameters of ours otherwise."""
    known = convention(NAME)
    entry = next(entry for entry in known.entries if entry.name == name)
    return ask(known, replace(entry, params={**entry.params, **(switched or {})}), k, label or name)


def _numbers(name: str, given: str) -> list[float]:
    try:
        return [float(number) for number in given.split(",")]
    except ValueError:
        raise MetricError(f"{name}.{given}: give numbers with commas, as in {name}.5,10") from None


def _gains(name: str, given: str) -> tuple[tuple[float, float], ...]:
    pairs = re.findall(r"(?:^|,)(-?\d+)=([0-9.eE+-]+)(?=,|$)", given)
    if len(pairs) != given.count("=") or not pairs:
        raise MetricError(f"{name}.{given}: give gains of grades, as in {name}.1=3.5,2=9")
    gains = tuple((float(grade), _numbers(name, gain)[0]) for grade, gain in pairs)
    if any(gain < 0 for _, gain in gains):
        raise MetricError(f"{name}.{given}: a gain is 0 or more")
    return gains


def _regraded(options: Mapping[str, Any], gains: tuple[tuple[float, float], ...]) -> str:
    """Name a view of the truth in which grades are the gains that were given for them."""
    truth, engine, columns = options["truth"], options["engine"], options.get("columns") or {}
    if not isinstance(truth, str) or not files.is_file(truth):
        raise InputError("gains of a measure, as in ndcg.1=3, need a truth that is a file")
    column = identifier(
        columns.get("truth.relevance", columns.get("relevance", "relevance")), "duckdb"
    )
    cases = " ".join(f"when {grade} then {gain}" for grade, gain in gains)
    engine.execute(
        f"create or replace temp view sqlrec_regraded as select * replace "
        f"(case cast({column} as double) {cases} else cast({column} as double) end as {column}) "
        f"from {files.reader(truth, 'truth')}"
    )
    return "sqlrec_regraded"


def _strings(length: int, options: Mapping[str, Any]) -> dict[str, str]:
    """Return for each topic the grades of its first places, a character each."""
    job = prepare([_ask("num_ret")], **open_inputs(options))
    text = job.render("marked", last=length)
    found: dict[str, dict[int, str]] = {}
    for row in job.query(text, ("user_id", "rank", "grade", "violations")).to_pylist():
        found.setdefault(str(row["user_id"]), {})[row["rank"]] = _sign(row["grade"])
    return {
        user: "".join(sign for _, sign in sorted(signs.items())) for user, signs in found.items()
    }


def _sign(grade: float | None) -> str:
    if grade is None:
        return "-"
    if grade < 0:
        return "."
    return ">" if grade > 9 else str(int(grade))


def _run(recs: Any) -> str:
    """Return the tag of a run; of what is not a file of TREC, the model's name."""
    if isinstance(recs, Mapping):
        return str(next(iter(recs)))
    return (trec_files.run_tag(recs) if isinstance(recs, str) else None) or "recs"
