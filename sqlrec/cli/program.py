"""The command line: ``sqlrec evaluate``, ``sql``, ``explain``, ``list``, ``show`` and others."""

from __future__ import annotations

import io
import os
import shlex
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..display.text import to_text
from ..errors import InputError, SqlrecError
from ..options import changed_options
from ..paths import sql_folder
from ..results.table import Table
from ..results.writing import check_target
from .arguments import parser, repeat_flags
from .dbt_init import dbt_init
from .first_steps import demo, doctor
from .listing import list_conventions, list_metrics, show
from .option_names import translate_message
from .output import (
    Options,
    check_output_format,
    format_for_stderr,
    print_written_file,
    put_table,
    put_text,
    text_style,
)
from .parse_inputs import (
    columns_of,
    dataset_of,
    engine_of,
    inputs_of,
    options_of,
    paths_of,
    settings_of,
)

if TYPE_CHECKING:
    from ..plots.plot import Plot

# The exit code of a check that failed.
FAILED = 3

INTERRUPTED, PIPE_CLOSED = 130, 141


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    options = Options(words=sys.argv[1:] if words is None else words)
    try:
        if words is None:
            # If the program is terminated, it cleans up as after Ctrl-C.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            _open_streams()
        try:
            if "_ARGCOMPLETE" in os.environ:
                from .completion import complete

                complete(parser(COMMANDS))
            commands = parser(COMMANDS, options.words)
            if not options.words:
                commands.print_help()
                return 0
            commands.parse_args(repeat_flags(options.words), options)
        except SystemExit as stop:  # argparse exits after a message or the help.
            options.code = int(stop.code or 0)
        else:
            _run_command(options)
        sys.stdout.flush()
        return int(options.code or 0)
    except SqlrecError as error:
        _print_message(translate_message(str(error), options))
        return 1
    except KeyboardInterrupt:
        _print_message("interrupted", "sqlrec")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe, such as `head`, closed the pipe. A check keeps its exit code.
        _discard_stdout()
        return PIPE_CLOSED if options.code is None else int(options.code)
    except OSError as error:
        _discard_stdout()
        _print_message(str(error))
        return 1


def _run_command(options: Options) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.showwarning = lambda warning, *_, **__: _print_message(
            translate_message(str(warning), options), "warning"
        )
        if options.metrics_path is not None:
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
        print(format_for_stderr(message, kind), file=sys.stderr)


def _evaluate(options: Options) -> None:
    from ..analyses.trec import format_trec
    from ..dataset import Dataset
    from ..inputs.tables import Tables
    from ..options import Rules

    form = check_output_format(options, paths_of(options))
    arguments = options_of(options, Dataset.evaluate)
    if form == "trec":
        if options.k is not None:
            k = ",".join(options.k)
            raise InputError(f"-k {k}: with --format trec, write the cutoff as in ndcg@{k}")
        if options.by or options.table in ("user-counts", "gaps"):
            raise InputError(
                "--format trec prints each topic and all topics: omit --by and --table "
                f"{options.table or 'result'}"
            )
        for unread in changed_options(arguments.keys() - {"metrics", "rules"}, arguments):
            raise InputError(f"--format trec prints only values of trec_eval: omit {unread}")
        with engine_of(options) as engine:
            opened = Tables.open(**inputs_of(options), engine=engine)
            rules = arguments.get("rules", Rules())
            put_text(format_trec(options.metrics, options.table, opened, rules), options.output)
            opened.warn_about_unused(options.metrics, options.words[0])
        return
    with dataset_of(options) as data:
        result = data.evaluate(**arguments)
        tables: Mapping[str | None, Callable[[], Table]] = {
            "gaps": result.gaps,
            "user-counts": lambda: result.user_counts,
            "per-user": result.per_user,
        }
        table = tables.get(options.table, lambda: result)()
        if options.past is not None:
            if table is not result:
                raise InputError(f"--merge merges results, not --table {options.table}; omit one")
            table = result.merge(options.past)
        put_table(table, form, options)


def _compare(options: Options) -> None:
    tables = {"--worse": options.worse, "--find-segments": options.find_segments}
    tables |= {"--all": options.full, "--pivot": options.pivot}
    tables |= {"--ranks": options.ranks is not None}
    if len(sources := [name for name, is_set in tables.items() if is_set]) > 1:
        raise InputError(f"{' and '.join(sources)}: they print different tables; give one of them")
    if options.baseline is None and (options.worse or options.find_segments):
        flag = "--worse" if options.worse else "--find-segments"
        raise InputError(f"{flag} needs a baseline: give --baseline MODEL")
    form = check_output_format(options, paths_of(options))
    with dataset_of(options) as data:
        arguments = options_of(options, data.compare)
        if options.find_segments:
            arguments.pop("by", None)
        comparison = data.compare(**arguments)
        table: Table = comparison
        if options.worse:
            table = comparison.worse()
        elif options.find_segments:
            table = comparison.find_segments(options.by or (), level=comparison.summary.level)
        elif options.pivot:
            table = comparison.by_model() if comparison.summary.baseline else comparison.ranks()
        if options.ranks is not None:
            table = comparison.ranks(options.ranks or None)
        # Notes may run a query, so the table is written before the engine is closed.
        put_table(table, form, options)


def _put_answer(name: str, options: Options) -> None:
    """Write the table that a method of a dataset, or a function for stored results, returns."""
    form = check_output_format(options, paths_of(options))
    if options.results is not None:
        put_table(_answer_stored_result(name, options), form, options)
        return
    with dataset_of(options) as data:
        method = getattr(data, name)
        put_table(method(**options_of(options, method)), form, options)


def _answer_stored_result(name: str, options: Options) -> Any:
    """Call a public function with a stored result."""
    from .. import functions
    from ..dataset import Dataset

    for setting in settings_of(options):
        raise InputError(f"--from is given: omit --{setting.replace('_', '-')}")
    inputs = inputs_of(options) | {"engine": options.engine}
    inputs.pop("progress")
    arguments = options_of(options, getattr(Dataset, name))
    stored = {x: value for x, value in vars(options).items() if x in ("results", "comparison")}
    return getattr(functions, name)(**inputs | arguments | stored)


def _interleaved(options: Options) -> None:
    from ..analyses.interleaved import interleaved

    form = check_output_format(options, [options.impressions])
    with engine_of(options) as engine:
        arguments = options_of(options, interleaved) | {"engine": engine}
        put_table(interleaved(**arguments, columns=columns_of(options)), form, options)


def _check(options: Options) -> None:
    form = check_output_format(options, paths_of(options), {".xml": "junit"})
    with dataset_of(options) as data:
        checks = data.check(**options_of(options, data.check))
    # The exit code is set before output, since the reader of a pipe can close the pipe.
    options.code = 0 if checks.passed else FAILED
    if form == "junit":
        put_text(checks.to_junit(), options.output)
    else:
        put_table(checks, form, options)


def _explain(options: Options) -> None:
    # On the command line, --convention names a library to explain.
    if (convention := vars(options).pop("convention", None)) is not None:
        options.conventions = [convention]
    _put_answer("explain", options)


def _identify(options: Options) -> None:
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
        import traceback

        *_, (_, line) = traceback.walk_tb(error.__traceback__)
        text = str(error) or f"in line {line}, without a message"
        raise InputError(f"{options.function}: {type(error).__name__}: {text}") from error
    print(identify(function, options.metric))


def _plot(options: Options) -> None:
    from ..plots.plot import FORMATS

    if options.output is not None:
        _check_ending(options, "plot", FORMATS)
    if options.results is not None:
        _put_plot(_answer_stored_result("plot", options), options)
        return
    with dataset_of(options) as data:
        _put_plot(data.plot(**options_of(options, data.plot)), options)


def _put_plot(picture: Plot, options: Options) -> None:
    if options.output is None:
        put_text(to_text(picture.data.layout(), text_style(options)), form="table")
    else:
        picture.save(options.output)
        print_written_file(options.output)


def _report(options: Options) -> None:
    from ..reports.report import ENDINGS

    _check_ending(options, "report", ENDINGS)
    if options.results is not None and (options.no_users or options.hash_users):
        flag = "--no-users" if options.no_users else "--hash-users"
        raise InputError(
            f"{flag} and --from: stored results have no per-user values; remove {flag}"
        )
    if options.no_users and options.hash_users:
        raise InputError("--no-users and --hash-users: give only one of the two")
    if options.comparison is not None and options.results is None:
        raise InputError(f"--comparison {options.comparison}: give --from too, with the result")
    if options.results is not None:
        page = _answer_stored_result("report", options)
    else:
        who_lost: Any = not options.no_users and ("hashed" if options.hash_users else True)
        command = shlex.join(["sqlrec", *options.words])
        with dataset_of(options) as data:
            arguments: Any = {"metrics": ()} | options_of(options, data.report)
            page = data.report(**arguments, who_lost=who_lost, command=command)
    page.save(options.output)
    print_written_file(options.output, f": {page.title}")


def _check_ending(options: Options, kind: str, endings: Iterable[str]) -> None:
    check_target(options.output, paths_of(options))
    if Path(options.output).suffix.lower() not in endings:
        raise InputError(
            f"-o {options.output}: the extension of a {kind} must be one of {', '.join(endings)}"
        )


def _sql(options: Options) -> None:
    from ..dataset import Dataset
    from ..engines.estimate import estimate

    if options.dialect and options.engine:
        raise InputError("--dialect and --engine: use only one; the engine sets the dialect")
    no_inputs = not (options.engine or options.recs or options.truth or options.logs)
    if options.estimate and (options.dialect or no_inputs or options.form in ("check", "steps")):
        raise InputError(
            "--estimate needs inputs or --engine, without --dialect, --check or --steps"
        )
    with dataset_of(options) as data:
        text = data.sql(**options_of(options, Dataset.sql))
        put_text(estimate(data.tables.engine, text) if options.estimate else text)


def _self_test(options: Options) -> None:
    from ..self_test import selftest

    form = check_output_format(options, filter(None, [options.engine]))
    result = selftest(options.engine, schema=options.schema)
    options.code = 0 if result.passed else FAILED
    put_table(result, form, options)


def _new_metric(options: Options) -> None:
    from ..catalogue.custom_metrics import new_metric

    folder = options.folder or "metrics"
    path, test = new_metric(options.metric, folder)
    command = f"sqlrec show {options.metric} --metrics {shlex.quote(folder)}"
    put_text(f"{path}\n{test}\n\nComplete both files, then run: {command}")


def _dbt_metrics(options: Options) -> None:
    from ..catalogue.custom_metrics import load_metrics
    from ..catalogue.dbt_macros import own_metrics

    if options.output is not None:
        check_target(options.output, [options.metrics_path])
    put_text(own_metrics(load_metrics(options.metrics_path)).rstrip(), options.output)


# The function of each command.
COMMANDS: Mapping[str, Callable[[Options], None]] = {
    "evaluate": _evaluate,
    "compare": _compare,
    "sql": _sql,
    "check": _check,
    "explain": _explain,
    "identify": _identify,
    "plot": _plot,
    "report": _report,
    "power": partial(_put_answer, "power"),
    "interleaved": _interleaved,
    "unsampled": partial(_put_answer, "unsampled"),
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
