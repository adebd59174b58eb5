"""Make the pictures of the docs: python docs/pictures.py; with --screens FOLDER also
screenshots of a report.

docs/plots.md has the code of each plot, which uses the data of sqlrec.demo().
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


# CSS of terminal escape codes.
LOOKS = {"1": "font-weight:bold", "2": "opacity:.7", "4": "text-decoration:underline"}
LOOKS |= {"31": "fill:#ff8a80", "32": "fill:#5fd38d"}
LINE, CHARACTER = 19, 8.43  # Pixels of a line and of a character, at a size of 14.
TERMINAL = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" \
height="{height}" role="img" \
style="background:#0d1117;font:14px 'DejaVu Sans Mono',monospace" fill="#e6edf3">
<title>A comparison by segment in a terminal</title>
<style>text{{white-space:pre}}</style>
<rect width="100%" height="100%" fill="#0d1117"/>
{lines}
</svg>
"""


def terminal(compared: sqlrec.Comparison, width: int) -> str:
    """Return a comparison in a terminal of a width, as SVG."""
    command = "$ sqlrec compare ndcg@10 ... --by era --baseline popularity"
    text = to_text(compared.layout(), Style(width, color=True, ascii=False))
    lines = [command, "", *html.escape(text).splitlines()]

    def styled(match: re.Match[str]) -> str:
        style = ";".join(LOOKS[code] for code in match[1].split(";"))
        return f'<tspan style="{style}">{match[2]}</tspan>'

    rows = [
        f'<text x="16" y="{LINE * (index + 1.5):g}">'
        + re.sub(r"\x1b\[([\d;]+)m(.*?)\x1b\[0m", styled, line)
        + "</text>"
        for index, line in enumerate(lines)
    ]
    size = {"width": round(32 + width * CHARACTER), "height": LINE * (len(lines) + 2)}
    return TERMINAL.format(**size, lines="\n".join(rows))


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
    """Write screenshots of a report at three widths, light and dark."""
    page = folder / "report.html"
    report(data).save(page)
    for look in ("light", "dark"):
        for width, height in ((400, 8000), (1000, 5200), (1600, 5200)):
            screenshot(page, folder / f"report-{width}-{look}.png", look, width, height)


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
    compared = data.compare("ndcg@10", by="era", baseline="popularity")
    (PICTURES / "terminal.svg").write_text(terminal(compared, 80), encoding="utf-8")
    if folder is not None:
        folder.mkdir(exist_ok=True)
        screens(data, folder)


if __name__ == "__main__":
    main()
