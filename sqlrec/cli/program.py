"""The command line: ``sqlrec evaluate``, ``sql``, ``explain``, ``list``, ``show`` and others."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..catalogue import headers
from ..catalogue.conventions import conventions
from ..errors import InputError, SqlrecError
from ..paths import sql_folder
from ..shown import printable, shown
from .arguments import parser
from .given import arguments, engine_of, paths_of, settings_of
from .words import of_the_line

if TYPE_CHECKING:
    import pyarrow as pa

    from ..results.rows import Rows

# The exit code of a check that failed.
FAILED = 3

INTERRUPTED, PIPE_CLOSED = 130, 141


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = argparse.Namespace(code=None)
    try:
        if words is None:
            # As a program, it leaves nothing behind where it is told to end, as with Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            _open_streams()
        try:
            parser(COMMANDS).parse_args(words, options)
        except SystemExit as stop:  # After a message, or the help.
            options.code = int(stop.code or 0)
        else:
            _run(options)
        sys.stdout.flush()
        return int(options.code or 0)
    except SqlrecError as error:
        _say(of_the_line(str(error)))
        return 1
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe has seen enough, as `head` does. What a check found stays so.
        _leave_stdout()
        return PIPE_CLOSED if options.code is None else int(options.code)
    except OSError as error:
        _leave_stdout()
        _say(str(error))
        return 1


def _run(options: argparse.Namespace) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        options.run(options)


def _open_streams() -> None:
    """Open what is closed, lest a file that is written takes its number; and stderr hears nothing.

    What is printed is an error then, as it would be lost.
    """
    modes = {"stdin": os.O_RDONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}
    for name, mode in modes.items():
        if getattr(sys, name) is None:
            number = os.open(os.devnull, mode)
            setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w"))


def _leave_stdout() -> None:
    """Let go of what stdout could not take, so that the end of the process does not try again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    """Say something in a line on stderr, if somebody hears it."""
    with suppress(OSError, ValueError):
        print(f"sqlrec: {shown(message)}", file=sys.stderr)


def _print(text: str) -> None:
    """Print what was asked for; a terminal gets no character that it would act on."""
    print(printable(text, kept="\n\t") if sys.stdout.isatty() else text)


def _evaluate(options: argparse.Namespace) -> None:
    from ..analyses.trec import printed
    from ..evaluation import evaluate
    from ..results.writing import check_target

    form = options.format or _format_of(options.output)
    if options.output is not None:
        check_target(options.output, paths_of(options))
    if options.zscores is not None and form != "trec":
        raise InputError(f"--zscores {options.zscores} is of measures of trec_eval: --format trec")
    if options.output is None and form == "parquet":
        raise InputError("--format parquet needs -o FILE: Parquet is not for the terminal")
    with engine_of(options) as engine:
        if form == "trec":
            given = arguments(options) | {"engine": engine}
            _write(
                options.output, printed(options.metrics, options.table, options.zscores, **given)
            )
            return
        summaries = " ".join(options.summary or [])
        given = arguments(options)
        result = evaluate(options.metrics, **given, engine=engine, summaries=summaries)
        tables = {"result": result, "accounting": result.accounting, "per-user": result.per_user()}
        table = tables[options.table or "result"]
        if form == "parquet":
            table.to_parquet(options.output)
            return
        written = _written(table.rows(), form)
        if form == "table" and options.table in (None, "result") and options.output is None:
            written += "\n\n" + _written(result.accounting.rows(), form)
        _write(options.output, written)


def _written(rows: pa.Table | Rows, form: str) -> str:
    from ..results.layout import as_markdown, as_text

    if form == "table":
        return as_text(rows, most=sys.maxsize)
    return {"csv": _csv, "json": _json, "markdown": as_markdown}[form](rows)


def _write(output: str | None, written: str) -> None:
    from ..results.writing import replacing

    if output is None:
        _print(written)
    else:
        with replacing(output) as part:
            part.write_text(written + "\n", encoding="utf-8")


def _compare(options: argparse.Namespace) -> None:
    from ..analyses.compare import compare

    given = arguments(options) | {"baseline": options.baseline}
    with engine_of(options) as engine:
        found = compare(options.metrics, **given, engine=engine)
        rows = (found.worse() if options.worse else found).to_arrow()
    _print(_written(rows, options.format))


def _check(options: argparse.Namespace) -> None:
    from ..analyses.check import check

    with engine_of(options) as engine:
        found = check(
            options.metrics,
            min=_by_metric("min", options.min),
            max=_by_metric("max", options.max),
            against=options.against,
            margin=_by_metric("margin", options.margin),
            **arguments(options),
            engine=engine,
        )
    # Before it is printed: the reader of a pipe may go.
    options.code = 0 if found.passed else FAILED
    rows = found.to_arrow()
    _print(_written(rows, options.format))


def _by_metric(option: str, given: list[str] | None) -> dict[str, str]:
    """Read METRIC=VALUE; what is for all metrics has no name, and margins alone have such."""
    found: dict[str, str] = {}
    for text in given or []:
        # Parameters have equal signs too, as in f_beta(beta=2)@5=0.3.
        metric, _, value = text.rpartition("=")
        if not metric and option != "margin":
            raise InputError(f"--{option} {text}: write METRIC=VALUE, as in ndcg@10=0.3")
        if metric in found:
            raise InputError(
                f"--{option} {text}: {metric or 'all metrics'} given twice: once is enough"
            )
        found[metric] = value
    return found


def _explain(options: argparse.Namespace) -> None:
    from ..analyses.explain import explain

    given = arguments(options)
    convention = given.pop("convention", None)
    conventions = None if convention is None else [convention]
    with engine_of(options) as engine:
        found = explain(options.metrics, conventions=conventions, **given, engine=engine)
    _print(str(found) if options.format == "table" else _written(found.to_arrow(), options.format))


def _plot(options: argparse.Namespace) -> None:
    from ..analyses.plot import plot
    from ..plots.plot import FORMATS
    from ..results.writing import check_target

    if options.output is not None:
        check_target(options.output, paths_of(options))
        if Path(options.output).suffix.lower() not in FORMATS:
            raise InputError(f"-o {options.output}: a plot's ending is one of {', '.join(FORMATS)}")
    given = arguments(options) if options.results is None else {}
    given |= {"k": options.k} if hasattr(options, "k") else {}
    with engine_of(options) as engine:
        given |= {"engine": engine} if options.results is None else {"results": options.results}
        found = plot(options.name, options.metrics, **given)
        if options.output is None:
            _print(_written(found.data.rows(), "table"))
        else:
            found.save(options.output)


def _format_of(output: str | None) -> str:
    if output is None:
        return "table"
    endings = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".md": "markdown"}
    ending = Path(output).suffix.lower()
    if ending not in endings and ending not in ("", ".txt"):
        raise InputError(
            f"-o {output}: the ending says the format, one of {', '.join(endings)}, .txt; "
            "or give --format"
        )
    return endings.get(ending, "table")


def _csv(rows: pa.Table | Rows) -> str:
    import csv

    text = io.StringIO()
    plain = csv.writer(text, lineterminator="\n")
    # Python does not quote this by itself.
    quoting = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (rows.column_names, *(row.values() for row in rows.to_pylist())):
        returns = any(isinstance(cell, str) and "\r" in cell for cell in row)
        (quoting if returns else plain).writerow(row)
    return text.getvalue().rstrip("\n")


def _json(rows: pa.Table | Rows) -> str:
    import json

    lines = (json.dumps(row, default=str, ensure_ascii=False) for row in rows.to_pylist())
    return "[\n" + ",\n".join(lines) + "\n]"


def _sql(options: argparse.Namespace) -> None:
    from ..evaluation import sql

    if options.dialect and options.engine:
        raise InputError("--dialect and --engine: give one, an engine has a dialect")
    asked = {"per_user": options.per_user, "form": options.form, **arguments(options)}
    if options.dialect:
        _print(
            sql(options.metrics, dialect=options.dialect, settings=settings_of(options), **asked)
        )
        return
    with engine_of(options) as engine:
        _print(sql(options.metrics, engine=engine, **asked))


def _list(options: argparse.Namespace) -> None:
    found = headers.metrics().values()
    width = max(len(", ".join((metric.name, *metric.aliases))) for metric in found)
    for family in headers.FAMILIES:
        _print(f"{family}:")
        for metric in found:
            if metric.family == family:
                names = ", ".join((metric.name, *metric.aliases))
                _print(f"  {names:{width}}  {metric.better:7}  {metric.title}")


def _show(options: argparse.Namespace) -> None:
    _print(headers.metric(options.metric).header)


def _conventions(options: argparse.Namespace) -> None:
    for name, found in conventions().items():
        about = (
            f"{found.library} {found.version}" if found.library else "what sqlrec does by itself"
        )
        _print(f"{name:<15} {about}")
        if found.entries:
            _print(" " * 16 + ", ".join(sorted({entry.metric for entry in found.entries})))


def _dbt_path(options: argparse.Namespace) -> None:
    _print(str(sql_folder()))


# What runs each command.
COMMANDS = {
    "evaluate": _evaluate,
    "compare": _compare,
    "sql": _sql,
    "check": _check,
    "explain": _explain,
    "plot": _plot,
    "list": _list,
    "show": _show,
    "conventions": _conventions,
    "dbt-path": _dbt_path,
}


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(of_the_line(str(message)))
