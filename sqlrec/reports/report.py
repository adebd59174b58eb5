"""The report: evaluates, compares and draws, and brings it all into one page."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Unpack

from ..analyses.compare import Comparison, compare
from ..analyses.explain import explain
from ..catalogue.headers import TABLES
from ..catalogue.requests import MetricRequest
from ..display.html import FADING
from ..display.layout import SIGNS
from ..display.numbers import steady
from ..errors import DataError, InputError, MetricError, nearest
from ..evaluation import evaluate, sql, takes
from ..options import RULES, Lists
from ..plots import of_results, of_rows
from ..plots.chart import written
from ..plots.of_results import better, segment, segments_of, together
from ..plots.plot import PAGE
from ..plots.svg import escaped
from ..results.evaluated import counts, of_result, paper_name
from ..results.result import Result, stored
from ..results.rows import Rows
from ..results.writing import check_target, replacing
from ..run.job import open_inputs, open_once, prepare, read_metrics
from ..run.segments import columns_of
from ..shown import hidden, warn
from . import verdict
from .blocks import Code, Folded, Grid, Heading, Laid, Note, Picture, Section, Verdict, plain
from .losers import losers
from .made import called, inputs_of, rules_of

# What is asked of a file's ending.
ENDINGS = (".html", ".md")

# So many segments are listed where a model is worse, so many models drawn, things said of a
# question, and rows shown of a table: a report has one size, whatever that of its inputs.
MOST_WORSE, MOST_MODELS, MOST_VERDICTS, MOST_ROWS = 12, 12, 12, 60

# A picture has so many segments, and so many intervals in all its panels.
MOST_SEGMENTS, MOST_MARKS = 30, 150

# Curves have so many lines in all their panels, and a table so many columns.
MOST_LINES, MOST_COLUMNS = 72, 60

# A page has so many bytes, style and frame aside: where there are more, the largest is left out.
MOST_BYTES = 280_000


class Report:
    """A report, which notebooks show and ``save`` writes.

    Attributes:
        title: The title of the page.
        about: The metrics, users and baseline, in one line.
        sections: The sections of the page.
    """

    def __init__(self, title: str, about: str, sections: Sequence[Section]) -> None:
        self.title = title
        self.about = about
        self.sections = sections

    @cached_property
    def html(self) -> str:
        """The report as one page, which asks no host for anything."""
        from jinja2 import Environment, FileSystemLoader

        folder = Path(__file__).parent
        environment = Environment(loader=FileSystemLoader(folder), autoescape=True)
        style = PAGE + (folder / "style.css").read_text(encoding="utf-8")
        style += FADING.replace("WIDE", ".wide,.sqlrec-rows")
        from markupsafe import Markup

        return environment.get_template("page.html").render(
            title=self.title, about=self.about, sections=self.sections, style=Markup(style)
        )

    @cached_property
    def markdown(self) -> str:
        """The report as Markdown, for a pull request or the summary of a job."""
        parts = [f"# {plain(self.title)}", plain(self.about)]
        for section in self.sections:
            parts.append(f"## {plain(section.title)}")
            parts += [block.markdown() for block in section.blocks]
        return "\n\n".join(parts) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report to a file.

        Args:
            path: An .html or .md file, which appears whole or not at all.

        Raises:
            InputError: The ending is another one, or no file can be written at the path.
        """
        target = check_target(path)
        if target.suffix.lower() not in ENDINGS:
            raise InputError(f"{str(path)!r}: a report's ending is one of {', '.join(ENDINGS)}")
        text = self.html + "\n" if target.suffix.lower() == ".html" else self.markdown
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8")

    def _repr_html_(self) -> str:
        page = escaped(self.html)
        style = "width:100%;height:720px;border:1px solid #888"
        return f'<iframe title="{escaped(self.title)}" srcdoc="{page}" style="{style}"></iframe>'

    def __repr__(self) -> str:
        return f"Report: {self.title}. {self.about}"


@takes(Lists)
def report(
    metrics: str | Iterable[str] = (),
    *,
    k: int | str | Iterable[int | str] | None = None,
    baseline: str | None = None,
    by: str | Iterable[str] = (),
    level: float = 0.95,
    who_lost: bool = True,
    hash_users: bool = False,
    libraries: bool = True,
    results: Any = None,
    comparison: Any = None,
    command: str | None = None,
    **options: Unpack[Lists],
) -> Report:
    """Make a report: which model is better, by how much, and for which users it is worse.

    Args:
        metrics: The metrics, as in ``evaluate``. The first decides the verdict and who lost. Give
            several cutoffs for curves.
        k: The default cutoff, as in ``evaluate``.
        baseline: The model that the others are compared with. Without it nothing is compared.
        by: Columns of segments, as in ``evaluate``. The report shows the segments where models are
            worse.
        level: The confidence level of the intervals.
        who_lost: Whether to show the ten users who lose most, with the lists of both models. Items
            are shown by title if ``items`` has a column ``title``.
        hash_users: Whether to show hashes in place of these users' ids.
        libraries: Whether to show the first metric as other libraries compute it, which takes
            longer than the rest of the report.
        results: A stored result in place of metrics and inputs: what ``evaluate`` returned, or a
            Parquet file of it.
        comparison: A stored comparison beside ``results``: what ``compare`` returned, or a Parquet
            file of it.
        command: The call to show as the one that made the report; by default that of Python.
        **options: The inputs and rules of ``evaluate``. ``history``, ``catalog`` and ``items`` add
            sections on which items are shown, and to whom.

    Returns:
        A Report with ``html`` and ``markdown``; ``save`` writes a file. The same inputs give the
        same bytes.

    Raises:
        MetricError, InputError, DataError: As in ``evaluate`` and ``compare``.
    """
    if results is not None:
        if options or metrics or k is not None or baseline is not None or by:
            raise InputError("results are given: leave out metrics and inputs, which made them")
        found = stored(results, "results")
        compared = None if comparison is None else stored(comparison, "comparison")
        if compared is not None and "baseline" in compared.column_names:
            raise InputError(
                "comparison: it has every pair of models, and a report needs one baseline: "
                "compare with one"
            )
        tables = Rows.of(found), None if compared is None else Rows.of(compared)
        return _Stored(*tables, level).report()
    known = {*TABLES, "columns", "where", "metrics_path", "engine", "settings", "progress"}
    known |= {"convention", "order_by", "depth", *(option.name for option in RULES)}
    for name in options:
        if name not in known:
            raise InputError(f"{name}: a report has no such option; {nearest(name, known)}")
    call = called(metrics, {"k": k, "baseline": baseline, "by": by, "level": level, **options})
    opened = open_once(metrics, options)
    asked = read_metrics(metrics, opened | {"by": columns_of(by)}, k)
    return _Made(
        asked,
        baseline=baseline,
        by=columns_of(by),
        level=level,
        who_lost=who_lost,
        hashed=hash_users,
        libraries=libraries,
        command=command or call,
        options=opened,
    ).report()


class _Stored:
    """A report of tables of results alone."""

    def __init__(self, results: Rows, comparison: Rows | None, level: float) -> None:
        self.level = level
        self.table = results
        self.rows = [dict(row) for row in results.records]
        for row in self.rows:
            row["better"] = better(row["asked"])
            row.setdefault("low")
            row.setdefault("high")
        self.segments = segments_of(results.column_names)
        self.compared = comparison
        self.models = list(dict.fromkeys(row["model"] for row in self.rows))
        self.baseline = self._baseline()
        self.metrics = list(dict.fromkeys(row["asked"] for row in self.rows))

    def _baseline(self) -> str | None:
        """The baseline is the model of the result that is in no row of the comparison."""
        if self.compared is None:
            return None
        others = {row["model"] for row in self.compared.records}
        rest = [model for model in self.models if model not in others]
        return rest[0] if len(rest) == 1 else "the baseline"

    def report(self) -> Report:
        """Write the report."""
        whole = [row for row in self.rows if _is_whole(row, self.segments)]
        differences = [] if self.compared is None else self.compared.records
        segments = [] if self.compared is None else segments_of(self.compared.column_names)
        of_all = [row for row in differences if _is_whole(row, segments)]
        layout = of_result(self.table.column_names, self.table.records)
        sections = [
            Section("verdict", "Verdict", self._verdict(whole, of_all, differences)),
            Section("results", "Results", [Laid(layout, "Metrics by model")]),
            Section("cutoffs", "By cutoff", [_curve(self.table)]),
        ]
        if self.compared is not None:
            sections.append(Section("segments", "By segment", _segments(self.compared, self.level)))
        needs = "These need the rows: give metrics and inputs for who lost, what is shown to whom, "
        needs += "the counts of users and lists, and what other libraries print."
        sections.append(Section("more", "What is not here", [Note(needs, missing=True)]))
        title, about = _titles(self.models, self.metrics, self.baseline, None)
        hidden = _hidden(whole or self.rows, self.baseline)
        return Report(title, about, _sections(sections, self.models, hidden))

    def _verdict(
        self, whole: Sequence[Any], of_all: Sequence[Any], differences: Sequence[Any]
    ) -> list[Any]:
        if self.compared is None or self.baseline is None or not (of_all or differences):
            best = self._best(whole)
            best = _under(BEST, best) if len(self.models) > 1 else best
            return [*best, Note(WITHOUT_BASELINE, missing=True)]
        segments = segments_of(self.compared.column_names)
        apart = verdict.told_apart(of_all, self.baseline, self.level)
        best = self._best(whole, apart)
        of_models = _verdicts(of_all, differences, segments, self.baseline, self.level)
        return [*_under(BEST, best), *of_models]

    def _best(self, whole: Sequence[Any], apart: Collection[frozenset[str]] = ()) -> list[Any]:
        """Say which model is best, of all users or, where these are not there, by segment."""
        if whole:
            return verdict.of_best(whole, self.level, apart)
        return verdict.of_best_by_segment(self.rows, self.segments)


WITHOUT_BASELINE = (
    "Models are not compared: name one of them as baseline for differences with intervals, for "
    "whom they are worse, and who lost."
)


# What a reader asks first, above what answers it.
BEST, WORSE, LEFT_OUT = "Which model is best", "For whom it is worse", "Who was left out"


def _under(heading: str, blocks: Sequence[Any]) -> list[Any]:
    """Put a heading above blocks, if there are any."""
    return [Heading(heading), *blocks] if blocks else []


def _is_whole(row: Mapping[str, Any], segments: Sequence[str]) -> bool:
    """Say whether a row is of all users."""
    return row["grouping"] == "all" if "grouping" in row else not segments


def _hidden(rows: Sequence[Any], baseline: str | None) -> set[str]:
    """Return the models that are not drawn: of many, all but the best and the baseline."""
    first = [row for row in rows if row["asked"] == rows[0]["asked"] and row["value"] is not None]
    first.sort(key=lambda row: -(SIGNS[row["better"]] or 1) * steady(row["value"]))
    models = {row["model"] for row in rows}
    best = dict.fromkeys([*({baseline} & models), *(row["model"] for row in first)])
    return models - {*[*best][:MOST_MODELS]} if len(models) > MOST_MODELS else set()


def _bounded(blocks: Sequence[Any], models: Collection[str], hidden: Collection[str]) -> list[Any]:
    """Return blocks of a section with no more models, rows and verdicts than one reads."""
    found: list[Any] = []
    run = 0
    for block in blocks:
        run = run + 1 if isinstance(block, Verdict) else 0
        if isinstance(block, Picture):
            block = Picture(block.plot.among(models, hidden))
        elif isinstance(block, Laid):
            layout = block.layout.narrow(MOST_COLUMNS)
            most = max(MOST_MODELS, min(MOST_ROWS, 1200 // len(layout.columns)))
            block = replace(block, layout=layout.first(most))
        elif isinstance(block, Folded):
            block = replace(block, blocks=_bounded(block.blocks, models, hidden))
        elif run > MOST_VERDICTS:
            block = Note("There are more: evaluate and compare list them all.")
        if run <= MOST_VERDICTS + 1:
            found.append(block)
    return found


def _sections(
    sections: Sequence[Section], models: Collection[str], hidden: Collection[str]
) -> list[Section]:
    """Return sections with no more in them than one reads; say which models are not drawn."""
    found = [replace(one, blocks=_bounded(one.blocks, models, hidden)) for one in sections]
    if hidden:
        text = f"Pictures show the best {MOST_MODELS} models, the baseline among them, and not "
        found[1].blocks.append(Note(f"{text}{len(hidden)} others."))
    _lighten(found)
    return found


def _lighten(sections: Sequence[Section]) -> None:
    """Leave out the largest blocks of a page that would be too large, but no verdict or result."""
    sizes = {
        (number, place): len(block.html().encode())
        for number, section in enumerate(sections)
        for place, block in enumerate(section.blocks)
    }
    kept = sum(sizes.values())
    for (number, place), size in sorted(sizes.items(), key=lambda one: -one[1]):
        if kept <= MOST_BYTES:
            return
        if sections[number].name not in ("verdict", "results"):
            text = f"This part has {size // 1000} kB and is left out of this page: ask for fewer "
            text += "metrics, cutoffs or segments."
            sections[number].blocks[place] = Note(text, missing=True)
            kept -= size


def _titles(
    models: Sequence[str], metrics: Sequence[str], baseline: str | None, users: str | None
) -> tuple[str, str]:
    words = [together([paper_name(asked) for asked in metrics])]
    words += [users] if users else []
    words += [f"baseline {baseline}"] if baseline else []
    words.append(f"sqlrec {version('sqlrec')}")
    return f"Evaluation of {together(models)}", " \u00b7 ".join(words)


def _curve(table: Rows) -> Any:
    ks: dict[str, set[Any]] = {}
    for row in table.records:
        ks.setdefault(row["metric"], set()).add(row["k"])
    if all(len(of_metric - {None}) < 2 for of_metric in ks.values()):
        return Note("There is one cutoff: ask for several, as in ndcg@5,10,20, for curves.", True)
    models = len({row["model"] for row in table.records})
    first = [*ks][: MOST_LINES // min(models, MOST_MODELS)]
    return Picture(of_results.curve(table.where("metric", first)))


def _verdicts(
    of_all: Sequence[Any],
    differences: Sequence[Any],
    segments: Sequence[str],
    baseline: str,
    level: float,
) -> list[Any]:
    """Say of each model how it does, and in which segments it is worse."""
    first = next((row["asked"] for row in of_all), None)
    others = [row for row in of_all if row["asked"] != first]
    of_first = [row for row in of_all if row["asked"] == first]
    of_first.sort(key=lambda row: -SIGNS[row["better"]] * steady(row["difference"] or 0))
    found = verdict.of_models(of_first, others, baseline, level)
    places = {row["model"]: place for place, row in enumerate(of_first)}
    parts = [row for row in differences if not _is_whole(row, segments)]
    parts.sort(key=lambda row: places.get(row["model"], 0))
    worse = verdict.of_segments(parts, segments, level, verdict.losers(of_all, level))
    return [*_under(f"How each compares with {baseline}", found), *_under(WORSE, worse)]


def _segments(table: Rows, level: float) -> list[Any]:
    """Show differences by segment, and where models are worse."""
    segments = segments_of(table.column_names)
    if not segments:
        return [Note("There are no segments: give by with columns of users.", missing=True)]
    whole = [row for row in table.records if _is_whole(row, segments)]
    everywhere = verdict.losers(whole, level)
    if "grouping" in table.column_names:
        table = table.where("grouping", segments)
    rows = [row for row in table.records if row["difference"] is not None and verdict.is_worse(row)]
    rows.sort(
        key=lambda row: (
            (row["model"], row["asked"]) in everywhere,
            row["p_adjusted"] is None,
            row["p_adjusted"] and steady(row["p_adjusted"]),
            steady(row["difference"]),
        )
    )
    body = [
        [
            row["model"],
            segment(row, segments),
            paper_name(row["asked"]),
            verdict.value_of(row, "difference", sign=True),
            ""
            if row["low"] is None
            else f"{verdict.value_of(row, 'low')} to {verdict.value_of(row, 'high')}",
            written(row["users"]) + (" (few)" if row["users"] < 30 else ""),
            "yes" if verdict.is_told_apart(row, level) else "no",
        ]
        for row in rows[:MOST_WORSE]
    ]
    head = ["model", "segment", "metric", "difference", "interval", "users", "beyond chance"]
    title = "Where models are worse than the baseline, smallest p-values first"
    title += "; models that are worse altogether come last" if everywhere else ""
    worse = Grid(title, head, body, left=3)
    rest = len(rows) - len(body)
    more = [Note(f"And {rest} more rows where a model is worse.")] if rest > 0 else []
    nowhere = Note("No model is worse in any segment.")
    drawn = Picture(of_results.forest(_drawn(table)))
    return [*([worse, *more] if body else [nowhere]), drawn]


def _drawn(table: Rows) -> Rows:
    """Return the rows of each metric's first cutoff, where more or less of it is better.

    With many models and segments these are those of the first metrics.
    """
    first: dict[str, str] = {}
    for row in table.records:
        if SIGNS[row["better"]]:
            first.setdefault(row["metric"], row["asked"])
    models = len({row["model"] for row in table.records})
    segments = table.num_rows / models / max(1, len({row["asked"] for row in table.records}))
    marks = min(models, MOST_MODELS) * min(segments, MOST_SEGMENTS)
    asked = [*first.values()][: max(1, int(MOST_MARKS / marks))]
    return table.where("asked", asked) if first else table


@dataclass
class _Made:
    """A report made of the inputs."""

    asked: Any
    baseline: str | None
    by: list[str]
    level: float
    who_lost: bool
    hashed: bool
    libraries: bool
    command: str
    options: dict[str, Any]

    def __post_init__(self) -> None:
        self.prepared = open_inputs(self.options)
        self.given = self.prepared["given"]
        # Without lists there are logged decisions, and one policy.
        self.of_logs = self.given["recs"] is None
        if self.of_logs and self.baseline is not None:
            raise InputError(
                f"baseline={self.baseline!r}: logged decisions have one policy, and there is none "
                "to compare it with; leave baseline out"
            )
        self.options = {name: one for name, one in self.prepared.items() if name != "given"}

    def report(self) -> Report:
        """Evaluate, compare, draw; warnings are said once, and stand in the report."""
        with _heard() as heard:
            self.result: Result = evaluate(
                self.asked, interval="auto", level=self.level, **self.given, **self.options
            )
            table = Rows.of(self.result.rows())
            self.rows = [row | {"better": better(row["asked"])} for row in table.records]
            self.models = list(dict.fromkeys(row["model"] for row in self.rows))
            self.means = [one for one in self.asked if one.label in self.result.means()]
            compares = self.baseline is not None and bool(self.means)
            self.compared = self._compare() if compares else None
            self.in_segments = self._compare(self.by) if compares and self.by else None
            sections = [
                Section("verdict", "Verdict", self._verdict()),
                Section("results", "Results", [Laid(self.result.layout(), "Metrics by model")]),
                Section("cutoffs", "By cutoff", [_curve(table)]),
                Section("segments", "By segment", self._by_segment()),
                Section("lost", "Who gains and who loses", self._lost()),
                Section("beyond", "Beyond accuracy", self._beyond()),
            ]
            if self.of_logs:
                # Decisions have no lists to cut, and no users who are compared.
                sections = [one for one in sections if one.name in ("verdict", "results", "beyond")]
            if self.libraries and not self.of_logs:
                printed = self._tried(self._explained)
                sections.append(Section("libraries", "As other libraries print it", printed))
        counted = Section("counted", "Users and lists", self._counted(list(heard)))
        last = [one.name for one in sections].index("beyond")
        sections.insert(last + 1, counted)
        sections.append(Section("made", "How this was made", self._how()))
        users = max(row["users"] for row in self.rows if row["asked"] == self.rows[0]["asked"])
        metrics = [one.text for one in self.asked]
        counted_over = "logged decisions" if self.of_logs else "users"
        size = counts(users, counted_over)
        # Decisions are evaluated as those of one policy, which has no name.
        names = ["logged decisions"] if self.of_logs else self.models
        about = _titles(names, metrics, self.baseline, size)
        hidden = _hidden(self.rows, self.baseline)
        return Report(*about, _sections(sections, self.models, hidden))

    def _compare(self, by: Sequence[str] = ()) -> Comparison:
        assert self.baseline is not None
        given = {name: one for name, one in self.given.items() if name != "baseline"}
        asked = self.means
        if by:
            # A test for each cutoff and each segment would leave little to be seen.
            of_first = {one.label: one for one in reversed(self.means) if SIGNS[one.metric.better]}
            asked = [one for one in self.means if of_first.get(one.label) is one] or asked
        return compare(
            asked,
            baseline=self.baseline,
            level=self.level,
            by=by,
            groupings="each" if by else "together",
            **given,
            **self.options,
        )

    def _verdict(self) -> list[Any]:
        named = {"model": "The policy"} if self.of_logs else {}
        rows = [] if self.compared is None else self.compared.rows().to_pylist()
        apart = verdict.told_apart(rows, self.baseline or "", self.level)
        best = verdict.of_best([row | named for row in self.rows], self.level, apart)
        best = _under(BEST, best) if len(self.models) > 1 else best
        texts = verdict.left_out(self.result.user_counts.rows().to_pylist())
        out = _under(LEFT_OUT, [Verdict("open", text) for text in texts])
        if self.compared is None or self.baseline is None:
            why = "No metric is a mean of users' values: nothing can be compared user by user."
            note = WITHOUT_BASELINE if self.baseline is None else why
            told = [] if self.of_logs else [Note(note, missing=True)]
            return [*best, *told, *out]
        parts = [] if self.in_segments is None else self.in_segments.rows().to_pylist()
        segments = [] if self.in_segments is None else self.by
        found = _verdicts(rows, parts, segments, self.baseline, self.level)
        return [*best, *found, *out]

    def _by_segment(self) -> list[Any]:
        if self.in_segments is not None:
            return _segments(Rows.of(self.in_segments.rows()), self.level)
        what = "Give by with columns of users, or of truth, for differences by segment."
        if self.baseline is None:
            what = "Give a baseline, and by with columns of users, for differences by segment."
        return [Note(what, missing=True)]

    def _lost(self) -> list[Any]:
        if self.compared is None or self.baseline is None:
            return [Note("Give a baseline to see who gains and who loses.", missing=True)]
        first, baseline = self.means[0], self.baseline
        drawn = self._tried(
            lambda: [Picture(of_rows.differences([first], baseline=baseline, **self.prepared))]
        )
        return [*drawn, *self._tried(lambda: self._losers(first, baseline))]

    def _losers(self, first: MetricRequest, baseline: str) -> list[Any]:
        """Show who loses most with the model that is best by the first metric."""
        assert self.compared is not None
        rows = [row for row in self.compared.rows().to_pylist() if row["asked"] == first.text]
        sign = SIGNS[first.metric.better]
        label = paper_name(first.text)
        if not sign or not rows:
            return [Note(f"{label} has no better direction: no user gains or loses.")]
        if not self.who_lost:
            return [Note("This report leaves out users, as requested.")]
        best = max(rows, key=lambda row: sign * steady(row["difference"]))["model"]
        found = losers(first, best, baseline, hashed=self.hashed, options=self.prepared)
        if not found:
            return [Note(f"No user loses with {best}.")]
        text = f"The users who lose most with {best} against {baseline}, by {label}."
        return [Note(text, of_page="Each opens to the lists of both."), *found]

    def _beyond(self) -> list[Any]:
        k = next((one.k for one in self.asked if one.k), 10)
        blocks: list[Any] = []
        if any(one.reads("logs") for one in self.asked):
            blocks += self._tried(lambda: [Picture(of_rows.weights(**self.prepared))])
        if self.of_logs:
            return blocks
        if len(self.asked) > 1 and len(self.models) > 1:
            x, y = self._sides()
            blocks.append(Picture(of_results.tradeoff(self.result.rows(), x, y)))
        else:
            blocks.append(Note("Ask for two metrics of several models for their trade-off.", True))
        of_all = self.prepared
        if self.given["history"] is not None:
            blocks += self._tried(lambda: [Picture(of_rows.longtail(k=k, **of_all))])
            if self.means:
                first = self.means[0]
                blocks += self._tried(lambda: [Picture(of_rows.activity([first], **of_all))])
        else:
            what = "Give history for the long tail, and for who is served by activity."
            blocks.append(Note(what, missing=True))
        blocks += self._tried(lambda: [Picture(of_rows.lorenz(k=k, **of_all))])
        if self.given["history"] is not None and self._has_categories():
            blocks += self._tried(lambda: [Picture(of_rows.calibration(k=k, **of_all))])
        return blocks

    def _has_categories(self) -> bool:
        """Say whether items have a column of categories."""
        if self.given["items"] is None:
            return False
        inputs = prepare(self.asked, **self.prepared).inputs
        taken = ["category"]
        source = inputs.read(
            self.given["items"], "items", "items", needed=["item_id"], assumed=[], taken=taken
        )
        return "category" in source.found

    def _sides(self) -> tuple[str, str]:
        """The first metric over the first of another family, else over the last."""
        first = self.asked[0]
        others = [one for one in self.asked if one.metric.family != first.metric.family]
        return (others or self.asked)[0 if others else -1].text, first.text

    def _tried(self, make: Callable[[], list[Any]]) -> list[Any]:
        """Make blocks; where some input does not allow it, say why."""
        try:
            return make()
        except (InputError, MetricError, DataError) as error:
            return [Note(str(error), missing=True)]

    def _counted(self, heard: Sequence[str]) -> list[Any]:
        user_counts = self.result.user_counts
        rows = user_counts.rows().to_pylist()
        warned = [Verdict("open", f"Warning: {message}") for message in heard]
        notes = [Note(text) for text in verdict.counted(rows)]
        return [
            *warned,
            *notes,
            Folded(
                "The counts by model and cutoff", [Laid(user_counts.layout(), "Users and lists")]
            ),
        ]

    def _explained(self) -> list[Any]:
        first = self.asked[0]
        layout = explain([first.text], **self.given, **self.options).layout()
        label = paper_name(first.text)
        table = Laid(layout, f"{label} as libraries compute it")
        text = f"{label} of the same lists and truth, as other libraries compute it."
        return [Note(text), Folded("The values, and what makes them differ", [table])]

    def _how(self) -> list[Any]:
        job = prepare(self.asked, **self.prepared)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statement = sql([one.text for one in self.asked], **self.given, **self.options)
        inputs = inputs_of(job, self.given)
        versions = f"sqlrec {version('sqlrec')}, SQL of {job.inputs.engine.dialect}"
        if job.inputs.engine.dialect == "duckdb":
            import duckdb

            versions += f" {duckdb.__version__}"
        rules = rules_of(self.result.made)
        of_lists = [Grid("Rules of each metric", ["metrics", "rules"], rules, left=2)]
        level = f"{100 * self.level:g}\u00a0%"
        tests = f"Intervals: {level} by Student's t."
        if self.compared is not None:
            tests += " Differences: t test for pairs, corrected by Holm for all rows of a table."
        return [
            Code(hidden(self.command)),
            Note(f"{versions}. {tests}"),
            Grid("Inputs", ["input", "place", "rows", "SHA-256"], inputs, left=2),
            *([] if self.of_logs else [Folded("Rules", of_lists)]),
            Folded("SQL", [Code(hidden(statement))]),
        ]


@contextmanager
def _heard() -> Iterator[list[str]]:
    """Collect what is warned of, and warn of each once."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield messages
        finally:
            messages += dict.fromkeys(str(one.message) for one in caught)
    for message in messages:
        warn(message)
