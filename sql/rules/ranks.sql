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

-- A condition: a match is within the cutoff.
{% macro and_reached(plan, k) -%}
{%- set within = 'matches.' ~ plan.reached_rank ~ ' <= ' ~ k -%}
and {{ '(' ~ within ~ ' or ' ~ sqlrec.at_cutoff(plan, 'shared', 'matches', k) ~ ' > 0)' if plan.shares_ranks else within }}
{%- endmacro %}

-- The weight of a match; shared discounts also count items just below the cutoff.
{% macro discount_of_match(plan) %}{{ sqlrec.at_cutoff(plan, 'shared', 'matches', 'evaluated_users.k') if plan.shares_ranks else '1 / log2(matches.rank + 1)' }}{% endmacro %}

-- The join of ranks with judgments.
{% macro judgments_of_ranks(plan) %}
    join {{ plan.relevant_once }} on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
{% endmacro %}
