"""The examples of the pages on sessions and carousels have the printed results."""

import re
from pathlib import Path

from pytest import mark

from .test_statistics_page import printed

DOCS = Path(__file__).parent.parent / "docs"
SHOWN = re.compile(r"^```python\n(.*?)^```\n\n^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@mark.slow
@mark.parametrize(("page", "count"), [("sessions", 8), ("carousels", 4)])
def test_every_example_prints_the_documented_output(page, count):
    text, names = (DOCS / f"{page}.md").read_text(encoding="utf-8"), {}
    examples = SHOWN.findall(text)
    assert len(examples) == count == text.count("```python")
    for code, shown in examples:
        assert printed("python", code, names) == shown
