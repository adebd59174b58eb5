"""The report: one page with an evaluation, a comparison and plots."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from ..analyses.check import check
from ..analyses.check_layout import rule_text
from ..analyses.compare import Comparison, compare
from ..analyses.comparison_layout import best_first
from ..analyses.explain import explain
from ..analyses.losses import format_losses, is_overall, loss_of, losses_layout
from ..analyses.segment_search_layout import format_segments
from ..catalogue.requests import MetricRequest
from ..display.html import FADING
from ..display.layout import SIGNS, together
from ..display.numbers import steady
from ..errors import DataError, InputError, MetricError
from ..evaluation import evaluate, sql
from ..inputs.tables import Tables
from ..options import LEVEL, Interval, Rules, Segments, check_choice
from ..plots import from_inputs, from_results
from ..plots.from_results import better, segments_of
from ..plots.plot import PAGE
from ..plots.svg import escaped
from ..results.result import Result, stored
from ..results.result_layout import counts, paper_name, result_layout
from ..results.rows import Rows
from ..results.writing import check_target, replacing
from ..run.job import prepare, read_metrics
from ..safe_text import hidden, warn
from . import verdict
from .blocks import (
    Code,
    Folded,
    Grid,
    Heading,
    LayoutTable,
    Note,
    Picture,
    Section,
    Verdict,
    folded,
    plain,
)
from .largest_losses import largest_losses
from .provenance import inputs_of, rules_of

# File endings of reports.
ENDINGS = (".html", ".md")

# Sections that Markdown shows unfolded.
OPEN = ("verdict", "results")

# Maximum numbers of worse segments, models in plots, verdicts per heading, and rows of a table,
# so that the size of a report does not depend on its inputs.
MAX_WORSE, MAX_MODELS, MAX_VERDICTS, MAX_ROWS = 12, 12, 12, 60

# Maximum number of columns of users that change the difference.
MAX_CHANGES = 5

# Maximum numbers of segments and of intervals in a plot.
MAX_SEGMENTS, MAX_MARKS = 30, 150

# Maximum numbers of lines in a plot of curves, and of columns in a table.
MAX_LINES, MAX_COLUMNS = 72, 60

# Maximum size of the blocks of a page in bytes; the largest blocks beyond it are left out.
MAX_BYTES = 280_000


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
        """The report as one self-contained page, which makes no requests."""
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
            blocks = [text for block in section.blocks if (text := block.markdown())]
            if section.name in OPEN:
                parts += [f"## {plain(section.title)}", *blocks]
            elif blocks:
                parts.append(folded(section.title, blocks))
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


def report(
    tables: Tables,
    metrics: Any,
    *,
    k: Any = None,
    baseline: str | None = None,
    primary: str | None = None,
    decide: str | Iterable[str] = (),
    by: Any = (),
    rules: Any = "sqlrec",
    level: float = 0.95,
    who_lost: bool | Literal["hashed"] = True,
    libraries: bool = False,
    value: float | str | None = None,
    title: str | None = None,
    note: str | None = None,
    command: str = "",
) -> Report:
    """Make a report of opened inputs, as ``Dataset.report`` does."""
    by, rules = Segments.read(by), Rules.read(rules)
    check_choice("who_lost", str(who_lost), ("True", "False", "hashed"))
    if by.each:
        raise InputError("each=True: a report always has each column separately; remove it")
    return _Computed(
        read_metrics(metrics, tables, rules, by, k, primary),
        baseline=baseline,
        by=[*by.columns],
        decide=decide,
        level=LEVEL.read(level),
        who_lost=bool(who_lost),
        hashed=who_lost == "hashed",
        libraries=libraries,
        value=value,
        title=title,
        note=note,
        command=command,
        tables=tables,
        rules=rules,
    ).report()


def report_stored(results: Any, comparison: Any = None, *, level: float = 0.95) -> Report:
    """Make a report of stored results, as ``sqlrec.report`` does.

    Raises:
        InputError: The comparison has no baseline.
    """
    compared = None if comparison is None else stored(comparison, "comparison")
    if compared is not None and "baseline" in compared.column_names:
        raise InputError(
            "comparison: it has every pair of models, and a report needs one baseline: "
            "compare with one"
        )
    tables = Rows.of(stored(results, "results")), None if compared is None else Rows.of(compared)
    return _Stored(*tables, level).report()


class _Stored:
    """A report of stored results, without the inputs."""

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
        """Return the baseline: the only model of the result that is in no row of the comparison."""
        if self.compared is None:
            return None
        others = {row["model"] for row in self.compared.records}
        rest = [model for model in self.models if model not in others]
        return rest[0] if len(rest) == 1 else "the baseline"

    def report(self) -> Report:
        """Return the report."""
        overall = [row for row in self.rows if is_overall(row, self.segments)]
        differences = [] if self.compared is None else self.compared.records
        segments = [] if self.compared is None else segments_of(self.compared.column_names)
        overall_differences = [row for row in differences if is_overall(row, segments)]
        layout = result_layout(self.table.column_names, self.table.records)
        sections = [
            Section("verdict", "Verdict", self._verdict(overall, overall_differences, differences)),
            Section("results", "Results", [LayoutTable(layout, "Metrics by model")]),
            Section("cutoffs", "By cutoff", [_curve(self.table)]),
        ]
        if self.compared is not None:
            sections.append(
                Section(
                    "segments",
                    "By segment",
                    _segments(self.compared, self.baseline, self.level),
                )
            )
        needs = "These parts need the rows: give metrics and inputs for the largest losses, the "
        needs += "items of lists, the counts of users and lists, and the values of other libraries."
        sections.append(Section("more", "Missing parts", [Note(needs, missing=True)]))
        title = _title(self.models, overall_differences, self.baseline, self.level)
        about = _about(self.metrics, self.baseline, None)
        hidden = _hidden(overall or self.rows, self.baseline)
        return Report(title, about, _sections(sections, self.models, hidden))

    def _verdict(
        self,
        overall: Sequence[Any],
        overall_differences: Sequence[Any],
        differences: Sequence[Any],
    ) -> list[Any]:
        has_rows = bool(overall_differences or differences)
        if self.compared is None or self.baseline is None or not has_rows:
            best = self._best(overall)
            best = _with_heading(BEST, best) if len(self.models) > 1 else best
            return [*best, Note(WITHOUT_BASELINE, missing=True)]
        segments = segments_of(self.compared.column_names)
        best = self._best(overall)
        verdicts = _verdicts(overall_differences, differences, segments, self.baseline, self.level)
        return [*_with_heading(BEST, best), *verdicts]

    def _best(self, overall: Sequence[Any]) -> list[Any]:
        """Return the verdict on the best model, over all users or else by segment."""
        if overall:
            return verdict.best_model(overall, self.level)
        return verdict.best_by_segment(self.rows, self.segments)


WITHOUT_BASELINE = (
    "Models are not compared: name one of them as baseline for differences with intervals, for "
    "whom they are worse, and who lost."
)


# Headings of the verdict.
BEST, WORSE, LEFT_OUT = "Which model is best", "For whom it is worse", "Who was left out"


def _with_heading(heading: str, blocks: Sequence[Any]) -> list[Any]:
    """Return blocks under a heading, or an empty list without blocks."""
    return [Heading(heading), *blocks] if blocks else []


def _hidden(rows: Sequence[Any], baseline: str | None) -> set[str]:
    """Return the models that plots leave out: of many, all except the best and the baseline."""
    first = [row for row in rows if row["asked"] == rows[0]["asked"] and row["value"] is not None]
    first.sort(key=lambda row: -(SIGNS[row["better"]] or 1) * steady(row["value"]))
    models = {row["model"] for row in rows}
    best = dict.fromkeys([*({baseline} & models), *(row["model"] for row in first)])
    return models - {*[*best][:MAX_MODELS]} if len(models) > MAX_MODELS else set()


def _bounded(blocks: Sequence[Any], models: Collection[str], hidden: Collection[str]) -> list[Any]:
    """Return the blocks of a section with limited numbers of models, rows and verdicts."""
    bounded: list[Any] = []
    run = 0
    for block in blocks:
        run = run + 1 if isinstance(block, Verdict) else 0
        if isinstance(block, Picture):
            block = Picture(block.plot.among(models, hidden))
        elif isinstance(block, LayoutTable):
            layout = block.layout.narrow(MAX_COLUMNS)
            limit = max(MAX_MODELS, min(MAX_ROWS, 1200 // len(layout.columns)))
            block = replace(block, layout=layout.first(limit))
        elif isinstance(block, Folded):
            block = replace(block, blocks=_bounded(block.blocks, models, hidden))
        elif run > MAX_VERDICTS:
            block = Note("There are more: evaluate and compare list them all.")
        if run <= MAX_VERDICTS + 1:
            bounded.append(block)
    return bounded


def _sections(
    sections: Sequence[Section], models: Collection[str], hidden: Collection[str]
) -> list[Section]:
    """Return sections of limited size, with a note on models that plots leave out."""
    bounded = [
        replace(section, blocks=_bounded(section.blocks, models, hidden)) for section in sections
    ]
    if hidden:
        text = f"Pictures show the best {MAX_MODELS} models, the baseline among them, and not "
        bounded[1].blocks.append(Note(f"{text}{len(hidden)} others."))
    _lighten(bounded)
    return bounded


def _lighten(sections: Sequence[Section]) -> None:
    """Replace the largest blocks of a page that is too large, except verdicts and results."""
    sizes = {
        (number, index): len(block.html().encode())
        for number, section in enumerate(sections)
        for index, block in enumerate(section.blocks)
    }
    kept = sum(sizes.values())
    for (number, index), size in sorted(sizes.items(), key=lambda item: -item[1]):
        if kept <= MAX_BYTES:
            return
        if sections[number].name not in ("verdict", "results"):
            text = f"This part has {size // 1000} kB and is left out of this page: ask for fewer "
            text += "metrics, cutoffs or segments."
            sections[number].blocks[index] = Note(text, missing=True)
            kept -= size


def _title(
    models: Sequence[str], differences: Sequence[Any], baseline: str | None, level: float
) -> str:
    """Return the decision by the first metric, or the models without a comparison."""
    rows = [row for row in differences if row["asked"] == differences[0]["asked"]]
    if baseline is None or not rows:
        return f"Evaluation of {together(models)}"
    return verdict.headline(_best_first(rows), baseline, level)


def _about(
    metrics: Sequence[str], baseline: str | None, users: str | None, note: str | None = None
) -> str:
    words = [note] if note else []
    words.append(together([paper_name(request) for request in metrics]))
    words += [users] if users else []
    words += [f"baseline {baseline}"] if baseline else []
    words.append(f"sqlrec {version('sqlrec')}")
    return " \u00b7 ".join(words)


def _best_first(rows: Sequence[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: -SIGNS[row["better"]] * steady(row["difference"] or 0))


def _curve(table: Rows) -> Any:
    ks: dict[str, set[Any]] = {}
    for row in table.records:
        ks.setdefault(row["metric"], set()).add(row["k"])
    if all(len(cutoffs - {None}) < 2 for cutoffs in ks.values()):
        return Note("There is one cutoff: ask for several, as in ndcg@5,10,20, for curves.", True)
    models = len({row["model"] for row in table.records})
    first = [*ks][: MAX_LINES // min(models, MAX_MODELS)]
    return Picture(from_results.curve(table.select_rows("metric", first)))


def _verdicts(
    overall: Sequence[Any],
    differences: Sequence[Any],
    segments: Sequence[str],
    baseline: str,
    level: float,
) -> list[Any]:
    """Return the verdict on each model, and on segments in which it is worse."""
    first = next((row["asked"] for row in overall), None)
    others = [row for row in overall if row["asked"] != first]
    rows = _best_first([row for row in overall if row["asked"] == first])
    verdicts = verdict.compare_models(rows, others, baseline, level)
    order = {row["model"]: index for index, row in enumerate(rows)}
    differences = sorted(differences, key=lambda row: order.get(row["model"], 0))
    texts = format_losses(differences, segments, level) if segments else []
    worse = [Verdict("open" if " not " in text else "worse", text) for text in texts]
    heading = f"How each compares with {baseline}"
    return [*_with_heading(heading, verdicts), *_with_heading(WORSE, worse)]


def _segments(table: Rows, baseline: str | None, level: float) -> list[Any]:
    """Return a plot of differences by segment, and a table of segments with worse models."""
    segments = segments_of(table.column_names)
    if not segments:
        return [Note("Segments are missing: give by with columns of users.", missing=True)]
    worse = [row for row in table.records if loss_of(row) > 0]
    layout = losses_layout(
        table.column_names,
        worse,
        compared=best_first(table.records),
        baseline=baseline or "the baseline",
        level=level,
    )
    if "grouping" in table.column_names:
        table = table.select_rows("grouping", segments)
    drawn = Picture(from_results.forest(_drawn(table), baseline=baseline))
    return [LayoutTable(layout.first(MAX_WORSE), layout.title), drawn]


def _drawn(table: Rows) -> Rows:
    """Return the rows of each metric's first cutoff, for metrics with a direction.

    With many models and segments only the first metrics are included.
    """
    first: dict[str, str] = {}
    for row in table.records:
        if SIGNS[row["better"]]:
            first.setdefault(row["metric"], row["asked"])
    models = len({row["model"] for row in table.records})
    segments = table.num_rows / models / max(1, len({row["asked"] for row in table.records}))
    marks = min(models, MAX_MODELS) * min(segments, MAX_SEGMENTS)
    requests = [*first.values()][: max(1, int(MAX_MARKS / marks))]
    return table.select_rows("asked", requests) if first else table


@dataclass
class _Computed:
    """A report of inputs, which are evaluated and compared."""

    requests: Any
    baseline: str | None
    by: list[str]
    decide: str | Iterable[str]
    level: float
    who_lost: bool
    hashed: bool
    libraries: bool
    value: float | str | None
    title: str | None
    note: str | None
    command: str
    tables: Tables
    rules: Rules

    def __post_init__(self) -> None:
        self.prepared: Any = {"tables": self.tables, "rules": self.rules}
        # Without lists the inputs are logged decisions of one policy.
        self.has_logs = self.tables.recs is None
        if self.has_logs and self.baseline is not None:
            raise InputError(
                f"baseline={self.baseline!r}: logged decisions have one policy, so nothing "
                "can be compared; leave baseline out"
            )

    def report(self) -> Report:
        """Return the report; warnings are issued once, and are included in the report."""
        with _collect_warnings() as messages:
            interval = Interval(level=self.level)
            self.result: Result = evaluate(
                self.tables, self.requests, rules=self.rules, interval=interval
            )
            table = Rows.of(self.result.rows())
            self.rows = [row | {"better": better(row["asked"])} for row in table.records]
            self.models = list(dict.fromkeys(row["model"] for row in self.rows))
            self.means = [
                request for request in self.requests if request.label in self.result.means()
            ]
            compares = self.baseline is not None and bool(self.means)
            self.compared = self._compare() if compares else None
            if compares:
                # Marks against the best have another family of tests than the comparison.
                self.result.tests = list
            self.in_segments = self._compare(self.by) if compares and self.by else None
            sections = [
                Section("verdict", "Verdict", self._verdict()),
                Section("results", "Results", self._results()),
                Section("cutoffs", "By cutoff", [_curve(table)]),
                Section("segments", "By segment", self._by_segment()),
                Section("lost", "Who gains and who loses", self._gains_and_losses()),
                Section("beyond", "Beyond accuracy", self._beyond()),
            ]
            if self.has_logs:
                # Decisions have no cutoffs, and no users to compare.
                sections = [
                    section
                    for section in sections
                    if section.name in ("verdict", "results", "beyond")
                ]
            if self.libraries and not self.has_logs:
                printed = self._blocks_or_note(self._explained)
                sections.append(Section("libraries", "As other libraries print it", printed))
            if self.value is not None and not self.has_logs:
                steps = self._blocks_or_note(self._steps)
                sections.append(Section("steps", "Steps to another value", steps))
        counted = Section("counted", "Users and lists", self._counted(list(messages)))
        last = [section.name for section in sections].index("beyond")
        sections.insert(last + 1, counted)
        sections.append(Section("made", "How this was made", self._provenance()))
        users = max(row["users"] for row in self.rows if row["asked"] == self.rows[0]["asked"])
        metrics = [request.text for request in self.requests]
        counted_over = "logged decisions" if self.has_logs else "users"
        size = counts(users, counted_over)
        # The single policy of decisions has no name.
        names = ["logged decisions"] if self.has_logs else self.models
        title = self.title or _title(names, self.differences, self.baseline, self.level)
        about = _about(metrics, self.baseline, size, self.note)
        hidden = _hidden(self.rows, self.baseline)
        return Report(title, about, _sections(sections, self.models, hidden))

    @cached_property
    def differences(self) -> list[Any]:
        """The differences from the baseline over all users, without segments."""
        return [] if self.compared is None else self.compared.rows().to_pylist()

    def _compare(self, by: Sequence[str] = ()) -> Comparison:
        assert self.baseline is not None
        requests = self.means
        if by:
            # Tests of each cutoff in each segment would need a strong correction.
            first_cutoffs = {
                request.label: request
                for request in reversed(self.means)
                if SIGNS[request.metric.better]
            }
            requests = [
                request for request in self.means if first_cutoffs.get(request.label) is request
            ] or requests
        return compare(
            self.tables,
            requests,
            baseline=self.baseline,
            interval=Interval(level=self.level),
            by=Segments(by, each=bool(by)),
            rules=self.rules,
        )

    def _decision(self) -> list[Any]:
        """Return the decision: its rules, those that fail first."""
        if not self.decide:
            return []
        interval = Interval("t", level=self.level)
        checks = check(self.tables, self.decide, rules=self.rules, interval=interval)
        rows = sorted(checks.to_arrow().to_pylist(), key=lambda row: row["result"] == "pass")
        verdicts = [
            Verdict("better" if row["result"] == "pass" else "worse", rule_text(row))
            for row in rows
        ]
        return [Heading("Decision: passed" if checks.passed else "Decision: failed"), *verdicts]

    def _verdict(self) -> list[Any]:
        name = {"model": "The policy"} if self.has_logs else {}
        decision = self._decision()
        tests = self.result.tests()
        best = verdict.best_model([row | name for row in self.rows], self.level, tests)
        best = _with_heading(BEST, best) if len(self.models) > 1 else best
        texts = verdict.left_out(self.result.user_counts.rows().to_pylist())
        out = _with_heading(LEFT_OUT, [Verdict("open", text) for text in texts])
        if self.compared is None or self.baseline is None:
            why = "No metric is a mean of users' values: nothing can be compared user by user."
            note = WITHOUT_BASELINE if self.baseline is None else why
            notes = [] if self.has_logs else [Note(note, missing=True)]
            return [*decision, *best, *notes, *out]
        parts = [] if self.in_segments is None else self.in_segments.rows().to_pylist()
        segments = [] if self.in_segments is None else self.by
        verdicts = _verdicts(self.differences, parts, segments, self.baseline, self.level)
        return [*decision, *best, *verdicts, *out]

    def _results(self) -> list[Any]:
        """Return the table of metrics, and that of differences from the baseline."""
        tables = [LayoutTable(self.result.layout(), "Metrics by model")]
        if self.compared is not None:
            tables.append(LayoutTable(self.compared.layout(), f"Differences from {self.baseline}"))
        return tables

    def _changes(self) -> list[Any]:
        """Return the segments of users in which the difference is another one."""
        if self.compared is None or self.tables.users is None:
            return []
        found = self.compared.find_segments(level=self.level)
        search = replace(found.search, metric=paper_name(found.search.metric))
        texts = format_segments(found.rows().to_pylist(), search, MAX_CHANGES)
        return _with_heading("Where the difference changes", [Note(text) for text in texts])

    def _by_segment(self) -> list[Any]:
        changes = self._blocks_or_note(self._changes)
        if self.in_segments is not None:
            table = Rows.of(self.in_segments.rows())
            return [*changes, *_segments(table, self.baseline, self.level)]
        what = "Give by with columns of users, or of truth, for differences by segment."
        if self.baseline is None:
            what = "Give a baseline, and by with columns of users, for differences by segment."
        return [*changes, Note(what, missing=True)]

    def _gains_and_losses(self) -> list[Any]:
        if self.compared is None or self.baseline is None:
            return [Note("Give a baseline to see who gains and who loses.", missing=True)]
        first, baseline = self.means[0], self.baseline
        drawn = self._blocks_or_note(
            lambda: [Picture(from_inputs.differences([first], baseline=baseline, **self.prepared))]
        )
        return [*drawn, *self._blocks_or_note(lambda: self._largest_losses(first, baseline))]

    def _largest_losses(self, first: MetricRequest, baseline: str) -> list[Any]:
        """Return the users with the largest losses for the best model by the first metric."""
        rows = [row for row in self.differences if row["asked"] == first.text]
        sign = SIGNS[first.metric.better]
        label = paper_name(first.text)
        if not sign or not rows:
            return [Note(f"{label} has no better direction: no user gains or loses.")]
        if not self.who_lost:
            return [Note("This report leaves out users, as requested.")]
        best = max(rows, key=lambda row: sign * steady(row["difference"]))["model"]
        find = partial(
            largest_losses, first, best, baseline, hashed=self.hashed, options=self.prepared
        )
        losses, browsed = find(), find(browsed=True)
        text = f"The users who lose most with {best} against {baseline}, by {label}."
        lost = [Note(text, page_text="Each opens to the lists of both."), *losses]
        summary = f"Browse the {counts(len(browsed), 'users')} with the largest differences"
        return [
            *(lost if losses else [Note(f"No user loses with {best}.")]),
            *([Folded(summary, browsed, page_only=True)] if browsed else []),
        ]

    def _beyond(self) -> list[Any]:
        k = next((request.k for request in self.requests if request.k), 10)
        blocks: list[Any] = []
        if any(request.reads("logs") for request in self.requests):
            blocks += self._blocks_or_note(lambda: [Picture(from_inputs.weights(**self.prepared))])
        if self.has_logs:
            return blocks
        if len(self.requests) > 1 and len(self.models) > 1:
            x, y = self._sides()
            blocks.append(Picture(from_results.tradeoff(self.result.rows(), x, y)))
        else:
            blocks.append(Note("Ask for two metrics of several models for their trade-off.", True))
        if self.tables.history is not None:
            blocks += self._blocks_or_note(
                lambda: [Picture(from_inputs.longtail(k=k, **self.prepared))]
            )
            if self.means:
                first = self.means[0]
                blocks += self._blocks_or_note(
                    lambda: [Picture(from_inputs.activity([first], **self.prepared))]
                )
        else:
            what = "Give history for the long tail, and for metrics by activity."
            blocks.append(Note(what, missing=True))
        # The plot has the Gini coefficient of the table.
        gini = next((x for x in self.requests if x.metric.name == "gini" and x.k), None)
        same: dict[str, Any] = {"k": k}
        if gini is not None:
            same = {"k": gini.k, "counted": gini.settings["items"]}
        blocks += self._blocks_or_note(
            lambda: [Picture(from_inputs.lorenz(**same, **self.prepared))]
        )
        if self.tables.history is not None and self._has_categories():
            blocks += self._blocks_or_note(
                lambda: [Picture(from_inputs.calibration(k=k, **self.prepared))]
            )
        return blocks

    def _has_categories(self) -> bool:
        """Return whether items have a column of categories."""
        if self.tables.items is None:
            return False
        inputs = prepare(self.requests, **self.prepared).inputs
        source = inputs.read(
            self.tables.items,
            "items",
            "items",
            required=["item_id"],
            assumed=[],
            optional=["category"],
        )
        return "category" in source.columns

    def _sides(self) -> tuple[str, str]:
        """Return the first metric of another family, or else the last, and the first metric."""
        first = self.requests[0]
        others = [
            request for request in self.requests if request.metric.family != first.metric.family
        ]
        return (others or self.requests)[0 if others else -1].text, first.text

    def _blocks_or_note(self, make: Callable[[], list[Any]]) -> list[Any]:
        """Return the blocks of a function, or a note with the error that it raises."""
        try:
            return make()
        except (InputError, MetricError, DataError) as error:
            return [Note(str(error), missing=True)]

    def _counted(self, messages: Sequence[str]) -> list[Any]:
        user_counts = self.result.user_counts
        rows = user_counts.rows().to_pylist()
        warned = [Verdict("open", f"Warning: {message}") for message in messages]
        notes = [Note(text) for text in verdict.counted(rows)]
        return [
            *warned,
            *notes,
            Folded(
                "The counts by model and cutoff",
                [LayoutTable(user_counts.layout(), "Users and lists")],
            ),
        ]

    def _explained(self) -> list[Any]:
        first = self.requests[0]
        layout = explain(self.tables, [first.text], rules=self.rules, full=True).layout()
        label = paper_name(first.text)
        table = LayoutTable(layout, f"{label} as libraries compute it")
        text = f"{label} of the same lists and truth, as other libraries compute it."
        return [Note(text), Folded("The values, and what makes them differ", [table])]

    def _steps(self) -> list[Any]:
        first = self.requests[0]
        explained = explain(self.tables, [first.text], rules=self.rules, value=self.value)
        table = LayoutTable(explained.layout(), f"{paper_name(first.text)} step by step")
        return [Picture(from_results.waterfall(explained)), table]

    def _provenance(self) -> list[Any]:
        job = prepare(self.requests, **self.prepared)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            texts = [request.text for request in self.requests]
            statement = sql(self.tables, texts, rules=self.rules)
        inputs = inputs_of(job, self.tables)
        versions = f"sqlrec {version('sqlrec')}, SQL of {job.inputs.engine.dialect}"
        if job.inputs.engine.dialect == "duckdb":
            ((number,),) = job.inputs.engine.rows("select version()")
            versions += f" {number.removeprefix('v')}"
        rules = rules_of(self.result.provenance)
        grid = [Grid("Rules of each metric", ["metrics", "rules"], rules, left=2)]
        level = f"{100 * self.level:g}\u00a0%"
        tests = f"Intervals: {level} by Student's t."
        if self.compared is not None:
            tests += " Differences: "
            tests += f"{self.compared.done.tested}."
        return [
            Code(hidden(self.command)),
            Note(f"{versions}. {tests}"),
            Grid("Inputs", ["input", "place", "rows", "SHA-256"], inputs, left=2),
            *([] if self.has_logs else [Folded("Rules", grid)]),
            Folded("SQL", [Code(hidden(statement))]),
        ]


@contextmanager
def _collect_warnings() -> Iterator[list[str]]:
    """Collect warnings, and issue each once at the end."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield messages
        finally:
            messages += dict.fromkeys(str(warning.message) for warning in caught)
    for message in messages:
        warn(message)
