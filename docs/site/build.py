"""Build the site: python docs/site/build.py FOLDER writes its pages, and Zensical draws them.

It has the pages of docs, a page for each metric from its header, and an API page from docstrings.
"""

from __future__ import annotations

import argparse
import html
import importlib.util
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import warnings
import zipfile
from collections.abc import Iterator
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gallery
import worked

import sqlrec
from sqlrec.catalogue.headers import FAMILIES
from sqlrec.catalogue.metric_help import _entry_parts, _header_blocks
from sqlrec.dialects import DIALECTS
from sqlrec.evaluation import example_statement

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

# Dialects on the page of a metric; links lead to the statements in other dialects.
SHOWN_DIALECTS = {"duckdb": "DuckDB", "postgres": "PostgreSQL", "bigquery": "BigQuery"}

# The source of the playground: package.json pins the packages of npm.
PLAYGROUND = Path(__file__).parent / "playground"
PLAYGROUND_FILES = ("worker.mjs", "playground.py")

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))

# Pages from outside of docs.
ELSEWHERE = {
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "security.md": "SECURITY.md",
}

# Profiles of libraries with pages of another name.
PROFILES = {"scikit-learn": "sklearn", "kaggle": "ml_metrics"}

# Pictures from outside of docs, by their names on the site.
PICTURES = {"speed.svg": "benchmarks/results/plot.svg"}

# The report of the example, on the page of reports.
REPORT = "report_of_films.html"
OPEN_REPORT = f'<a class="md-button md-button--primary" href="{REPORT}">Open a report</a>'

# Functions at the start of the API page.
MOST_USED = ("evaluate", "compare", "explain", "check", "report", "plot", "sql")

NAV: list[Any] = [
    {"Home": "index.md"},
    {"Playground": "playground.md"},
    {
        "Tasks": [
            {"Guide": "guide.md"},
            {"A first number": "tasks/first_number.md"},
            {"File formats": "my_file.md"},
            {"Compare two models": "tasks/compare.md"},
            {"Find who lost": "tasks/who_lost.md"},
            {"My number does not match": "tasks/does_not_match.md"},
            {"A gate in CI": "tasks/gate.md"},
            {"A table for the paper": "tasks/paper.md"},
            {"Results": "results.md"},
            {"A report": "report.md"},
            {"Plots": "plots.md"},
            {"dbt": "dbt.md"},
            {"Ten billion rows": "tasks/big.md"},
            {"Off-policy": "off_policy.md"},
            {"Sampled candidates": "tasks/sampled.md"},
            {"Sessions and days": "sessions.md"},
            {"Pages with carousels": "carousels.md"},
        ]
    },
    {"Notebooks": "notebooks"},
    {"Coming from": "from"},
    {"Metrics": "metrics"},
    {
        "Reference": [
            {"Statistics": "statistics.md"},
            {"API": "api.md"},
            {"Glossary": "glossary.md"},
            {"Conventions": "conventions.md"},
            {"Peers": "peers.md"},
            {"Published numbers": "papers.md"},
            {"TREC": "trec.md"},
            {"Metrics of your own": "own_metrics.md"},
            {"In other tools": "integrations.md"},
            {"Adapters": "adapters.md"},
            {"Engines": "engines.md"},
            {"Spark": "spark.md"},
            {"Speed": "speed.md"},
        ]
    },
    {
        "Project": [
            {"Compared with other libraries": "comparison.md"},
            {"Roadmap": "roadmap.md"},
            {"Contributing": "contributing.md"},
            {"Upgrade": "upgrade.md"},
            {"Releases": "releases.md"},
            {"Changelog": "changelog.md"},
            {"Security": "security.md"},
            {"Decisions": "decisions/README.md"},
        ]
    },
]


def pages() -> dict[str, str]:
    """Return all pages, by path."""
    metric_pages = {
        f"metrics/{name}.md": metric_page(metric) for name, metric in sqlrec.metrics().items()
    }
    return {**written_pages(), **metric_pages, "api.md": _cited(api_page())}


def written_pages() -> dict[str, str]:
    """Return the handwritten pages, by path on the site."""
    texts = {name: (ROOT / path).read_text(encoding="utf-8") for name, path in ELSEWHERE.items()}
    for path in sorted(DOCS.rglob("*.md")):
        texts[path.relative_to(DOCS).as_posix()] = path.read_text(encoding="utf-8")
    for name in [*texts]:
        library = PROFILES.get(Path(name).stem, Path(name).stem)
        if name.startswith("from/") and library in sqlrec.conventions():
            texts[name] += _names(sqlrec.conventions()[library])
    texts["metrics.md"] = _breakable(texts["metrics.md"])
    texts["plots.md"] = _gallery(texts["plots.md"])
    texts["report.md"] = texts["report.md"].replace("\n\n", f"\n\n{OPEN_REPORT}\n\n", 1)
    return {name: _cited(_linked(name, _wide(text))) for name, text in texts.items()}


def _cited(text: str) -> str:
    """Return a text with links to papers, written without https, outside of code."""
    address = r"(?<![\w/(\[])((?:doi|arxiv|jmlr|ceur-ws)\.org/[^\s,;)]*[^\s,;.)])"
    parts = re.split(r"(^ *```.*?^ *```$|`[^`]*`)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [re.sub(address, r"[\1](https://\1)", part) for part in parts[::2]]
    return "".join(parts)


def _names(library: sqlrec.Convention) -> str:
    """Return a table of a library's metric names, with the equal metrics of sqlrec."""
    lines = ["", "## Its names here", "", f"As {library.library} {library.version} computes them:"]
    lines += ["", f"| {library.library} | sqlrec | note |", "| --- | --- | --- |"]
    for entry in library.entries:
        link = f"[{entry.metric}](../../sql/metrics/{entry.metric}.sql)"
        lines.append(f"| `{entry.name}` | {link} | {_escaped(entry.note)} |")
    lines += [f"| `{name}` | not here | {_escaped(why)} |" for name, why in library.missing.items()]
    return "\n".join(lines) + "\n"


def _breakable(text: str) -> str:
    """Return a page with line breaks allowed after underscores in table names."""
    name = re.compile(r"`[^`]*`|\]\([^)]*\)|^[^|].*|(_)", re.MULTILINE)
    return name.sub(lambda match: "_<wbr>" if match[1] else match[0], text)


# A picture with its code.
_PICTURE = re.compile(r"!\[[^\]]*\]\(pictures/\w+\.svg\)\n\n```python\n.*?```\n\n", re.DOTALL)


def _gallery(text: str) -> str:
    """Return the page of plots with its pictures, each above its code, in a grid."""
    start = _PICTURE.search(text).start()  # type: ignore[union-attr]
    *_, last = _PICTURE.finditer(text)
    pictures = _PICTURE.sub(r"<div markdown>\n\n\g<0></div>\n", text[start : last.end()])
    grid = f'<div class="sqlrec-gallery" markdown>\n{pictures}</div>\n\n'
    return text[:start] + grid + text[last.end() :]


def _wide(text: str) -> str:
    """Return a page with a minimum width for columns of sentences."""
    titles = r"\| (meaning|note|largest difference) \|"
    return re.sub(titles, r'| <span class="sqlrec-sentences">\1</span> |', text)


def files() -> dict[str, str]:
    """Return the statements of every metric in all dialects, by path."""
    return {
        f"sql/{dialect}/{name}.sql": example_statement(name, dialect) + "\n"
        for dialect in DIALECTS
        for name in sqlrec.metrics()
    }


def _linked(page: str, text: str) -> str:
    """Return a page with links to pages of the site; other links become text."""
    source = ROOT / ELSEWHERE.get(page, f"docs/{page}")

    def link(match: re.Match[str]) -> str:
        words, target, heading = match.groups()
        path = Path(os.path.normpath(source.parent / target)) if target else source
        metric = path.parent == ROOT / "sql" / "metrics" and path.suffix == ".sql"
        if metric:
            at = f"metrics/{path.stem}.md"
        elif path == ROOT / "sql" / "metrics":
            at = "metrics.md"
        elif (path / "README.md").exists() and DOCS in path.parents:
            at = (path / "README.md").relative_to(DOCS).as_posix()
        elif path.suffix == ".md" and path.is_file() and DOCS in path.parents:
            at = path.relative_to(DOCS).as_posix()
        else:
            names = {ROOT / path: name for name, path in ELSEWHERE.items()}
            at = (names | {ROOT / "README.md": "index.md"}).get(path, "")
        if not at:
            return words
        return f"[{words}]({os.path.relpath(at, Path(page).parent)}{heading or ''})"

    return re.sub(
        r"(?<!!)\[((?:[^\[\]]|!\[.*?\]\(.*?\))*)\]\((?!https?:)([^)#]*)(#[^)]+)?\)",
        link,
        _pictured(text),
    )


def _pictured(text: str) -> str:
    """Return a page with the paths of pictures on the site."""
    for name, path in PICTURES.items():
        text = text.replace(f"](../{path}", f"](pictures/{name}")
    return text


# Metrics -----------------------------------------------------------------------------------------


def metric_page(metric: sqlrec.Metric) -> str:
    """Return the page of a metric: header, example, calls and SQL."""
    request = worked.request(metric)
    name, _, meaning = metric.title.replace("\n", " ").partition(": ")
    direction = {"higher": "Higher is better.", "lower": "Lower is better."}
    better = direction.get(metric.better, "It has no better direction.")
    blocks = _header_blocks(metric)[1:]
    parts = [f"# {name}", "", f"{meaning[:1].upper()}{meaning[1:]} **{better}**", ""]
    parts += [x for block in blocks for x in (_block(block), "")]
    parts += [*_entries(metric), *_example(metric, request), *_ask(metric, request), *_sql(metric)]
    return "\n".join(parts) + "\n"


def _block(block: str) -> str:
    return (_named(block) or formula(block)) if block.startswith(" ") else _escaped(block)


def _named(block: str) -> str:
    """Return a list of a formula's names with meanings, or an empty text for other blocks."""
    lines: list[str] = []
    for line in textwrap.dedent(block).splitlines():
        name, gap, meaning = re.fullmatch(r"(\S*)( {2,}|)(.*)", line).groups()  # type: ignore[union-attr]
        if not gap or re.search("-{3}", line) or not (name or lines):
            return ""
        lines += [f"- `{name}`: {_escaped(meaning)}"] if name else [f"  {_escaped(meaning)}"]
    return "\n".join(lines) if len(lines) > 1 else ""


def formula(block: str) -> str:
    """Return a formula as MathML if it is one line, or else as preformatted text."""
    lines = textwrap.dedent(block).splitlines()
    rules = [index for index, line in enumerate(lines) if re.search("-{3}", line)]
    cells = None
    if len(lines) == 1 and not rules:
        cells = _row(lines[0])
    elif len(rules) == 1:
        (rule,) = rules
        cells = _fractions(lines[:rule], lines[rule], lines[rule + 1 :])
    if cells is None:
        return f"```text\n{textwrap.dedent(block)}\n```"
    math = f'<math display="block">{cells}</math>'
    return (
        f'<div class="sqlrec-formula" tabindex="0" role="group" aria-label="formula">{math}</div>'
    )


def _fractions(above: list[str], line: str, below: list[str]) -> str | None:
    """Return fractions and the words around them, or None if they are ambiguous."""
    parts, at, used = [], 0, 0
    for rule in re.finditer("-{3,}", line):
        # The longer half may extend to the right, if nothing follows.
        first, last = max(0, rule.start() - 3), rule.end() + 3 if line[rule.end() :] else None
        halves = [
            " ".join(" ".join(row[first:last] for row in half).split()) for half in (above, below)
        ]
        if not all(halves):
            return None
        used += sum(len(half.replace(" ", "")) for half in halves)
        parts += [_row(line[at : rule.start()]), f"<mfrac>{''.join(map(_row, halves))}</mfrac>"]
        at = rule.end()
    if used != len("".join([*above, *below]).replace(" ", "")):
        return None
    return f"<mrow>{''.join(parts)}{_row(line[at:])}</mrow>"


# A name, a call, or an expression in brackets, which may contain calls.
_ATOM = r"\w*\((?:[^()]|\([^()]*\))*\)|\w+"


def _row(text: str) -> str:
    """Return words and powers as a row."""
    words = re.sub(" {2}", " ", re.sub(" {3,}", "\u2003", text))
    parts = re.split(rf"({_ATOM})\^(-?(?:{_ATOM}))", words)
    elements = [_words(parts[0])]
    for base, power, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if power.startswith("("):
            power = power[1:-1]
        raised = _row(base) if "^" in base else _words(base)
        elements += [f"<msup>{raised}{_words(power)}</msup>", _words(rest)]
    return f"<mrow>{''.join(elements)}</mrow>"


def _words(text: str) -> str:
    # MathML strips spaces at the ends of words.
    kept = re.sub("^ | $", "\u00a0", text.replace("log2", "log\u2082").replace(" * ", " \u00b7 "))
    return f"<mtext>{html.escape(kept)}</mtext>" if text else ""


def _escaped(text: str) -> str:
    return re.sub(r"([*_<\[\]|])", r"\\\1", text)


def _with_links(text: str) -> str:
    """Return a text with links to papers, written without https."""
    address = r"\b((?:doi|arxiv|jmlr)\.org/[^\s,;]*[^\s,;.])"
    parts = re.split(address, text)
    parts[::2] = map(_escaped, parts[::2])
    parts[1::2] = [f"[{at}](https://{at})" for at in parts[1::2]]
    return "".join(parts)


def _entries(metric: sqlrec.Metric) -> Iterator[str]:
    """Yield the table of header entries, and the list of parameters."""
    labels = {
        "Source": "Source",
        "Agrees": "Agrees",
        "Differs": "Differs",
        "Undefined": "Undefined",
        "Ties": "Equal scores",
        "Aliases": "Also known as",
        "Cutoff": "Cutoff",
        "Inputs": "Inputs",
        "Family": "Family",
    }
    yield "| entry | content |"
    yield "| --- | --- |"
    yield f"| **Name** | `{metric.name}` |"
    for label, title in labels.items():
        if label in metric.entries:
            yield f"| **{title}** | {_with_links(' '.join(metric.entries[label].split()))} |"
    if "Params" in metric.entries:
        yield from ("", "## Parameters", "")
        for part in _entry_parts("Params", metric.entries["Params"]):
            name, _, does = part.partition(": ")
            yield f"- `{name}`: {_escaped(does)}"
    yield ""


def _example(metric: sqlrec.Metric, request: str) -> Iterator[str]:
    """Yield the tables of the example, and the value of the metric."""
    yield from ("## Worked example", "")
    for name, table in worked.tables(metric).items():
        yield from (f"`{name}`", "", f"| {' | '.join(table.column_names)} |")
        yield f"|{' --- |' * table.num_columns}"
        for row in table.to_pylist():
            yield f"| {' | '.join(map(str, row.values()))} |"
        yield ""
    value, users = value_of(metric.name)
    of = "logged decisions" if metric.family == "off-policy" else "users"
    text = "undefined" if value is None else f"{value:.6g}"
    yield f"**{request} is {text}**, over {users} {of}."
    per_user = users_of(metric.name)
    if per_user:
        each = "; ".join(f"{user}: {'none' if x is None else f'{x:.6g}'}" for user, x in per_user)
        yield f"Their values are {each}."
    yield ""
    yield from _runs(metric, request, of)


def _runs(metric: sqlrec.Metric, request: str, of: str) -> Iterator[str]:
    """Yield the editable rows and the statement, which run.js runs."""
    example = {"request": request, "of": of, "sql": statement(metric), "tables": {}}
    for name, table in worked.tables(metric).items():
        rows = [table.column_names, *(row.values() for row in table.to_pylist())]
        example["tables"][name] = "\n".join(", ".join(map(str, row)) for row in rows)
    # Within a script < would end it, and blank lines would end a block of Markdown.
    text = json.dumps(example).replace("<", "\\u003c")
    yield from ("Change the rows, and run the statement for SQLite here, on this page:", "")
    yield '<div class="sqlrec-run">'
    yield f'<script type="application/json">{text}</script>'
    yield from ("</div>", "")


def statement(metric: sqlrec.Metric, dialect: str = "sqlite") -> str:
    """Return the statement of a metric's example."""
    tables = worked.tables(metric)
    columns = {
        name: name
        for name in ("relevance", "target_probability")
        if any(name in table.column_names for table in tables.values())
    }
    request = worked.request(metric)
    return sqlrec.sql(request, dialect=dialect, columns=columns, **{name: name for name in tables})


@cache
def _result(name: str) -> sqlrec.Result:
    metric = sqlrec.metric(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Five rows give a warning about few users.
        return sqlrec.evaluate(worked.request(metric), **worked.tables(metric))


def value_of(name: str) -> tuple[float | None, int]:
    """Return the value of a metric's example, and the number of its users."""
    (row,) = _result(name).rows().to_pylist()
    return row["value"], row["users"]


def users_of(name: str) -> list[tuple[str, float | None]]:
    """Return per-user values of a metric's example, if the metric has any."""
    try:
        rows = _result(name).per_user().rows().to_pylist()
    except sqlrec.SqlrecError:
        return []
    return sorted((row["user_id"], row["value"]) for row in rows)


def _ask(metric: sqlrec.Metric, request: str) -> Iterator[str]:
    """Yield the calls in Python, on the command line and in dbt."""
    names = [*worked.columns_of(metric)]
    arguments = [f'"{request}"', *(f'{name}="{name}.parquet"' for name in names)]
    word = request if request.replace("@", "").isidentifier() else f"'{request}'"
    options = [f"sqlrec evaluate {word}", *(f"--{name} {name}.parquet" for name in names)]
    refs = [f"'{request}'", *(f"{name}=ref('{name}')" for name in names)]
    tabs = {
        "Python": (
            "python",
            f"import sqlrec\n\n{_call('print(sqlrec.evaluate(', arguments, '))')}",
        ),
        "Command line": ("sh", _fitting(" ".join(options), " \\\n    ".join(options))),
        "dbt": ("sql", _call("{{ sqlrec.evaluate(", refs, ") }}")),
    }
    yield from ("## Ask for it", "", *_tabs(tabs))


def _call(start: str, arguments: list[str], end: str) -> str:
    """Return a call on one line, or with a line for each argument."""
    lines = "".join(f"\n    {argument}," for argument in arguments).removesuffix(",")
    return _fitting(f"{start}{', '.join(arguments)}{end}", f"{start}{lines}\n{end}")


def _fitting(line: str, lines: str) -> str:
    """Return a line if it fits the page, or else several lines."""
    return line if len(line) <= 100 else lines


def _sql(metric: sqlrec.Metric) -> Iterator[str]:
    yield from ("## SQL { data-search-exclude }", "")
    texts = {
        title: ("sql", example_statement(metric.name, dialect))
        for dialect, title in SHOWN_DIALECTS.items()
    }
    yield from _tabs(texts)
    others = [name for name in DIALECTS if name not in SHOWN_DIALECTS]
    links = ", ".join(f"[{name}](../sql/{name}/{metric.name}.sql)" for name in others)
    yield f"In other dialects: {links}."


def _tabs(texts: dict[str, tuple[str, str]]) -> Iterator[str]:
    for title, (language, text) in texts.items():
        yield from (f'=== "{title}"', "", f"    ```{language}")
        yield from (f"    {line}".rstrip() for line in text.splitlines())
        yield from ("    ```", "")


# API ---------------------------------------------------------------------------------------------


def api_page() -> str:
    """Return the API page: signatures and docstrings of all public names."""
    parts = ["# API", "", "All that `import sqlrec` gives you: functions, then classes."]
    public = {name: getattr(sqlrec, name) for name in (*MOST_USED, *sqlrec.__all__)}
    functions = {name: member for name, member in public.items() if inspect.isfunction(member)}
    for name, member in functions.items():
        parts += ["", *_described(f"sqlrec.{name}", member, "##")]
    for name, member in public.items():
        if name in functions:
            continue
        parts += ["", f"## {name}", "", *_docstring(inspect.getdoc(member) or "")]
        for method, what in vars(member).items():
            if not method.startswith("_") and inspect.isfunction(what):
                parts += ["", *_described(f"{name}.{method}", what, "###")]
    return "\n".join(parts) + "\n"


def _described(name: str, function: Any, level: str) -> Iterator[str]:
    signature = inspect.signature(function)
    parameters = [
        parameter for parameter in signature.parameters.values() if parameter.name != "self"
    ]
    lines = [f"    {_argument(parameter)}," for parameter in parameters]
    # The * before keyword arguments, which is not a parameter of inspect.
    kinds = [parameter.kind for parameter in parameters]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        lines.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "    *,")
    call = "\n".join([f"{name}(", *lines, f") -> {signature.return_annotation}"])
    call = call if lines else f"{name}() -> {signature.return_annotation}"
    yield from (f"{level} {name}", "", "```python", call, "```", "")
    yield from _docstring(inspect.getdoc(function) or "")


def _argument(parameter: inspect.Parameter) -> str:
    """Return an argument as in its source: inspect quotes annotations, which are texts."""
    return str(parameter).replace(repr(parameter.annotation), str(parameter.annotation))


def _docstring(text: str) -> Iterator[str]:
    """Yield a docstring in Google's style as Markdown, with sections as lists."""
    titles = r"^(Args|Attributes|Returns|Raises|Warns|Example|Metrics):\n"
    parts = re.split(titles, text, flags=re.M)
    yield parts[0].strip().replace("``", "`")
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        body = textwrap.dedent(body).replace("``", "`").strip("\n")
        yield from ("", f"**{title}**", "")
        if title == "Metrics":
            yield "[All metrics](metrics.md), each with a separate page."
        elif title == "Example":
            yield from ("```pycon", body.strip(), "```")
        elif title in ("Args", "Attributes", "Raises", "Warns"):
            for item in re.split(r"\n(?=\S)", body):
                name, _, does = item.partition(":")
                yield f"- `{name}`: {_escaped_stars(' '.join(does.split()))}"
        else:
            yield _escaped_stars(" ".join(body.split()))


def _escaped_stars(text: str) -> str:
    parts = text.split("`")
    parts[::2] = [part.replace("*", r"\*").replace("<", r"\<") for part in parts[::2]]
    return "`".join(parts)


# The site ----------------------------------------------------------------------------------------


def config() -> dict[str, Any]:
    """Return the configuration for Zensical, or MkDocs with Material."""
    library = [{_title(path): f"from/{path.name}"} for path in sorted(DOCS.glob("from/*.md"))]
    metrics: list[Any] = [{"All metrics": "metrics.md"}]
    for family in FAMILIES:
        members = [metric for metric in sqlrec.metrics().values() if metric.family == family]
        links = [
            {metric.title.partition(": ")[0]: f"metrics/{metric.name}.md"} for metric in members
        ]
        metrics.append({family[:1].upper() + family[1:]: links})
    ran = [
        {gallery.title(json.loads(path.read_text(encoding="utf-8"))): f"notebooks/{path.stem}.md"}
        for path in NOTEBOOKS
    ]
    folders = {"from": library, "metrics": metrics, "notebooks": ran}
    nav = [
        {k: folders[v] if isinstance(v, str) and v in folders else v}
        for x in NAV
        for k, v in x.items()
    ]
    return {
        "site_name": f"sqlrec {sqlrec.__version__}",
        "docs_dir": "pages",
        "site_dir": f"site/{sqlrec.__version__}",
        # The parent folder has the list of versions.
        "extra": {"version": {"provider": "mike"}},
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "font": False,
            "features": ["navigation.tabs", "navigation.top", "content.code.copy", "toc.follow"],
            "palette": [
                _palette("light", "default", "dark", "lucide/moon"),
                _palette("dark", "slate", "light", "lucide/sun"),
            ],
        },
        "plugins": ["search"],
        "markdown_extensions": [
            "tables",
            "attr_list",
            "def_list",
            "md_in_html",
            "pymdownx.superfences",
            "pymdownx.highlight",
            {"pymdownx.tabbed": {"alternate_style": True}},
            {"toc": {"permalink": True}},
        ],
        "extra_javascript": ["run.js", "playground.js"],
        "extra_css": ["run.css"],
        "nav": nav,
    }


def _palette(look: str, scheme: str, other: str, icon: str) -> dict[str, Any]:
    return {
        "media": f"(prefers-color-scheme: {look})",
        "scheme": scheme,
        "toggle": {"icon": icon, "name": f"Switch to {other} colors"},
    }


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# Coming from ")


def fetch(folder: Path) -> None:
    """Write SQLite, DuckDB and Python for browsers, from npm, and this package's wheel to a folder.

    Raises:
        SystemExit: npm is not installed.
    """
    if shutil.which("npm") is None:
        raise SystemExit("docs/site/build.py: the playground needs npm: install npm")
    (folder / "pyodide").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("package.json", "package-lock.json", "engine.js"):
            shutil.copy(PLAYGROUND / name, scratch)
        npm = ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run(npm, cwd=scratch, check=True, stdout=subprocess.DEVNULL)
        modules = Path(scratch, "node_modules")
        bundle = ["engine.js", "--bundle", "--format=esm", "--minify", "--log-level=error"]
        bundle.append(f"--outfile={folder.resolve() / 'engine.mjs'}")
        subprocess.run([modules / ".bin" / "esbuild", *bundle], cwd=scratch, check=True)
        shutil.copy(modules / "sql.js" / "dist" / "sql-wasm-inline.js", folder)
        shutil.copy(modules / "@duckdb" / "duckdb-wasm" / "dist" / "duckdb-eh.wasm", folder)
        for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
            shutil.copy(modules / "pyodide" / name, folder / "pyodide")
        shutil.copy(modules / "pyodide" / "pyodide-lock.json", folder / "pyodide")
        (folder / "LICENSES.txt").write_text(_licenses(modules), encoding="utf-8")
    wheel = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder)]
    subprocess.run([*wheel, str(ROOT)], check=True)
    names = [path.name for path in folder.glob("*.whl")] + [*map(partial(_zipped, folder), PURE)]
    (folder / "wheels.json").write_text(json.dumps({"wheels": names}), encoding="utf-8")


# Dependencies of the package in a browser, without their compiled parts.
PURE = ("jinja2", "markupsafe")


def _zipped(folder: Path, name: str) -> str:
    """Write the Python files of an installed package to an archive, and return its name."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    target = f"{name}-{version(name)}.zip"
    with zipfile.ZipFile(folder / target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(Path(spec.origin).parent.rglob("*.py")):
            archive.write(path, f"{name}/{path.relative_to(Path(spec.origin).parent)}")
    return target


def _licenses(modules: Path) -> str:
    """Return the packages from npm with the texts of their licenses."""
    parts = []
    for path in sorted([*modules.glob("*/package.json"), *modules.glob("@*/*/package.json")]):
        about = json.loads(path.read_text(encoding="utf-8"))
        texts = [file.read_text(encoding="utf-8") for file in sorted(path.parent.glob("LICENSE*"))]
        head = f"{about['name']} {about.get('version', '')}: {about.get('license', '')}"
        parts += [f"{head}\n{'=' * len(head)}", *texts]
    return "\n\n".join(parts)


def put_playground(folder: Path) -> None:
    """Copy the files of the playground, and its example, to a folder of pages."""
    (folder / "playground").mkdir(parents=True)
    demo = ROOT / "sqlrec" / "cli" / "demo"
    for path in (*map(PLAYGROUND.joinpath, PLAYGROUND_FILES), *demo.glob("*.parquet")):
        shutil.copy(path, folder / "playground")
    fetch(folder / "vendor")


def put_report(folder: Path) -> None:
    """Write the report of the example to a folder of pages."""
    options: Any = {"baseline": "popularity", "by": ("activity", "era")}
    note = "MovieTweetings: ratings before August 2013, and films that users liked in August"
    report = sqlrec.demo().report(
        "ndcg@10,5,1 recall@10", **options, note=note, command="sqlrec demo"
    )
    report.save(folder / REPORT)


def put_notebooks(folder: Path) -> None:
    """Run the notebooks, and write them with outputs, and as pages, to a folder."""
    folder.mkdir(parents=True)
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as scratch:
            notebook = gallery.executed(path, Path(scratch))
        (folder / path.name).write_text(json.dumps(notebook, indent=1), encoding="utf-8")
        text = gallery.page(notebook, path.stem)
        (folder / f"{path.stem}.md").write_text(text, encoding="utf-8")


def put_versions(folder: Path) -> None:
    """Write the list of versions, and a start page that leads to the newest version."""
    versions = [path.parent.name for path in folder.glob("*/index.html")]
    versions.sort(key=lambda name: [int(part) for part in re.findall(r"\d+", name)], reverse=True)
    rows = [{"version": name, "title": name, "aliases": []} for name in versions]
    rows[0]["aliases"] = ["latest"]
    (folder / "versions.json").write_text(json.dumps(rows), encoding="utf-8")
    (folder / "index.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>sqlrec</title>'
        f'<meta http-equiv="refresh" content="0; url={versions[0]}/index.html">'
        f'<a href="{versions[0]}/index.html">sqlrec {versions[0]}</a></html>\n',
        encoding="utf-8",
    )


def write(folder: Path) -> None:
    """Write pages, pictures and the configuration to a folder; sites of other versions stay."""
    shutil.rmtree(folder / "pages", ignore_errors=True)
    for name, text in {**pages(), **files()}.items():
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    shutil.copytree(DOCS / "pictures", folder / "pages" / "pictures")
    for name, at in PICTURES.items():
        shutil.copy(ROOT / at, folder / "pages" / "pictures" / name)
    for name in ("run.js", "run.css", "playground/playground.js"):
        shutil.copy(Path(__file__).parent / name, folder / "pages")
    put_playground(folder / "pages")
    put_report(folder / "pages")
    put_notebooks(folder / "pages" / "notebooks")
    text = json.dumps(config(), indent=1)  # JSON is YAML.
    (folder / "mkdocs.yml").write_text(text, encoding="utf-8")


# Pages without search: their tables have every name of every library.
UNSEARCHED = ("conventions.html", "peers.html", "changelog.html")

# Words that lead to a page, though its title lacks them.
SOUGHT = {
    "statistics.html": ("significance", "paired t test", "confidence interval"),
    "tasks/who_lost.html": ("segments", "cold start"),
}


def put_search(folder: Path) -> None:
    """Sort the index of a site's search, which shows equal matches in this order.

    Metrics come first, with their aliases in title and text, then pages, then their parts. Pages
    with other words for their subject are as metrics.
    """
    path = folder / "search.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    metrics = sqlrec.metrics().items()
    aliases = SOUGHT | {f"metrics/{name}.html": (*metric.aliases,) for name, metric in metrics}
    rows = [row for row in index["items"] if row["location"].partition("#")[0] not in UNSEARCHED]
    rows.sort(
        key=lambda row: ("#" in row["location"], row["location"] not in aliases, len(row["title"]))
    )
    for row in rows:
        if (words := aliases.get(row["location"])) is not None:
            name = row["location"].removesuffix(".html").rpartition("/")[2]
            row["text"] = f"<p>{', '.join((name, *words))}</p> {row['text']}"
            row["title"] += f" ({', '.join(words)})" * bool(words)
    path.write_text(json.dumps(index | {"items": rows}), encoding="utf-8")


def main() -> None:
    """Write the pages, and build the site with Zensical."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="the folder for pages, and for a site per version"
    )
    folder = parser.parse_args().folder
    write(folder)
    zensical = Path(sys.executable).parent / "zensical"
    subprocess.run([zensical, "build", "--clean", "-f", "mkdocs.yml"], cwd=folder, check=True)
    put_search(folder / "site" / sqlrec.__version__)
    put_versions(folder / "site")
    print(
        f"{folder / 'site' / 'index.html'}: open it, or python -m http.server -d {folder / 'site'}"
    )


if __name__ == "__main__":
    main()
