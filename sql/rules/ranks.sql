-- The ranks of lists in which hits are counted: some rules of libraries replace the query
-- `listed`.

-- Ranks with their number in the list; ranks of recs may have gaps.
{% macro counted_by_rank(plan) %}
counted_ranks as (
    select *, row_number() over (partition by model, user_id order by rank asc, {{ sqlrec.by_item('asc') }}) as counted_rank
    from listed
),
{% endmacro %}
{% macro counted_by_score(plan) %}
counted_ranks as (
    select *, rank as counted_rank
    from listed
),
{% endmacro %}

-- once: a repeated item is a hit only at its first rank.
{% macro first_ranks(plan) %}
first_ranks as (
    select model, user_id, item_id, min(rank) as rank, min(counted_rank) as counted_rank
    from {{ plan.found_ranks }}
    group by model, user_id, item_id
),
{% endmacro %}
