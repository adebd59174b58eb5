-- Made by docs/update.py from the headers of the metrics, sqlrec/plan.py and sqlrec/names.py.

-- The metrics. Of a parameter's values the first is the default; a number means any
-- number within its limits.
{% macro catalogue() %}
{{ return({
    'average_precision': {
        'rows': 'judged',
        'params': {
            'divide_by': ['relevant', 'achievable', 'hits', 'k', 'list_length'],
        },
        'limits': {},
        'aliases': ['ap', 'map'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'average_recall': {
        'rows': 'judged',
        'params': {
            'divide_by': ['hits', 'list_length'],
        },
        'limits': {},
        'aliases': ['ar', 'mar'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'cumulative_gain': {
        'rows': 'judged',
        'params': {
            'gain': ['linear', 'binary', 'exponential'],
        },
        'limits': {},
        'aliases': ['cg'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'dcg': {
        'rows': 'judged',
        'params': {
            'gain': ['linear', 'binary', 'exponential'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'f_beta': {
        'rows': 'judged',
        'params': {
            'beta': [1],
        },
        'limits': {
            'beta': 'above 0',
        },
        'aliases': ['f1', 'f'],
        'cutoff': 'a number',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'hit_rate': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['hr', 'hitrate', 'success'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'ndcg': {
        'rows': 'judged',
        'params': {
            'gain': ['linear', 'binary', 'exponential'],
            'ideal': ['achievable', 'relevant', 'list_length', 'k'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'novelty': {
        'rows': 'shown',
        'params': {
            'divide_by': ['list_length', 'k'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'precision': {
        'rows': 'judged',
        'params': {
            'divide_by': ['k', 'list_length'],
        },
        'limits': {},
        'aliases': ['p'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'r_precision': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['rprec'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'recall': {
        'rows': 'judged',
        'params': {
            'divide_by': ['relevant', 'achievable'],
        },
        'limits': {},
        'aliases': ['r'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'reciprocal_rank': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['rr', 'mrr'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
}) }}
{% endmacro %}

-- The inputs: the columns that each always has, and those that it may have.
{% macro tables() %}
{{ return({
    'recs': {
        'always': ['user_id', 'item_id'],
        'sometimes': ['score', 'rank', 'model'],
    },
    'truth': {
        'always': ['user_id', 'item_id'],
        'sometimes': ['relevance'],
    },
    'history': {
        'always': ['user_id', 'item_id'],
        'sometimes': [],
    },
    'catalog': {
        'always': ['item_id'],
        'sometimes': [],
    },
    'items': {
        'always': ['item_id'],
        'sometimes': [],
    },
    'users': {
        'always': ['user_id'],
        'sometimes': [],
    },
    'baseline': {
        'always': ['user_id', 'item_id'],
        'sometimes': ['score', 'rank'],
    },
    'logs': {
        'always': ['user_id', 'item_id'],
        'sometimes': ['position', 'target_probability'],
    },
}) }}
{% endmacro %}

-- The rules that can be switched, the default first.
{% macro rules() %}
{{ return({
    'population': ['truth', 'truth_and_recs', 'judged', 'recs'],
    'order': [none, 'score', 'rank'],
    'ties': ['item_asc', 'item_desc'],
    'duplicates': ['error', 'best'],
    'null_scores': ['error', 'last', 'drop'],
}) }}
{% endmacro %}

-- Numbers and names with a meaning.
{% macro limits() %}
{{ return({
    'whole_list': 2147483646,
    'past_every_cutoff': 2147483647,
    'largest_relevance': 1e+100,
    'largest_exponent': 1000,
    'taken': ['model', 'user_id', 'metric', 'k', 'value', 'users', 'population', 'users_evaluated', 'users_without_list', 'short_lists', 'ties_at_cutoff', 'unjudged_lists', 'repeated_rows', 'faults'],
    'whole_kinds': ['exposed', 'grouped', 'pooled', 'logged'],
    'numbers': ['distance', 'expected_reward', 'position', 'predicted_reward', 'propensity', 'rank', 'relevance', 'reward', 'score', 'target_probability', 'value'],
    'any_text': 'text',
}) }}
{% endmacro %}

-- What some dialect takes for a word of its own.
{% macro reserved_words() %}
abort add aes128 aes256 after aggregate all allowoverwrite alter always analyse analyze and anti any
append array as asc asof assert assert_rows_modified asymmetric at attach authorization
autoincrement az64 bearer bearer_token before begin between binary blanksasnull both by bytedict
cascade case cast check clone collate collation column commit commutator comprows compupdate
concurrently conflict connect connection constraint contains corresponding create credentials cross
cube current current_catalog current_date current_path current_role current_schema current_time
current_timestamp current_user current_user_id database datetime deallocate declare default
deferrable deferred define defrag delete delimiters delta delta32k desc describe detach disable
distinct do drop each else elseif emptyasnull enable encode encrypt encryption end enum escape
except exclude exclusive execute exists explain explicit explicit_ids extend extract fail false
fetch fillrecord filter final first following for foreign format freeze from full function generated
glob globaldict256 globaldict64k grant group grouping groups gscluster hash hashes having hybrid
identity if ignore ignoreblanklines ignoreheader ilike immediate in include increment index indexed
initially inner insert insert_only instead intersect interval into is isnull join json_array
json_exists json_object json_query json_table json_value lambda lateral leading left like limit
listagg localtime localtimestamp lookup lun luns lzo match_condition match_recognize materialized
merge merges minus mostly16 mostly32 mostly8 natural negator new no normalize not nothing notnull
null null_if nulls of off offline offset oid old on only open or order others outer over overlaps
parallel partition percent permissions pivot pivot_longer pivot_wider placing plan pragma preceding
prepare prewhere primary proto qualify query raise range raw readratio recover recursive references
regexp regr reindex reject rejectlog release rename replace resort respect restore restrict
returning revoke right rightarg rlike rollback rollup row rows runlength sample savepoint select
semi session_user set settings show similar skip snapshot some start strict struct summarize
symmetric sysdate system system_user table tablesample tag tdes temp temporary text255 text32k then
timestamp to top trailing transaction treat trigger trim true truncatecolumns try_cast uescape
unbounded union unique unknown unnest unpivot update user using vacuum values variadic verbose view
when whenever where window with within without
{% endmacro %}
