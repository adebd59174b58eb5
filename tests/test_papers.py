"""Tables for papers: TeX compiles them with any names of models."""

import shutil
import subprocess
import warnings

from pytest import fixture, mark

import sqlrec

from .tables import lists, wanted

# All special characters of LaTeX and Markdown, and letters beyond ASCII.
HOSTILE = (
    "100%_{of}|<b>&\\x~^#$\"'`*[--]@?!",
    '#set text(red) *b* _i_ `c` $x$ <l> @r "q" \\',
    "\\input{/etc/passwd} \\\\ & \\end{table}",
    "[2em] first",
    "* star",
    "naïve Söhne, café",
)
USERS = [f"u{number}" for number in range(40)]


@fixture(scope="module")
def results():
    """Return every result with its own layout, of models with such names."""
    recs = {
        name: lists({user: "abcdef"[rank:] + "xyz" for user in USERS[rank * 3 :]})
        for rank, name in enumerate(HOSTILE)
    }
    truth = {user: "abcd"[number % 4 :] for number, user in enumerate(USERS)}
    inputs = {"recs": recs, "truth": wanted(truth)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        by = {"by": "country", "users": wanted({user: [f"a_{user[-1]}&"] for user in USERS})}
        by["users"] = by["users"].rename_columns(["user_id", "country"])
        result = sqlrec.evaluate(
            "ndcg@1,5 map@5 f_beta(beta=2)@5 gini@5", **inputs, interval="t", summaries="p90"
        )
        actual = sqlrec.compare("ndcg@1,5", **inputs, baseline=HOSTILE[0])
        return {
            "result": result,
            "segments": sqlrec.evaluate(
                "ndcg@1,5", **inputs, **by, interval="bootstrap", replicates=100
            ),
            "user-counts": result.user_counts,
            "comparison": actual,
            "models": actual.by_model(),
            "worse": actual.worse(),
            "check": sqlrec.check("ndcg@5 >= 0.5; ndcg@5 <= 0.9", **inputs),
            "explanation": sqlrec.explain("ndcg@5", **inputs, conventions=["ranx", "lenskit"]),
        }


NAMES = "result segments user-counts comparison models worse check explanation".split()


@mark.weekly
@mark.parametrize("name", NAMES)
def test_latex_compiles(name, results, tmp_path):
    program = shutil.which("pdflatex")
    assert program, "apt-get install texlive-latex-recommended"
    (tmp_path / "table.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
        f"{results[name].to_latex(label='tab:one')}\n\\end{{document}}\n",
        encoding="utf-8",
    )
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0 and (tmp_path / "table.pdf").exists(), done.stdout[-2000:]
    # A character that is in no font is not an error in TeX.
    assert "Missing character" not in (tmp_path / "table.log").read_text(errors="replace")


@mark.parametrize("name", NAMES)
def test_markdown_is_a_table_of_as_many_columns_in_each_row(name, results):
    rows = [line for line in results[name].to_markdown().splitlines() if line.startswith("|")]
    widths = {line.replace("\\\\", "").replace("\\|", "").count("|") for line in rows}
    assert len(widths) == 1 and len(rows) > 2
    assert "<" not in "".join(rows)


def test_a_title_of_one_metric_names_it_as_papers_do():
    inputs = {"recs": {name: lists({"u": "ab", "v": "ba"}) for name in "xy"}}
    inputs["truth"] = wanted({"u": "a", "v": "a"})
    text = sqlrec.compare("ndcg@1", **inputs, baseline="y").to_latex()
    assert "\\caption{NDCG@1 $\\uparrow$, x compared with y." in text


def test_latex_needs_only_booktabs_and_has_the_test_in_its_caption(results):
    text = results["models"].to_latex()
    assert "\\toprule" in text and "\\hline" not in text and "|" not in text.partition("\n\\top")[0]
    caption = next(line for line in text.splitlines() if line.startswith("\\caption{"))
    tests = "p: McNemar's mid-p test or permutation test of all signs, Holm's correction in"
    assert tests in caption
    assert f"sqlrec {sqlrec.__version__}" in caption
    assert "NDCG" in text and "ndcg" not in text
    own = results["models"].to_latex(caption="50 % & more", label="tab:a")
    assert "\\caption{50 \\% \\& more}\n\\label{tab:a}" in own
