"""Find the words of words.toml in names, comments, docstrings, messages and pages.

    python .ci/words.py [FOLDER ...]    print each hit, with the wording that replaces it
    python .ci/words.py --count         print only the number of hits

The exit code is 1 if the repository has more hits than `limit` in pyproject.toml, which only falls.
Code and quotations in pages are not read, nor tests and generated files.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FOLDERS = (
    *("sqlrec", "sql", "docs", ".github", "README.md", "CONTRIBUTING.md"),
    *("benchmarks", "examples", "CHANGELOG.md", "SECURITY.md", "pyproject.toml"),
)
GENERATED = re.compile(
    r"sqlrec/\w+\.pyi|sql/dbt/(catalogue|conventions|calls)\.sql|docs/(metrics|peers|conventions)\.md"
)
QUOTED = re.compile(r"``[^`]*``|`[^`\n]*`|\"[^\"\n]{0,60}\"|https?://\S+|\{[^}\n]*\}|\]\([^)]*\)")
SQL = re.compile(r"\b(select|from|join)\b.*\b(select|from|as|where)\b", re.DOTALL)
TABLE, PROJECT = (
    tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
    for name in (".ci/words.toml", "pyproject.toml")
)
LIMIT = PROJECT["tool"]["words"]["limit"]
NAMES = TABLE["names"]
FUNCTIONS, FILES = (
    re.compile("|".join(TABLE["definitions"][kind])) for kind in ("functions", "files")
)
START = r"(?:^[^\w\n]{0,3}|(?<=[.:] ))"


def compile_phrase(pattern: str) -> re.Pattern[str]:
    """Return a pattern for text in any case, except for words that start with a capital letter."""
    starts = pattern.startswith("START") or "Of " in pattern or "The same" in pattern
    return re.compile(pattern.replace("START", START), re.M | (0 if starts else re.I))


RULES = [
    (compile_phrase(pattern), phrase["write"])
    for phrase in TABLE["phrases"]
    for pattern in phrase["finds"]
]


class Hit(NamedTuple):
    """A name or phrase, its line, and the wording that replaces it."""

    line: int
    words: str
    wording: str


def read_text(line: int, text: str) -> Iterator[Hit]:
    """Find phrases in running text that starts at a line."""
    text = QUOTED.sub(lambda match: "x" * len(match[0]), text)
    for pattern, wording in RULES:
        for match in pattern.finditer(text):
            first = line + text.count("\n", 0, match.start())
            yield Hit(first, " ".join(match[0].split()), wording)


def read_name(line: int, name: str, is_function: bool = False) -> Iterator[Hit]:
    """Check a name where it is bound."""
    plain = name.strip("_")
    if is_function and FUNCTIONS.fullmatch(name):
        yield Hit(line, name, "a verb with its object, or a noun")
    elif noun := NAMES.get(plain) or NAMES.get(plain.removesuffix("s")):
        yield Hit(line, name, noun)


def read_python(source: str) -> Iterator[Hit]:
    """Check names, docstrings, comments, and sentences in constants."""
    comments = [""] * (source.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments[token.start[0]] = token.string.lstrip("# ")
    yield from read_text(0, "\n".join(comments))
    parts = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield from read_name(node.lineno, node.name, is_function=True)
            case ast.arg():
                yield from read_name(node.lineno, node.arg)
            case ast.Name(ctx=ast.Store()):
                yield from read_name(node.lineno, node.id)
            case ast.JoinedStr():
                parts |= {id(part) for part in node.values}
                texts = (getattr(part, "value", "{}") for part in node.values)
                yield from read_constant(node.lineno, "".join(map(str, texts)))
            case ast.Constant(value=str(text)) if id(node) not in parts:
                yield from read_constant(node.lineno, text)


def read_constant(line: int, text: str) -> Iterator[Hit]:
    """Find phrases in sentences and in four words or more, except SQL and patterns."""
    is_code = SQL.search(text) or re.search(r"[{}<>;]{3}|\\[wsdb]|\(\?", text)
    is_text = len(re.findall(r"[A-Za-z]{2,}", text)) > 3 and not is_code
    if is_text or text.rstrip().endswith("."):
        yield from read_text(line, text)


def read_sql(source: str) -> Iterator[Hit]:
    """Check names of macros, and comments except entries of headers, which name libraries."""
    for number, line in enumerate(source.splitlines(), 1):
        if macro := re.search(r"{%-?\s*macro (\w+)", line):
            yield from read_name(number, macro[1].rpartition("__")[2], is_function=True)
    entry = re.compile(r"^\s*(Source|Agrees|Differs|Aliases)  .*|^\s*[\w<>, .]{1,28}\s{2,}", re.M)
    comments = (re.match(r"\s*--+ ?(.*)|", line) for line in source.splitlines())
    yield from read_text(1, "\n".join(entry.sub("", match[1] or "") for match in comments if match))
    for block in re.finditer(r"\{#(.*?)#\}", source, re.DOTALL):
        yield from read_text(source.count("\n", 0, block.start()) + 1, block[1])


def read_markdown(source: str) -> Iterator[Hit]:
    """Find phrases in a page, outside of its code and headings."""
    code = re.compile(r"^ *```.*?^ *```|^ {4}.*?$|^#.*?$", re.DOTALL | re.M)
    return read_text(1, code.sub(lambda block: "\n" * block[0].count("\n"), source))


def read_toml(source: str) -> Iterator[Hit]:
    """Find phrases in comments and long texts."""
    for block in re.finditer(r"(\"{3}|'{3})(.*?)\1", source, re.DOTALL):
        yield from read_text(source.count("\n", 0, block.start()) + 1, block[2])
    for number, line in enumerate(source.splitlines(), 1):
        for parts in re.findall(r"\"([^\"]{24,})\"|# *(.+)", line):
            yield from read_text(number, "".join(parts))


READERS = {".py": read_python, ".sql": read_sql, ".md": read_markdown, ".toml": read_toml}


def search(folders: Iterable[str]) -> Iterator[tuple[str, Hit]]:
    """Read the files of folders, and give each hit with its file."""
    roots = [ROOT / name for name in folders]
    for path in sorted(file for root in roots for file in (root, *root.rglob("*"))):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in READERS and path.is_file() and not GENERATED.fullmatch(name):
            if name.startswith("sql") and (path.stem in NAMES or FILES.fullmatch(path.stem)):
                yield name, Hit(1, path.name, "a noun for the contents")
            source = path.read_text(encoding="utf-8")
            yield from ((name, hit) for hit in sorted({*READERS[path.suffix](source)}))


def main() -> int:
    """Print hits; return 1 if there are too many."""
    folders = [name for name in sys.argv[1:] if not name.startswith("-")]
    hits = [*search(folders or FOLDERS)]
    if "--count" not in sys.argv and (folders or len(hits) > LIMIT):
        print(*(f"{path}:{hit.line}: {hit.words} -> {hit.wording}" for path, hit in hits), sep="\n")
    print(f"{len(hits)} hits, at most {LIMIT}")
    return int(len(hits) > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
