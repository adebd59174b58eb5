"""Bring the table of metrics in the README up to date with the headers: python docs/update.py."""

import re
from pathlib import Path

import sqlrec

README = Path(__file__).parent.parent / "README.md"


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


if __name__ == "__main__":
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")
