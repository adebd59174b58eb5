"""The site: its pages are current, and all code on the pages of tasks and libraries runs."""

import ast
import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from contextlib import redirect_stdout
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from queue import Queue
from threading import Thread
from types import SimpleNamespace

import duckdb
import numpy
import pyarrow.csv
import pyarrow.parquet
from jinja2 import Template
from pytest import approx, fixture, mark

import sqlrec
from sqlrec import cli

from .jinja import Relation, package
from .packages import yaml
from .plots.data import inputs
from .test_pages import CHROMIUM

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted([*DOCS.glob("tasks/*.md"), *DOCS.glob("from/*.md")])


@fixture(scope="module")
def build():
    """The script docs/site/build.py, as a module."""
    sys.path.insert(0, str(DOCS / "site"))
    spec = importlib.util.spec_from_file_location("build", DOCS / "site" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@fixture(scope="module")
def given(tmp_path_factory):
    """A folder with lists of two models, together and separately."""
    folder = tmp_path_factory.mktemp("given")
    tables = inputs()
    recs = tables["recs"]
    for model in ("als", "pop"):
        those = pyarrow.array([one == model for one in recs["model"].to_pylist()])
        tables[model] = recs.filter(those).drop_columns("model")
    tables |= {"recs_new": tables["als"], "recs_main": tables["pop"]}
    for name, table in tables.items():
        pyarrow.parquet.write_table(table, folder / f"{name}.parquet")
    return folder


@mark.weekly
@mark.parametrize("path", sorted(DOCS.glob("notebooks/*.ipynb")), ids=lambda path: path.stem)
def test_every_cell_of_a_notebook_runs_and_no_output_is_stored(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    names = {}
    for cell in code:
        # A cell shows its last line.
        *body, last = ast.parse("".join(cell["source"])).body
        exec(compile(ast.Module(body, []), path.name, "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
            assert shown is None or shown._repr_html_()
        else:
            exec(compile(ast.Module([last], []), path.name, "exec"), names)


def test_the_page_of_a_notebook_has_its_text_code_and_outputs(build):
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["a < b\n", "\n", "c\n"]},
        {"output_type": "display_data", "data": {"text/plain": "x", "text/html": "<b>\n\n</b>"}},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Clicks\n", "\n", "See [it](other.ipynb)."]},
        {"cell_type": "code", "source": "print(1)", "outputs": outputs},
    ]
    page = build.gallery.page({"cells": cells}, "clicks")
    assert page.startswith("# Clicks\n\n[Download the notebook](clicks.ipynb), with its outputs.\n")
    assert "See [it](other.md)." in page and "```python\nprint(1)\n```" in page
    assert "<code>a &lt; b&#10;&#10;c</code>" in page
    assert '<template shadowrootmode="open"><b>\n</b></template></div>' in page


def test_papers_are_links_but_not_in_code_and_not_twice(build):
    paper = "doi.org/10.1002/sim.3095"
    link = f"[{paper}](https://{paper})"
    assert build._cited(f"(Zou 2008, {paper}). See {paper}, or {paper}.") == (
        f"(Zou 2008, {link}). See {link}, or {link}."
    )
    for kept in (link, f"`{paper}`", f"```text\n{paper}\n```", f"[a paper](https://{paper})"):
        assert build._cited(kept) == kept
    assert "[doi.org/" in build.written_pages()["statistics.md"]


def test_a_site_of_each_version_stays_and_the_newest_comes_first(build, tmp_path):
    for name in ("0.9.0", "0.10.0"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text("")
    build.put_versions(tmp_path)
    versions = json.loads((tmp_path / "versions.json").read_text())
    assert [row["version"] for row in versions] == ["0.10.0", "0.9.0"]
    assert "url=0.10.0/index.html" in (tmp_path / "index.html").read_text()


def walked(results):
    """Yield the dicts in parsed YAML."""
    if isinstance(results, dict):
        yield results
    inside = results.values() if isinstance(results, dict) else results
    for one in inside if isinstance(results, dict | list) else ():
        yield from walked(one)


def commands_of(code):
    """Yield the commands of a job of GitHub Actions, or of a hook of pre-commit."""
    action = yaml.safe_load((DOCS.parent / "action.yml").read_text(encoding="utf-8"))
    hooks = yaml.safe_load((DOCS.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    entries = {hook["id"]: hook["entry"] for hook in hooks}
    for part in walked(yaml.safe_load(code)):
        if "uses" in part:
            assert {*part["with"]} <= {*action["inputs"]}
            for command in ("report", "check"):
                words = shlex.split(f"{part['with']['arguments']} {part['with'][command]}")
                yield [command, *words, *(["-o", "job.md"] if command == "report" else [])]
        if "id" in part:
            yield [*shlex.split(entries[part["id"]])[1:], *part["args"]]


@mark.weekly
@mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_runs(page, given, tmp_path, monkeypatch):
    """Pages of tasks run in an empty folder, others in a folder with files."""
    monkeypatch.chdir(tmp_path if page.parent.name == "tasks" else given)
    text = page.read_text(encoding="utf-8")
    names, printed = {}, StringIO()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert {language for language, _ in blocks} <= {"python", "sh", "yaml"} and blocks
    with redirect_stdout(printed):
        for language, code in blocks:
            if language == "python":
                exec(code, names)
                continue
            if language == "yaml":
                if not Path("metrics").exists():
                    assert cli.main(["new-metric", "top_share"]) == 0
                for words in commands_of(code):
                    assert cli.main(words) == 0, words
                continue
            for line in code.replace("\\\n", " ").splitlines():
                program, *words = shlex.split(line)
                if program == "cd":
                    monkeypatch.chdir(*words)
                else:
                    assert program == "sqlrec" and cli.main(words) == 0, line


@mark.weekly
@mark.parametrize("page", ["adapters", "plots", "report"])
def test_every_block_of_a_page_with_given_inputs_runs(page, given, monkeypatch):
    monkeypatch.chdir(given)
    tables = {name: str(given / f"{name}.parquet") for name in ("recs", "truth", "users", "items")}
    (given / "train.parquet").write_bytes((given / "history.parquet").read_bytes())
    sqlrec.evaluate("ndcg@5,10", **tables, interval="t").to_parquet("evaluation.parquet")
    compared = sqlrec.compare("ndcg@5,10", **tables, baseline="pop")
    compared.to_parquet("comparison.parquet")
    names = {"sqlrec": sqlrec, **tables, "train": "train.parquet", "logs": "logs.parquet"}
    if page == "adapters":
        recommended = numpy.array([[7, 3]]), numpy.array([[0.9, 0.5]])
        model = SimpleNamespace(recommend=lambda users, clicks, N: recommended)
        names |= {
            "model": model,
            "users": numpy.array([1]),
            "clicks": numpy.zeros((2, 40)),
            "items": [*range(40)],
        }
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    for language, code in re.findall(
        r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL
    ):
        if language == "python":
            exec(code, names)
        elif language == "sh":
            for line in code.replace("\\\n", " ").splitlines():
                _, *words = shlex.split(line)
                assert cli.main(words) == 0, line
        else:
            assert (page, language) == ("plots", "sql")  # tests/plots/test_package.py runs it


def rendered(code, **relations):
    """Return the SQL of a dbt model, over relations by name."""
    dbt = {"ref": relations.__getitem__, "config": lambda **_: ""}
    return Template(code).render(sqlrec=package("duckdb"), **dbt)


def test_the_models_and_settings_of_the_page_of_dbt_are_written():
    text = (DOCS / "dbt.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert {language for language, _ in blocks} == {"sh", "sql", "yaml"}
    both = {"user_id": "BIGINT", "item_id": "BIGINT"}
    own = {
        "uid": "BIGINT",
        "sku": "BIGINT",
        "item_id": "BIGINT",
        "score": "DOUBLE",
        "stars": "BIGINT",
    }
    relations = {name: Relation(name, **own) for name in ("als", "pop", "purchases")}
    relations["users"] = Relation("users", uid="BIGINT", country="VARCHAR")
    relations |= {
        "recs": Relation("recs", **both, score="DOUBLE"),
        "truth": Relation("truth", **both),
    }
    relations |= {"hits": Relation("hits"), "evaluation": Relation("evaluation")}
    for language, code in blocks:
        if language == "yaml":
            for part in walked(yaml.safe_load(code)):
                if settings := part.get("vars"):
                    ids = {"customer_id": "BIGINT", "item_id": "BIGINT"}
                    tables = {"recs": Relation("recs", **ids, score="DOUBLE")}
                    tables["truth"] = Relation("truth", **ids)
                    statement = package("duckdb").evaluate(
                        "ndcg@10", **tables, **settings["sqlrec"]
                    )
                    assert "customer_id" in statement
                for test in part.get("data_tests", []):
                    ((name, given),) = (test if isinstance(test, dict) else {test: {}}).items()
                    macro = getattr(package("duckdb"), f"test_{name.removeprefix('sqlrec.')}")
                    requests = {
                        key: relations["truth"] if value == "ref('truth')" else value
                        for key, value in given.get("arguments", {}).items()
                    }
                    assert "select" in macro(relations[part.get("name", "evaluation")], **requests)
            continue
        # One file for each.
        for model in re.split(r"^-- models/.*$", code, flags=re.MULTILINE)[1:]:
            assert "select" in rendered(model, **relations)


@mark.weekly
def test_the_request_of_a_metrics_page_has_one_value(build, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, metric in sqlrec.metrics().items():
        tables, relations, shown = build.worked.tables(metric), {}, []
        for table, rows in tables.items():
            pyarrow.parquet.write_table(rows, f"{table}.parquet")
            types = {
                field.name: "VARCHAR" if field.type == "string" else "DOUBLE"
                for field in rows.schema
            }
            relations[table] = Relation(f"'{table}.parquet'", **types)
        tabs = "\n".join(build._ask(metric, build.worked.request(metric)))
        blocks = re.findall(r"    ```(\w+)\n(.*?)\n    ```", tabs, flags=re.DOTALL)
        code = {language: textwrap.dedent(text) for language, text in blocks}
        exec(code["python"], {"print": shown.append})
        ((value,),) = ([row["value"] for row in one.rows().to_pylist()] for one in shown)
        same = approx(value, rel=1e-12)
        _, *words = shlex.split(code["sh"].replace("\\\n", ""))
        assert cli.main([*words, "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)[0]["value"] == same, name
        results = duckdb.sql(rendered(code["sql"], **relations))
        assert results.fetchall()[0][results.columns.index("value")] == same, name


def test_the_page_of_a_metric_has_all_of_its_header_and_an_example_that_is_true(build):
    """The page has the values of its own statement, in a DuckDB with its tables."""
    for metric in map(sqlrec.metric, ("ndcg", "gini", "pearson", "snips", "calibration_kl")):
        page = build.metric_page(metric)
        plain = page.replace("\\", "")
        for text in metric.entries.values():
            for word in re.findall(r"\w{5,}", text):
                assert word in plain or word in ("higher", "lower", "neither")
        requests, tables = build.worked.request(metric), build.worked.tables(metric)
        (shown,) = re.findall(rf"^\*\*{re.escape(requests)} is (\S+)\*\*", page, flags=re.MULTILINE)
        columns = {"relevance": "relevance"} if "truth" in tables else {}
        statement = sqlrec.sql(
            requests, dialect="duckdb", columns=columns, **{x: x for x in tables}
        )
        with duckdb.connect() as connection:
            for name, table in tables.items():
                connection.register(name, table)
            ((value, *_),) = connection.sql(statement).fetchall()
        assert float(shown) == approx(value, rel=1e-5)
        assert all(table.num_rows <= 5 for table in tables.values())


@fixture(scope="module")
def browser():
    results = shutil.which("chromium") or shutil.which("google-chrome")
    assert results, "apt-get install chromium"
    return results


@fixture(scope="module")
def pages(build, tmp_path_factory):
    """A folder with the files that pages load and run."""
    folder = tmp_path_factory.mktemp("pages")
    build.put_playground(folder)
    for name in ("run.js", "playground/playground.js"):
        shutil.copy(DOCS / "site" / name, folder)
    return folder


@mark.weekly
def test_every_example_runs_in_a_browser_with_the_value_of_python(build, browser, pages, tmp_path):
    """The page is opened from a file, with only its neighboring files."""
    examples = {name: build.metric_page(one) for name, one in sqlrec.metrics().items()}
    example = re.compile('<div class="sqlrec-run.*?</div>', re.DOTALL)
    parts = [
        f'<section id="{name}">{example.search(page)[0]}</section>'
        for name, page in examples.items()
    ]
    press = """addEventListener("load", async () => {
        for (const button of document.querySelectorAll("button")) {
            button.click();
            while (button.disabled) await new Promise(done => setTimeout(done, 5));
        }})"""
    page = pages / "page.html"
    scripts = f'<script src="run.js"></script><script>{press}</script>'
    page.write_text(f'<meta charset="utf-8">{"".join(parts)}{scripts}', encoding="utf-8")
    command = [browser, *CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--virtual-time-budget=60000", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=240).stdout
    results = re.findall(r'<section id="(\w+)"><div class="sqlrec-run" data-value="([^"]+)"', shown)
    own = {name: approx(build.value_of(name)[0], rel=1e-12) for name in sqlrec.metrics()}
    assert {name: float(value) for name, value in results} == own


# Performs a visitor's actions, and reports the page's content.
VISIT = """
const wait = async (found) => {
    while (!found()) await new Promise((done) => setTimeout(done, 20));
    return found();
};
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const button = (text) => all("button").find((one) => one.textContent.startsWith(text));
const ready = () => wait(() => button("Take") && !button("Take").disabled);
const told = () => one("output").textContent;
async function drop(name, path) {
    const given = new DataTransfer();
    given.items.add(new File([await (await fetch(path)).blob()], path));
    one(`input[name=${name}]`).files = given.files;
    one(`input[name=${name}]`).dispatchEvent(new Event("change"));
    await ready();
}
async function run(metrics, baseline) {
    one("input[name=metrics]").value = metrics;
    one("input[name=baseline]").value = baseline;
    button("Run").click();
    await ready();
    const titles = all("h2").map((title) => title.textContent);
    return { rows: JSON.parse(one(".sqlrec-playground").dataset.rows), titles, told: told() };
}
addEventListener("load", async () => {
    const found = {};
    try {
        button("Load").click();
        await ready();
        button("Take").click();
        await ready();
        found.example = await run("standard@5 ndcg@10", "popularity");
        one("input[name=by]").value = "era";
        found.segments = await run("ndcg@10", "popularity");
        button("Explain").click();
        await ready();
        found.explained = all("h2").map((title) => title.textContent);
        HTMLAnchorElement.prototype.click = function () { found.download = this.download; };
        const given = URL.createObjectURL;
        let page;
        URL.createObjectURL = (blob) => given.call(URL, (page = blob));
        button("Download").click();
        await ready();
        found.report = page ? await page.text() : told();
        one("input[name=by]").value = "";
        await drop("recs", "lists.csv");
        await drop("truth", "judged.csv");
        found.texts = await run("recall@1,2", "");
        await drop("history", "judged.csv");
        await drop("catalog", "lists.csv");
        found.catalog = await run("gini@2 novelty@2", "");
        await drop("recs", "nested.parquet");
        found.nested = await run("recall@1,2", "");
        await drop("recs", "twice.csv");
        found.twice = (await run("recall@1,2", "")).told;
    } catch (error) {
        found.error = `${error.message}: ${told()}`;
    }
    fetch("done", { method: "POST", body: JSON.stringify(found) });
});
"""


class Visited(SimpleHTTPRequestHandler):
    """A server of files that receives the page's report."""

    def log_message(self, *_):
        self.server.asked.append((self.command, self.path))

    def do_POST(self):
        self.server.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()


def visited(browser, folder, page):
    """Return a page's report and its requests; the browser can reach no other host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Visited, directory=folder))
    server.asked, server.found = [], Queue()
    Thread(target=server.serve_forever, daemon=True).start()
    hosts = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    address = f"http://127.0.0.1:{server.server_port}/{page}"
    # It runs until it is told to end, as with a port for debuggers.
    command = [browser, *CHROMIUM, hosts, "--remote-debugging-port=0"]
    command += [f"--user-data-dir={folder / 'profile'}", address]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
        try:
            return server.found.get(timeout=600), server.asked
        finally:
            running.terminate()
            server.shutdown()
            server.server_close()


@mark.weekly
def test_the_playground_has_the_values_of_python_and_uploads_nothing(browser, pages):
    lists = [
        f"00{user},0{item},{1 / rank}" for user in (1, 2) for rank, item in enumerate("3571", 1)
    ]
    files = {
        "lists.csv": ["user_id,item_id,score", *lists],
        "twice.csv": ["user_id,item_id,score", *lists, lists[0]],
        "judged.csv": ["user_id,item_id", "001,05", "002,03", "002,07"],
    }
    for name, lines in files.items():
        (pages / name).write_text("\n".join(lines), encoding="utf-8")
    nested = {"user_id": ["001", "002"], "item_id": [["03", "05"], ["07"]]}
    pyarrow.parquet.write_table(pyarrow.table(nested), pages / "nested.parquet", compression="zstd")
    (pages / "visit.html").write_text(
        '<meta charset="utf-8"><div class="sqlrec-playground"></div>'
        f'<script src="playground.js"></script><script>{VISIT}</script>',
        encoding="utf-8",
    )
    results, requests = visited(browser, pages, "visit.html")
    assert "error" not in results, results
    demo = {name: str(pages / "playground" / f"{name}.parquet") for name in ("recs", "truth")}
    judged = {"truth": str(pages / "judged.csv")}
    users = str(pages / "playground" / "users.parquet")
    others = {"history": judged["truth"], "catalog": str(pages / "lists.csv")}
    texts = {"recs": others["catalog"]} | judged
    own = {
        "example": ("standard@5 ndcg@10", demo),
        "texts": ("recall@1,2", texts),
        "catalog": ("gini@2 novelty@2", texts | others),
        "segments": ("ndcg@10", demo | {"users": users, "by": "era"}),
        "nested": ("recall@1,2", judged | {"recs": str(pages / "nested.parquet")}),
    }
    for name, (metrics, inputs_) in own.items():
        result = sqlrec.evaluate(metrics, **inputs_, interval="auto")
        assert results[name]["told"].startswith("Done"), results[name]["told"]
        there = [
            {
                key: approx(x, rel=1e-12, abs=1e-15) if isinstance(x, float) else x
                for key, x in row.items()
            }
            for row in result.rows().to_pylist()
        ]
        assert results[name]["rows"] == there
    assert results["example"]["titles"] == ["Differences", "Result", "Curve", "Counts", "SQL"]
    assert results["segments"]["titles"] == ["Differences", "Result", "Counts", "SQL"]
    assert results["explained"] == ["Why it differs"] and results["download"] == "report.html"
    assert (
        "<h1>trending beats popularity by NDCG@10<" in results["report"]
        and "Difference from popularity by era" in results["report"]
    )
    assert "user 001 has item 03 more than once" in results["twice"]
    assert [path for command, path in requests if command == "POST"] == ["/done"]


@mark.slow
def test_the_playground_has_the_values_of_python(tmp_path):
    """The calls of the page, without a browser, in a Python without other packages."""
    tables = inputs()
    files = {}
    for name in ("recs", "truth", "users", "items", "history"):
        files[name] = str(tmp_path / f"{name}.parquet")
        pyarrow.parquet.write_table(tables[name], files[name])
    texts = {name: str(tmp_path / f"{name}.csv") for name in ("recs", "truth")}
    for name, path in texts.items():
        pyarrow.csv.write_csv(tables[name], path)
    requests = {"metrics": "ndcg@1,5 recall@5", "baseline": "pop"}
    calls = [
        ["start", {}],
        ["run", requests | {"interval": "auto", "by": ""}],
        ["run", requests | {"interval": "", "by": "country"}],
        ["explain", {"metric": "ndcg@5", "value": ""}],
        ["explain", {"metric": "ndcg@5", "value": "50.00%"}],
        ["report", requests | {"by": "country"}],
        ["explain", {"metric": "ndcg@5", "value": "a half"}],
        ["report", requests | {"by": "", "columns": "recs.user_id=uid"}],
        ["run", requests | {"interval": "", "by": "", "inputs": texts}],
    ]
    command = [sys.executable, "-m", "tests.playground_process", str(tmp_path)]
    done = subprocess.run(
        command, input=json.dumps(calls), capture_output=True, text=True, cwd=DOCS.parent
    )
    assert done.returncode == 0, done.stderr
    start, result, segments, explained, steps, report, *refused, of_texts = json.loads(done.stdout)
    assert "ndcg" in start["metrics"]
    both = {name: files[name] for name in ("recs", "truth")}
    own = sqlrec.evaluate(requests["metrics"], **both, interval="auto").rows().to_pylist()
    assert [row["value"] for row in result["rows"]] == approx([row["value"] for row in own])
    assert [row["value"] for row in of_texts["rows"]] == approx([row["value"] for row in own])
    assert {"table", "counts", "compared", "curve", "sql"} <= {*result}
    # Models have the marks of their differences; a note explains each mark once.
    signs = [[result[part].count(sign) for sign in "▲▼"] for part in ("table", "compared")]
    assert signs[0] == signs[1] and "pop (baseline)" in result["table"]
    assert {row["country"] for row in segments["rows"]} == {*"abc"} and "curve" not in segments
    assert "lenskit" in explained["explained"] and "<svg" not in explained["explained"]
    assert "<svg" in steps["explained"] and "50.00%" in steps["explained"]
    assert "<h2" in report["report"] and "country" in report["report"]
    assert "Film 1" in report["report"] and "DuckDB" not in report["report"]
    assert "a half" in refused[0]["refused"] and "uid" in refused[1]["refused"]


def test_a_search_finds_a_metric_first_by_its_name_and_aliases(build, tmp_path):
    """The search sorts equal matches in titles by rank in titles and texts."""
    pages = {
        "metrics/ndcg_at_gains.html": "NDCG at gains",
        "peers.html#ndcg": "ndcg",
        "conventions.html": "Conventions",
        "metrics/ndcg.html#sql": "SQL",
        "guide.html": "Guide",
        "metrics/ndcg.html": "NDCG",
        "metrics/reciprocal_rank.html": "Reciprocal rank",
        "statistics.html": "Statistics",
    }
    rows = [{"location": at, "title": title, "text": "x"} for at, title in pages.items()]
    (tmp_path / "search.json").write_text(json.dumps({"config": {}, "items": rows}))
    build.put_search(tmp_path)
    index = json.loads((tmp_path / "search.json").read_text())
    assert [row["location"] for row in index["items"]] == [
        "metrics/ndcg.html",
        "statistics.html",
        "metrics/ndcg_at_gains.html",
        "metrics/reciprocal_rank.html",
        "guide.html",
        "metrics/ndcg.html#sql",
    ]
    first, second, _, fourth, *_ = index["items"]
    assert first["text"].startswith("<p>ndcg, ") and "config" in index
    assert "mrr" in fourth["title"] and "mrr" in fourth["text"]
    assert "paired t test" in second["title"] and "paired t test" in second["text"]


@mark.slow
def test_the_code_of_the_home_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "index.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    assert len(code.split("\n\n")[1].splitlines()) <= 5
    with redirect_stdout(StringIO()) as printed:
        exec(code, {})
    assert "trending" in printed.getvalue() and (tmp_path / "report.html").exists()


def test_ndcg_of_the_worked_example_is_as_by_hand(build):
    """Ana: 2 / log2(2) of 2 / log2(2) + 1 / log2(3); ben: 3 / log2(3) of 3 / log2(2)."""
    value, users = build.value_of("ndcg")
    assert users == 2
    assert value == approx((2 / (2 + 0.6309297535714575) + 0.6309297535714575) / 2)


def test_a_formula_that_is_a_fraction_is_drawn_as_one(build):
    drawn = build.formula("     sum of 2^grade\n    ---------------\n     relevant items")
    assert "<mfrac><mrow><mtext>sum of\u00a0</mtext><msup><mtext>2</mtext>" in drawn
    assert "relevant items</mtext></mrow></mfrac>" in drawn
    assert "<mtext>1 / rank</mtext>" in build.formula("    1 / rank")
    beside = build.formula(
        "         hits           a\n    1 - ------ ,  x = ---\n        ranks          b"
    )
    assert "<mtext>1 -\u00a0</mtext></mrow><mfrac><mrow><mtext>hits</mtext>" in beside
    assert beside.count("<mfrac>") == 2 and "<mtext>b</mtext></mrow></mfrac>" in beside
    assert build.formula("    one a\n    two b").startswith("```text")


def test_formulas_of_all_metrics_are_drawn_and_their_names_listed(build):
    headers = {name: build._header_blocks(one)[1:] for name, one in sqlrec.metrics().items()}
    drawn = {name: "".join(map(build._block, blocks)) for name, blocks in headers.items()}
    assert [name for name, text in drawn.items() if "<math" not in text or "```" in text] == []
    assert "- `merits`: the item's share of the relevant items" in drawn["equity_of_attention"]


def test_each_picture_of_the_gallery_is_there_with_its_code(build):
    page = build.written_pages()["plots.md"]
    (gallery,) = re.findall('<div class="sqlrec-gallery" markdown>(.*?)</div>\n\n', page, re.DOTALL)
    pictures = re.findall(r"\(pictures/(\w+)\.svg\)", gallery)
    assert pictures == [*build_pictures().plots()] and len(pictures) > 10
    assert gallery.count("```python") == gallery.count("<div markdown>") == len(pictures)
    for name in pictures:
        assert (DOCS / "pictures" / f"{name}.svg").exists()


def build_pictures():
    """Return the script docs/pictures.py, as a module."""
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_links_of_pages_lead_to_pages(build):
    pages = build.written_pages()
    known = {"api.md", *pages, *(f"metrics/{name}.md" for name in sqlrec.metrics())}
    pictures = (path.name for path in (DOCS / "pictures").iterdir())
    known |= {f"pictures/{name}" for name in (*pictures, *build.PICTURES)}
    for page, text in pages.items():
        outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!http|#)([^)#]+)", outside):
            assert build.os.path.normpath(Path(page).parent / target) in known, (page, target)


def test_the_page_of_the_api_has_every_public_name_and_argument(build):
    page = build.api_page()
    for name in sqlrec.__all__:
        assert re.search(rf"^## (sqlrec\.)?{name}$", page, flags=re.MULTILINE), name
    for entry in ("relevance_threshold", "interval", "baseline", "MetricError", "DataError"):
        assert f"- `{entry}`: " in page
    # Lists of metrics have their own pages.
    assert max(map(len, page.splitlines())) < 2000


def test_pages_of_the_navigation_are_there(build):
    def paths(results):
        for one in results:
            (below,) = one.values()
            yield from [below] if isinstance(below, str) else paths(below)

    named = [*paths(build.config()["nav"])]
    assert len(named) == len({*named})
    made = {f"metrics/{name}.md" for name in sqlrec.metrics()} | {"api.md", *build.ELSEWHERE}
    made |= {f"notebooks/{path.stem}.md" for path in build.NOTEBOOKS}
    there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert {*named} <= made | there
