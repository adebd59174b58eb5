-- Lines: where an item that the truth repeats makes as many lines of a list, one row per such line, and
-- one per place of an item that is not relevant.
--
--   place   the place of the list
--   rank    the number of the line, from 1
--
-- Line counts: how many lines the places within a cutoff make, which then are the list's length.

{% macro lines(plan) %}
{% set keys = plan.list_keys %}
-- The lines of each list: its places, where an item that the truth repeats makes as many.
lines as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.item_id as item_id,
        listed.rank as place,
        row_number() over (partition by {{ sqlrec.names(keys, 'listed') }} order by listed.rank asc) as rank
    from listed
    left join relevant
        on relevant.user_id = listed.user_id
        and relevant.item_id = listed.item_id
        and relevant.is_relevant > 0
),
-- How many lines the places within a cutoff make.
line_counts as (
    select
        {{ sqlrec.taken(keys, 'lines') }},
        {{ 'cutoffs.k as k,' if not plan.k }}
        count(*) as list_length
    from lines
    {{ 'cross join cutoffs' if not plan.k }}
    {{ sqlrec.where_within(plan, 'lines.place', 'cutoffs') }}
    group by {{ sqlrec.names(keys, 'lines') }}{{ ', cutoffs.k' if not plan.k }}
),
{% endmacro %}
