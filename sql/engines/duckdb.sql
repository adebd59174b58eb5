-- Faster forms of queries for DuckDB. Each form returns the rows of the query with the same name in sql/rows. The forms
-- are used if rows are checked; the plain form uses the common queries.
--
-- Rows are sorted by item, so equal items are adjacent. If ids are integers, comparing each row
-- with the row before is faster than counting distinct items. DuckDB sorts narrow rows faster, so
-- an invalid rank is stored as 0 and not marked in a column.

{% macro listed_in_order_by_rank(plan, lists) %}
{{ sqlrec.narrow_ranks(plan, lists) }}
-- Rows are sorted by item, so equal items are adjacent; repeats below the cutoff are allowed.
listed as (
    select model, user_id, item_id, score, given_rank, rank, counted_rank, order_conflict,
        case when rank = 0 then 1 else 0 end as rank_invalid,
        {{ lists.is_repeat }} as is_repeat
    from (select * from ranks order by user_id, model, item_id, rank) as in_order
),
{% endmacro %}

{% macro listed_in_order_by_score(plan, lists) %}
{{ sqlrec.ordered_by_score(plan, lists) }}
-- Rows are sorted by item, so equal items are adjacent; repeats below the cutoff are allowed.
listed as (
    select *, {{ lists.is_repeat }} as is_repeat
    from (select * from ranks order by user_id, model, item_id{{ ', rank' if lists.keeps_equal_scores }}) as in_order
),
{% endmacro %}

-- One sort finds hits and repeats.
{% macro listed_with_truth(plan, lists) %}
{{ sqlrec.narrow_ranks(plan, lists) }}
-- Rows are sorted by item, so equal items are adjacent; repeats below the cutoff are allowed.
-- Judgments have rank -1, so each comes just before the rank of the same item.
listed as (
    select model, user_id, item_id, score, given_rank, rank, order_conflict,
        case when rank = 0 then 1 else 0 end as rank_invalid,
        {{ lists.is_repeat }} as is_repeat,
        lag(rank) over () as rank_before
    from (
        select *
        from (
            select * from ranks
            union all by name
            select 'recs' as model, user_id, item_id, -1 as rank from relevant
        ) as with_truth
        order by user_id, model, item_id, rank
    ) as in_order
),
{% endmacro %}

{% macro narrow_ranks(plan, lists) %}
-- {{ lists.title }} by rank; a rank below 1 becomes 0.
ranks as (
    select model, user_id, item_id, score, given_rank,
        case when given_rank >= 1 then given_rank else 0 end as rank,
        case
            when score is null then 1
            when lag(score) over (partition by model, user_id order by given_rank asc, item_id asc) < score then 1
            else 0
        end as order_conflict,
        row_number() over (partition by model, user_id order by given_rank asc, item_id asc) as counted_rank
    from distinct_items
    {{ sqlrec.where_given(plan, lists) }}
),
{% endmacro %}

-- Lists are sorted only by score, and only tied rows are sorted again by item. This is a quarter
-- less work if few scores are equal.
{% macro ranked_in_two_steps(plan, lists) %}
-- {{ lists.title }} from the best score down.
scored as (
    select *,
        rank() over (partition by user_id, model order by {{ lists.by_score }}) as first_rank,
        row_number() over (partition by user_id, model order by {{ lists.by_score }}) as some_rank,
        coalesce(lead(score) over (partition by user_id, model order by {{ lists.by_score }}) = score, score is null) as before_equal
    from {{ lists.rows_ranked }}
),
ranked as (
    select model, user_id, item_id, score,
        first_rank as rank,
        first_rank - 1 as ranks_above,
        case when score is null then 1 else 0 end as rank_invalid,
        0 as tied
    from scored
    where first_rank = some_rank and not before_equal and first_rank <= {{ lists.last_rank }}
    union all
    select model, user_id, item_id, score,
        first_rank - 1 + row_number() over (partition by model, user_id, first_rank order by {{ lists.among_equals }}) as rank,
        first_rank - 1 as ranks_above,
        case when score is null then 1 else 0 end as rank_invalid,
        case
            when score is not null and row_number() over (partition by model, user_id, first_rank order by {{ lists.among_equals }})
                < count(*) over (partition by model, user_id, first_rank) then 1
            else 0
        end as tied
    from scored
    where (first_rank < some_rank or before_equal) and first_rank <= {{ lists.last_rank }}
),
{% endmacro %}

-- The truth, sorted by item.
{% macro judgments_in_order(plan) %}
-- Rows are sorted by item, so equal items are adjacent.
judgments as (
    select *, {{ plan.is_repeat }} as is_repeat
    from (select * from judgments_counted order by user_id, item_id) as in_order
),
{% endmacro %}

-- Empty if ids are not integers, since only rows with integer ids are sorted.
{% macro duckdb__repeats_previous_row(plan, keys, order) -%}
{%- if plan.whole_ids and (keys == ['user_id'] or plan.recs[0].models) -%}
case when {% for key in keys %}{{ key }} = lag({{ key }}) over () and {% endfor %}item_id = lag(item_id) over () then 1 else 0 end
{%- endif -%}
{%- endmacro %}

-- DuckDB marks ranks as bits of one number, which is faster than counting them for each cutoff. A
-- bigint has bits for 62 ranks, a hugeint for 124; deeper ranks are counted.
{% macro columns_of_lengths(plan, lists) %}
{% set last = lists.last_counted %}
        {% for name, mark in lists.marked.items() %}{{ mark.column }} as {{ name }}_marked, {% endfor %}
        {% for k, end in plan.cutoff_names.items() if not lists.marked %}
        {% set reached = [k, last] | min %}
        {{ 'cast(least(count(*), ' ~ k ~ ') as bigint)' if lists.is_dense
            else 'cast(bit_count(' ~ sqlrec.marked_ranks(last) ~ ' & ' ~ (2 ** (reached + 1) - 1) ~ ') as bigint)' if reached <= 124
            else 'count(case when rank <= ' ~ k ~ ' then 1 end)' }} as ranks_{{ end }},
        {% endfor %}
        {% for k, end in plan.cutoff_names.items() if not lists.marked %}
        {{ 0 if lists.order == 'rank' or k > last
            else 'max(case when rank = ' ~ k ~ ' then tied else 0 end)' if k > 124
            else '(' ~ sqlrec.marked_ranks(last, 'tied') ~ ' >> ' ~ k ~ ') & 1' }} as tied_{{ end }},
        {% endfor %}
        {{ sqlrec.columns_of_gathered_ranks() if 'numbered_ranks' in plan.used }}
{% endmacro %}
{% macro marked_ranks(last_rank, mark=1) -%}
bit_or(case when rank between 1 and {{ 62 if last_rank <= 62 else 124 }} then cast({{ mark }} as {{ sqlrec.type_of_marks(last_rank) }}) << rank else 0 end)
{%- endmacro %}
{% macro type_of_marks(last_rank) %}{{ 'bigint' if last_rank <= 62 else 'hugeint' }}{% endmacro %}

-- For deep ranks, a bit string replaces the number. A rank below 1 breaks another rule.
{% macro duckdb__repeated_ranks(last_rank) -%}
count(*) - bit_count({{ sqlrec.marked_ranks(last_rank) }})
{%- if last_rank > 124 %}
        - coalesce(bit_count(bitstring_agg(case when rank between 125 and 1000 then rank end, 125, 1000)), 0)
        - coalesce(list_unique(list(rank) filter (where rank > 1000)), 0)
{%- endif -%}
{%- endmacro %}

-- For several cutoffs: a column for the lengths of a list, a column that marks ties, and their
-- values at k. Ranks are bits of a number. Computed ranks have no gaps, so the number of ranks is
-- enough. Joins then need two columns, instead of two columns for each cutoff.
{% macro marked_lengths(plan, lists) %}
{% if adapter.type() != 'duckdb' or plan.k or not plan.cutoffs or plan.cutoffs | max > 124 %}{{ return({}) }}{% endif %}
{% set last_counted, scored = lists.last_counted, lists.order == 'score' %}
{{ return({
    'ranks': {'column': 'count(*)', 'at': 'case when {marked} > {k} then {k} else {marked} end'} if lists.is_dense else {
        'column': sqlrec.marked_ranks(last_counted),
        'at': 'cast(bit_count({marked} & ((cast(1 as ' ~ sqlrec.type_of_marks(plan.cutoffs | max) ~ ') << ({k} + 1)) - 1)) as bigint)',
    },
    'tied': {
        'column': sqlrec.marked_ranks(last_counted, 'tied') if scored else 0,
        'at': '({marked} >> {k}) & 1' if scored else '{marked}',
    },
}) }}
{% endmacro %}

-- If a statement has only hits, and each user has a single list by rank, list lengths contain the
-- judged ranks and all ranks as values. They are aggregated over lists that are sorted together
-- with the truth. One sort then finds hits and repeats, and rows are read once, which takes a
-- quarter less time. A statement that does not read numbered_ranks sorts only lists.
{% macro columns_of_gathered_ranks() -%}
list({'rank': rank, 'item_id': item_id}) filter (where is_repeat = 1 and rank_before < 0) as judged_ranks,
        list_sort(list(rank) filter (where rank > 0)) as all_ranks,
{%- endmacro %}
{% macro gathered_ranks(plan) %}
-- The judged ranks of each list.
gathered_ranks as (
    select 'recs' as model, user_id, all_ranks, unnest(judged_ranks, recursive := true)
    from list_lengths
),
-- These ranks, numbered within the list, since ranks of recs may have gaps.
numbered_ranks as (
    select *, case when all_ranks[rank] = rank then rank else list_position(all_ranks, rank) end as counted_rank
    from gathered_ranks
),
{% endmacro %}

-- Sums for several cutoffs, without a row for each hit and cutoff. The sum within a cutoff is the
-- running sum at the last match within the cutoff. With 50 cutoffs, this takes half the time.

-- The sums and maxima over columns of matches that the metrics contain, by name; and the metrics'
-- columns, in which these names replace the sums. For ndcg and recall:
--
--   sums     {'sum(hit * discount)': 'running_1', 'sum(hit)': 'running_2'}
--   columns  {'ndcg': 'running_1 / ideal_dcg', 'recall': 'running_2 / nullif(relevant_items, 0)'}
--
-- Metrics are text, so a regular expression finds their aggregates. The form is not used, which
-- never changes a value, if what remains of a metric contains another word than its keys and
-- words_of_values, such as min or count, or if a sum contains another column than columns of matches,
-- such as precision_lead, which depends on lower ranks.
{% macro running_sums(plan, kind, columns) %}
{% if adapter.type() != 'duckdb' or kind.name != 'hits' or plan.k or plan.shares_ranks or plan.reached_rank != 'rank' %}{{ return(none) }}{% endif %}
{% set sums, values, used = {}, {}, sqlrec.identifiers(columns.values() | join(' ')) %}
{% for column, expression in columns.items() %}
{% set value = namespace(sql=expression) %}
{% for aggregate in modules.re.findall(sqlrec.running_aggregate(), expression) %}
{% set value.sql = value.sql | replace(aggregate, sums.setdefault(aggregate, 'running_' ~ (sums | length + 1))) %}
{% endfor %}
{% set _ = values.update({column: value.sql}) %}
{% endfor %}
{% set known = sqlrec.kind_keys(plan, kind, used) + sums.values() | list + sqlrec.words_of_values() %}
{% set unknown = sqlrec.identifiers(values.values() | join(' ') | lower) | reject('in', known) | list %}
{% set unsummed = sqlrec.column_names(sums | join(' ')) | reject('in', sqlrec.entry_names(sqlrec.columns_of_match(plan, used))) | list %}
{{ return({'sums': sums, 'columns': values} if sums and not unknown and not unsummed else none) }}
{% endmacro %}

-- The words that are allowed outside of sums: scalar functions, types and keywords.
{% macro words_of_values() %}
{{ return([
    'abs', 'and', 'as', 'bigint', 'case', 'cast', 'coalesce', 'double', 'else', 'end', 'exp', 'greatest',
    'least', 'ln', 'log2', 'null', 'nullif', 'or', 'power', 'round', 'sqrt', 'then', 'when'
]) }}
{% endmacro %}

-- The pattern of an aggregate with up to six levels of brackets.
{% macro running_aggregate() %}
{% set inner = namespace(pattern='[^()]*') %}
{% for _ in range(6) %}{% set inner.pattern = '[^()]*(?:[(]' ~ inner.pattern ~ '[)][^()]*)*' %}{% endfor %}
{{ return('\\b(?:sum|max)[(]' ~ inner.pattern ~ '[)]') }}
{% endmacro %}

{% macro hits_by_running_sums(plan, used, sums) %}
{{ sqlrec.matches(plan, used) }}
-- Running sums over the matches. A sum is valid until the next match; users without a match have a
-- row of zeros.
running_hits as (
    select {{ plan.list_keys | join(', ') }}, rank,
        lead(rank, 1, 2147483647) over (partition by {{ plan.list_keys | join(', ') }} order by rank asc) as next_rank,
        {% for aggregate, name in sums.items() %}
        {{ aggregate }} over (partition by {{ plan.list_keys | join(', ') }} order by rank asc rows between unbounded preceding and current row) as {{ name }}{{ ',' if not loop.last }}
        {% endfor %}
    from (
        select {{ sqlrec.columns_of(plan.list_keys, 'matches') }},
            {{ sqlrec.columns_of_match(plan, used) }}
        from (
            select * from matches
            union all by name
            select cast(null as bigint) as rank
        ) as matches
    ) as matches_and_none
),
-- The sums of each user within the cutoff.
hits as (
    select
        evaluated_users.*,
        {% for name in sums.values() %}
        case when running_hits.rank is null then without_match.{{ name }} else running_hits.{{ name }} end as {{ name }}{{ ',' if not loop.last }}
        {% endfor %}
    from evaluated_users
    left join running_hits on {{ sqlrec.equal_columns(plan.list_keys, 'running_hits', 'evaluated_users') }} and running_hits.rank <= evaluated_users.k and running_hits.next_rank > evaluated_users.k
    cross join (select * from running_hits where user_id is null) as without_match
),
{% endmacro %}
