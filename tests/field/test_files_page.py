"""Each line of the page of file formats reads the file above it."""

import re
from pathlib import Path

import pytest

import sqlrec
import sqlrec.adapters

PAGE = Path(__file__).parent.parent.parent / "docs" / "my_file.md"
SECTION = re.compile(r"^### (.+?)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^`([^`\n]+)`[^\n]*\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SECTIONS = dict(SECTION.findall(PAGE.read_text(encoding="utf-8")))

# User 1 has one of the relevant items 6 and 10 within two ranks; user 2 has the only one.
VALUES = dict.fromkeys(SECTIONS, 0.75) | {
    "MovieLens 1M and 10M": 1.0,  # For user 1, only item 6 has four stars.
    "H&M": 0.5,
    "LibSVM, LETOR, XGBoost and LightGBM": 1.0,
    "Dicts and lists of Python": 1.0,
}


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.filterwarnings("ignore:.*every list is shorter")
def test_the_line_reads_the_file(section, tmp_path, monkeypatch):
    pd = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    for name, text in FILE.findall(SECTIONS[section]):
        Path(name).write_text(text, encoding="utf-8")
    rows = [(1, 6, 0.9), (1, 5, 0.8), (1, 10, 0.7), (2, 4, 0.5), (2, 13, 0.4)]
    recs = pd.DataFrame(rows, columns=["user_id", "item_id", "score"])
    names = {"sqlrec": sqlrec, "pd": pd, "recs": recs}
    (code,) = CODE.findall(SECTIONS[section])
    exec(code, names)
    assert [row["value"] for row in names["result"].to_arrow().to_pylist()] == [VALUES[section]]


def test_every_format_with_a_name_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8").lower()
    for format in ("movielens", "recbole", "lightgcn", "mind", "libsvm", "netflix", "trec"):
        assert format in text
