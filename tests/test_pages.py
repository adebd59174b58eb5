"""Pages and pictures: they load nothing from other hosts, and are accessible."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

from pytest import fixture, importorskip, mark

import sqlrec

from .plots.data import inputs
from .test_papers import results  # noqa: F401

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
CHROMIUM = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

# Requests to other hosts. Names of formats, which are not loaded, are excluded.
ASKS = re.compile(r"https?:|url\(|@import|<script|\bsrc=|<link|<iframe")
NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'


@fixture(scope="module")
def pages(results, tmp_path_factory):  # noqa: F811
    """Return a page of each kind of output."""
    folder = tmp_path_factory.mktemp("pages")
    for name, table in results.items():
        table.to_html(folder / f"{name}.html")
    given = {name: inputs()[name] for name in ("recs", "truth", "users", "history", "items")}
    report = sqlrec.report("ndcg@5,10 recall@5", **given, by="country", baseline="pop")
    report.save(folder / "report.html")
    del given["history"], given["items"]
    compared = sqlrec.compare("ndcg@5,10", **given, by="country", baseline="pop")
    compared.plot.forest().save(folder / "forest.html")
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


@mark.slow
def test_no_page_or_picture_loads_a_resource(pages):
    pictures = {path.name: path.read_text(encoding="utf-8") for path in PICTURES.glob("*.svg")}
    assert len(pages) == 10 and pictures
    asking = {
        name: ASKS.findall(text.replace(NAMESPACE, ""))
        for name, text in {**pages, **pictures}.items()
    }
    assert {name: asked for name, asked in asking.items() if asked} == {}


@mark.weekly
@mark.parametrize("dark", [False, True], ids=["light", "dark"])
@mark.parametrize("name", ["report", "models", "check", "explanation", "forest"])
def test_pages_have_no_accessibility_violations(name, dark, pages, tmp_path):
    package = Path(importorskip("axe_core_python").__file__).parent
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    assert browser, "apt-get install chromium"
    axe = (package / "axe.min.js").read_text(encoding="utf-8")
    run = (
        "axe.run().then(found => document.body.setAttribute('data-found', JSON.stringify("
        "found.violations.map(one => [one.id, one.nodes.map(node => node.failureSummary)]))))"
    )
    scripts = f"<script>{axe}</script><script>{run}</script></body>"
    # Only the last one: quoted text in a page is not changed.
    before, _, after = pages[name].rpartition("</body>")
    page = tmp_path / "page.html"
    page.write_text(before + scripts + after, encoding="utf-8")
    command = [browser, *CHROMIUM, f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=30000"]
    done = subprocess.run(
        [*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120
    )
    (violations,) = re.findall(r'data-found="([^"]*)"', done.stdout)
    assert json.loads(html.unescape(violations)) == []
