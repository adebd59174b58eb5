"""Make the pictures of the docs: python docs/pictures.py; with --screens FOLDER also
screenshots of a report and of terminals, two of which are in the docs.

The data is synthetic: 900 users, 400 items, and three models, one of which is worse for new users.
"""

import argparse
import html
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa

import sqlrec
from sqlrec.display.text import Style, to_text

GENRES = ("drama", "comedy", "crime", "family", "music")
PICTURES = Path(__file__).parent / "pictures"
CHROMIUM = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def inputs(users: int = 900, items: int = 400) -> dict[str, pa.Table]:
    """Return synthetic users with tastes, their history and truth, and lists of three models."""
    chance = random.Random(5)
    popular = [1 / (item + 4) for item in range(items)]
    recs, truth, history, segments = [], [], [], []
    for user in range(users):
        taste = user % 5
        liking = [weight * (6 if item % 5 == taste else 1) for item, weight in enumerate(popular)]
        user_history = {
            *chance.choices(range(items), liking, k=2 + int(chance.expovariate(1 / 14)))
        }
        rest = [item for item in range(items) if item not in user_history]
        weights = [liking[item] for item in rest]
        truth += [(user, item) for item in {*chance.choices(rest, weights, k=chance.randint(1, 6))}]
        history += [(user, item) for item in sorted(user_history)]
        age = "new" if len(user_history) < 5 else "regular" if len(user_history) < 20 else "heavy"
        segments.append((user, age))
        # One model fits tastes well, but not for users with a short history.
        noise = 3.0 if len(user_history) < 5 else 0.6
        scores = {
            "ease": {item: liking[item] * chance.lognormvariate(0, noise) for item in rest},
            "item-knn": {item: liking[item] * chance.lognormvariate(0, 1.6) for item in rest},
            "popularity": {item: popular[item] for item in rest},
        }
        for model, score in scores.items():
            best = sorted(rest, key=score.__getitem__, reverse=True)[:20]
            recs += [(model, user, item, place) for place, item in enumerate(best, start=1)]
    return {
        "recs": _table(recs, "model user_id item_id rank"),
        "truth": _table(truth, "user_id item_id"),
        "history": _table(history, "user_id item_id"),
        "users": _table(segments, "user_id activity"),
        "items": _table(
            [(item, f"Film {item + 1}", GENRES[item % 5]) for item in range(items)],
            "item_id title category",
        ),
    }


def logs(decisions: int = 2000) -> pa.Table:
    """Return synthetic decisions of an exploring policy, with probabilities of another policy."""
    chance = random.Random(7)
    rows = [
        (float(chance.random() < 0.1), 0.05 + 0.9 * chance.random(), chance.random() ** 3)
        for _ in range(decisions)
    ]
    return _table(rows, "reward propensity target_probability")


def _table(rows: list[tuple[Any, ...]], names: str) -> pa.Table:
    return pa.table(dict(zip(names.split(), map(list, zip(*rows, strict=True)), strict=True)))


def plots(tables: dict[str, pa.Table]) -> dict[str, sqlrec.Plot]:
    """Return the plots of the docs."""
    truth = {"recs": tables["recs"], "truth": tables["truth"]}
    catalog = tables["items"].select(["item_id"])
    result = sqlrec.evaluate(
        "ndcg@1,5,10,20 recall@1,5,10,20 catalog_coverage@10",
        **truth,
        history=tables["history"],
        catalog=catalog,
        interval="t",
    )
    compared = sqlrec.compare(
        "ndcg@10", **truth, users=tables["users"], by="activity", baseline="popularity"
    )
    return {
        "curve": result.plot.curve(),
        "tradeoff": result.plot.tradeoff("catalog_coverage@10", "ndcg@10"),
        "longtail": result.plot.longtail(),
        "lorenz": result.plot.lorenz(),
        "forest": compared.plot.forest(),
        "differences": compared.plot.differences(),
        "activity": sqlrec.plot("activity", "ndcg@10", **truth, history=tables["history"]),
        "calibration": sqlrec.plot(
            "calibration", recs=tables["recs"], history=tables["history"], items=tables["items"]
        ),
        "pairs": sqlrec.plot("pairs", "ndcg@10", **truth),
        "weights": sqlrec.plot("weights", logs=logs()),
    }


def report(tables: dict[str, pa.Table]) -> sqlrec.Report:
    """Return the report of the docs."""
    return sqlrec.report(
        "ndcg@5,10,20 recall@10 catalog_coverage@10",
        **tables,
        catalog=tables["items"].select(["item_id"]),
        by="activity",
        baseline="popularity",
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
    command = "$ sqlrec compare ndcg@10 recall@10 ... --by activity --baseline popularity"
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


def screens(tables: dict[str, pa.Table], folder: Path) -> None:
    """Write screenshots of a report at three widths, and of terminals at two, light and dark."""
    page = folder / "report.html"
    report(tables).save(page)
    compared = sqlrec.compare(
        "ndcg@10 recall@10",
        **{name: tables[name] for name in ("recs", "truth", "users")},
        by="activity",
        baseline="popularity",
    )
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
    tables = inputs()
    PICTURES.mkdir(exist_ok=True)
    for name, plot in plots(tables).items():
        plot.save(PICTURES / f"{name}.svg")
    if folder is not None:
        folder.mkdir(exist_ok=True)
        screens(tables, folder)


if __name__ == "__main__":
    main()
