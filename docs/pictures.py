"""Make the pictures of the docs: python docs/pictures.py; with --screens FOLDER also
screenshots of a report and of terminals, two of which are in the docs.

docs/plots.md has the code of each plot; its data are those of sqlrec.demo().
"""

import argparse
import html
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pyarrow as pa

import sqlrec
from sqlrec.display.text import Style, to_text

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures"
CHROMIUM = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def logs(decisions: int = 2000) -> pa.Table:
    """Return synthetic decisions of an exploring policy, with probabilities of another policy."""
    chance = random.Random(7)
    rows = [
        (float(chance.random() < 0.1), 0.05 + 0.9 * chance.random(), chance.random() ** 3)
        for _ in range(decisions)
    ]
    columns = zip(*rows, strict=True)
    names = ("reward", "propensity", "target_probability")
    return pa.table(dict(zip(names, map(list, columns), strict=True)))


def plots() -> dict[str, str]:
    """Return the code of each plot by its name, as the page of plots has it."""
    page = (DOCS / "plots.md").read_text(encoding="utf-8")
    return dict(re.findall(r"\(pictures/(\w+)\.svg\)\n\n```python\n(.*?)```", page, re.DOTALL))


def report(data: sqlrec.Dataset) -> sqlrec.Report:
    """Return the report of the docs."""
    return data.report(
        "ndcg@10,5,1 recall@10 catalog_coverage@10",
        by=("activity", "era"),
        baseline="popularity",
        note="MovieTweetings, films that users liked in August 2013",
    )


# Styles of the escape codes of terminals.
LOOKS = {"1": "font-weight:bold", "2": "opacity:.7", "4": "text-decoration:underline"}
LOOKS |= {"31": "color:light-dark(#b3261e,#ff8a80)", "32": "color:light-dark(#1a7f37,#5fd38d)"}
TERMINAL = (
    '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
    "<style>body{margin:16px;background:light-dark(#fff,#0d1117);color:light-dark(#1f2328,#e6edf3)}"
    "pre{font:14px/1.35 'DejaVu Sans Mono',monospace;margin:0}</style><pre>"
)


def terminal(compared: sqlrec.Comparison, width: int) -> str:
    """Return a comparison in a terminal of a width, as a page."""
    command = "$ sqlrec compare ndcg@10 recall@10 ... --by era --baseline popularity"
    text = html.escape(to_text(compared.layout(), Style(width, colour=True, ascii=False)))

    def styled(match: re.Match[str]) -> str:
        style = ";".join(LOOKS[code] for code in match[1].split(";"))
        return f'<span style="{style}">{match[2]}</span>'

    text = re.sub(r"\x1b\[([\d;]+)m(.*?)\x1b\[0m", styled, text)
    return f"{TERMINAL}{command}\n\n{text}</pre>"


def screenshot(page: Path, target: Path, look: str, width: int, height: int) -> None:
    """Write a screenshot of a page, light or dark, with Chromium."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit("docs/pictures.py: --screens needs chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        scheme = f"--blink-settings=preferredColorScheme={0 if look == 'dark' else 1}"
        subprocess.run(
            [
                *(browser, *CHROMIUM, f"--user-data-dir={profile}", scheme),
                *(f"--window-size={width},{height}", f"--screenshot={target}"),
                page.resolve().as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )


def screens(data: sqlrec.Dataset, folder: Path) -> None:
    """Write screenshots of a report at three widths, and of terminals at two, light and dark."""
    page = folder / "report.html"
    report(data).save(page)
    compared = data.compare("ndcg@10 recall@10", by="era", baseline="popularity")
    for look in ("light", "dark"):
        for width in (400, 1000, 1600):
            height = 5200 if width > 400 else 8000
            screenshot(page, folder / f"report-{width}-{look}.png", look, width, height)
        for width, height in ((80, 800), (200, 520)):
            text = folder / f"terminal-{width}.html"
            text.write_text(terminal(compared, width), encoding="utf-8")
            target = folder / f"terminal-{width}-{look}.png"
            screenshot(text, target, look, 32 + width * 9, height)
    # The screenshots of the docs.
    screenshot(page, PICTURES / "report.png", "light", 1000, 1480)
    shutil.copyfile(folder / "terminal-80-dark.png", PICTURES / "terminal.png")


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--screens", metavar="FOLDER", type=Path, help="also take screenshots")
    folder = parser.parse_args().screens
    data = sqlrec.demo()
    names = {"sqlrec": sqlrec, "data": data, "logs": logs()}
    PICTURES.mkdir(exist_ok=True)
    for name, code in plots().items():
        eval(code, names).save(PICTURES / f"{name}.svg")
    if folder is not None:
        folder.mkdir(exist_ok=True)
        screens(data, folder)


if __name__ == "__main__":
    main()
