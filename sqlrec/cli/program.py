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
from importlib import import_module
from pathlib import Path
from typing import Any

from ..catalogue.headers import TABLES
from ..display.text import to_text
from ..errors import InputError, SqlrecError
from ..paths import sql_folder
from ..results.table import Table
from ..results.writing import check_target
from .arguments import parser, repeat_flags
from .dbt_init import dbt_init
from .first_steps import demo, doctor
from .listing import list_conventions, list_metrics, show
from .output import form_of, put, put_text, put_written, style, to_stderr
from .parse_inputs import columns_of, engine_of, inputs_of, options_of, paths_of, settings_of

# The exit code of a check that failed.
FAILED = 3

INTERRUPTED, PIPE_CLOSED = 130, 141


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = argparse.Namespace(code=None, words=sys.argv[1:] if words is None else words)
    try:
        if words is None:
            # When terminated, the program cleans up as with Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            _open_streams()
        try:
            commands = parser(COMMANDS)
            if "_ARGCOMPLETE" in os.environ:
                from .completion import complete

                complete(commands)
            if not options.words:
                commands.print_help()
                return 0
            commands.parse_args(repeat_flags(options.words), options)
        except SystemExit as stop:  # After a message, or the help.
            options.code = int(stop.code or 0)
        else:
            _run(options)
        sys.stdout.flush()
        return int(options.code or 0)
    except SqlrecError as error:
        _print_translated(error)
        return 1
    except KeyboardInterrupt:
        _print_message("interrupted", "sqlrec")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe closed it, as `head` does. A check keeps its exit code.
        _discard_stdout()
        return PIPE_CLOSED if options.code is None else int(options.code)
    except OSError as error:
        _discard_stdout()
        _print_message(str(error))
        return 1


def _run(options: argparse.Namespace) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.showwarning = _print_warning
        if getattr(options, "metrics_path", None) is not None:
            from ..catalogue.custom_metrics import load_metrics

            load_metrics(options.metrics_path)
        options.run(options)


def _open_streams() -> None:
    """Reopen closed standard streams on /dev/null, so that no output file reuses their descriptors.

    Output to a closed stdout is an error, since it would be lost.
    """
    modes = {"stdin": os.O_RDONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}
    for name, mode in modes.items():
        if getattr(sys, name) is None:
            number = os.open(os.devnull, mode)
            setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w"))


def _discard_stdout() -> None:
    """Redirect stdout to /dev/null, so that the exit of the process does not flush it again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_message(message: str, kind: str = "error") -> None:
    """Print a message on stderr, unless stderr is closed."""
    with suppress(OSError, ValueError):
        print(to_stderr(message, kind), file=sys.stderr)


def _evaluate(options: argparse.Namespace) -> None:
    from ..analyses.trec import format_trec
    from ..dataset import evaluate
    from ..options import Rules

    form = form_of(options, paths_of(options))
    with engine_of(options) as engine:
        if form == "trec":
            if options.k is not None:
                k = ",".join(options.k)
                raise InputError(f"-k {k}: --format trec has cutoffs as in ndcg@{k}")
            if options.by or options.table in ("user-counts", "gaps"):
                raise InputError(
                    "--format trec has topics and all: leave out --by and --table "
                    f"{options.table or 'result'}"
                )
            inputs = inputs_of(options) | {"engine": engine}
            rules = options_of(options).get("rules", Rules())
            put_text(format_trec(options.metrics, options.table, inputs, rules), options.output)
            return
        summaries = " ".join(options.summary or [])
        inputs = inputs_of(options) | options_of(options)
        result = evaluate(options.metrics, **inputs, engine=engine, summaries=summaries)
        tables = {
            "result": result,
            "user-counts": result.user_counts,
            "per-user": result.per_user(),
        }
        name = options.table or "result"
        table = result.gaps() if name == "gaps" else tables[name]
        if options.merge is not None:
            if options.table not in (None, "result"):
                raise InputError(f"--merge adds to a result, not to --table {options.table}")
            table = result.merge(options.merge)
        put(table, form, options)


def _compare(options: argparse.Namespace) -> None:
    from ..dataset import compare

    form = form_of(options, paths_of(options))
    margin = _by_metric("margin", options.margin)
    inputs = (
        inputs_of(options)
        | options_of(options)
        | {"baseline": options.baseline, "margin": margin or None}
    )
    if options.find_segments:
        inputs.pop("by", None)
    with engine_of(options) as engine:
        comparison = compare(options.metrics, **inputs, engine=engine)
        models = comparison.by_model if comparison.done.baseline else comparison.ranks
        table: Table = comparison
        if options.worse:
            table = comparison.worse()
        elif options.find_segments:
            table = comparison.find_segments(options.by or (), level=comparison.done.level)
        elif options.pivot:
            table = models()
        if options.ranks is not None:
            table = comparison.ranks(options.ranks or None)
    put(table, form, options)


def _power(options: argparse.Namespace) -> None:
    from ..dataset import power

    form = form_of(options, paths_of(options))
    names = ("results", "sample_size", "power", "sides", "baseline")
    values: dict[str, Any] = {name: getattr(options, name) for name in names}
    values["difference"] = _by_metric("difference", options.difference) or None
    inputs = inputs_of(options) | options_of(options, ("level", "cluster"))
    if options.results is None or options.recs:
        with engine_of(options) as engine:
            put(power(options.metrics, **inputs | values, engine=engine), form, options)
        return
    values |= {"level": inputs["level"]} if "level" in inputs else {}
    put(power(options.metrics, **values), form, options)


def _interleaved(options: argparse.Namespace) -> None:
    from ..analyses.interleaved import interleaved

    form = form_of(options, [options.impressions])
    names = ("baseline", "ties", "unit", "correction", "level", "by")
    values = {name: getattr(options, name) for name in names if hasattr(options, name)}
    with engine_of(options) as engine:
        inputs = {**values, "columns": columns_of(options), "engine": engine}
        put(interleaved(options.impressions, **inputs), form, options)


def _unsampled(options: argparse.Namespace) -> None:
    from ..dataset import unsampled

    form = form_of(options, paths_of(options))
    names = ("catalog_size", "candidates", "estimator", "gamma", "replacement")
    values = (
        inputs_of(options)
        | options_of(options, ("level",))
        | {name: getattr(options, name) for name in names}
    )
    with engine_of(options) as engine:
        put(unsampled(options.metrics, **values, engine=engine), form, options)


def _check(options: argparse.Namespace) -> None:
    from ..dataset import check

    inputs = [*paths_of(options), *filter(None, [options.against])]
    form = form_of(options, inputs, {".xml": "junit"})
    with engine_of(options) as engine:
        checks = check(
            options.metrics,
            min=_by_metric("min", options.min),
            max=_by_metric("max", options.max),
            against=options.against,
            margin=_by_metric("margin", options.margin),
            **inputs_of(options),
            **options_of(options),
            engine=engine,
        )
    # The exit code is set before the reader of a pipe can close it.
    options.code = 0 if checks.passed else FAILED
    if form == "junit":
        put_text(checks.to_junit(), options.output)
    else:
        put(checks, form, options)


def _by_metric(option: str, texts: list[str] | None) -> dict[str, str]:
    """Parse METRIC=VALUE; a value for all metrics has no name."""
    values: dict[str, str] = {}
    for text in texts or []:
        # Parameters also contain equal signs, as in f_beta(beta=2)@5=0.3.
        metric, _, value = text.rpartition("=")
        if metric in values:
            raise InputError(
                f"--{option} {text}: {metric or 'all metrics'} given twice: remove one"
            )
        values[metric] = value
    return values


def _explain(options: argparse.Namespace) -> None:
    from ..dataset import explain

    form = form_of(options, paths_of(options))
    convention = vars(options).pop("convention", None)
    conventions = None if convention is None else [convention]
    inputs = inputs_of(options) | options_of(options)
    with engine_of(options) as engine:
        explanation = explain(
            options.metrics,
            conventions=conventions,
            value=options.value,
            like=options.like,
            full=options.full,
            **inputs,
            engine=engine,
        )
    put(explanation, form, options)


def _identify(options: argparse.Namespace) -> None:
    from ..analyses.identify import identify

    module, colon, name = options.function.rpartition(":")
    if not colon:
        raise InputError(f"{options.function}: write MODULE:FUNCTION, as in metrics:ndcg_at_k")
    path = Path(module)
    folder, module = (path.parent, path.stem) if path.suffix == ".py" else (Path(), module)
    sys.path.insert(0, str(folder.resolve()))
    try:
        function = getattr(import_module(module), name)
    except Exception as error:
        raise InputError(f"{options.function}: {type(error).__name__}: {error}") from error
    print(identify(function, options.metric))


def _plot(options: argparse.Namespace) -> None:
    from ..dataset import Dataset, plot
    from ..plots.plot import FORMATS

    if options.output is not None:
        check_target(options.output, paths_of(options))
        if Path(options.output).suffix.lower() not in FORMATS:
            raise InputError(f"-o {options.output}: a plot's ending is one of {', '.join(FORMATS)}")
    call = options_of(options) | ({"k": options.k} if hasattr(options, "k") else {})
    inputs = inputs_of(options)
    if options.name in ("forest", "differences"):
        call["baseline"], inputs["baseline"] = options.baseline, None
    with engine_of(options) as engine:
        if options.results is not None:
            picture = plot(options.name, results=options.results)
        else:
            data = Dataset(**inputs, engine=engine)
            picture = data.plot(options.name, options.metrics, **call)
        if options.output is None:
            put_text(to_text(picture.data.layout(), style(options)), form="table")
        else:
            picture.save(options.output)
            put_written(options.output)


def _report(options: argparse.Namespace) -> None:
    from ..dataset import Dataset, report
    from ..reports.report import ENDINGS

    check_target(options.output, paths_of(options))
    if Path(options.output).suffix.lower() not in ENDINGS:
        raise InputError(f"-o {options.output}: a report's ending is one of {', '.join(ENDINGS)}")
    stored = {"results": options.results, "comparison": options.comparison}
    if options.results is not None:
        _save_report(report(options.metrics, **stored), options)
        return
    inputs = inputs_of(options) | {"baseline": None}
    with engine_of(options) as engine:
        page = Dataset(**inputs, engine=engine).report(
            options.metrics,
            **options_of(options, ("level",)),
            baseline=options.baseline,
            decide=options.decide or (),
            who_lost=not options.no_users and ("hashed" if options.hash_users else True),
            libraries=options.libraries,
            title=options.title,
            note=options.note,
            command=shlex.join(["sqlrec", *options.words]),
        )
    _save_report(page, options)


def _save_report(page: Any, options: argparse.Namespace) -> None:
    page.save(options.output)
    put_written(options.output, f": {page.title}")


def _sql(options: argparse.Namespace) -> None:
    from ..dataset import sql
    from ..engines.connect import open_engine
    from ..engines.estimate import estimate

    if options.dialect and options.engine:
        raise InputError("--dialect and --engine: give one, an engine has a dialect")
    inputs = {
        "per_user": options.per_user,
        "compare_with": options.compare_with,
        "form": options.form,
        **inputs_of(options),
        **options_of(options, interval=None),
    }
    no_inputs = not options.engine and all(inputs[name] is None for name in TABLES)
    if options.estimate:
        if options.dialect or no_inputs or options.form in ("check", "steps"):
            raise InputError("--estimate needs inputs that exist, and a statement in one piece")
        with engine_of(options) as connection:
            engine = open_engine(connection)
            put_text(estimate(engine, sql(options.metrics, engine=engine, **inputs)))
        return
    if options.dialect or no_inputs:
        settings = settings_of(options)
        put_text(sql(options.metrics, dialect=options.dialect, settings=settings, **inputs))
        return
    with engine_of(options) as engine:
        put_text(sql(options.metrics, engine=engine, **inputs))


def _self_test(options: argparse.Namespace) -> None:
    from ..self_test import selftest

    form = form_of(options, filter(None, [options.engine]))
    result = selftest(options.engine, schema=options.schema)
    options.code = 0 if result.passed else FAILED
    put(result, form, options)


def _new_metric(options: argparse.Namespace) -> None:
    from ..catalogue.custom_metrics import new_metric

    path, test = new_metric(options.metric, options.folder)
    command = f"sqlrec show {options.metric} --metrics {shlex.quote(options.folder)}"
    put_text(f"{path}\n{test}\n\nWrite them, and see: {command}")


def _dbt_metrics(options: argparse.Namespace) -> None:
    from ..catalogue.custom_metrics import load_metrics
    from ..catalogue.dbt_macros import own_metrics

    if options.output is not None:
        check_target(options.output, [options.metrics_path])
    put_text(own_metrics(load_metrics(options.metrics_path)).rstrip(), options.output)


# The function of each command.
COMMANDS = {
    "evaluate": _evaluate,
    "compare": _compare,
    "sql": _sql,
    "check": _check,
    "explain": _explain,
    "identify": _identify,
    "plot": _plot,
    "report": _report,
    "power": _power,
    "interleaved": _interleaved,
    "unsampled": _unsampled,
    "demo": demo,
    "doctor": doctor,
    "selftest": _self_test,
    "new-metric": _new_metric,
    "list": list_metrics,
    "show": show,
    "conventions": list_conventions,
    "dbt-init": dbt_init,
    "dbt-metrics": _dbt_metrics,
    "dbt-path": lambda _: put_text(str(sql_folder())),
}


def _print_translated(message: Exception | str, kind: str = "error") -> None:
    """Print an error or a warning of Python with the options of the command line."""
    from .option_names import translate_message

    _print_message(translate_message(str(message)), kind)


def _print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _print_translated(str(message), "warning")
