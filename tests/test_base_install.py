"""Statistics with only the packages of the base install."""

import re
import subprocess
import sys
from pathlib import Path

from pytest import mark

ROOT = Path(__file__).parents[1]

# NumPy, SciPy and others seem not to be installed.
WITHOUT = """
import sys
for name in ("numpy", "scipy", "statsmodels"):
    sys.modules[name] = None
import warnings
warnings.simplefilter("error")
import pyarrow as pa
import sqlrec

def lists(offset):
    users = [f"u{n}" for n in range(40)]
    items = [[f"i{(n * m + offset) % 7}" for m in range(1, 4)] for n in range(40)]
    return pa.table({"user_id": users, "item_id": items})

users = [f"u{n}" for n in range(40)]
truth = pa.table({"user_id": users, "item_id": [f"i{n % 5}" for n in range(40)]})
homes = pa.table({"user_id": users, "home": [n // 3 for n in range(40)]})
models = {"als": lists(0), "pop": lists(3)}
given = {"recs": lists(0), "truth": truth, "rules": sqlrec.Rules(duplicates="best")}
compared = given | {"recs": models, "baseline": "pop"}
"""

ASKED = [
    "evaluate('ndcg@3 coverage@3', **given, catalog=truth, interval='t')",
    "evaluate('ndcg@3', **given, users=homes, interval='normal', cluster='home')",
    "evaluate('hit_rate@3', **given, users=homes, interval='wilson', by='home')",
    "evaluate('ndcg@3', **given, summaries='median p90 standard_deviation min max')",
    "evaluate('ndcg@3 coverage@3', **given, catalog=truth, interval='bootstrap', replicates=100)",
    "evaluate('ndcg@3', **given, interval='bca', replicates=100)",
    "compare('ndcg@3 recall@3', **compared)",
    "compare('ndcg@3', **compared, interval='normal', correction='bonferroni')",
    "compare('ndcg@3', **compared, users=homes, cluster='home', correction='bh')",
    "power('ndcg@3', **compared, users=homes, cluster='home', difference=0.1)",
    "compare('ndcg@3', **compared, test='wilcoxon').worse()",
    "compare('ndcg@3', **compared, test='sign')",
    "compare('ndcg@3', **compared, test='randomization', interval='bootstrap')",
    "check('ndcg@3 >= stored - 0.1', **given, against=evaluate('ndcg@3', **given).per_user())",
]


def without(code):
    """Run Python without the blocked packages."""
    text = f"{WITHOUT}\nfrom sqlrec import check, compare, evaluate, power\n{code}"
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=ROOT)


@mark.slow
def test_intervals_comparisons_and_checks_need_no_numpy_and_no_scipy():
    done = without("\n".join(f"print({requests}.to_csv())" for requests in ASKED))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("standard_error") == 12


def test_all_pairs_name_the_package_to_install():
    done = without("compare('ndcg@3', **compared, correction='tukey')")
    assert "correction='tukey' needs SciPy: pip install 'sqlrec[stats]'" in done.stderr


# PyArrow is blocked too: tables are DuckDB's.
WITHOUT_ARROW = """
import sys
for name in ("numpy", "scipy", "pyarrow", "pandas", "polars"):
    sys.modules[name] = None
import duckdb, sqlrec
shop = duckdb.connect()
shop.execute("create table recs as select m as model, u as user_id, (u * p + m) % 7 as item_id, "
    "p as rank from range(2) as a(m), range(40) as b(u), range(1, 4) as c(p) where u % 7 > 0")
shop.execute("create table truth as select u as user_id, u % 5 as item_id from range(40) as b(u)")
given = {"recs": "recs", "truth": "truth", "engine": shop, "columns": {"model": "model"}}
asked = "ndcg@3", "ndcg@3 recall@3"
print(sqlrec.evaluate(asked[1], **given, interval="bootstrap", replicates=100).to_csv())
print(sqlrec.evaluate(asked[0], **given, summaries="median").to_csv())
print(sqlrec.compare(asked[1], **given, baseline="1"))
print(sqlrec.compare(asked[0], **given).to_json())
print(sqlrec.explain(asked[0], **given, conventions=["ranx", "lenskit"]))
shop.execute("create table users as select u as user_id, u % 2 as home from range(40) as b(u)")
segments = {"users": "users", "by": "home"}
print(sqlrec.evaluate(asked[0], **given).per_user().to_csv())
print(sqlrec.evaluate(asked[0], **given, **segments), sqlrec.explain(asked[0], **given).to_csv())
print(sqlrec.compare(asked[0], **given, **segments, baseline="1").worse())
before = sqlrec.evaluate(asked[0], **given)
rule = "ndcg@3 >= stored - 0.1"
for stored in (before, before.per_user()):
    print(sqlrec.check(rule, **given, against=stored, level=0.9).to_csv())
before.per_user().to_csv(folder + "/before.csv")
print(sqlrec.check(rule, **given, against=folder + "/before.csv", level=0.9).to_csv())
print(sqlrec.check("ndcg@3 >= 0.9", **given, **segments).failures())
print(sqlrec.plot("curve", asked[1], **given).svg, before.plot.curve().svg)
print(sqlrec.plot("tradeoff", asked[1], **given, interval="t").data.to_csv())
print(sqlrec.plot("curve", results=before).spec)
print(sqlrec.plot("waterfall", asked[0], value=0.3, **given))
print(sqlrec.plot("forest", asked[0], **given, **segments, baseline="1").data.to_csv())
more = {"baseline": "1", "history": "truth", "libraries": True}
sqlrec.report(asked[1], **given, **segments, **more).save(folder + "/a.md")
compared = sqlrec.compare(asked[0], **given, baseline="1")
print(sqlrec.report(results=before, comparison=compared).markdown)
shop.execute("insert into recs select * from recs")
sqlrec.evaluate(asked[0], **given)
"""


@mark.slow
def test_tables_of_duckdb_need_no_pyarrow(tmp_path):
    code = WITHOUT_ARROW.replace("import duckdb,", f"folder = {str(tmp_path)!r}\nimport duckdb,")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert "DataError: recs, model" in done.stderr and "pyarrow" not in done.stderr, done.stderr
    shown_by = (
        "standard_error",
        "median",
        "compared with 1",
        '"p_adjusted"',
        "lenskit",
        " by home\n",
    )
    shown_by += (",unchanged\n", ",test\n", "✗ FAIL", "<svg", "pareto")
    shown_by += ("'mark'", "Plot waterfall", "p_adjusted", " by NDCG@3\n")
    for shown in shown_by:
        assert shown in done.stdout, shown
    page = (tmp_path / "a.md").read_text(encoding="utf-8")
    for title in ("By segment", "Gains and losses by user", "Values of other libraries"):
        assert f"<summary>{title}</summary>" in page


# The engine of docs/engines.md, extended to read results, for plots.
OWN_ENGINE = """
class Own(Other):
    own = True

    def table(self, given, name):
        return given

    @contextmanager
    def naming(self, objects):
        for name, rows in objects.items():
            marks = ", ".join("?" * len(rows.column_names))
            shop.execute(f"create table {name} ({', '.join(rows.column_names)})")
            values = [tuple(row.values()) for row in rows.to_pylist()]
            shop.executemany(f"insert into {name} values ({marks})", values)
        yield

for user in range(2, 30):
    shop.execute("insert into truth values (?, ?)", (user, user % 3))
    shop.execute("insert into users values (?, ?, ?)", (user, "ab"[user % 2], user % 5))
    lists = [(model, user, (user * (n + rank)) % 7, -rank)
        for n, model in enumerate(("als", "pop")) for rank in range(1, 4) if user % 7]
    shop.executemany("insert into recs values (?, ?, ?, ?)", lists)
given = {"recs": "recs", "truth": "truth", "users": "users", "engine": Own()}
found = sqlrec.evaluate("ndcg@1,3", **given, interval="t", by="home")
print(found, found.per_user(), found.plot.curve().svg)
by = sqlrec.Segments(["home", "age"], each=True)
print(sqlrec.evaluate("ndcg@3", **given, by=by).user_counts)
compared = sqlrec.compare("ndcg@1,3", **given, by=sqlrec.Segments("home", each=True))
print(compared.ranks().to_csv(), sqlrec.power(results=compared, difference=0.1).to_csv())
against = sqlrec.compare("ndcg@3", **given, baseline="pop")
print(against.by_model(), against.worse())
shop.execute("insert into recs select * from recs")
sqlrec.evaluate("ndcg@3", **given, by="home")
"""


@mark.slow
def test_a_custom_engine_needs_no_pyarrow():
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    (*_, shown) = re.findall(r"^```python\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    start = WITHOUT_ARROW.partition("import duckdb")[0] + "from contextlib import contextmanager\n"
    done = subprocess.run(
        [sys.executable, "-c", start + shown + OWN_ENGINE], capture_output=True, text=True, cwd=ROOT
    )
    assert "DataError: recs, model" in done.stderr and "pyarrow" not in done.stderr, done.stderr
    for result in ("home=a", "user_id", "<svg", "home, age", "letters", "users_needed", "Holm"):
        assert result in done.stdout, result
