"""Error messages of Python and dbt.

``docs/update.py`` copies them to ``sql/dbt/catalogue.sql``. ``!r`` quotes a value from the caller.
"""

# Metrics.
METRICS = "metrics={metrics!r}: write metrics as a string, as in 'ndcg@10'"
NOT_TEXT = "invalid metric {metric!r}: write it as a string, as in 'ndcg@10'"
INVALID = "invalid metric {metric!r}: write name@k or name(param=value)@k, as in 'ndcg@10'"
UNKNOWN = "unknown metric {metric!r}: {nearest}"
NO_METRIC = "no metric given: name at least one, as in 'ndcg@10'"
DUPLICATE_METRIC = "{metric} is requested twice, as {first} and {second}: remove one"
CONVENTION = "convention={convention!r}: {nearest}"
NOT_IN_CONVENTION = "{metric}(convention={convention}): {convention} has {known}"

# Cutoffs and parameters; `text` is the caller's text.
CUTOFF = "{text!r}: a cutoff must be a whole number from 1 to {most}{or_all}"
CUTOFF_MISSING = "{text!r} has no cutoff: write {text}@10{or_all}"
DEFAULT_CUTOFF = "k={k!r}: pass one cutoff (10), several ([5, 10]) or 'all'"
EVERYTHING = "{text} selects all metrics that inputs allow, and {why}: name the metrics instead"
CUTOFF_NONE = "{text!r}: {metric} has no cutoff: write it without @{k}"
CUTOFF_NUMBER = "{text!r}: {metric}{why} needs a number as cutoff, as in @10"
PARAM = "{text!r}: {param!r} is not a parameter: write param=value"
PARAM_TWICE = "{text!r}: {param} is given twice: remove one"
PARAM_LACKS = "{text!r}: {metric} needs {param}: write {metric}({param}=...)"
PARAM_UNKNOWN = "{metric} has no parameter {param!r}: {nearest}"
PARAM_TEXT = (
    "{metric}({param}={value}): {param} must be a string without quotes, backslashes, line "
    "breaks or ${{"
)
PARAM_CHOICE = "{metric}({param}={value}): {param} must be one of {known}"
PARAM_NUMBER = "{metric}({param}={value}): {param} must be a number {limits}"

# Options.
CHOICE = "{option}={value!r}: {nearest}"
WHOLE = "{option}={value!r}: it must be a whole number from {least} to {most}"
NUMBER = "{option}={value!r}: it must be a number of at most {most}"
SUMMARY = (
    "summaries={name!r}: choose from {known}, median, p90 and other percentiles, "
    "lower_median, lower_p90"
)
MODEL = "recs has a model {model!r}: a model's name must be a string"
NOT_A_MODEL = "baseline={baseline!r} is not a model in recs: {nearest}"
ONE_MODEL = (
    "recs has one model, but a comparison needs two: pass recs={{'als': ..., 'pop': ...}}, or a "
    "table with a column 'model'"
)
NO_USERS = (
    "{title}: no per-user values, only one value for all users together; add a metric that has "
    "per-user values"
)
SEVERAL_RULES = (
    "form='check': {title} follow several sets of rules; request metrics of one convention "
    "at a time"
)

# Segments.
BY = "by={by}: give column names"
BY_TWICE = "by={by}: name each column once, as a string"
BY_NONE = "groupings='each' needs by=...: name the columns of segments"
BY_TAKEN = "by={name!r}: the result already has a column {name!r}; rename the column in your input"
BY_ALREADY = (
    "{option}={name!r}: the result already has a column {name!r}; give the segment another name: "
    "{option}='segment', columns={{'segment': {name!r}}}"
)
BY_LACKS = "{option}={name!r}: no such column in {tables}"

# Weights of users.
WEIGHTS_KIND = "weights={name!r} is {kind}: a weight must be a number; cast it"
NOT_WEIGHTED = (
    "weights={weights!r}: {metric} is not a mean over users, so it has no weighted form; request "
    "it in a call without weights"
)

# Names of columns.
COLUMNS = "columns={columns!r}: give a dict from sqlrec's names to yours"
COLUMNS_INPUT = "columns[{key!r}]: no input {table!r}: {nearest}"
COLUMNS_UNKNOWN = "columns[{key!r}]: no column {column!r}: {nearest}"
COLUMNS_TEXT = "columns[{key!r}]={column!r}: a column's name must be a string"
COLUMNS_SEVERAL = (
    "columns[{key!r}]={column!r}: only user_id and item_id can have several columns, each once"
)
COLUMNS_UNUSED = "{option}={column!r}: no input has this column; {tables}"
COLUMNS_LACKS = "columns[{key!r}]={column!r}: {table} has {columns}"
COLUMN_LACKS = "{table} has no {names}: it has {columns}. Pass your names: columns={{{keys}}}"
COLUMN_CASE = (
    "{table} has {count} columns for {name!r}: {columns}; rename them, or name one exactly: "
    "columns={{...}}"
)
COLUMN_MEANS = (
    "{table}: {column!r} would be both {first!r} and {second!r}: name another column for one of "
    "them, columns={{...}}"
)
KEY_PART = (
    "{table}.{column} is {kind}: each part of a {key} must be an integer, a string, a date or a "
    "time; cast it"
)
KEY_PARTS = (
    "{column} is {kind} in {table} but {other} in {first}: this part of a {key} must have the "
    "same type in both; cast one of them"
)
ID_FLOATING = (
    "{table}.{column} is {kind}: floating-point numbers lose digits of ids; cast it to an integer "
    "or to text"
)
IDS = (
    "{column} is {kind} in {table} but {other} in {here}: ids must have the same type; cast one of "
    "them"
)
NAME_EMPTY = "'' is not a name: write the name of a column or table"
NAME_SIGN = "{name!r} has a {sign}, which {dialect} can't quote: rename it"
NAME_BACKSLASH = "{name!r} has a backslash, which {dialect} may remove: rename it"
NAME_CONTROL = "{name!r} has a line break or another control character: rename it"
NAME_VARIABLE = "{name!r} has a ${{, which {dialect} reads as a variable: rename it"

WHERE = "where={where!r}: give a dict of conditions by input: {{'recs': 'day = 7'}}"
WHERE_INPUT = "where[{table!r}]: no input {table!r}: {nearest}"
WHERE_TEXT = "where[{table!r}]={condition!r}: a condition must be a string, as in 'day = 7'"

# Inputs, rules and metrics.
MISSING = "{table} is missing: {metric} needs a table with {columns}; give {fix}"
THRESHOLD = (
    "relevance_threshold={threshold} needs a column 'relevance' with numbers in truth{has}. Name "
    "yours: columns={{'relevance': ...}}"
)
SEEN = (
    "seen='drop' removes the items of history from lists, but history is missing: give a table "
    "with user_id and item_id, history=..., or set seen='keep'"
)
RANKS_AND_SCORES = (
    "{ranked} has ranks and {scored} has scores: give all models ranks, or all of them scores"
)
TWO_TARGETS = (
    "recs is given, but logs has a column 'target_probability': both define the evaluated policy; "
    "remove one of them"
)
CUTOFF_OF_LOGS = (
    "{metric}: a cutoff applies to recommendation lists, but recs was not given; pass recs, or "
    "write {label}"
)
ONE_POLICY = (
    "{metric}: expected_reward describes one policy, but recs has several models; evaluate each "
    "in its own call, with its own logs"
)
NO_ROW_ORDER = (
    "{option}={rule!r}: rows in {dialect} have no order; name a column of {table} that orders "
    "them, order_by='...', or give {instead!r}"
)
OTHER_RULES = (
    "rows in {dialect} have no order: {odd}, and values may differ from the library's; name a "
    "column that orders them, order_by='...'"
)
OTHER_RULE = "{instead!r} replaces {option}={rule!r}"
TIES_WITHOUT_TRUTH = (
    "ties={ties!r}: {metric} does not read the truth, which this rule needs; request it in a "
    "separate call"
)
TIES_BELOW = (
    "ties={ties!r}: {metric} counts items below the list, which have no score; give another "
    "convention"
)
TIES_EXPECTED = "ties={ties!r} is not supported for {metric}; choose from {known}"
TIES_PARAM = (
    "ties={ties!r} is not supported for {metric} with {param}={value}; change {param} or ties"
)

# Unused columns.
NOT_A_NUMBER = "{table}.{column} is {kind}: a {column} must be a number; cast it"
SEVERAL_VALUES = "{table} has a column {column!r} with {values}: give the lists of one model"
UNREAD_MODELS = (
    "{table} has an unused column {column!r} with {values}: if they are models, give "
    "columns={{'model': {column!r}}}"
)
RELATION_TEXT = (
    "{table}={relation!r} is a string, so dbt has no lineage for it and may build the table later: "
    "write ref({relation!r}) or source(...)"
)
EPHEMERAL = (
    "{table} is an ephemeral model, and dbt can't see its columns: specify its relevance "
    "column with columns={{'truth.relevance': ...}}, or materialize it as a view"
)
UNREAD_GRADES = (
    "{table} has an unused column {column!r}, so all rows are treated as relevant; if it is the "
    "grade, give columns={{'truth.relevance': {column!r}}}"
)
UNREAD_FLAGS = (
    "{table} has unused columns of zeros and ones ({columns}), so all rows are treated as "
    "relevant; if one is the grade, give columns={{'truth.relevance': {column!r}}}"
)
