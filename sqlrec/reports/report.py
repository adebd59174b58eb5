"""The report: a page with an evaluation, a comparison and plots."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from html import escape
from importlib.metadata import version
from itertools import groupby
from typing import Any, Literal

from ..analyses.check import check
from ..analyses.compare import Comparison, compare
from ..analyses.decisions import read_rules
from ..analyses.explain import explain
from ..analyses.health import read_health
from ..analyses.segment_search import SegmentSearch
from ..catalogue.requests import MetricRequest
from ..display.numbers import round_last_digits
from ..display.papers import markdown_text
from ..display.table_layout import SIGNS, Layout, join_words, to_sentence
from ..errors import DataError, InputError, MetricError
from ..evaluation import evaluate, sql
from ..layouts.check import format_checks
from ..layouts.comparison import sort_best_first
from ..layouts.losses import effects_layout, format_losses, headline, is_overall
from ..layouts.result import (
    USER_COUNTS,
    format_counts,
    format_population,
    format_unusual_counts,
    metric_direction,
    name_for_papers,
    result_layout,
    segment_key,
)
from ..options import LEVEL, Interval, Segments, check_choice, refuse_unknown_arguments
from ..plots import from_inputs, from_results
from ..plots.from_results import segments_of
from ..plots.plot import Plot
from ..records import Row, group_by
from ..results.result import read_stored_result
from ..results.rows import Rows
from ..results.writing import check_target, replace_on_success
from ..run.input_problems import empty_segments
from ..run.job import Call
from ..safe_text import hide_passwords, warn
from . import verdict
from .blocks import (
    Code,
    Folded,
    LayoutTable,
    Note,
    Part,
    Picture,
    Section,
    Topic,
    Verdict,
    fold_blocks,
    render_page,
    split_parts,
    texts_table,
    to_html_block,
    to_markdown_block,
)
from .largest_losses import largest_losses
from .provenance import describe_inputs, describe_rules

# File endings of reports.
ENDINGS = (".html", ".md")

# Sections after the counts of users and lists.
AFTER_COUNTS = ("libraries", "steps", "made")

# Sections that Markdown does not fold.
OPEN = ("verdict", "results")

# Maximum numbers of worse segments, models in plots, verdicts per heading, and columns and cells of
# a table. They limit the size of a report for any inputs.
MAX_WORSE, MAX_MODELS, MAX_VERDICTS, MAX_COLUMNS, MAX_CELLS = 12, 12, 12, 60, 1200

# Maximum number of user segments that change the difference.
MAX_CHANGES = 8

# Maximum numbers of segments and of intervals in a plot, and of lines in a plot of curves.
MAX_SEGMENTS, MAX_MARKS, MAX_LINES = 30, 150, 72

# Maximum size of a page's blocks in bytes. If a page is larger, its largest blocks are shortened or
# replaced.
MAX_BYTES = 280_000

# Headings of the verdict.
BEST, WORSE, EXCLUDED = "Best model", "Worse segments", "Users excluded, or without a list"

# Maximum number of unfolded lines in a Markdown report. If there are more, the parts with these
# beginnings are folded first.
MAX_LINES_OPEN = 40
FOLDED_FIRST = ("Differences from", WORSE, "Comparison with")

WITHOUT_BASELINE = (
    "Name one of the models as baseline to see differences with intervals, segments that are "
    "worse, and users who lose."
)


@refuse_unknown_arguments
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
        return render_page(self.title, self.about, self.sections)

    @cached_property
    def markdown(self) -> str:
        """The report as Markdown, for a pull request or the summary of a job."""
        head = [f"# {markdown_text(self.title)}", markdown_text(self.about)]
        parts = [
            part
            for section in self.sections
            if section.name in OPEN
            for part in split_parts(section)
        ]
        unfolded = _fit_parts([*parts], MAX_LINES_OPEN - len(head) * 2)
        folded_parts = [fold_blocks(part.name, part.body) for part in parts if part not in unfolded]
        for section in self.sections:
            blocks = [*filter(None, map(to_markdown_block, section.blocks))]
            if section.name not in OPEN and blocks:
                folded_parts.append(fold_blocks(section.title, blocks))
        open_parts = [
            text
            for title, group in groupby(unfolded, key=lambda part: part.section)
            for text in (f"## {markdown_text(title)}", *(part.text for part in group))
        ]
        return "\n\n".join([*head, *open_parts, *folded_parts]) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report to a file.

        Args:
            path: An .html or .md file, which is written atomically.

        Raises:
            InputError: The extension is not supported, or the path can't be written.
        """
        target = check_target(path)
        if target.suffix.lower() not in ENDINGS:
            raise InputError(
                f"{str(path)!r}: the extension of a report must be one of {', '.join(ENDINGS)}"
            )
        text = self.html + "\n" if target.suffix.lower() == ".html" else self.markdown
        with replace_on_success(path) as part:
            part.write_text(text, encoding="utf-8")

    def _repr_html_(self) -> str:
        style = "width:100%;height:720px;border:1px solid #888"
        title, page = escape(self.title), escape(self.html)
        return f'<iframe title="{title}" srcdoc="{page}" style="{style}"></iframe>'

    def __repr__(self) -> str:
        return f"Report: {self.title}. {self.about}"


def _fit_parts(parts: list[Part], lines: int) -> list[Part]:
    """Return the parts that fit into a number of lines; drop tables of differences first."""
    order = [*FOLDED_FIRST, ""]
    # An empty line follows each part and the heading of each section.
    while sum(part.lines + 1 for part in parts) + 2 * len(OPEN) > lines:
        prefix = next(x for x in order if any(part.name.startswith(x) for part in parts))
        parts.remove(next(part for part in reversed(parts) if part.name.startswith(prefix)))
    return parts


def report_stored(results: Any, comparison: Any = None, *, level: float = 0.95) -> Report:
    """Make a report of stored results, like ``sqlrec.report``."""
    values = Rows.from_table(read_stored_result(results, "results"))
    records = [{"low": None, "high": None, **row} for row in values.records]
    findings = _Findings(Rows(dict(values.schema), records), level, note=WITHOUT_BASELINE)
    if comparison is not None:
        parts = Rows.from_table(read_stored_result(comparison, "comparison"))
        if "baseline" in parts.column_names:
            raise InputError(
                "comparison has every pair of models, but a report needs one baseline: "
                "compare with one"
            )
        segments = segments_of(parts.column_names)
        # Each model except the baseline has a row in the comparison.
        rest = {row["model"] for row in records} - {row["model"] for row in parts.records}
        findings.baseline = rest.pop() if len(rest) == 1 else "the baseline"
        findings.parts = parts
        findings.differences = [row for row in parts.records if is_overall(row, segments)]
    missing = Note(
        "These parts need the rows: give metrics and inputs for the largest losses, the items of "
        "lists, the counts of users and lists, and the values of other libraries.",
        missing=True,
    )
    layout = result_layout(
        values.column_names,
        values.records,
        interval=(None, level),
        tests=findings.differences,
        baseline=findings.baseline,
    )
    sections = [
        Section("verdict", "Verdict", findings.verdict()),
        Section("results", "Results", [LayoutTable(layout, "Metrics by model")]),
        *([Section("cutoffs", "By cutoff", [findings.curve()])] if findings.has_cutoffs else []),
        Section("segments", "By segment", findings.by_segment()),
        Section("more", "Missing parts", [missing]),
    ]
    return findings.report([x for x in sections if x.name != "segments" or findings.parts])


@dataclass
class _Findings:
    """The values of a report, and the differences from its baseline."""

    table: Rows  # The result.
    level: float  # The confidence level.
    baseline: str | None = None  # The baseline, if models are compared.
    differences: Sequence[Any] = ()  # The differences over all users.
    parts: Rows | None = None  # The differences by segment, if the call has segments.
    # Without ``by``, the differences in segments of all columns of users.
    searched: Sequence[Any] = ()
    note: str = ""  # A note to show instead of differences.
    tests: Sequence[Any] = ()  # The tests for each model against the best model.
    # The name of the policy that logged decisions evaluate.
    policy: dict[str, str] = field(default_factory=dict)
    decision: str = ""  # The models that pass the rules for the decision, in words.

    def __post_init__(self) -> None:
        self.rows = [
            row | {"better": metric_direction(row["metric"])} for row in self.table.records
        ]
        self.models = list(dict.fromkeys(row["model"] for row in self.rows))

    def verdict(self) -> list[Any]:
        """Return the verdicts on the best model, on each model, and on segments."""
        segments = segments_of(self.table.column_names)
        overall = [row | self.policy for row in self.rows if is_overall(row, segments)]
        if overall:
            best = verdict.describe_best_model(overall, self.level, self.tests)
        else:
            best = verdict.describe_best_by_segment(self.rows, segments)
        blocks: list[Any] = [*best] if len(self.models) == 1 else _topic(BEST, best)
        if self.baseline is None or not (self.differences or self.parts):
            return [*blocks, *([Note(self.note, missing=True)] if self.note else [])]
        return [*blocks, *self._compare_models(self.baseline)]

    def _compare_models(self, baseline: str) -> list[Any]:
        """Return verdicts on each model, and on segments in which a model is worse."""
        first = next((row["request"] for row in self.differences), None)
        others = [row for row in self.differences if row["request"] != first]
        rows = _best_first([row for row in self.differences if row["request"] == first])
        verdicts = verdict.compare_models(rows, others, baseline, self.level)
        blocks = _topic(f"Comparison with {baseline}", verdicts)
        parts, segments = self._parts_with_segments(rows)
        if not segments:
            return blocks
        order = {row["model"]: index for index, row in enumerate(rows)}
        parts = sorted(parts, key=lambda row: order.get(row["model"], 0))
        texts = format_losses(parts, segments, self.level)
        worse = [Verdict("open" if " not " in text else "worse", text) for text in texts]
        return [*blocks, *_topic(WORSE, worse)]

    def _parts_with_segments(self, rows: Sequence[Row]) -> tuple[Sequence[Row], list[str]]:
        """Return the differences in segments and over all users, and the columns of segments."""
        if self.parts is not None:
            return self.parts.records, segments_of(self.parts.column_names)
        overall = [{**row, "grouping": "all"} for row in rows]
        return [*overall, *self.searched], list(dict.fromkeys(x["grouping"] for x in self.searched))

    @property
    def has_cutoffs(self) -> bool:
        """Whether a metric has several cutoffs."""
        cutoffs = {(row["metric"], row["k"]) for row in self.rows if row["k"]}
        return len(cutoffs) > len({metric for metric, _ in cutoffs})

    def curve(self) -> Any:
        """Return a plot of metrics by cutoff."""
        metrics = dict.fromkeys(row["metric"] for row in self.rows)
        first = [*metrics][: MAX_LINES // min(len(self.models), MAX_MODELS)]
        return Picture(from_results.curve(self.table.select_rows("metric", first)))

    def by_segment(self) -> list[Any]:
        """Return a table of segments with worse models, and a plot of differences by segment."""
        table = self.parts
        if table is None or not (segments := segments_of(table.column_names)):
            return [Note("Segments are missing: set by= to columns of users.", missing=True)]
        layout = effects_layout(
            table.column_names,
            sort_best_first(table.records),
            baseline=str(self.baseline),
            level=self.level,
        )
        every, notes = _count_segments(table), []
        if "grouping" in table.column_names:
            table = table.select_rows("grouping", segments)
        if (count := _count_segments(table)) < every:
            text = f"The plot has the {count:,} segments of single columns, but not the"
            notes.append(Note("", page_text=f"{text} {every - count:,} of several columns."))
        drawn = Picture(from_results.forest(_select_first_cutoffs(table), baseline=self.baseline))
        return [LayoutTable(layout.limit_rows(MAX_WORSE), layout.title), drawn, *notes]

    def report(
        self, sections: Sequence[Section], title: str | None = None, *about: str, name: str = ""
    ) -> Report:
        """Return the report with a limited size, and with a note on models that plots omit."""
        decision = self._headline()
        if title and decision:
            sections[0].blocks.insert(0, Note(decision, bold=True))
        words = [
            join_words([*dict.fromkeys(name_for_papers(row["request"]) for row in self.rows)]),
            *about,
        ]
        words += [f"baseline {self.baseline}"] if self.baseline else []
        words.append(f"sqlrec {version('sqlrec')}")
        hidden_models = self._hidden_models()
        blocks_shown = [
            replace(
                section,
                blocks=[_limit_block(x, self.models, hidden_models) for x in section.blocks],
            )
            for section in sections
        ]
        if hidden_models:
            text = f"Plots show the best {MAX_MODELS} models, including the baseline, but not "
            blocks_shown[1].blocks.append(Note(f"{text}{len(hidden_models)} others."))
        _drop_largest_blocks(blocks_shown)
        title = title or decision or f"Evaluation of {name or join_words(self.models)}"
        return Report(title, " \u00b7 ".join(words), blocks_shown)

    def _headline(self) -> str | None:
        """Return the decision in one line, or null for a single model."""
        rows = [row for row in self.differences if row["request"] == self.differences[0]["request"]]
        if self.baseline is not None and rows:
            parts = self._parts_with_segments(rows)
            text = headline(_best_first(rows), self.baseline, self.level, *parts)
            return f"{text}; {self.decision}" if self.decision else text
        several = len(self.models) > 1
        return verdict.best_headline(self.rows, self.tests, self.level) if several else None

    def _hidden_models(self) -> set[str]:
        """Return the models that plots omit, if there are many: not the best or the baseline."""
        first = [row for row in self.rows if row["request"] == self.rows[0]["request"]]
        first = [row for row in first if row["value"] is not None]
        first.sort(key=lambda row: -(SIGNS[row["better"]] or 1) * round_last_digits(row["value"]))
        best = dict.fromkeys([*({self.baseline} & {*self.models}), *(x["model"] for x in first)])
        return {*self.models} - {*[*best][:MAX_MODELS]} if len(self.models) > MAX_MODELS else set()


def _topic(heading: str, blocks: Sequence[Any]) -> list[Topic]:
    """Return the first blocks as a topic, or an empty list without blocks."""
    more = [Note("evaluate and compare list all rows.")]
    more *= len(blocks) > MAX_VERDICTS
    return [Topic(heading, [*blocks[:MAX_VERDICTS], *more])] if blocks else []


def _limit_block(block: Any, models: Collection[str], hidden: Collection[str]) -> Any:
    """Return a block with a limited number of models, columns and rows."""
    if isinstance(block, Picture):
        return Picture(block.plot.among(models, hidden))
    if isinstance(block, Folded | Topic):
        return replace(block, blocks=[_limit_block(x, models, hidden) for x in block.blocks])
    if not isinstance(block, LayoutTable):
        return block
    layout: Layout = block.layout.limit_columns(MAX_COLUMNS)
    return replace(
        block, layout=layout.limit_rows(max(MAX_MODELS, MAX_CELLS // len(layout.columns)))
    )


def _drop_largest_blocks(sections: Sequence[Section]) -> None:
    """Shorten or replace the largest blocks of a large page, except verdicts and results."""
    sizes = [
        (len(to_html_block(block).encode()), section, index)
        for section in sections
        for index, block in enumerate(section.blocks)
    ]
    total = sum(size for size, _, _ in sizes)
    for size, section, index in sorted(sizes, key=lambda item: -item[0]):
        if total <= MAX_BYTES or section.name in OPEN:
            continue
        block = section.blocks[index]
        room = max(0.0, 1 - (total - MAX_BYTES) / size)
        total -= size
        if isinstance(block, Folded) and (kept := int(len(block.blocks) * room)):
            section.blocks[index] = replace(block, blocks=block.blocks[:kept])
            total += int(size * room)
        else:
            text = f"{section.title}: a part of {size // 1000} kB is excluded from this page: "
            text += "request fewer metrics, cutoffs or segments."
            section.blocks[index] = Note(text, missing=True)


def _count_segments(table: Rows) -> int:
    """Return the number of segments in a comparison."""
    segments = segments_of(table.column_names)
    parts = (row for row in table.records if not is_overall(row, segments))
    return len({(row.get("grouping"), *segment_key(row, segments)) for row in parts})


def _best_first(rows: Sequence[Any]) -> list[Any]:
    return sorted(
        rows, key=lambda row: -SIGNS[row["better"]] * round_last_digits(row["difference"] or 0)
    )


def _select_first_cutoffs(table: Rows) -> Rows:
    """Select the rows to plot: the first cutoff of each metric with a direction.

    If there are many models and segments, only the first metrics are included.
    """
    first: dict[str, str] = {}
    for row in table.records:
        if SIGNS[row["better"]]:
            first.setdefault(row["metric"], row["request"])
    models = len({row["model"] for row in table.records})
    segments = table.num_rows / models / max(1, len({row["request"] for row in table.records}))
    marks = min(models, MAX_MODELS) * min(segments, MAX_SEGMENTS)
    requests = [*first.values()][: max(1, int(MAX_MARKS / marks))]
    return table.select_rows("request", requests) if first else table


@dataclass
class ReportOfInputs:
    """A report on the inputs of a call, with the arguments of ``Dataset.report``."""

    call: Call
    baseline: str | None = None
    decide: str | Iterable[str] = ()
    level: float = 0.95
    who_lost: bool | Literal["hashed"] = True
    libraries: bool = False
    value: float | str | None = None
    title: str | None = None
    note: str | None = None
    command: str = ""

    def __post_init__(self) -> None:
        self.tables, self.requests, self.by = self.call.tables, self.call.requests, self.call.by
        self.level = LEVEL.read(self.level)
        check_choice("who_lost", str(self.who_lost), ("True", "False", "hashed"))
        if self.by.each:
            raise InputError("a report shows each segment column separately: remove each=True")
        if self.decide and not self.by.columns:
            # The verdict on segments is based on the tests for the decision.
            rules = read_rules(self.decide, (), self.baseline, self.requests[0].text)
            columns = dict.fromkeys(rule.column for rule in rules if rule.column)
            self.by = replace(self.by, columns=(*columns,))
        self.call = replace(self.call, by=Segments())
        self.empty: Sequence[str] = ()
        # Without lists, the inputs are logged decisions of one policy.
        self.has_logs = self.tables.recs is None
        if self.has_logs and self.baseline is not None:
            raise InputError(
                f"baseline={self.baseline!r}: logged decisions have one policy, so nothing "
                "can be compared; omit baseline"
            )

    def report(self) -> Report:
        """Return the report. It contains the warnings, and each warning is issued once."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            sections = self._sections()
        messages = dict.fromkeys(str(warning.message) for warning in caught)
        for message in messages:
            warn(message)
        after = sum(section.name not in AFTER_COUNTS for section in sections)
        sections.insert(after, Section("counted", "Users and lists", self._user_counts(messages)))
        noun = "logged decisions" if self.has_logs else "users"
        users = [row["users"] for row in self.findings.rows if row["users"]]
        words = [format_counts(min(users, default=0), max(users, default=0), noun)]
        # If decisions evaluate a single policy, the policy has no name.
        name = "logged decisions" if self.has_logs else ""
        report = self.findings.report(sections, self.title, *words, name=name)
        report.about = " \u00b7 ".join(filter(None, (self.note, report.about)))
        return report

    def _sections(self) -> list[Section]:
        """Evaluate and compare the inputs, and return the sections with their results."""
        contents: dict[str, tuple[str, Callable[[], list[Any]]]] = {
            "verdict": ("Verdict", self._verdict),
            "results": ("Results", self._results),
        }
        # Logged decisions have no cutoffs, and no users to compare.
        if not self.has_logs:
            names = [request.label for request in self.requests if request.k]
            if len(names) > len({*names}):
                contents["cutoffs"] = ("By cutoff", lambda: [self.findings.curve()])
            # The verdict already says that differences need a baseline.
            if self.baseline is not None or self.by.columns:
                contents["segments"] = ("By segment", self._by_segment)
            if self.baseline is not None:
                contents["lost"] = ("Gains and losses by user", self._gains_and_losses)
        contents["beyond"] = ("Beyond accuracy", self._beyond_accuracy)
        if self.libraries and not self.has_logs:
            explained = partial(self._blocks_or_note, self._library_values)
            contents["libraries"] = ("Values of other libraries", explained)
        if self.value is not None and not self.has_logs:
            steps = partial(self._blocks_or_note, self._steps_to_value)
            contents["steps"] = ("Steps to another value", steps)
        contents["made"] = ("Call, inputs and SQL", self._provenance)
        step, count = self.tables.engine.step, 1 + len(contents)
        with step(f"[1/{count}] Metrics and differences"):
            self._evaluate()
        sections = []
        for number, (name, (title, make)) in enumerate(contents.items(), 2):
            with step(f"[{number}/{count}] {title}"):
                sections.append(Section(name, title, make()))
        return [section for section in sections if section.blocks]

    def _evaluate(self) -> None:
        self.result = evaluate(self.call, Interval(level=self.level))
        means = self.result.means()
        self.means = [request for request in self.requests if request.label in means]
        self.compared = self._compare() if self.baseline is not None else None
        if self.compared is not None:
            # Marks show the tests of the verdict, since tests against the best model form another
            # family.
            self.result.mark_models(self.compared.rows().to_pylist, self.baseline)
        self.findings = self._findings()

    def _findings(self) -> _Findings:
        table = Rows.from_table(self.result.rows())
        if self.has_logs:
            return _Findings(table, self.level, policy={"model": "The policy"})
        if self.compared is None:
            tests = self.result.tests()
            return _Findings(table, self.level, note=WITHOUT_BASELINE, tests=tests)
        parts = None
        if self.by.columns:
            by_segment = self._compare([*self.by.columns])
            parts = Rows.from_table(by_segment.rows())
            self.empty = empty_segments(by_segment.call.prepare(), parts.records)
        differences = self.compared.rows().to_pylist()
        searched: Sequence[Any] = ()
        # The section on segments shows the message of the error.
        with suppress(InputError, MetricError, DataError):
            searched = self._search.search.differences if self.tables.users is not None else ()
        return _Findings(table, self.level, self.baseline, differences, parts, searched)

    @cached_property
    def _search(self) -> SegmentSearch:
        """The search for segments of users in which the difference changes."""
        assert self.compared is not None
        return self.compared.find_segments(level=self.level)

    def _compare(self, by: Sequence[str] = ()) -> Comparison:
        assert self.baseline is not None
        # Metrics of all lists are omitted, since bootstrap samples for each segment take long.
        kept = [self.requests[0], *self.means] if by else self.requests
        requests = [request for request in self.requests if request in kept]
        call = replace(self.call, requests=requests, by=Segments(by, each=bool(by)))
        return compare(call, self.baseline, Interval(level=self.level))

    def _decision(self) -> list[Any]:
        """Return the decision: the models that pass, then the models that fail, best first."""
        if not self.decide:
            return []
        first = self.requests[0].text
        options: Any = {"interval": Interval("t", level=self.level), "baseline": self.baseline}
        checks = check(self.call, self.decide, **options, primary=first)
        values = {
            row["model"]: SIGNS[row["better"]] * round_last_digits(row["value"] or 0.0)
            for row in self.findings.rows
            if row["request"] == first
        }
        rows = sorted(checks, key=lambda row: -values.get(row["model"], 0.0))
        by_model = group_by(rows, lambda row: row["model"])
        failed = [x for x, rows in by_model.items() if "FAIL" in {row["result"] for row in rows}]
        passed = [model for model in by_model if model not in failed]
        verbs = {"pass": "passes", "fail": "fails"}
        words = [
            f"{join_words(models)} {verbs[verb] if len(models) == 1 else verb}"
            for models, verb in ((passed, "pass"), (failed, "fail"))
            if models
        ]
        self.findings.decision = f"{words[0] if passed else 'no model passes'} every rule"
        verdicts = [
            Verdict("fail" if model in failed else "pass", format_checks(model, by_model[model]))
            for model in (*passed, *failed)
        ]
        return _topic(f"Decision: {', '.join(words)}", verdicts)

    def _verdict(self) -> list[Any]:
        texts = [] if self.has_logs else verdict.describe_missing_users(self._notes, self.empty)
        out = _topic(EXCLUDED, [Verdict("open", text) for text in texts])
        return [*self._decision(), *self.findings.verdict(), *out]

    @cached_property
    def _notes(self) -> list[str]:
        """Notes on users without a list or without truth, for the verdict."""
        if self.compared is not None:
            return [*self.compared.summary.describe_users()]
        return format_unusual_counts(self.result.user_counts.rows().to_pylist(), *USER_COUNTS)

    def _table(self, layout: Layout, title: str = "") -> LayoutTable:
        """Return a table without notes that the verdict contains."""
        notes = [note for note in layout.notes if note not in self._notes]
        return LayoutTable(replace(layout, notes=notes), title or layout.title)

    def _results(self) -> list[Any]:
        """Return the tables of metrics and of differences from the baseline."""
        tables = [self._table(self.result.layout(), "Metrics by model")]
        if self.compared is not None:
            # The report's title already contains the decision.
            layout = replace(self.compared.layout(), lead="")
            tables.append(self._table(layout, f"Differences from {self.baseline}"))
        return tables

    def _changed_segments(self) -> list[Any]:
        """Return the segments of users in which the difference changes."""
        if self.compared is None or self.tables.users is None:
            return []
        return [self._table(self._search.layout().limit_rows(MAX_CHANGES))]

    def _by_segment(self) -> list[Any]:
        if self.baseline is None:
            by = ", ".join(self.by.columns)
            return [Note(f"Segments by {by} need a baseline: give one to compare with.")]
        changes = self._blocks_or_note(self._changed_segments)
        return changes if self.findings.parts is None else [*changes, *self.findings.by_segment()]

    def _gains_and_losses(self) -> list[Any]:
        if not self.means:
            return []
        assert self.baseline is not None
        first, baseline = self.means[0], self.baseline
        drawn = self._picture(from_inputs.differences, first, baseline=baseline)
        return [*drawn, *self._blocks_or_note(lambda: self._largest_losses(first, baseline))]

    def _largest_losses(self, first: MetricRequest, baseline: str) -> list[Any]:
        """Return the users with the largest losses for the best model by the first metric."""
        assert self.compared is not None
        rows = [row for row in self.compared.rows().to_pylist() if row["request"] == first.text]
        sign = SIGNS[first.metric.better]
        label = name_for_papers(first.text)
        if not sign or not rows:
            return [Note(f"Neither higher nor lower {label} is better: no user gains or loses.")]
        if not self.who_lost:
            return [Note("This report excludes users, as requested.")]
        best = max(rows, key=lambda row: sign * round_last_digits(row["difference"]))["model"]
        hashed = self.who_lost == "hashed"
        find = partial(largest_losses, first, best, baseline, hashed=hashed, call=self.call)
        losses, browsed = find(), find(browsed=True)
        text = f"The users who lose most with {best} against {baseline}, by {label}."
        worst = [Note(text, page_text="Each row opens to the lists of both models."), *losses]
        summary = "Browse the users with the largest differences"
        return [
            *(worst if losses else [Note(f"No user loses with {best}.")]),
            *([Folded(summary, browsed, page_only=True)] if browsed else []),
        ]

    def _beyond_accuracy(self) -> list[Any]:
        k = next((request.k for request in self.requests if request.k), 10)
        blocks: list[Any] = []
        if any(request.reads("logs") for request in self.requests):
            blocks += self._picture(from_inputs.weights)
        if self.has_logs:
            return blocks
        families = {self.requests[0].metric.family, self.requests[-1].metric.family}
        if len(families) > 1 and len(self.findings.models) > 1:
            blocks.append(Picture(from_results.tradeoff(self.result.rows())))
        if self.tables.history is not None:
            blocks += self._picture(from_inputs.longtail, k=k)
            blocks += self._picture(from_inputs.activity, self.means[0]) if self.means else []
        # The plot shows the same Gini coefficient as the table. Without a catalog, lists with few
        # different items would look equal.
        gini = next((x for x in self.requests if x.metric.name == "gini" and x.k), None)
        same = {"k": gini.k, "counted": gini.settings["items"]} if gini else {"k": k}
        if gini or self.tables.catalog is not None:
            blocks += self._picture(from_inputs.lorenz, **same)
        if self.tables.history is not None and self.tables.items is not None:
            blocks += self._picture(from_inputs.calibration, k=k)
        return blocks

    def _picture(self, draw: Callable[..., Plot], *metrics: Any, **options: Any) -> list[Any]:
        """Return a plot of the inputs, or a note with the error that it raises."""
        call = replace(self.call, requests=metrics)
        missing = f"The plot {draw.__name__} is missing: "
        return self._blocks_or_note(lambda: [Picture(draw(call, **options))], missing)

    def _blocks_or_note(self, make: Callable[[], list[Any]], missing: str = "") -> list[Any]:
        """Return the blocks of a function, or a note with the error that it raises."""
        try:
            return make()
        except (InputError, MetricError, DataError) as error:
            return [Note(f"{missing}{error}", missing=True)]

    def _user_counts(self, messages: Iterable[str]) -> list[Any]:
        user_counts = self.result.user_counts
        rows = user_counts.rows().to_pylist()
        warned = [Verdict("open", f"Warning: {message}") for message in messages]
        counts = [note for note in format_unusual_counts(rows) if note not in self._notes]
        notes = [f"averaged over {format_population(rows)}", *counts]
        if health := read_health(replace(self.tables, used=set())):
            notes += health.notes()
        table = LayoutTable(user_counts.layout(), "Users and lists")
        counted = Folded("The counts by model and cutoff", [table])
        return [*warned, *(Note(to_sentence(note)) for note in notes), counted]

    def _library_values(self) -> list[Any]:
        first = self.requests[0]
        layout = explain(self.call, first.text, full=True).layout()
        label = name_for_papers(first.text)
        table = LayoutTable(layout, f"{label} as libraries compute it")
        text = f"{label} of the same lists and truth, as other libraries compute it."
        return [Note(text), Folded("The values, and the causes of differences", [table])]

    def _steps_to_value(self) -> list[Any]:
        first = self.requests[0]
        explained = explain(self.call, first.text, value=self.value)
        table = LayoutTable(explained.layout(), f"{name_for_papers(first.text)} step by step")
        return [Picture(from_results.waterfall(explained)), table]

    def _provenance(self) -> list[Any]:
        job = self.call.prepare()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statement = sql(self.call, self.requests)
        inputs = describe_inputs(job, self.tables)
        versions = f"sqlrec {version('sqlrec')}, SQL of {job.inputs.engine.dialect}"
        if job.inputs.engine.dialect == "duckdb":
            ((number,),) = job.inputs.engine.rows("select version()")
            versions += f" {number.removeprefix('v')}"
        rules = texts_table(
            "Rules of each metric", ["metrics", "rules"], describe_rules(self.result.provenance)
        )
        level = f"{100 * self.level:g}%"
        tests = f"Intervals: {level} by Student's t."
        if self.compared is not None:
            tests += f" Differences: {self.compared.summary.tests}."
        return [
            Code(hide_passwords(self.command)),
            Note(f"{versions}. {tests}"),
            texts_table("Inputs", ["input", "location", "rows", "SHA-256"], inputs),
            *([] if self.has_logs else [Folded("Rules", [rules])]),
            Folded("SQL", [Code(hide_passwords(statement))]),
        ]
