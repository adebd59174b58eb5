"""Bring what is made from the metrics up to date: python docs/update.py."""

import re
from pathlib import Path

import sqlrec
from sqlrec.names import DIALECTS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SNIPPETS = ROOT / "examples" / "snippets"


def table() -> str:
    """Write a row per metric: its name, what it means, its parameters and its aliases."""
    lines = ["| metric | meaning | parameters | aliases |", "| --- | --- | --- | --- |"]
    for metric in sqlrec.metrics().values():
        name = f"[{metric.name}](sql/metrics/{metric.name}.sql)"
        meaning = metric.meaning[0].upper() + metric.meaning[1:]
        params = "<br>".join(
            f"`{key}`: {', '.join(map(str, allowed))}" for key, allowed in metric.params.items()
        )
        lines.append(f"| {name} | {meaning} | {params} | {', '.join(metric.aliases)} |")
    return "\n".join(lines)


def updated(text: str) -> str:
    """Put the table in its place."""
    start, end = re.search(r"<!-- metrics:.*?-->\n", text).end(), text.index("<!-- end of metrics")
    return f"{text[:start]}\n{table()}\n\n{text[end:]}"


def snippets() -> dict[Path, str]:
    """Write a statement per dialect and metric, by the path of its file."""
    return {
        SNIPPETS / dialect / f"{metric.name}.sql": snippet(metric, dialect)
        for dialect in DIALECTS
        for metric in sqlrec.metrics().values()
    }


def snippet(metric: sqlrec.Metric, dialect: str) -> str:
    """Write the statement of a metric, over graded truth where its parameters speak of grades."""
    graded = "relevance" in metric.entries.get("Params", "")
    columns = {"relevance": "relevance"} if graded else {}
    asked = f"{metric.name}@10"
    return sqlrec.sql(asked, dialect=dialect, recs="recs", truth="truth", columns=columns) + "\n"


def write_snippets() -> None:
    """Write the snippets, and remove those that are no more."""
    current = snippets()
    for path in set(SNIPPETS.glob("*/*")) - set(current):
        path.unlink()
    for path, text in current.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
    write_snippets()
