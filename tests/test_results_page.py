"""The examples of the page on results have the printed results."""

import re
from pathlib import Path

from .test_statistics_page import folder, printed  # noqa: F401

PAGE = (Path(__file__).parent.parent / "docs" / "results.md").read_text(encoding="utf-8")


def test_the_examples_print_and_write_the_documented_output(folder):  # noqa: F811
    names = {}
    blocks = re.findall(
        r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", PAGE, flags=re.MULTILINE | re.DOTALL
    )
    assert len(blocks) == 3
    for code, shown in blocks:
        assert printed("python", code, names) == shown
    table = Path("table.tex").read_text(encoding="utf-8")
    assert "Models and their baseline Popularity." in table and "\n\\textbf{Item-kNN} & " in table
    assert "\nPopularity (baseline) & " in table and "\\label{tab:accuracy}" in table
