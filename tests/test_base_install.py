"""Statistics that need nothing but what is always installed."""

import subprocess
import sys
from pathlib import Path

# NumPy, SciPy and others are as if they were not installed.
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
given = {"recs": lists(0), "truth": truth, "users": homes, "duplicates": "best"}
compared = given | {"recs": models, "baseline": "pop"}
"""

ASKED = [
    "evaluate('ndcg@3 coverage@3', **given, catalog=truth, interval='t')",
    "evaluate('ndcg@3', **given, interval='normal', cluster='home')",
    "evaluate('hit_rate@3', **given, interval='wilson', by='home')",
    "evaluate('ndcg@3', **given, summaries='median p90 standard_deviation min max')",
    "evaluate('ndcg@3 coverage@3', **given, catalog=truth, interval='bootstrap', replicates=100)",
    "evaluate('ndcg@3', **given, interval='bca', replicates=100)",
    "compare('ndcg@3 recall@3', **compared)",
    "compare('ndcg@3', **compared, interval='normal', correction='bonferroni')",
    "compare('ndcg@3', **compared, cluster='home', correction='bh').power(0.1)",
    "compare('ndcg@3', **compared, test='wilcoxon').worse()",
    "compare('ndcg@3', **compared, test='sign')",
    "compare('ndcg@3', **compared, test='randomization', interval='bootstrap')",
    "check('ndcg@3', **given, against=evaluate('ndcg@3', **given).per_user(), margin=0.1)",
]


def without(code):
    """Run Python where they are not."""
    text = f"{WITHOUT}\nfrom sqlrec import check, compare, evaluate\n{code}"
    root = Path(__file__).parents[1]
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=root)


def test_intervals_comparisons_and_checks_need_no_numpy_and_no_scipy():
    done = without("\n".join(f"print({asked}.to_csv())" for asked in ASKED))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("standard_error") == 10


def test_all_pairs_of_models_say_what_to_install():
    done = without("compare('ndcg@3', **compared, correction='tukey')")
    assert "correction='tukey' needs SciPy: pip install 'sqlrec[stats]'" in done.stderr
