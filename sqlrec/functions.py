"""The public functions: methods of a dataset that is opened for one call.

``docs/update.py`` writes their signatures to ``functions.pyi``, for editors and type checkers.
"""

from __future__ import annotations

from .dataset import Dataset, as_function
from .options import ComparisonInputs, OtherInputs, ReportInputs

evaluate = as_function(Dataset.evaluate)
# The segments of a comparison can be columns of these inputs.
compare = as_function(Dataset.compare, ComparisonInputs, later=("history", "items", "users"))
check = as_function(Dataset.check)
explain = as_function(Dataset.explain)
sql = as_function(Dataset.sql)
unsampled = as_function(Dataset.unsampled, OtherInputs)
power = as_function(Dataset.power, OtherInputs, "analyses.power", ("results",))
plot = as_function(Dataset.plot, OtherInputs, "analyses.plot", ("results",))
report = as_function(Dataset.report, ReportInputs, "reports.report", ("results", "comparison"))
