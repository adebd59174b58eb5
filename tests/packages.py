"""Packages that only some tests need, imported at their first use.

A test is skipped if its package is missing, so the group ``test`` is enough for the default tier.
"""

from pytest import importorskip


class Package:
    """A module that is imported when a test first reads an attribute."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        if attribute.startswith("_"):  # pytest looks at objects of modules before tests run.
            raise AttributeError(attribute)
        return getattr(importorskip(self._name), attribute)


def function(module, name):
    """Return a function, or a class to call, whose module is imported when it is called."""
    return lambda *inputs, **named: getattr(importorskip(module), name)(*inputs, **named)


NormalIndPower = function("statsmodels.stats.power", "NormalIndPower")
TTestPower = function("statsmodels.stats.power", "TTestPower")
api = Package("mypy.api")
deltalake = Package("deltalake")
ibis = Package("ibis")
narwhals = Package("narwhals")
jsonschema = Package("jsonschema")
mcnemar = function("statsmodels.stats.contingency_tables", "mcnemar")
multipletests = function("statsmodels.stats.multitest", "multipletests")
ols = function("statsmodels.formula.api", "ols")
optimize = Package("scipy.optimize")
pandas = Package("pandas")
polars = Package("polars")
psycopg = Package("psycopg")
pyiceberg = Package("pyiceberg.catalog.sql")
pytrec_eval = Package("pytrec_eval")
sqlalchemy = Package("sqlalchemy")
orm = Package("sqlalchemy.orm")
stats = Package("scipy.stats")
sqlfluff = Package("sqlfluff.core")
sqlglot = Package("sqlglot")
exp = Package("sqlglot.expressions")
optimizer = Package("sqlglot.optimizer")
yaml = Package("yaml")
