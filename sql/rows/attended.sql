-- Attended: what a list gives attention to, and what it should. One row per model, user, cutoff and place
-- of the list within k; and one per model, user, cutoff and grade of the user's relevant items. A user
-- with neither has one row all the same, in which the columns are null.
--
-- The same in all rows of a user and cutoff:
--
--   k               the cutoff
--   list_length     the places of the list, at most k
--   relevant_items  how many items are relevant to the user
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--
-- Row by row:
--
--   rank            the place, from 1; null in rows of grades
--   hit             1 where its item is relevant, else 0
--   better_items    how many items are more relevant to the user than this item or grade; null for an
--                   item that is not relevant
--   equal_items     how many are as relevant, with itself; null for an item that is not relevant

{% macro attended(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set constants = sqlrec.attended_keys(plan, used) %}
wanted_grades as (
    select
        user_id,
        relevance,
        {{ sqlrec.double('sum(graded_items) over (
            partition by user_id order by relevance desc
            rows between unbounded preceding and current row
        ) - graded_items') }} as better_items,
        {{ sqlrec.double('graded_items') }} as equal_items
    from (
        select user_id, relevance, count(*) as graded_items
        from relevant
        where is_relevant > 0
        group by user_id, relevance
    ) as grades
),
attended_places as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        {{ 'cutoffs.k as k,' if not plan.k }}
        listed.rank as rank,
        coalesce(relevant.is_relevant, 0) as hit,
        wanted_grades.better_items as better_items,
        wanted_grades.equal_items as equal_items
    from listed
    {{ 'cross join cutoffs' if not plan.k }}
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join wanted_grades
        on wanted_grades.user_id = relevant.user_id
        and wanted_grades.relevance = relevant.relevance
    where {{ sqlrec.within(plan, 'listed.rank', 'cutoffs') }} {{ sqlrec.where_asked(plan, kind, 'cutoffs', 'and') }}
),
attended as (
    select
        {{ sqlrec.taken(constants, 'evaluated') }},
        attended_places.rank as rank,
        attended_places.hit as hit,
        attended_places.better_items as better_items,
        attended_places.equal_items as equal_items
    from evaluated
    left join attended_places
        on {{ sqlrec.same(keys, 'attended_places', 'evaluated') }}
        {{ 'and attended_places.k = evaluated.k' if not plan.k }}
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
    union all
    select
        {{ sqlrec.taken(constants, 'evaluated') }},
        cast(null as bigint) as rank,
        {{ sqlrec.double('null') }} as hit,
        wanted_grades.better_items as better_items,
        wanted_grades.equal_items as equal_items
    from evaluated
    join wanted_grades on wanted_grades.user_id = evaluated.user_id
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
),
{% endmacro %}

{% macro attended_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used) + ['relevant_items'] | select('in', used) | list) }}{% endmacro %}

{% macro attended_population(plan) %}{{ plan.population }}{% endmacro %}

-- The attention that each of some equally relevant items deserves, below some better ones: the mean of
-- what their places give.
{% macro deserved_attention(patience, better, equal) -%}
({{ sqlrec.fading(patience, sqlrec.double(better)) }} - {{ sqlrec.fading(patience, sqlrec.double(better ~ ' + ' ~ equal)) }})
/ ({{ equal }} * {{ sqlrec.double(1 - patience) }})
{%- endmacro %}
