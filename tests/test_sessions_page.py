"""What the pages of sessions and of carousels show is true."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from pytest import mark

DOCS = Path(__file__).parent.parent / "docs"
SHOWN = re.compile(r"^```python\n(.*?)^```\n\n^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@mark.parametrize(("page", "count"), [("sessions", 8), ("carousels", 4)])
def test_every_example_prints_what_is_shown(page, count):
    text, names = (DOCS / f"{page}.md").read_text(encoding="utf-8"), {}
    examples = SHOWN.findall(text)
    assert len(examples) == count == text.count("```python")
    for code, shown in examples:
        printed = StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == shown
