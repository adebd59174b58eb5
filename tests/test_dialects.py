"""Statements in all dialects, also of engines that are not available: they parse and pass lints.

Statements run on engines in ``engines``.
"""

import re
from contextlib import nullcontext
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

import duckdb
from pytest import MonkeyPatch, mark, param, raises, warns

import sqlrec
from sqlrec.catalogue.headers import TABLES, known_columns
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.dialects import DIALECTS, RESERVED, identifier, relation, text
from sqlrec.engines.base import Engine, Unconnected
from sqlrec.engines.dbapi import DBAPI
from sqlrec.inputs.source import NUMBERS
from sqlrec.paths import sql_folder
from sqlrec.plan.build import WHOLE_KINDS
from sqlrec.rendering import templates
from sqlrec.rendering.statement import stage_count

from .dialects import COMMON, SQLFLUFF, WITH_NDCG, slow
from .engines.conftest import ENGINES
from .golden.values import is_expected
from .packages import exp, optimizer, sqlfluff, sqlglot
from .tables import of_several, prepare, settings

ROOT = Path(__file__).parent.parent
GRADED = {"relevance": "relevance"}


def every_metric():
    """Return every metric with its parameters at a cutoff, and once over whole lists."""
    for metric in sqlrec.metrics().values():
        forms = [f"{metric.name}{params}" for params in settings(metric)]
        rule = metric.entries["Cutoff"]
        yield from forms if rule == "none" else (f"{form}@10" for form in forms)
        if rule in ("a number, or all", "optional"):
            requests = (parse_metrics(f"{form}@1")[0] for form in forms)
            whole = (one.label for one in requests if "k" not in one.settings.values())
            yield f"{next(whole)}@all"
    yield "ndcg(gain=exponential, ideal=list_length)@10"
    yield "f_beta(beta=0.5)@10"


def every_default():
    """Return every metric with its default parameters."""
    for metric in sqlrec.metrics().values():
        at = "" if metric.entries["Cutoff"] == "none" else "@10"
        yield f"{metric.name}{next(settings(metric))}{at}"


def every_kind():
    """Return a metric of each kind of rows, from which statistics are computed."""
    metrics = reversed(of_several(every_default()))
    return [*{parse_metrics(one)[0].metric.rows: one for one in metrics}.values()]


OTHERS = {name: name for name in TABLES if name not in ("recs", "truth", "users")}

SHOP = {"recs": {"als": "als", "pop": "pop"}, "users": "users", "by": "country", "columns": GRADED}
LOGS = {"logs": "logs", "truth": None}
FORMS = "ndcg(gain=exponential)@5 ndcg(gain=binary)@5 map@100"
THREE_CONVENTIONS = ["ndcg@10", "ndcg(convention=sklearn)@10", "map(convention=ranx)@all"]
OF_POLICY = "ips snips clipped_ips dm dr sndr switch_dr ess max_weight matched_share "
OF_POLICY += "slate_ips(behavior=cascade, divide_by=weights) cascade_dr"
EXPECTED_FORMS = [*filter(is_expected, every_metric()), "ndcg(convention=rs_metrics)@10"]

# Together these change every rule.
ASKED = {
    "scores": OTHERS
    | SHOP
    | {
        "metrics": of_several(every_metric()),
        "by": ["country", "age"],
        "relevance_threshold": 0.5,
        "null_scores": "last",
        "duplicates": "best",
        "ties": "item_desc",
        "population": "judged",
    },
    "ranks": OTHERS
    | {
        "metrics": of_several(every_default()),
        "recs": "recs",
        "columns": {"rank": "rank", "model": "model"},
        "population": "recs",
    },
    "scores that agree with ranks": {
        "metrics": "ndcg@10 ndcg@all",
        "recs": "recs",
        "by": "country",
        "columns": {"score": "score", "rank": "rank", **GRADED},
        "population": "truth_and_recs",
    },
    "scores without missing ones": SHOP | {"metrics": FORMS, "null_scores": "drop"},
    "what is expected of equal scores": SHOP
    | {"metrics": EXPECTED_FORMS, "catalog": "catalog", "null_scores": "last", "ties": "expected"},
    "the best of equal scores": OTHERS
    | {
        "metrics": "ndcg@10 map@5 baseline_serendipity@5 map(convention=rs_metrics)@all",
        "recs": "recs",
        "columns": GRADED,
        "duplicates": "best",
        "ties": "best",
    },
    "lists without what users had": OTHERS
    | {
        "metrics": "ndcg@10 novelty@5 baseline_serendipity@5",
        "recs": "recs",
        "columns": GRADED | {"recs.rank": "rank", "model": "model"},
        "order_by": "order_by",
        "duplicates": "last",
        "seen": "drop",
    },
    "users who count by weights": SHOP
    | {
        "metrics": "ndcg@10 recall(average=pooled)@5 novelty@5",
        "history": "history",
        "columns": {},
        "weights": "age",
        "undefined": 1,
        "seen": "self",
    },
    "several conventions": SHOP | {"metrics": THREE_CONVENTIONS, "order_by": "order_by"},
    "every convention": {
        "metrics": [f"ndcg(convention={name})@10" for name in ("sqlrec", *WITH_NDCG)],
        "recs": "recs",
        "columns": {"score": "score", "rank": "rank", "model": "model", **GRADED},
        "order_by": "order_by",
    },
    "what conventions and items add": {
        "metrics": "alpha_ndcg@5 auc@5 err@5 mse@5 mrr(convention=trec_eval)@5",
        "items": "items",
        "recs": "recs",
    },
    "logs with the probabilities of a policy": LOGS
    | {"metrics": OF_POLICY, "users": "users", "by": ["country", "age"]},
    "logs that name users": LOGS | {"metrics": "ips snips", "columns": {"logs.user_id": "user_id"}},
    "logs of ranks in lists": {
        "metrics": "ips(divide_by=recommended)@5 ips@10 ctr dr switch_dr ess matched_share mrr@5",
        "logs": "logs",
        "recs": "recs",
        "users": "users",
        "by": "country",
        "columns": {"position": "position", "rank": "rank"},
    },
}
# Together these use every form of a dialect.
FEW = (
    ("what conventions and items add", "evaluation"),
    ("scores that agree with ranks", "errors"),
    ("scores without missing ones", "replicates"),
    ("logs that name users", "errors"),
)
EXPECTED = ("what is expected of equal scores", "evaluation")
COMPARISONS = ("comparison", "flips", "sizes", "signed_ranks", "blocks", "shapes", "adjusted")
OF_USERS = ("user_evaluation", "summaries", "replicates", "sampled_values", "clusters")
STATISTICS = (*OF_USERS[1:], *COMPARISONS[1:])
MACROS = ("evaluation", "errors", "violation_rows", *OF_USERS, *COMPARISONS)
# Scores and grades are not doubles here, so that a missing cast is detected.
COLUMNS = {
    **dict.fromkeys(("model", "country", *known_columns()), "varchar"),
    **dict.fromkeys(NUMBERS, "decimal"),
    **dict.fromkeys(("rank", "position", "relevance", "age"), "bigint"),
}
# Requests of a table of results, or of a comparison.
FOUND = {
    **dict.fromkeys(("model", "country", "metric", "request", "better"), "varchar"),
    **dict.fromkeys(("k", "users", "step"), "bigint"),
    **dict.fromkeys(("value", "low", "high", "difference", "p_adjusted"), "double"),
}
TYPES = dict.fromkeys(("als", "pop", *TABLES), COLUMNS) | {"results": FOUND}


def render(name, macro, dialect):
    """Return a statement of the requests, and a comparison of models if possible."""
    options = dict(ASKED[name])
    metrics, given = options.pop("metrics"), {"truth": "truth"}
    for table in TABLES:
        if table in options:
            given[table] = options.pop(table)
    if macro in COMPARISONS and {"catalog", "items"} <= given.keys():
        requests = every_default() if macro == "comparison" else every_kind()
        metrics = [one for one in requests if is_mean_of_users(*parse_metrics(one))]
    elif macro in STATISTICS and name == "scores":
        metrics = every_kind()
    given = dict.fromkeys(TABLES) | given
    errors = macro == "errors"
    job = prepare(metrics, arguments=given, **options, errors=errors, engine=Unconnected(dialect))
    drawn = {
        "baseline_model": text("pop", dialect) if macro in COMPARISONS else None,
        "cluster": job.plan.by[-1].label if macro == "clusters" and job.plan.by else None,
        "complete": name == "scores without missing ones",
        "few": 50,
        "blocks": 250,
        "found": None,
        "quantiles": [0.5, 0.9],
        "categories": [segment.name for segment in job.plan.by[:1]],
        "numbers": [segment.name for segment in job.plan.by[1:]],
    }
    plan = job.plan.numbered() if macro == "adjusted" else job.plan
    return job.render("evaluation" if errors else macro, plan, **drawn)


def is_possible(name, macro):
    """Return whether users have values, and whether there are models for a requested comparison."""
    requests = ASKED[name]
    # All statistics read the same rows, which other statements test.
    if macro in STATISTICS and name not in ("scores", "scores without missing ones"):
        return False
    if name == "every convention" and macro != "evaluation":
        return False
    # Rows that break rules belong to one set of rules.
    if macro == "violation_rows" and "convention=" in str(requests["metrics"]):
        return False
    # With errors, an evaluation has further columns.
    if name in ("scores", "ranks") and macro == "evaluation":
        return False
    if macro in COMPARISONS:
        return "model" in requests.get("columns", {}) or "als" in requests.get("recs", "")
    return macro not in OF_USERS or "recs" in requests


def is_mean_of_users(one):
    """Return whether a metric can compare models."""
    whole = one.metric.rows in WHOLE_KINDS or one.metric.parts
    return not whole and one.metric.entries["Cutoff"] != "none"


def of_64_bits(statement, dialect):
    """Return a statement with 64-bit floats for sqlglot, which reads T-SQL's float as 32-bit."""
    if dialect != "fabric":
        return statement
    return re.sub(r"\bas float\b", "as double precision", statement)


@lru_cache(1)
def parse(statement, dialect):
    """Parse a text that must be exactly one statement."""
    statement = of_64_bits(statement, dialect)
    (tree,) = sqlglot.parse(statement, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
    return tree


def forbidden(statement, dialect):
    """Return parts that an engine lacks or reads differently: decimals, types of 32 bits, ...

    A constant with an exponent is a double, with exceptions.
    """
    statement = of_64_bits(statement, dialect)
    code = re.sub(r"""--.*|'(?:\\.|''|[^'])*'|"[^"]*"|`[^`]*`""", " ", statement)
    number = r"(?<![\w.])(?:\d*\.\d+|\d+\.)(?![\de])"
    if dialect in ("postgres", "redshift", "snowflake"):
        number = r"(?<![\w.])(?:\d*\.\d+|\d+\.|\d+e[+-]?\d+)"
    words = "float float4 float32 real decimal numeric qualify lateral values"
    # Parts of DuckDB's own forms.
    words += "" if dialect == "duckdb" else " filter"
    # Functions of DuckDB that other dialects lack.
    words += "" if dialect == "duckdb" else " favg"
    words += " log2" if dialect in ("postgres", "snowflake", "bigquery", "fabric") else ""
    # Engines in which a recursion may rank its rows.
    words += "" if dialect in ("duckdb", "postgres", "clickhouse") else " recursive"
    # SQLite has no `union distinct`; BigQuery and ClickHouse have no `union` without a keyword.
    words += r" union(?!\s+all)"
    sign = r"::|%|\[|\{"
    return re.findall(rf"{number}|{sign}|\b(?:{'|'.join(words.split())})\b", code, re.IGNORECASE)


@lru_cache(1)
def typed(statement, dialect):
    """Parse a statement with the types of its expressions."""
    # DuckDB's favg is an avg with another summation, and ClickHouse's stable variance a variance.
    known = statement.replace("favg(", "avg(").replace("varSampStable(", "stddev_samp(")
    tree = parse(known, dialect)
    # The tree is changed.
    parse.cache_clear()
    tree.set("settings", None)
    # An alias of the same select is not a column: some engines do not resolve it.
    tree = optimizer.qualify.qualify(tree, dialect=dialect, schema=TYPES, expand_alias_refs=False)
    return optimizer.annotate_types.annotate_types(tree, dialect=dialect, schema=TYPES)


def not_in_doubles(statement, dialect):
    """Yield divisions and means in which no operand is a double; unknown columns are an error."""
    for node in typed(statement, dialect).find_all(exp.Div, exp.Avg):
        if not any(operand.is_type(exp.DType.DOUBLE) for operand in node.iter_expressions()):
            yield node.sql(dialect)


def floating_parts(statement, dialect):
    """Return windows partitioned by (possible) floating-point numbers, which BigQuery rejects.

    Source: BigQuery's reference of window functions; PARTITION BY does not allow FLOAT64.
    """
    if dialect == "bigquery":
        floating = (*exp.DataType.REAL_TYPES, exp.DType.UNKNOWN)
        for window in typed(statement, dialect).find_all(exp.Window):
            for part in window.args["partition_by"] or ():
                if part.is_type(*floating):
                    yield part.sql(dialect)


def loose_windows(statement, dialect):
    """Return windows with an incomplete order, and running sums without a frame.

    Exceptions: DuckDB's sort by score, which is followed by a check of ties, and rows of one item
    that are equal in all columns that are read.
    """
    for window in parse(statement, dialect).find_all(exp.Window):
        query = window.find_ancestor(exp.CTE)
        if dialect == "duckdb" and query and query.alias.endswith("scored"):
            continue
        order, frame = window.args.get("order"), window.args.get("spec")
        if isinstance(window.this, exp.RowNumber | exp.Lead | exp.Lag):
            names = {column.name for column in order.find_all(exp.Column)} if order else set()
            parts = {column.sql() for column in window.args["partition_by"] or ()}
            # Categories, aspects and groups of items have their own rows; of weights and positions,
            # no other columns are read.
            whole = {"item_id", "rank", "best_rank", "number", "user_id"}
            whole |= {"category", "aspect", "item_group", "attribute", "weight", "position"}
            if "item_id" not in parts and not names & whole:
                yield window.sql(dialect)
        # Without either it is the whole partition in all engines; equal rows have one rank.
        elif bool(order) != bool(frame) and "rank()" not in window.this.sql().lower():
            yield window.sql(dialect)


def unnamed_columns(statement, dialect):
    """Return expressions without a name, and for ClickHouse also columns of a joined table."""
    for select in parse(statement, dialect).find_all(exp.Select):
        if select.args.get("joins"):
            for column in select.expressions:
                if not isinstance(column, exp.Alias) and (
                    not isinstance(column, exp.Column) or (column.table and dialect == "clickhouse")
                ):
                    yield column.sql(dialect)


def unnamed_tables(statement, dialect):
    """Return queries in ``from`` without a name, which PostgreSQL rejects."""
    for query in parse(statement, dialect).find_all(exp.Subquery):
        if isinstance(query.parent, exp.From | exp.Join) and not query.alias:
            yield query.sql(dialect)


def reserved(statement, dialect):
    """Return unquoted names of columns and tables that are reserved words of some dialect."""
    for name in parse(statement, dialect).find_all(exp.Identifier):
        # Only Fabric has no column of that name.
        if not name.quoted and name.name in RESERVED - {"precision"}:
            yield name.name


# The limits of engines, from their documentation: the depth of expressions and of case (T-SQL error
# 125), branches of a union, tables of a join, columns of a select, and characters of a name.
# SQLite: limits.html. ClickHouse: max_ast_depth. DuckDB: max_expression_depth. PostgreSQL: its
# appendix on limits, which Redshift's quotas exceed except for columns; its names have 127
# characters. BigQuery: its lexical structure and quotas. Fabric: T-SQL's maximum capacities.
LIMITS = {
    "duckdb": {"depth": 1000},
    "sqlite": {"depth": 1000, "branches": 500, "tables": 64, "columns": 2000},
    "clickhouse": {"depth": 1000},
    "postgres": {"columns": 1664, "name": 63},
    "redshift": {"columns": 1600, "name": 127},
    "bigquery": {"columns": 10_000, "name": 300},
    "fabric": {"cases": 10, "tables": 256, "columns": 4096, "name": 128},
}


def beyond_limits(statement, dialect):
    """Return parts that are too deep, too wide or too long for an engine."""
    most = dict.fromkeys(("depth", "cases", "branches", "tables", "columns", "name"), 0)

    def count(what, number):
        most[what] = max(most[what], number)

    nodes = [(parse(statement, dialect), 0, 0, 1)]
    while nodes:
        node, depth, cases, branches = nodes.pop()
        cases += isinstance(node, exp.Case)
        branches = branches + 1 if isinstance(node, exp.Union) else 1
        depth = 0 if isinstance(node, exp.Query) else depth + 1
        for what, number in (("depth", depth), ("cases", cases), ("branches", branches)):
            count(what, number)
        if isinstance(node, exp.Select):
            count("tables", 1 + len(node.args.get("joins") or ()))
            count("columns", len(node.expressions))
        elif isinstance(node, exp.Identifier):
            count("name", len(node.name))
        nodes += [(part, depth, cases, branches) for part in node.iter_expressions()]
    for what, limit in LIMITS.get(dialect, {}).items():
        if most[what] > limit:
            yield f"{what}: {most[what]} of {limit}"


# The default limit of stages in Trino: query.max-stage-count in its properties of query management.
# The limits of bytes: Athena's fixed quota of a statement, and ClickHouse's default,
# max_query_size.
MOST_STAGES = 150
MOST_BYTES = 262_144


def unparsable(statement, dialect):
    """Return the parts that sqlfluff, with its stricter grammars, cannot parse."""
    return (
        sqlfluff.Linter(dialect=SQLFLUFF.get(dialect, dialect)).parse_string(statement).violations
    )


# Lints of types come last, because they change the parsed tree.
LINTS = (
    forbidden,
    loose_windows,
    unnamed_columns,
    unnamed_tables,
    reserved,
    beyond_limits,
    not_in_doubles,
    floating_parts,
)
STATEMENTS = [(name, macro) for name, macro in product(ASKED, MACROS) if is_possible(name, macro)]
# Statements that only engines test.
UNPRINTED = (*STATISTICS, "errors", "comparison")
PARSED = ("several conventions", "evaluation")
PARSED_SLOWLY = [
    ("scores without missing ones", macro) for macro in MACROS if macro != "user_evaluation"
]


def few_of(dialect):
    """Return the statements of FEW in a dialect: Fabric has the printed ones."""
    return [one for one in FEW if dialect != "fabric" or one[1] not in UNPRINTED]


def marked(name, macro):
    """Return the tier of a statement: the longest ones, whose rows others have too, weekly."""
    long = name == "ranks" or (name == "scores" and macro in ("user_evaluation", "comparison"))
    return mark.weekly if long else mark.slow


def broken(statement, dialect):
    """Return the findings of the lints in a statement, by name."""
    result = {lint.__name__: list(lint(statement, dialect)) for lint in LINTS}
    return {name: what for name, what in result.items() if what}


@cache
def own_forms():
    """Return the names of all forms in sql/dialects.sql, with their forms in sql/engines."""
    paths = [sql_folder() / "dialects.sql", *sorted((sql_folder() / "engines").glob("*.sql"))]
    forms = [re.findall(r"{% macro (\w+?__\w+)\(", path.read_text("utf-8")) for path in paths]
    names = {form.partition("__")[2] for form in forms[0]}
    return [form for result in forms for form in result if form.partition("__")[2] in names]


# Forms of the plain statement, of lists of items and of plots.
ELSEWHERE = {"unnested", "unpivoted"}


def forms_of(dialect):
    """Return the form of a dialect for each name: its own, its parent's, or the default."""
    known, folders = own_forms(), (dialect, DIALECTS[dialect].parent, "default")
    names = {form.partition("__")[2] for form in known} - ELSEWHERE
    named = ([f"{folder}__{name}" for folder in folders] for name in names)
    return {next(form for form in forms if form in known) for forms in named}


def used_forms(statements, dialect, write=render):
    """Return the forms in a dialect's statements."""
    templates.clear_template_caches()
    macros, used = templates._load_macros(dialect), set()

    def noted(name):
        form = getattr(macros, name)
        return lambda *given: used.add(name) or form(*given)

    with MonkeyPatch.context() as patch:
        for name in own_forms():
            patch.setattr(macros, name, noted(name))
        for one in statements:
            write(*one, dialect)
    return used


# Functions that each dialect has, or that sql/dialects.sql translates.
FUNCTIONS = {
    *("abs", "avg", "cast", "coalesce", "count", "dense_rank", "exp", "favg", "floor", "greatest"),
    *("lag", "lead", "least", "ln", "log2", "max", "min", "nullif", "power", "rank", "row_number"),
    *("sqrt", "sum"),
}


@mark.parametrize("folder", ["metrics", "rows", "rules"])
def test_templates_call_only_functions_of_every_dialect(folder):
    found = {}
    for path in (sql_folder() / folder).glob("*.sql"):
        code = re.sub(r"(?s){[#%{].*?[#%}]}|--[^\n]*|'[^'\n]*'", " ", path.read_text("utf-8"))
        found |= dict.fromkeys({*re.findall(r"\b([a-z]\w*)\(", code)} - FUNCTIONS, path.name)
    # DuckDB's form of the models.
    of_models = dict.fromkeys(("enum_range", "unnest"), "models.sql")
    assert found == (of_models if folder == "rows" else {})


def test_dialects_that_no_test_executes_are_listed():
    header = (sql_folder() / "dialects.sql").read_text("utf-8").replace("\n-- ", " ")
    run, parsed = re.findall(r"(?:statements on|dialects of) ([^.]+?)(?:\. | are parsed)", header)
    names = [{*map(str.lower, re.findall(r"[A-Z]\w+", one))} for one in (run, parsed)]
    assert names[0] - {"postgresql"} | {"postgres"} == {"duckdb", *ENGINES.values()}
    assert names[1] == {*DIALECTS} - {"duckdb", *ENGINES.values()}


def test_forms_of_dialects_are_words_dicts_or_dispatches():
    text = (sql_folder() / "dialects.sql").read_text("utf-8")
    macros = dict(re.findall(r"(?s){% macro (\w+)\((.*?){%-? endmacro", text))
    found = {name for name, body in macros.items() if re.search(r"type\(\) (?:[!=]=|in) ", body)}
    # The words, and two macros that choose no expression.
    assert found == {"in_dialect", "ranks_in_recursion", "materialized"}


@mark.slow
@mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect != "fabric"])
def test_a_few_statements_use_every_form_of_a_dialect(dialect):
    assert forms_of(dialect) <= used_forms(FEW, dialect)


class TestStatements:
    # A few statements use every form of a dialect; expected values of ties add none.
    @mark.parametrize(
        ("name", "macro", "dialect"),
        [
            *((*one, COMMON[0]) for one in (*FEW, EXPECTED)),
            # Golden texts and values have the second form.
            *slow(*((*one, COMMON[1]) for one in (*FEW, EXPECTED))),
        ],
    )
    def test_statements_keep_the_rules(self, name, macro, dialect):
        assert not broken(render(name, macro, dialect), dialect)

    # Dialects differ only in their forms, and a few statements have all of them, as tested above.
    @mark.slow
    @mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect not in COMMON])
    def test_statements_keep_the_rules_in_other_dialects(self, dialect):
        for one in few_of(dialect):
            assert not broken(render(*one, dialect), dialect), one

    @mark.parametrize(
        ("name", "macro"),
        [param(*one, marks=marked(*one)) for one in STATEMENTS if one not in (*FEW, EXPECTED)],
    )
    def test_statements_of_every_kind_keep_the_rules(self, name, macro):
        assert not broken(render(name, macro, COMMON[0]), COMMON[0])

    @mark.weekly
    @mark.parametrize("dialect", [dialect for dialect in LIMITS if dialect not in COMMON])
    def test_statements_of_all_metrics_are_within_the_limits_of_engines(self, dialect):
        # Fabric has no error function.
        statement = render("scores", "evaluation" if dialect == "fabric" else "errors", dialect)
        assert not [*beyond_limits(statement, dialect), *forbidden(statement, dialect)]

    def test_can_be_parsed_to_the_end(self):
        assert not unparsable(render(*PARSED, COMMON[0]), COMMON[0])

    @mark.slow
    @mark.parametrize("dialect", DIALECTS)
    def test_can_be_parsed_to_the_end_in_each_dialect(self, dialect):
        for one in few_of(dialect) + PARSED_SLOWLY * (dialect == COMMON[0]):
            assert not unparsable(render(*one, dialect), dialect), one


@mark.weekly
def test_statements_of_bigquery_have_no_window_partitioned_by_floats():
    """Every metric as the plain form has it, compared, and with intervals; and off-policy ones."""
    logged = {"logs": "logs", "users": "users", "by": "country"}
    every = [parse_metrics(name)[0] for name in every_default()]
    usual = [one for one in every if not one.reads("logs")]
    pairs = [one for one in usual if is_mean_of_users(one)]
    inputs = {name: name for name in TABLES if name != "logs"}
    models = inputs | {"recs": BY_COUNTRY["recs"]}
    for requests, options in (
        (usual, inputs),
        (usual, models | {"by": "country", "form": "audited"}),
        (pairs, models | {"by": "country", "compare_with": "pop"}),
        (pairs, inputs | {"interval": "normal"}),
        (["ips", "snips", "dm", "dr", "switch_dr"], logged),
    ):
        columns = GRADED if "truth" in options else {}
        text = sqlrec.sql(requests, dialect="bigquery", columns=columns, **options)
        assert not [*floating_parts(text, "bigquery"), *beyond_limits(text, "bigquery")]


@mark.slow
def test_columns_that_become_rows_are_doubles():
    """BigQuery rejects columns of several types, by its reference of UNPIVOT."""
    inputs = {name: name for name in TABLES if name != "logs"}
    requests = [one for one in every_metric() if not parse_metrics(one)[0].reads("logs")]
    statement = sqlrec.sql(of_several(requests), dialect="bigquery", columns=GRADED, **inputs)
    tree = typed(statement, "bigquery")
    queries = {query.alias: query.this for query in tree.find_all(exp.CTE)}
    result = 0
    for pivot in tree.find_all(exp.Pivot):
        types = {one.alias: one.type for one in queries[pivot.parent.name].expressions}
        names = [column.this.name for column in pivot.args["fields"][0].expressions]
        assert {types[name].this for name in names} == {exp.DType.DOUBLE}
        result += len(names)
    assert result > 200


FIVE = "ndcg@5,10,20 map@5,10,20 mrr@5,10,20 recall@5,10,20 precision@5,10,20"
SEVEN = [
    f"ndcg(convention={library})@10"
    for library in ("sqlrec", "sklearn", "ranx", "trec_eval", "rectools", "recbole", "replay")
]
BY_COUNTRY = {"recs": {"als": "als", "pop": "pop"}, "users": "users", "by": "country"}


@mark.slow
@mark.filterwarnings("ignore:convention")
def test_usual_statements_are_within_the_limits_of_trino_and_athena():
    """docs/engines.md lists the statements that need steps."""

    def printed(metrics, **options):
        given = {name: name for name in ("recs", "truth", "history", "catalog", "items")}
        return sqlrec.sql(metrics, **given | options, dialect="trino", columns=GRADED)

    for metrics, options in (
        (FIVE, BY_COUNTRY),
        (FIVE, BY_COUNTRY | {"form": "audited"}),
        (FIVE, {"recs": BY_COUNTRY["recs"], "compare_with": "pop"}),
        (FIVE, BY_COUNTRY | {"interval": "normal"}),
        ("standard@10 beyond-accuracy@10", BY_COUNTRY),
        ("standard@10 beyond-accuracy@10", {"form": "audited"}),
        (SEVEN, {}),
    ):
        text = printed(metrics, **options)
        assert stage_count(text, "trino") <= MOST_STAGES and len(text.encode()) <= MOST_BYTES
    for form, metrics, options in (
        ("plain", SEVEN, BY_COUNTRY),
        ("audited", "standard@10 beyond-accuracy@10", BY_COUNTRY),
    ):
        assert stage_count(printed(metrics, form=form, **options), "trino") > MOST_STAGES
        steps = printed(metrics, form="steps", **options).split(";\n")
        steps = [step for step in steps if "drop table" not in step]
        assert max(stage_count(step, "trino") for step in steps) <= MOST_STAGES / 5


@mark.slow
@mark.filterwarnings("ignore:convention")
def test_too_many_stages_for_trino_are_a_warning():
    given = {name: name for name in ("recs", "truth", "history", "catalog", "items")}
    text = sqlrec.sql(FIVE, **given, dialect="trino", columns=GRADED)

    def connect(self):
        raise ConnectionError("not reached without a warning")

    connection = type("Connection", (), {"__module__": "trino.dbapi", "cursor": connect})()
    with warns(
        UserWarning, match="about 172 stages, but Trino allows 150 by default: run the steps"
    ):
        large = sqlrec.sql(SEVEN, **given | BY_COUNTRY, dialect="trino", columns=GRADED)
    for requests, warned in ((large, warns(UserWarning, match="stages")), (text, nullcontext())):
        with warned, raises(ConnectionError):
            DBAPI(connection).query(requests)


# The queries of plots; see sql/plots.
ITEMS = {"recs": {"als": "als", "pop": "pop"}, "truth": "truth", "history": "history"}
NDCG, BY_CUTOFF = ITEMS | {"metrics": "ndcg@10"}, ITEMS | {"metrics": "ndcg@5,10", "by": "country"}
WEIGHTS = {"logs": "logs", "users": "users", "metrics": "effective_sample_size", "by": "country"}
PAST = {"relation": "history", "columns": {"user_id": "user_id", "item_id": "item_id"}}
SHOWN = {"shown_users": ["1", "2"], "shown_models": ["'als'"], "last_rank": 10}
PLOTS = {
    "plot_longtail": ({**ITEMS, "metrics": "popularity_count@10"}, {}),
    "plot_lorenz": ({**ITEMS, "catalog": "catalog", "metrics": "gini(items=catalog)@10"}, {}),
    "plot_ranks": ({**ITEMS, "metrics": "hit_rate@10"}, {}),
    "plot_calibration": ({**ITEMS, "items": "items", "metrics": "calibration_kl@10"}, {}),
    "plot_weights": (WEIGHTS, {}),
    "plot_pairs": (BY_CUTOFF, {}),
    "plot_differences": (BY_CUTOFF, {}),
    "plot_losers": (NDCG, {"most": 10, "either": False}),
    "plot_lists": (NDCG, SHOWN),
    "plot_activity": (BY_CUTOFF, {"user_history": PAST}),
}
# Searches of segments also have their own statement.
TASTE = {"relation": "items", "item_id": "item_id", "column": "category"}
SEARCHED = [
    {"number": 1, "label": "country", "binned": False},
    {"number": 2, "label": "age", "binned": True},
    {"number": 3, "label": "taste_3", "binned": False, **TASTE},
    {"number": 4, "label": "taste_4", "binned": True, **TASTE, "column": "price"},
    {"number": 5, "label": "past_size", "binned": True},
]
PLOTS["interactions"] = (
    NDCG | {"by": ["country", "age"]},
    {"searched": SEARCHED, "tastes": SEARCHED[2:4], "past": PAST | {"unnest": False}, "bins": 4},
)
PLOTS["value_counts"] = (NDCG, {"relation": "users", "columns": ["country", "age"]})
# Reports also read histories and titles.
HAD = {**PAST["columns"], "relation": "history", "users": ["1", "2"], "most": 10}
PLOTS["items_had"] = (NDCG, HAD)
TITLES = {"relation": "items", "item_id": "item_id", "title": "category", "ids": ["1", "2"]}
PLOTS["item_titles"] = (NDCG, TITLES)
RESULTS = {"relation": "results", "segments": ["country"], "limits": True}
PLOTS_OF_RESULTS = {
    "plot_curve": {},
    "plot_history": {},
    "plot_forest": {},
    "plot_tradeoff": {"x": "'ndcg@10'", "y": "'gini@10'", "x_sign": 1, "y_sign": -1},
}


def render_plot(macro, dialect):
    """Return the query of a plot."""
    if macro in PLOTS_OF_RESULTS:
        return templates.render(macro, RESULTS | PLOTS_OF_RESULTS[macro], dialect)
    options, more = PLOTS[macro]
    options = dict(options)
    metrics, by = options.pop("metrics"), options.pop("by", ())
    if macro not in ("plot_longtail", "plot_lorenz", "plot_calibration", "plot_weights"):
        options["columns"] = GRADED
    given = dict.fromkeys(TABLES) | {name: options.pop(name) for name in TABLES if name in options}
    job = prepare(metrics, arguments=given, by=by, **options, engine=Unconnected(dialect))
    model = {name: text("pop", dialect) for name in ("baseline_model", "shown_model")}
    return job.render(macro, **model | more)


class TestPlots:
    # Tests of plots run them on DuckDB.
    @mark.parametrize("dialect", ["snowflake"])
    @mark.parametrize("macro", [*PLOTS, *PLOTS_OF_RESULTS])
    def test_plots_keep_the_rules(self, macro, dialect):
        assert not broken(render_plot(macro, dialect), dialect)

    @mark.slow
    @mark.parametrize("dialect", ["snowflake", "bigquery"])
    def test_can_be_parsed_to_the_end(self, dialect):
        for macro in (*PLOTS, *PLOTS_OF_RESULTS):
            assert not unparsable(render_plot(macro, dialect), dialect), macro

    @mark.slow
    @mark.parametrize("dialect", DIALECTS)
    def test_use_the_forms_that_statements_use(self, dialect):
        plots = [(macro,) for macro in (*PLOTS, *PLOTS_OF_RESULTS)]
        used = used_forms(plots, dialect, render_plot)
        assert used <= used_forms(FEW, dialect)


class BigQuery(Engine):
    """A stub connection with types and a row for each query."""

    dialect = "bigquery"

    def columns(self, relation):
        texts = dict.fromkeys(("user_id", "item_id", "shop"), "VARCHAR")
        return texts | ({"score": "BIGINT"} if relation == "recs" else {"share": "DOUBLE"})

    def rows(self, sql):
        return [(1,)]


def test_bigquery_has_no_segments_of_floating_numbers():
    given = {"recs": "recs", "truth": "truth", "engine": BigQuery()}
    with raises(sqlrec.InputError, match="'share' is DOUBLE, by which BigQuery does not partition"):
        sqlrec.sql("mrr@2", by="share", **given)
    assert "shop" in sqlrec.sql("mrr@2", by="shop", **given)


class TestLints:
    """Each lint finds an example of its fault."""

    BAD = (
        (forbidden, "select 0.5 as half"),
        (forbidden, "select .5 as half"),
        (forbidden, "select cast('0.5' as REAL) as half"),
        (forbidden, "select score::bigint as score from recs"),
        (forbidden, "select item_id from recs union select item_id from truth"),
        (not_in_doubles, "select rank / 2 as half from recs"),
        (not_in_doubles, "select avg(rank) as mean from recs"),
        (loose_windows, "select row_number() over (order by score desc) as rank from recs"),
        (loose_windows, "select row_number() over (partition by user_id) as n from recs"),
        (loose_windows, "select lead(score) over (order by score asc) as next from recs"),
        (loose_windows, "select sum(rank) over (order by rank asc) as total from recs"),
        (unnamed_columns, "select count(*) from recs cross join truth"),
        (unnamed_tables, "select item_id from (select item_id from recs)"),
        (reserved, "with plan as (select rank as binary from recs) select binary from plan"),
    )
    # Faults of some dialects.
    OF_SOME = (
        (
            forbidden,
            "select count(*) filter (where rank = 1) as first_ranks from recs",
            {*DIALECTS} - {"duckdb"},
        ),
        (forbidden, "select 0.5e0 as half", {"postgres", "redshift", "snowflake"}),
        (
            floating_parts,
            "select count(*) over (partition by user_id, cast(rank as float64)) as n from recs",
            {"bigquery"},
        ),
        (
            unnamed_columns,
            "select recs.rank from recs join truth on truth.user_id = recs.user_id",
            {"clickhouse"},
        ),
    )

    def test_lints_find_bad_sql(self):
        for lint, bad, dialects in (*((*one, DIALECTS) for one in self.BAD), *self.OF_SOME):
            assert {one for one in DIALECTS if list(lint(bad, one))} == {*dialects}, bad
        assert list(not_in_doubles("select favg(rank) as mean from recs", "duckdb"))

    def test_lints_find_parts_that_are_too_deep_too_wide_or_too_long(self, monkeypatch):
        limits = {"depth": 20, "cases": 3, "branches": 4, "tables": 5, "columns": 6, "name": 7}
        monkeypatch.setitem(LIMITS, "sqlite", limits)
        bad = {
            "depth": "select " + "1 + " * 19 + "1 as many",
            "cases": f"select {'case when 1 = 1 then ' * 4} 1 {' end' * 4} as one from recs",
            "branches": " union all ".join(["select 1 as one"] * 5),
            "tables": "select 1 as one from recs" + " cross join truth" * 5,
            "columns": "select " + ", ".join(["1 as one"] * 7),
            "name": f"select 1 as {'n' * 8}",
        }
        for what, statement in bad.items():
            (result,) = beyond_limits(statement, "sqlite")
            assert result == f"{what}: {limits[what] + 1} of {limits[what]}"

    def test_stages_include_repeated_queries_of_trino(self):
        once = "with n as (select a, sum(b) as b from t group by a) select a, b from n"
        twice = f"{once} union all select a, b from n union all select a, 1 as b from n"
        window = "select t.a as a, rank() over (order by a) as b from t join u on 1 = 1"
        inner = "select distinct a from (select a from t) as x"
        counts = [stage_count(text, "trino") for text in (once, twice, window, inner)]
        assert counts == [2, 6, 4, 2]

    def test_lints_find_invalid_sql_and_several_statements(self):
        for dialect in DIALECTS:
            for bad in ("lost", "rank + 1 as next, next + 1 as after_next"):
                with raises(sqlglot.errors.OptimizeError):
                    list(not_in_doubles(f"select {bad} from recs", dialect))
            bad = "select (user_id from recs"
            assert unparsable(bad, dialect)
            with raises(sqlglot.errors.ParseError):
                parse(bad, dialect)
            with raises(ValueError):
                parse("select user_id from recs; select user_id from recs", dialect)


@mark.parametrize("dialect", DIALECTS)
class TestNames:
    """A name or text is returned unchanged, or rejected."""

    NAMES = (
        *("", " ", "a b", "-- a", "/* a", "a */", "a\nb", "a\rb", "a\tb", "a\0b", "a\u2028b"),
        *('"; drop table x; --', "'; drop table x; --", "`; drop table x; --"),
        *r"""
        " ' "" '' \ \' \" \` \n a\ `a` N'a' $$a ${x} $x :x @x #x {{x}} ? %s
        select Order user UPPER Größe 商品 1st a.b
        """.split(),
    )

    @staticmethod
    def refused(name, dialect):
        """Names and texts that no dialect, or not this one, can quote."""
        return not name.isprintable() or (dialect in ("spark", "databricks") and "${" in name)

    @staticmethod
    def meant(name, dialect):
        return name.upper() if dialect == "snowflake" and name in RESERVED else name

    def test_names_of_columns_are_quoted_or_refused(self, dialect):
        signs = {"bigquery": "\\`.", "clickhouse": "\\"}.get(dialect, "")
        for name in self.NAMES:
            if not name or self.refused(name, dialect) or set(name) & set(signs):
                with raises(sqlrec.InputError):
                    identifier(name, dialect)
                continue
            tree = parse(f"select {identifier(name, dialect)} from recs", dialect)
            (column,) = tree.expressions
            assert isinstance(column, exp.Column), name
            assert column.name == self.meant(name, dialect)
            assert not column.table, name

    def test_names_of_tables_are_quoted_or_refused(self, dialect):
        for name in ("recs", "shop.recs", "Shop.my data.order", 'a"b.c', "a'; --.recs"):
            tree = parse(f"select user_id from {relation(name, dialect)}", dialect)
            parts = [part.name for part in tree.find(exp.Table).parts]
            assert parts == [self.meant(part, dialect) for part in name.split(".")]
        for name in (".recs", "shop.", "shop..recs"):
            with raises(sqlrec.InputError):
                relation(name, dialect)

    def test_texts_are_quoted_or_refused(self, dialect):
        signs = "\\" if dialect in ("postgres", "redshift") else ""
        for value in self.NAMES:
            if self.refused(value, dialect) or set(value) & set(signs):
                with raises(sqlrec.InputError):
                    text(value, dialect)
                continue
            (constant,) = parse(f"select {text(value, dialect)}", dialect).expressions
            assert isinstance(constant, exp.Literal) and constant.is_string, value
            assert constant.this == value

    def test_reserved_words_are_known(self, dialect):
        sets = sqlfluff.dialects.dialect_selector(SQLFLUFF.get(dialect, dialect)).sets
        words = {word.lower() for word in sets("reserved_keywords")}
        assert len(words) > 10
        assert {word for word in words if re.fullmatch("[a-z_][a-z0-9_]*", word)} <= RESERVED


def test_the_words_that_duckdb_reserves_are_known():
    result = duckdb.sql(
        "select keyword_name from duckdb_keywords() where keyword_category = 'reserved'"
    ).fetchall()
    assert ("select",) in result
    assert {word for (word,) in result} <= RESERVED


class TestSnippets:
    def test_snippets_are_up_to_date(self, update):
        result = {path: path.read_text(encoding="utf-8") for path in update.SNIPPETS.glob("*/*")}
        assert result == update.snippets(), "run python docs/update.py"

    @mark.slow
    def test_snippets_read_grades_if_the_metric_does(self, update):
        for metric in sqlrec.metrics().values():
            sql = update.snippet(metric, "snowflake")
            values = re.search(r"^\w+_values as .*?^\)", sql, re.MULTILINE | re.DOTALL)[0]
            if re.search(r"\b(relevance|actual|stop_4|ideal_err_4)\b", values):
                assert "cast(relevance as " in sql, metric.name
        assert "cast(relevance as " not in update.snippet(sqlrec.metric("recall"), "duckdb")


def test_snowflake_names_are_upper_case_unless_stored():
    assert identifier("sku", "snowflake") == "sku"
    assert identifier("plan", "snowflake") == '"PLAN"'
    assert identifier("sku", "snowflake", stored=True) == '"sku"'
    assert identifier("SKU", "snowflake", stored=True) == '"SKU"'
