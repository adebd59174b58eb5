"""The output of trec_eval: the names and the order of measures, and the format of lines."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ..catalogue.conventions import OWN, convention
from ..catalogue.headers import Params
from ..catalogue.requests import MetricRequest, format_metric, parse_metrics, request_entry
from ..engines import trec_files
from ..errors import InputError, MetricError
from ..evaluation import evaluate
from ..inputs.tables import Tables
from ..options import Rules
from ..run.job import Call

NAME = "trec_eval"

# Measures in the order of their lines, with the default parameters of measures that have
# parameters.
_RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(n / 10 for n in range(11))
_CUT = {
    **dict.fromkeys(("P", "recall", "ndcg_cut", "map_cut", "relative_P"), _RANKS),
    "success": (1, 5, 10),
    "unj": (5, 10, 20),
}
_SHARES = {"iprec_at_recall": _TENTHS, "Rprec_mult": tuple(2 * share for share in _TENTHS[1:])}
# For measures at shares: the entry of the convention, and the parameter that is the share.
_SHARE_ENTRIES = {
    "iprec_at_recall": ("iprec_at_recall_0.00", "recall"),
    "Rprec_mult": ("Rprec", "multiple"),
}
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

# Measures that have a value only for all topics together.
_OF_ALL = ("runid", "num_q", "gm_map", "gm_bpref")


@dataclass(frozen=True)
class _Line:
    """A line of the output."""

    # The measure without parameters; empty for a metric that trec_eval does not support.
    measure: str
    name: str  # The name in the line.
    # The request that computes the values of the line, if any.
    request: MetricRequest | None = None
    length: int = 0  # The number of ranks in a string of grades.


def format_trec(metrics: Iterable[str], table: str | None, tables: Tables, rules: Rules) -> str:
    """Evaluate, and format the values of each topic and of all topics as in trec_eval's output.

    A measure is written as in ``trec_eval -m``, as in trec_eval's output, or as a metric of sqlrec.
    The table ``per-user`` contains only the lines of topics, and ``result`` only the lines of all
    topics together.
    """
    lines = _trec_lines(metrics, NAME if rules.convention == OWN else rules.convention)
    users, topics, totals = _evaluate_lines(lines, tables, rules)
    output = []
    if table != "result":
        strings = {x.length: _grade_strings(x.length, tables, rules) for x in lines if x.length}
        for user in users:
            for line in lines:
                if line.length:
                    nothing = "" if line.name == line.measure else "-"
                    signs = strings[line.length].get(user, nothing)
                    output.append(f"{line.name:<22}\t{user}\t'{signs}'")
                elif line.measure not in _OF_ALL and user in topics[line.name]:
                    output.append(_format_line(line, user, topics[line.name][user]))
    if table != "per-user":
        # The tag of a TREC run file; for other lists, the model's name.
        recs = tables.recs
        tag = next(iter(recs)) if isinstance(recs, Mapping) else None
        tag = trec_files.run_tag(recs) if isinstance(recs, str) else tag
        for line in lines:
            if line.measure == "runid":
                output.append(f"{line.name:<22}\tall\t{tag or 'recs'}")
            elif line.name in totals:
                output.append(_format_line(line, "all", totals[line.name]))
    return "\n".join(output)


def _evaluate_lines(
    lines: list[_Line], tables: Tables, rules: Rules
) -> tuple[list[str], dict[str, dict[str, float]], dict[str, float]]:
    """Return the topics, the values of each topic by line, and the values of all topics by line."""
    base = _measure_request("num_ret", None, "num_ret of lists")
    requests = {(x.label, x.k): x for line in lines if (x := line.request)}
    with warnings.catch_warnings():
        # trec_eval prints measures at cutoffs up to 1000, even if lists are shorter.
        warnings.filterwarnings("ignore", ".*every list is shorter than")
        call = Call(tables, rules, [base, *requests.values()])
        result = evaluate(call, None)
    rows = result.rows().to_pylist()
    models = dict.fromkeys(row["model"] for row in rows)
    if len(models) > 1:
        raise InputError(f"--format trec prints one run, not the models {[*models]}")
    means = {(row["metric"], row["k"]): row["value"] for row in rows}
    if rules.population == "judged" and rules.relevance_threshold is not None:
        # trec_eval's sum of num_rel over all topics ignores the relevance level.
        own_rules = replace(rules, relevance_threshold=None)
        plain = evaluate(Call(tables, own_rules, [base, _measure_request("num_rel")]), None)
        means["num_rel", None] = plain.to_arrow()["value"].to_pylist()[1]
    topics: dict[tuple[str, int | None], dict[str, float]] = {}
    for row in result.per_user().to_arrow().to_pylist():
        values = topics.setdefault((row["metric"], row["k"]), {})
        if row["value"] is not None:
            values[str(row["user_id"])] = row["value"]
    users = sorted(topics[base.label, None], key=str.encode)
    by_line: dict[str, dict[str, float]] = {}
    totals: dict[str, float] = {}
    for line in lines:
        key = (line.request.label, line.request.k) if line.request else ("", None)
        own = topics.get(key, {})
        values = by_line[line.name] = {user: own[user] for user in users if user in own}
        if line.measure == "num_q":
            totals[line.name] = len(users)
        elif line.measure in ("", *_COUNTS, *_OF_ALL):
            if means.get(key) is not None:
                totals[line.name] = means[key]
        elif values:
            # The sum is in trec_eval's order, so the last digit is equal.
            totals[line.name] = sum(values.values()) / len(values)
    return users, by_line, totals


def _format_line(line: _Line, topic: str, value: float) -> str:
    """Format a line; counts have no decimals."""
    is_count = line.measure in ("num_q", *_COUNTS)
    return f"{line.name:<22}\t{topic}\t{value:{'.0f' if is_count else '6.4f'}}"


def _trec_lines(metrics: Iterable[str], convention_name: str) -> list[_Line]:
    """Return the lines of metrics in trec_eval's order; other metrics come last."""
    measures: dict[str, list[float]] = {}
    others: list[_Line] = []
    for text in metrics:
        for name in _GROUPS.get(text, ()):
            measures.setdefault(name, [])
        if text in _GROUPS:
            continue
        name, values = _split_measure(text)
        requests = [] if name else parse_metrics(text, convention_name)
        named = [(name, values)] if name else [_trec_name(request) for request in requests]
        for name, values in named:
            if name in (*_CUT, *_SHARES):
                # Cutoffs and shares of repeated measures are combined.
                measures.setdefault(name, []).extend(_parse_numbers(name, values))
            elif name:
                measures[name] = _parse_numbers(name, values) or measures.get(name, [])
        others += [
            _Line("", format_metric(request.label, request.k), request)
            for request, (name, _) in zip(requests, named, strict=False)
            if not name
        ]
    lines = (_measure_lines(name, measures[name]) for name in _ORDER if name in measures)
    return [*chain(*lines), *others]


def _split_measure(text: str) -> tuple[str, str]:
    """Split ``P.5,10`` or ``P_5`` into name and parameters; both empty for other texts."""
    if text in _ORDER:
        return text, ""
    for name in sorted(_ORDER, key=len, reverse=True):
        if text.startswith((f"{name}.", f"{name}_")):
            return name, text[len(name) + 1 :]
    return "", ""


def _trec_name(request: MetricRequest) -> tuple[str, str]:
    """Return trec_eval's name and parameter of a metric; empty if trec_eval lacks the metric."""
    if request.convention != NAME:
        return "", ""
    for entry in convention(NAME).entries:
        same = request_entry(convention(NAME), entry, request.k, "")
        has_cutoff = (entry.name in _CUT) == (request.k is not None)
        if has_cutoff and (same.metric, same.params) == (request.metric, request.params):
            name, parameters = _split_measure(entry.name)
            return name, str(request.k) if name in _CUT else parameters
    return "", ""


def _measure_lines(name: str, values: Sequence[float]) -> list[_Line]:
    """Return the lines of a measure in trec_eval's output, one per cutoff or share."""
    if name in _CUT:
        ranks = sorted({int(rank) for rank in values or _CUT[name]})
        if ranks[0] < 1:
            raise MetricError(f"{name}_{ranks[0]}: a cutoff must be a whole number of at least 1")
        return [_Line(name, f"{name}_{k}", _measure_request(name, k)) for k in ranks]
    if name in _SHARES:
        entry, key = _SHARE_ENTRIES[name]
        return [
            _Line(
                name,
                f"{name}_{share:3.2f}",
                _measure_request(entry, None, f"{name}_{share}", {key: share}),
            )
            for share in sorted({*values}) or _SHARES[name]
        ]
    if name == "relstring":
        label = f"{name}_{values[0]:g}" if values else name
        return [_Line(name, label, length=int(values[0]) if values else 10)]
    return [_Line(name, name, None if name in ("runid", "num_q") else _measure_request(name))]


def _measure_request(
    name: str, k: int | None = None, label: str = "", params: Params | None = None
) -> MetricRequest:
    trec = convention(NAME)
    entry = next(entry for entry in trec.entries if entry.name == name)
    return request_entry(
        trec, replace(entry, params={**entry.params, **(params or {})}), k, label or name
    )


def _parse_numbers(name: str, values: str) -> list[float]:
    """Parse a measure's cutoffs or shares, or the length of ``relstring``."""
    if values and name not in (*_CUT, *_SHARES, "relstring"):
        raise MetricError(
            f"{name}.{values}: {name} takes no parameters here; give sqlrec's metric, as in "
            "rbp(p=0.5)@all"
        )
    try:
        return [float(number) for number in values.split(",")] if values else []
    except ValueError:
        raise MetricError(f"{name}.{values}: give numbers with commas, as in {name}.5,10") from None


def _grade_strings(length: int, tables: Tables, rules: Rules) -> dict[str, str]:
    """Return for each topic the grades of its first ranks, with one character per grade."""
    job = Call(tables, rules).prepare(_measure_request("num_ret"))
    text = job.render("graded_ranks", last=length)
    signs: dict[str, dict[int, str]] = {}
    for row in job.query(text, ("user_id", "rank", "grade", "violations")).to_pylist():
        grade = row["grade"]
        sign = "-" if grade is None else "." if grade < 0 else ">" if grade > 9 else str(int(grade))
        signs.setdefault(str(row["user_id"]), {})[row["rank"]] = sign
    return {user: "".join(sign for _, sign in sorted(x.items())) for user, x in signs.items()}
