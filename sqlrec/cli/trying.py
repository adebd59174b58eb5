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

# What the package brings for others to use, by what it is for.
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
    told = report(metrics, **paths, baseline="random", by="campaign", libraries=False)
    told.save(folder / "report.html")
    put(result, "table", options)
    users = max(row["users"] for row in result.rows().to_pylist())
    put_text(_AFTER.format(users=users, folder=shlex.quote(options.folder), inputs=_INPUTS))


def doctor(options: argparse.Namespace) -> None:
    """Tell versions, engines, extras and where templates are kept."""
    form = form_of(options)
    rows = [{"what": what, "found": found, "for": why} for what, found, why in _found()]
    put(table_of(rows), form, options)


def _found() -> Iterator[tuple[str, str, str]]:
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
    kept = [path.stat().st_size for path in folder.iterdir()] if folder else []
    found = f"{len(kept)} files, {sum(kept) / 1e6:.1f} MB" if folder else "-"
    yield "cache", found, f"compiled templates: {folder or 'nowhere, as no folder can be written'}"


def completion(options: argparse.Namespace) -> None:
    """Print what makes a shell complete commands, options, choices and metrics; or columns."""
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
        f'        {name or "-"}) words="{" ".join(found)}";;' for name, found in words.items()
    )
    texts: dict[str, list[str]] = {}
    for option, found in values.items():
        texts.setdefault(" ".join(found), []).append(option)
    chosen = "\n".join(
        f'            {"|".join(names)}) words="{text}" own="";;' for text, names in texts.items()
    )
    start = "autoload -U bashcompinit && bashcompinit\n" if options.shell == "zsh" else ""
    put_text(start + _BASH.format(cases=cases, options=chosen))


def _columns(path: str) -> list[str]:
    """Return the columns of a file that may tell segments apart.

    Raises:
        InputError: DuckDB can't read the file.
    """
    import duckdb

    from ..engines.duckdb import connect
    from ..engines.files import reader

    with connect() as connection:
        try:
            found = connection.sql(f"describe select * from {reader(path, 'columns')}").fetchall()
        except duckdb.Error as error:
            raise InputError(f"--columns {path}: {str(error).splitlines()[0]}") from None
    return [name for name, *_ in found if name not in ("user_id", "item_id")]


# Behind an option stand its values, or where it has none to choose from what the shell completes.
# Columns are those of the last --users, or else of --truth. To bash, = is a word of its own; to
# zsh, --users=FILE is one word.
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
    """Go through the commands, each with its options and what it takes besides."""
    from ..analyses.plot import PLOTS

    commands = _commands(parser)
    yield "", [*commands, "--help", "--version"]
    for name, command in commands.items():
        found = []
        for action in command._actions:
            found += [option for option in action.option_strings if option.startswith("--")]
            found += [str(one) for one in action.choices or () if not action.option_strings]
            found += PLOTS if (name, action.dest) == ("plot", "name") else []
            found += _known_metrics() if action.dest in ("metrics", "metric") else []
        yield name, list(dict.fromkeys(found))


def _values(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """Return what can stand behind an option, of those that take something."""
    from ..catalogue.conventions import conventions

    found: dict[str, list[str]] = {}
    for command in _commands(parser).values():
        for action in command._actions:
            words = [str(choice) for choice in action.choices or ()]
            if "METRIC" in str(action.metavar):
                words = _known_metrics()
            if action.dest == "convention":
                words = [*conventions()]
            for option in action.option_strings if action.nargs != 0 else ():
                values = found.setdefault(option, [])
                values += [word for word in words if word not in values]
    return found


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    return dict(commands.choices)


def _known_metrics() -> list[str]:
    from ..catalogue.requests import EVERYTHING, PRESETS

    known = [name for one in headers.metrics().values() for name in (one.name, *one.aliases)]
    return [*known, *PRESETS, EVERYTHING]


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
    takers = (name for name, found in words.items() if "ndcg" in found)
    yield _FISH.replace("{takers}", " ".join(takers))
    for name, found in words.items():
        when = f"__fish_seen_subcommand_from {name}" if name else "__fish_use_subcommand"
        yield f"complete -c sqlrec -n '{when}' -a '{' '.join(found)}'"
    for option, found in values.items():
        kind = "-l" if option.startswith("--") else "-s"
        if option not in ("--by", "--cluster"):
            chosen = f"-x -a '{' '.join(found)}'" if found else "-r"
            yield f"complete -c sqlrec {kind} {option.lstrip('-')} {chosen}"
