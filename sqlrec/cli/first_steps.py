"""The first steps: ``demo``, ``doctor`` and ``completion``."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..catalogue import headers
from ..errors import InputError
from ..paths import OWN
from .output import form_of, put, put_text, table_of

# Optional packages of other projects, by purpose.
_PACKAGES = {
    "the core": ("duckdb", "jinja2", "pyarrow"),
    "frames": ("pandas", "polars"),
    "statistics, extra stats": ("numpy", "scipy"),
    "PNG and PDF, extra plot": ("vl-convert-python",),
    "PostgreSQL, extra postgres": ("psycopg",),
    "Spark, extra spark": ("pyspark",),
    "ClickHouse in this process": ("chdb",),
    "dbt": ("dbt-core",),
}

_AFTER = """
{users} real clicks on fashion items, and two rankings of them: what a bandit
learnt to show, and a random order. {folder} has recs.parquet,
truth.parquet and report.html, which a browser opens. Next:

  cd {folder}
  sqlrec evaluate ndcg@5,10 {inputs}
  sqlrec compare hit_rate@10 {inputs} \\
      --baseline random
  sqlrec explain map@10 {inputs}
  sqlrec sql ndcg@10 {inputs}
  sqlrec list"""

_INPUTS = "--recs recs.parquet --truth truth.parquet"


def demo(options: argparse.Namespace) -> None:
    """Evaluate packaged clicks, write their report, and say what to type next.

    Raises:
        InputError: The folder is there already.
    """
    import shutil

    from ..evaluation import evaluate
    from ..reports.report import report

    folder = Path(options.folder)
    try:
        folder.mkdir()
    except FileExistsError:
        raise InputError(f"{options.folder} exists already: name another folder") from None
    paths: dict[str, Any] = {}
    for name in ("recs", "truth"):
        packaged = Path(__file__).parent / "demo" / f"{name}.parquet"
        paths[name] = os.fspath(shutil.copyfile(packaged, folder / f"{name}.parquet"))
    metrics = "ndcg@5,10 hit_rate@5,10"
    result = evaluate(metrics, **paths, interval="auto")
    page = report(metrics, **paths, baseline="random", by="campaign", libraries=False)
    page.save(folder / "report.html")
    put(result, "table", options)
    users = max(row["users"] for row in result.rows().to_pylist())
    put_text(_AFTER.format(users=users, folder=shlex.quote(options.folder), inputs=_INPUTS))


def doctor(options: argparse.Namespace) -> None:
    """Print versions, engines, extras and the folder of compiled templates."""
    form = form_of(options)
    rows = [{"what": name, "found": version, "for": why} for name, version, why in _versions()]
    put(table_of(rows), form, options)


def _versions() -> Iterator[tuple[str, str, str]]:
    import platform
    import shutil
    from importlib import metadata

    from ..rendering.cache import Compiled

    yield "sqlrec", metadata.version("sqlrec"), str(Path(__file__).parent.parent)
    yield "Python", platform.python_version(), platform.platform()
    for why, names in _PACKAGES.items():
        for name in names:
            try:
                yield name, metadata.version(name), why
            except metadata.PackageNotFoundError:
                yield name, "-", why
    yield "java", shutil.which("java") or "-", "Spark"
    folder = Compiled().folder
    sizes = [path.stat().st_size for path in folder.iterdir()] if folder else []
    size = f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB" if folder else "-"
    yield "cache", size, f"compiled templates: {folder or 'nowhere, as no folder can be written'}"


def completion(options: argparse.Namespace) -> None:
    """Print a script for a shell that completes commands, options and metrics; or print columns."""
    from .arguments import parser

    if options.columns is not None:
        put_text("\n".join(_columns(options.columns)))
        return
    if options.metrics_path is not None:
        put_text("\n".join(OWN))
        return
    words, values = dict(_words(parser({}))), _values(parser({}))
    if options.shell == "fish":
        put_text("\n".join(_fish(words, values)))
        return
    cases = "\n".join(
        f'        {name or "-"}) words="{" ".join(command)}";;' for name, command in words.items()
    )
    texts: dict[str, list[str]] = {}
    for option, choices in values.items():
        texts.setdefault(" ".join(choices), []).append(option)
    chosen = "\n".join(
        f'            {"|".join(names)}) words="{text}" own="";;' for text, names in texts.items()
    )
    start = "autoload -U bashcompinit && bashcompinit\n" if options.shell == "zsh" else ""
    put_text(start + _BASH.format(cases=cases, options=chosen))


def _columns(path: str) -> list[str]:
    """Return the columns of a file that can be segments.

    Raises:
        InputError: DuckDB can't read the file.
    """
    import duckdb

    from ..engines.duckdb import connect
    from ..engines.files import reader

    with connect() as connection:
        try:
            rows = connection.sql(f"describe select * from {reader(path, 'columns')}").fetchall()
        except duckdb.Error as error:
            raise InputError(f"--columns {path}: {str(error).splitlines()[0]}") from None
    return [name for name, *_ in rows if name not in ("user_id", "item_id")]


# After an option, its choices are completed, or files if it has no choices. Columns are those of
# the last --users, or else of --truth. In bash, = is a separate word; in zsh, --users=FILE is a
# single word.
_BASH = """\
_sqlrec() {{
    local words="" before="" here="" option="" truth="" users="" own="" i n
    local command="${{COMP_WORDS[1]}}"
    for ((i = 1; i <= COMP_CWORD; i++)); do
        n="${{COMP_WORDS[i]//[\\\\\\"\\']/}}" option=""
        if [ "$n" = "=" ]; then
            [ "$i" -lt "$COMP_CWORD" ] && continue
            n=""
        fi
        before="$here"
        case "$n" in --*=*) option="${{n%%=*}}="; before="${{n%%=*}}";; esac
        here="${{n#"$option"}}"
        case "$before" in
            --truth) truth="$here";; --users) users="$here";; --metrics) own="$here";;
        esac
    done
    COMPREPLY=()
    case "$before" in --by|--cluster)
        while IFS= read -r n; do
            case "$n" in "$here"*) COMPREPLY+=("$option$(printf %q "$n")");; esac
        done < <(sqlrec completion bash --columns "${{users:-$truth}}" 2> /dev/null)
        return;;
    esac
    [ "$COMP_CWORD" -le 1 ] && command="-"
    case "$command" in
{cases}
    esac
    case "$here" in -*);; *)
        case "$before" in
{options}
        esac;;
    esac
    if [ -n "$own" ] && [ "$before" != "--metrics" ]; then
        words="$words $(sqlrec completion bash --metrics "$own" 2> /dev/null)"
    fi
    COMPREPLY=($(compgen -P "$option" -W "$words" -- "$here"))
}}
complete -o default -F _sqlrec sqlrec"""


def _words(parser: argparse.ArgumentParser) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands, each with its options and positional arguments."""
    from ..analyses.plot import PLOTS

    commands = _commands(parser)
    yield "", [*commands, "--help", "--version"]
    for name, command in commands.items():
        words = []
        for action in command._actions:
            words += [option for option in action.option_strings if option.startswith("--")]
            words += [str(x) for x in action.choices or () if not action.option_strings]
            words += PLOTS if (name, action.dest) == ("plot", "name") else []
            words += _metric_names() if action.dest in ("metrics", "metric") else []
        yield name, list(dict.fromkeys(words))


def _values(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """Return the choices of options with a value."""
    from ..catalogue.conventions import conventions

    choices: dict[str, list[str]] = {}
    for command in _commands(parser).values():
        for action in command._actions:
            words = [str(choice) for choice in action.choices or ()]
            if "METRIC" in str(action.metavar):
                words = _metric_names()
            if action.dest == "convention":
                words = [*conventions()]
            for option in action.option_strings if action.nargs != 0 else ():
                values = choices.setdefault(option, [])
                values += [word for word in words if word not in values]
    return choices


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = (x for x in parser._actions if isinstance(x, argparse._SubParsersAction))
    return dict(commands.choices)


def _metric_names() -> list[str]:
    from ..catalogue.requests import EVERYTHING, PRESETS

    names = [x for metric in headers.metrics().values() for x in (metric.name, *metric.aliases)]
    return [*names, *PRESETS, EVERYTHING]


_FISH = """\
function __sqlrec_metrics
    set -l words (commandline -opc)
    set -l folder (string replace -f -r -- "^--metrics=" "" $words)
    set -l at (contains -i -- --metrics $words); and set folder $words[(math $at + 1)]
    set -q folder[1]; and sqlrec completion fish --metrics $folder[1] 2> /dev/null
end
function __sqlrec_columns
    set -l words (commandline -opc)
    for option in --users --truth
        set -l file (string replace -f -r -- "^$option=" "" $words)
        set -l at (contains -i -- $option $words); and set file $words[(math $at + 1)]
        if set -q file[1]
            sqlrec completion fish --columns $file[1] 2> /dev/null
            return
        end
    end
end
complete -c sqlrec -l by -x -a '(__sqlrec_columns)'
complete -c sqlrec -l cluster -x -a '(__sqlrec_columns)'
complete -c sqlrec -n '__fish_seen_subcommand_from {takers}' -a '(__sqlrec_metrics)'"""


def _fish(words: dict[str, list[str]], values: dict[str, list[str]]) -> Iterator[str]:
    takers = (name for name, command_words in words.items() if "ndcg" in command_words)
    yield _FISH.replace("{takers}", " ".join(takers))
    for name, command_words in words.items():
        when = f"__fish_seen_subcommand_from {name}" if name else "__fish_use_subcommand"
        yield f"complete -c sqlrec -n '{when}' -a '{' '.join(command_words)}'"
    for option, choices in values.items():
        kind = "-l" if option.startswith("--") else "-s"
        if option not in ("--by", "--cluster"):
            chosen = f"-x -a '{' '.join(choices)}'" if choices else "-r"
            yield f"complete -c sqlrec {kind} {option.lstrip('-')} {chosen}"
