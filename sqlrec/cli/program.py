"""The command line: ``sqlrec evaluate``, ``sql``, ``explain``, ``list``, ``show`` and others."""

from __future__ import annotations

import argparse
import io
import os
import shlex
import signal
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..catalogue.headers import TABLES
from ..display.text import to_text
from ..errors import InputError, SqlrecError
from ..paths import sql_folder
from ..results.writing import check_target
from .arguments import parser, repeat_flags
from .given import arguments, columns_of, engine_of, paths_of, settings_of
from .listing import list_conventions, list_metrics, show
from .output import form_of, put, put_text, style, to_stderr
from .trying import demo, doctor

# The exit code of a check that failed.
FAILED = 3

INTERRUPTED, PIPE_CLOSED = 130, 141


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = argparse.Namespace(code=None, words=sys.argv[1:] if words is None else words)
    try:
        if words is None:
            # As a program, it leaves nothing behind where it is told to end, as with Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            _open_streams()
        try:
            commands = parser(COMMANDS)
            if "_ARGCOMPLETE" in os.environ:
                from .completion import complete

                complete(commands)
            commands.parse_args(repeat_flags(options.words), options)
        except SystemExit as stop:  # After a message, or the help.
            options.code = int(stop.code or 0)
        else:
            _run(options)
        sys.stdout.flush()
        return int(options.code or 0)
    except SqlrecError as error:
        _say_of_python(error)
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
        warnings.showwarning = _say_of_python
        if getattr(options, "metrics_path", None) is not None:
            from ..catalogue.custom_metrics import load_metrics

            load_metrics(options.metrics_path)
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
    """Say something on stderr, if somebody hears it."""
    with suppress(OSError, ValueError):
        print(to_stderr(message), file=sys.stderr)


def _evaluate(options: argparse.Namespace) -> None:
    from ..analyses.trec import format_trec
    from ..evaluation import evaluate

    form = form_of(options, paths_of(options))
    with engine_of(options) as engine:
        if form == "trec":
            if options.k is not None:
                k = ",".join(options.k)
                raise InputError(f"-k {k}: --format trec has cutoffs as in ndcg@{k}")
            given = arguments(options) | {"engine": engine}
            put_text(format_trec(options.metrics, options.table, **given), options.output)
            return
        summaries = " ".join(options.summary or [])
        given = arguments(options)
        result = evaluate(options.metrics, **given, engine=engine, summaries=summaries)
        tables = {
            "result": result,
            "user-counts": result.user_counts,
            "per-user": result.per_user(),
        }
        table = options.table or "result"
        found = result.gaps() if table == "gaps" else tables[table]
        if options.merge is not None:
            if options.table not in (None, "result"):
                raise InputError(f"--merge adds to a result, not to --table {options.table}")
            found = result.merge(options.merge)
        put(found, form, options)


def _compare(options: argparse.Namespace) -> None:
    from ..analyses.compare import compare

    form = form_of(options, paths_of(options))
    margin = _by_metric("margin", options.margin)
    given = arguments(options) | {"baseline": options.baseline, "margin": margin or None}
    with engine_of(options) as engine:
        found = compare(options.metrics, **given, engine=engine)
        models = found.by_model if found.done.baseline else found.ranks
        shown = found.worse() if options.worse else models() if options.pivot else found
        if options.ranks is not None:
            shown = found.ranks(options.ranks or None)
    put(shown, form, options)


def _power(options: argparse.Namespace) -> None:
    from ..analyses.power import power

    form = form_of(options, paths_of(options))
    named = ("results", "sample_size", "power", "sides", "baseline")
    given: dict[str, Any] = {name: getattr(options, name) for name in named}
    given["difference"] = _by_metric("difference", options.difference) or None
    asked = arguments(options)
    if options.results is None or options.recs:
        with engine_of(options) as engine:
            put(power(options.metrics, **asked | given, engine=engine), form, options)
        return
    given |= {"level": asked["level"]} if "level" in asked else {}
    put(power(options.metrics, **given), form, options)


def _interleaved(options: argparse.Namespace) -> None:
    from ..analyses.interleaved import interleaved

    form = form_of(options, [options.impressions])
    named = ("baseline", "ties", "unit", "correction", "level", "by")
    given = {name: getattr(options, name) for name in named if hasattr(options, name)}
    with engine_of(options) as engine:
        asked = {**given, "columns": columns_of(options), "engine": engine}
        put(interleaved(options.impressions, **asked), form, options)


def _unsampled(options: argparse.Namespace) -> None:
    from ..analyses.unsampled import unsampled

    form = form_of(options, paths_of(options))
    named = ("catalog_size", "candidates", "estimator", "gamma", "replacement")
    given = arguments(options) | {name: getattr(options, name) for name in named}
    with engine_of(options) as engine:
        put(unsampled(options.metrics, **given, engine=engine), form, options)


def _check(options: argparse.Namespace) -> None:
    from ..analyses.check import check

    read = [*paths_of(options), *filter(None, [options.against])]
    form = form_of(options, read, {".xml": "junit"})
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
    if form == "junit":
        put_text(found.to_junit(), options.output)
    else:
        put(found, form, options)


def _by_metric(option: str, given: list[str] | None) -> dict[str, str]:
    """Read METRIC=VALUE; what is for all metrics has no name."""
    found: dict[str, str] = {}
    for text in given or []:
        # Parameters have equal signs too, as in f_beta(beta=2)@5=0.3.
        metric, _, value = text.rpartition("=")
        if metric in found:
            raise InputError(
                f"--{option} {text}: {metric or 'all metrics'} given twice: once is enough"
            )
        found[metric] = value
    return found


def _explain(options: argparse.Namespace) -> None:
    from ..analyses.explain import explain

    form = form_of(options, paths_of(options))
    given = arguments(options)
    convention = given.pop("convention", None)
    conventions = None if convention is None else [convention]
    with engine_of(options) as engine:
        found = explain(options.metrics, conventions=conventions, **given, engine=engine)
    put(found, form, options)


def _plot(options: argparse.Namespace) -> None:
    from ..analyses.plot import plot
    from ..plots.plot import FORMATS

    if options.output is not None:
        check_target(options.output, paths_of(options))
        if Path(options.output).suffix.lower() not in FORMATS:
            raise InputError(f"-o {options.output}: a plot's ending is one of {', '.join(FORMATS)}")
    given = arguments(options) if options.results is None else {}
    given |= {"k": options.k} if hasattr(options, "k") else {}
    if options.name in ("forest", "differences"):
        given["baseline"] = options.baseline
    with engine_of(options) as engine:
        given |= {"engine": engine} if options.results is None else {"results": options.results}
        found = plot(options.name, options.metrics, **given)
        if options.output is None:
            put_text(to_text(found.data.layout(), style(options)), form="table")
        else:
            found.save(options.output)


def _report(options: argparse.Namespace) -> None:
    from ..reports.report import ENDINGS, report

    check_target(options.output, paths_of(options))
    if Path(options.output).suffix.lower() not in ENDINGS:
        raise InputError(f"-o {options.output}: a report's ending is one of {', '.join(ENDINGS)}")
    stored = {"results": options.results, "comparison": options.comparison}
    if options.results is not None:
        report(options.metrics, **stored).save(options.output)
        return
    given = arguments(options) | {"baseline": options.baseline}
    given.pop("groupings", None)
    with engine_of(options) as engine:
        report(
            options.metrics,
            **given,
            engine=engine,
            who_lost=not options.no_users,
            hash_users=options.hash_users,
            libraries=not options.no_libraries,
            command=shlex.join(["sqlrec", *options.words]),
        ).save(options.output)


def _sql(options: argparse.Namespace) -> None:
    from ..evaluation import sql

    if options.dialect and options.engine:
        raise InputError("--dialect and --engine: give one, an engine has a dialect")
    asked = {
        "per_user": options.per_user,
        "compare_with": options.compare_with,
        "form": options.form,
        **arguments(options),
    }
    unread = not options.engine and all(asked[name] is None for name in TABLES)
    if options.dialect or unread:
        settings = settings_of(options)
        put_text(sql(options.metrics, dialect=options.dialect, settings=settings, **asked))
        return
    with engine_of(options) as engine:
        put_text(sql(options.metrics, engine=engine, **asked))


def _new_metric(options: argparse.Namespace) -> None:
    from ..catalogue.custom_metrics import new_metric

    path, test = new_metric(options.metric, options.folder)
    asked = f"sqlrec show {options.metric} --metrics {shlex.quote(options.folder)}"
    put_text(f"{path}\n{test}\n\nWrite them, and see: {asked}")


def _dbt_metrics(options: argparse.Namespace) -> None:
    from ..catalogue.custom_metrics import load_metrics
    from ..catalogue.dbt_macros import own_metrics

    if options.output is not None:
        check_target(options.output, [options.metrics_path])
    put_text(own_metrics(load_metrics(options.metrics_path)).rstrip(), options.output)


# What runs each command.
COMMANDS = {
    "evaluate": _evaluate,
    "compare": _compare,
    "sql": _sql,
    "check": _check,
    "explain": _explain,
    "plot": _plot,
    "report": _report,
    "power": _power,
    "interleaved": _interleaved,
    "unsampled": _unsampled,
    "demo": demo,
    "doctor": doctor,
    "new-metric": _new_metric,
    "list": list_metrics,
    "show": show,
    "conventions": list_conventions,
    "dbt-metrics": _dbt_metrics,
    "dbt-path": lambda _: put_text(str(sql_folder())),
}


def _say_of_python(message: Exception | str, *_: Any, **__: Any) -> None:
    """Say a message of Python in words of the command line."""
    from .words import of_the_line

    _say(of_the_line(str(message)))
