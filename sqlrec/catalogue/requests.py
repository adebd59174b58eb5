"""What people ask for, read: ``ndcg(gain=exponential)@10``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from .. import messages
from ..errors import MetricError
from .conventions import OWN, Convention, Entry
from .conventions import convention as named_convention
from .headers import ANY_TEXT, Metric, metric

WHOLE_LIST = "all"
_DEEPEST = 1_000_000

# Metrics that are asked together: standard@5 is each of them at 5.
PRESETS: Mapping[str, tuple[str, ...]] = {
    "standard": ("ndcg", "map", "mrr", "recall", "precision", "hit_rate"),
    "beyond-accuracy": (
        "catalog_coverage",
        "gini",
        "inter_list_diversity",
        "surprisal",
        "serendipity",
    ),
}

# What stands for every metric that the inputs are enough for.
EVERYTHING = "all"

# The cutoff of both where none is written: a list of ten is what most papers and tools report.
USUAL = "10"

# A metric, and after commas further cutoffs of it, as in ndcg@5,10. No metric is called a number.
_PARTS = re.compile(rf"((?:[^\s,(]|\([^)]*\)?)+)((?:\s*,\s*(?:[0-9]+|{WHOLE_LIST})(?=[\s,]|$))*)")
_ASKED = re.compile(r"\s*(?P<name>[\w-]+)\s*(?:\((?P<params>[^()]*)\))?\s*(?:@\s*(?P<k>\w+))?\s*")


@dataclass(frozen=True)
class MetricRequest:
    """A metric as somebody asked for it.

    Attributes:
        metric: The metric.
        params: Its parameters, as far as they differ from the metric's own defaults.
        k: The cutoff; None for the whole list.
        label: The name in results: the metric's name, the convention if it was asked with one, and
            the parameters that differ from that convention.
        convention: Whose form of the metric it is.
        rules: The rules of that convention, as far as they differ from the defaults.
        text: What was written, by which results are found.
    """

    metric: Metric
    params: Mapping[str, Any]
    k: int | None
    label: str
    convention: str
    rules: Mapping[str, Any]
    text: str

    @property
    def settings(self) -> dict[str, Any]:
        """All its parameters."""
        return {key: self.params.get(key, own[0]) for key, own in self.metric.params.items()}

    @property
    def unexpected(self) -> list[str]:
        """The parameters whose values have no form of what is expected of equal scores."""
        settings = self.settings
        return [key for key, odd in self.metric.unexpected.items() if settings[key] in odd]

    def reads(self, table: str) -> bool:
        """Say whether it reads an input, or would if that is given."""
        needs = self.metric.needs
        return any(need.table == table and need.holds(self.settings, True) for need in needs)


def parse_metrics(
    asked: str | Iterable[str | MetricRequest],
    convention: str = OWN,
    k: int | str | Iterable[int | str] | None = None,
    everything: Callable[[Sequence[str]], list[str]] | None = None,
) -> list[MetricRequest]:
    """Read metrics as people write them: ``"ndcg@10"``, ``"ndcg(gain=exponential)@10"``, ``"P@5"``.

    Args:
        asked: One text, which may hold several metrics between spaces or commas, or several texts.
        convention: Whose form of the metrics is meant, where they don't say.
        k: The cutoff of those that are written without, or several.
        everything: Writes what ``all`` stands for at some cutoffs, where inputs are read.

    Raises:
        MetricError: An unknown name, cutoff, parameter or convention; the same metric twice, or
            none at all.
    """
    if not isinstance(asked, Iterable):
        raise MetricError(messages.METRICS.format(metrics=asked))
    cutoffs = [] if k is None else _read_cutoffs(k)
    found: list[MetricRequest] = []
    named: set[str] = set()
    for text in [asked] if isinstance(asked, str) else asked:
        if isinstance(text, MetricRequest):
            found.append(text)
        elif isinstance(text, str):
            parts = _split(text, cutoffs, everything, named)
            found += [_read_one(part, convention) for part in parts]
        else:
            raise MetricError(messages.NOT_TEXT.format(metric=text))
    if not found:
        raise MetricError(messages.NO_METRIC)
    seen: dict[tuple[str, int | None], MetricRequest] = {}
    for one in found:
        first = seen.setdefault((one.label, one.k), one)
        if first is not one:
            raise MetricError(
                messages.ASKED_TWICE.format(
                    metric=spelled(one.label, one.k), first=first.text, second=one.text
                )
            )
    return found


def _read_cutoffs(k: Any) -> list[str]:
    several = re.split(r"[\s,]+", k.strip()) if isinstance(k, str) else k
    single = not isinstance(several, Iterable) or isinstance(several, bytes | Mapping)
    several = [several] if single else [*several]
    written = [str(one) for one in several if isinstance(one, Integral | str)]
    fit = all(re.fullmatch(rf"[0-9]{{1,7}}|{WHOLE_LIST}", one) for one in written)
    if not fit or not written or len(written) < len(several):
        raise MetricError(
            f"k={k!r}: it is a cutoff, as in 10, several, as in [5, 10], or '{WHOLE_LIST}'"
        )
    return written


def spelled(label: str, k: int | None) -> str:
    """Write a metric with its cutoff, as in ``ndcg@10``."""
    return f"{label}@{WHOLE_LIST if k is None else k}"


def asks_everything(asked: Any) -> bool:
    """Say whether some text asks for every metric that the inputs are enough for."""
    several = [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else asked
    texts = [one for one in several if isinstance(one, str)]
    found = (name for text in texts for name, _ in _PARTS.findall(text))
    return any(re.fullmatch(rf"{EVERYTHING}(@\w+)?", name) for name in found)


def _split(
    text: str,
    usual: list[str],
    everything: Callable[[Sequence[str]], list[str]] | None,
    named: set[str],
) -> list[str]:
    """Split at spaces and commas outside parentheses; a further cutoff is the metric once more.

    What has a cutoff and is written without one has the usual ones, a preset also where there are
    none. Metrics without cutoff that ``all`` stands for are kept in ``named``: each is asked once.
    """
    found: list[str] = []
    for name, cutoffs in _PARTS.findall(text):
        if usual and "@" not in name:
            plain = name.partition("(")[0]
            if plain in (*PRESETS, EVERYTHING) or metric(plain).entries["Cutoff"] != "none":
                name, cutoffs = f"{name}@{usual[0]}", ",".join(usual[1:])
        if name in (*PRESETS, EVERYTHING):
            if cutoffs:
                raise MetricError(messages.CUTOFF_LACKS.format(text=name, or_all=""))
            name += f"@{USUAL}"
        asked, at, first = name.rpartition("@")
        more = re.findall(r"\w+", cutoffs)
        if asked == EVERYTHING:
            every = _everything(name, _read_cutoffs([first, *more]), everything)
            found += [one for one in every if one not in named]
            named |= {one for one in every if "@" not in one}
            continue
        for k in ("", *more):
            text = asked + at + k if k else name
            found += [one + text[len(asked) :] for one in PRESETS.get(asked, ())] or [text]
    return found


def _everything(
    text: str, cutoffs: list[str], everything: Callable[[Sequence[str]], list[str]] | None
) -> list[str]:
    for k in cutoffs:
        if k != WHOLE_LIST and not 1 <= int(k) <= _DEEPEST:
            shown = {"most": _DEEPEST, "or_all": f", or {WHOLE_LIST}"}
            raise MetricError(messages.CUTOFF.format(text=text, **shown))
    found = everything(cutoffs) if everything else []
    if not found:
        why = "the inputs are enough for none" if everything else "no inputs are read here"
        raise MetricError(messages.EVERYTHING.format(text=text, why=why))
    return found


def _read_one(text: str, convention: str) -> MetricRequest:
    match = _ASKED.fullmatch(text)
    if match is None:
        raise MetricError(messages.INVALID.format(metric=text))
    found = metric(match["name"])
    written: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (match["params"] or "").split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise MetricError(messages.PARAM.format(text=text, param=key))
        if key in written:
            raise MetricError(messages.PARAM_TWICE.format(text=text, param=key))
        written[key] = value
    own = {"convention": written.pop("convention")} if "convention" in written else {}
    entry = named_convention(own.get("convention", convention)).entry(found.name)
    defaults = {key: allowed[0] for key, allowed in found.params.items()}
    usual = defaults | {key: found.read_param(key, value) for key, value in entry.params.items()}
    params = {key: found.read_param(key, value) for key, value in written.items()}
    texts = [key for key, allowed in found.params.items() if allowed == (ANY_TEXT,)]
    for key in texts:
        if key not in params:
            raise MetricError(messages.PARAM_LACKS.format(text=text, metric=found.name, param=key))
    settings = usual | params
    k = _read_cutoff(text, match["k"], found, settings)
    shown = own | {
        key: value for key, value in settings.items() if value != usual[key] or key in texts
    }
    return MetricRequest(
        metric=found,
        params={
            key: value for key, value in settings.items() if value != defaults[key] or key in texts
        },
        k=k,
        label=_label(found.name, shown),
        convention=own.get("convention", convention),
        rules=entry.rules,
        text=re.sub(r"\s", " ", text).strip(),
    )


def ask(convention: Convention, entry: Entry, k: int | None, label: str) -> MetricRequest:
    """Ask for a library's form of a metric, be it the first or not, under a label."""
    found = metric(entry.metric)
    params = {key: found.read_param(key, value) for key, value in entry.params.items()}
    return MetricRequest(found, params, k, label, convention.name, entry.rules, spelled(label, k))


def _label(name: str, params: Mapping[str, Any]) -> str:
    written = ", ".join(f"{key}={value}" for key, value in params.items())
    return f"{name}({written})" if written else name


def _read_cutoff(
    text: str, k: str | None, found: Metric, settings: Mapping[str, Any]
) -> int | None:
    rule = found.entries["Cutoff"]
    most = int(rule.partition(" up to ")[2] or _DEEPEST)
    if rule == "none":
        if k is not None:
            raise MetricError(messages.CUTOFF_NONE.format(text=text, metric=found.name, k=k))
        return None
    if k is None and rule != "optional":
        whole = f", or {text}@{WHOLE_LIST} for whole lists" if WHOLE_LIST in rule else ""
        raise MetricError(messages.CUTOFF_LACKS.format(text=text, or_all=whole))
    if k is None or k == WHOLE_LIST:
        divisor = [f"{key}=k" for key, value in settings.items() if value == "k"]
        if rule in ("a number", f"a number up to {most}") or divisor:
            why = f" with {divisor[0]}" if divisor else ""
            raise MetricError(messages.CUTOFF_NUMBER.format(text=text, metric=found.name, why=why))
        return None
    if not re.fullmatch(r"[0-9]{1,7}", k) or not 1 <= int(k) <= most:
        or_all = f", or {WHOLE_LIST}" if WHOLE_LIST in rule else ""
        raise MetricError(messages.CUTOFF.format(text=text, most=most, or_all=or_all))
    return int(k)
