"""The gallery: notebooks of docs/notebooks as pages with the outputs of their cells."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

# Types of outputs on a page, the preferred type first.
SHOWN = ("text/html", "image/svg+xml", "text/plain")


def executed(path: Path, folder: Path) -> Any:
    """Run a notebook in a folder, and return it with its outputs.

    Raises:
        CellExecutionError: A cell fails.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(folder)}}
    # The port of the kernel is open only on this machine.
    options: Any = {"timeout": 120, "kernel_name": "python3", "resources": where}
    NotebookClient(notebook, extra_arguments=["--Application.log_level=40"], **options).execute()
    return notebook


def title(notebook: Mapping[str, Any]) -> str:
    """Return the heading of a notebook."""
    return _text(notebook["cells"][0]["source"]).splitlines()[0].removeprefix("# ")


def page(notebook: Mapping[str, Any], name: str) -> str:
    """Return the page of a notebook with outputs."""
    text = "\n".join(_parts(notebook)) + "\n"
    heading, _, rest = text.replace(".ipynb)", ".md)").partition("\n")
    return f"{heading}\n\n[Download the notebook]({name}.ipynb), with its outputs.\n{rest}"


def _parts(notebook: Mapping[str, Any]) -> Iterator[str]:
    for cell in notebook["cells"]:
        source = _text(cell["source"])
        if cell["cell_type"] == "markdown":
            yield from (source, "")
            continue
        yield from ("```python", source, "```", "")
        for output in cell["outputs"]:
            yield from (_output(output), "")


def _output(output: Mapping[str, Any]) -> str:
    if "text" in output:
        return _printed(_text(output["text"]))
    data = output["data"]
    kind = next(kind for kind in SHOWN if kind in data)
    text = _text(data[kind])
    if kind == "text/plain":
        return _printed(text)
    # A blank line would end the part of the page that is HTML. The page's styles stay outside.
    lines = "\n".join(line for line in text.splitlines() if line.strip())
    inside = f'<template shadowrootmode="open">{lines}</template>'
    return f'<div class="sqlrec-output">{inside}</div>'


def _printed(text: str) -> str:
    lines = html.escape(text.rstrip("\n"), quote=False).replace("\n", "&#10;")
    return f'<div class="sqlrec-output"><pre><code>{lines}</code></pre></div>'


def _text(source: str | list[str]) -> str:
    """Return a text, which may be a list of lines."""
    return source if isinstance(source, str) else "".join(source)
