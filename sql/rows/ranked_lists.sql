-- Listed: one row per item of a list, down to the largest cutoff.
--
--   model        the model of the list
--   user_id      the user
--   item_id      the item
--   rank         the rank, from 1; ranks of recs may have gaps. If rows are checked, an invalid
--                rank is null, or 0 in DuckDB (engines/duckdb.sql)
--   given_rank   the rank in recs
--   counted_rank   the number of the item in the list
--   score        its score, at most 1e100
--   rank_invalid  1 if the score is missing, or the rank is missing or below 1; else 0
--   tied         1 if the next item has the same score, else 0; only in lists ordered by score
--   order_conflict  1 if the score is missing, or if the item above has a lower score; else 0; only
--                in lists ordered by rank
--   shared_<k>   the expected discount within a cutoff, if items with equal scores are in random
--                order; only with ties=shared, which also keeps ranks below the largest cutoff that
--                have an expected discount above 0
--   ranks_above number of items with a higher score. If a group of equal scores begins within the
--                cutoffs, ties=expected keeps all its ranks
--   is_repeat    1 if the row before has the same item; only in DuckDB and Spark
--
-- List lengths: one row per list.
--
--   ranks_<k>    its ranks within a cutoff
--   tied_<k>     1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   ranks_marked, tied_marked   in DuckDB, these columns replace the columns of several cutoffs.
--                They contain the ranks as bits; if ranks are computed, ranks_marked is the length
--                of the list
--   judged_ranks, all_ranks   lists of the judged items with their ranks, and of all ranks; only in
--                DuckDB
--   violations   broken rules: a missing user, model, item, score or rank, a repeated item or rank,
--                ...
--
-- Before rows are ranked, each of these rules has a query: all_recommended, recommended
-- (rules/seen.sql), lists_read (rules/list_users.sql), distinct_items (rules/duplicates.sql).

-- The ranks of lists, after the queries that they read.
{% macro ranked_lists(plan, lists=none) %}
{% set lists = lists or plan.recs_lists %}
{{ sqlrec.all_recommended(plan, lists) }}
{{ sqlrec['seen__' ~ plan.seen](plan, lists) }}
{{ sqlrec['list_users__' ~ ('truth' if lists.of_truth else 'all')](plan, lists) }}
{{ sqlrec.invalid_rows(plan, lists) if lists.rules_of_rows }}
{{ sqlrec['duplicates__' ~ plan.duplicates](plan, lists) }}
{% if lists.is_repeat and 'refuses_repeats' in plan.properties.duplicates and adapter.type() == 'duckdb' %}
{{ sqlrec['listed_' ~ ('with_truth' if 'numbered_ranks' in plan.used else 'in_order_by_' ~ lists.order)](plan, lists) }}
{% else %}
{{ sqlrec['ordered_by_' ~ lists.order](plan, lists) }}
listed as (
    select *, {{ lists.is_repeat or 0 }} as is_repeat
    from ranks
),
{% endif %}
{% endmacro %}

{% macro ordered_by_rank(plan, lists) %}
-- {{ lists.title }} by rank{{ ', which is null where it breaks a rule' if plan.audit }}.
ranks as (
    select model, user_id, item_id, score, given_rank,
        {{ 'case when given_rank >= 1 then given_rank end' if plan.audit else 'given_rank' }} as rank,
        case when given_rank >= 1 then 0 else 1 end as rank_invalid,
        case
            when score is null then 1
            when lag(score) over (partition by model, user_id order by given_rank asc, {{ sqlrec.by_item('asc') }}) < score then 1
            else 0
        end as order_conflict,
        row_number() over (partition by model, user_id order by given_rank asc, {{ sqlrec.by_item('asc') }}) as counted_rank
    from distinct_items
    {{ sqlrec.where_given(plan, lists) }}
),
{% endmacro %}

-- Equal scores are ordered by item, so no two rows are tied.
{% macro ordered_by_score(plan, lists) %}
{{ sqlrec.recommendations_with_grades(plan, lists) if lists.sorts_by_grade }}
{% set form = {'duckdb': 'ranked_in_two_steps', 'spark': 'ranked_before_shuffle', 'databricks': 'ranked_before_shuffle'}.get(adapter.type()) %}
{% if plan.audit and form %}
{{ sqlrec[form](plan, lists) }}
{% else %}
-- {{ lists.title }} from the best score down.
ranked as (
    select model, user_id, item_id, score,
        row_number() over (partition by model, user_id order by {{ lists.by_score }}, {{ lists.among_equals }}) as rank,
        rank() over (partition by model, user_id order by {{ lists.by_score }}) - 1 as ranks_above,
        case when score is null then 1 else 0 end as rank_invalid,
        case
            when lead(score) over (partition by model, user_id order by {{ lists.by_score }}, {{ lists.among_equals }}) = score then 1
            else 0
        end as tied
    from {{ lists.rows_ranked }}
),
{% endif %}
{{ sqlrec.shared_ranks(plan, lists) if lists.shares_ranks }}
ranks as (
    select *, rank as counted_rank
    from {{ 'sharing' if lists.shares_ranks else 'ranked' }}
    {% if lists.is_cut %}
    where {{ 'ranks_above < ' if lists.keeps_equal_scores else 'rank <= ' }}{{ lists.last_rank }}
    {{- ' or shared_' ~ plan.cutoff_names[plan.depth] ~ ' > 0' if lists.shares_ranks and plan.depth == lists.last_rank }}
    {% endif %}
),
{% endmacro %}

-- Spark cuts lists before it shuffles their rows, but only if a query has no windows other than
-- ranks.
{% macro ranked_before_shuffle(plan, lists) %}
-- {{ lists.title }} from the best score down.
scored as (
    select model, user_id, item_id, score,
        row_number() over (partition by model, user_id order by {{ lists.by_score }}, {{ lists.among_equals }}) as rank,
        rank() over (partition by model, user_id order by {{ lists.by_score }}) - 1 as ranks_above
    from {{ lists.rows_ranked }}
),

-- The item below the last rank shows whether that rank is tied.
ranked as (
    select model, user_id, item_id, score, rank, ranks_above,
        case when score is null then 1 else 0 end as rank_invalid,
        case
            when lead(score) over (partition by model, user_id order by rank asc) = score then 1
            else 0
        end as tied
    from scored
    {{ 'where rank <= ' ~ (lists.last_rank + 1) if lists.is_cut and not (lists.keeps_equal_scores or lists.shares_ranks) }}
),
{% endmacro %}

{% macro lengths_of_lists(plan, lists=none) %}
{% set lists = lists or plan.recs_lists %}
{% set count = 'cast(count({}) as bigint)' if adapter.type() == 'clickhouse' else 'count({})' %}
-- The length of each {{ 'list of the baseline' if lists.side == 'baseline_' else 'list' }}.
list_lengths as (
    select model, user_id,
        {% if plan.audit and adapter.type() == 'duckdb' %}
        {{ sqlrec.columns_of_lengths(plan, lists) }}
        {% else %}
        {% for k, end in plan.cutoff_names.items() %}
        {{ count | replace('{}', 'case when rank <= ' ~ k ~ ' then 1 end' if plan.audit or k != plan.whole_list else '*') }} as ranks_{{ end }},
        {{ 'max(case when rank = ' ~ k ~ ' then tied else 0 end)' if lists.order == 'score' else 0 }} as tied_{{ end }},
        {% endfor %}
        {% endif %}
        case when user_id is null {{ 'or model is null ' if 'model' in lists.list_keys }}then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {{ sqlrec.broken_rules_of_list(plan, lists) if plan.audit }} as violations
    from listed
    {{ sqlrec.where_counted(plan, lists) if plan.audit or lists.keeps_equal_scores }}
    group by model, user_id
),
{% endmacro %}
