"""What the page of sessions shows is true."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "sessions.md"
SHOWN = re.compile(r"^```python\n(.*?)^```\n\n^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_example_prints_what_is_shown():
    examples, names = SHOWN.findall(PAGE.read_text(encoding="utf-8")), {}
    assert len(examples) == 4
    for code, shown in examples:
        text = StringIO()
        with redirect_stdout(text):
            exec(code, names)
        assert text.getvalue() == shown
