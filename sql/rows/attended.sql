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
{% set better = 'sum(count(*)) over (
            partition by user_id order by relevance desc rows between unbounded preceding and current row
        ) - count(*)' %}
wanted_grades as (
    select user_id, relevance
        {{- sqlrec.chosen({'better_items': sqlrec.double(better), 'equal_items': sqlrec.double('count(*)')}, used) }}
    from relevant
    where is_relevant > 0
    group by user_id, relevance
),
attended_places as (
    select {{ sqlrec.taken(keys, 'listed') }}
        {{- sqlrec.chosen({
            'k': 'cutoffs.k' if not plan.k else none,
            'rank': 'listed.rank',
            'hit': 'coalesce(relevant.is_relevant, 0)',
            'better_items': 'wanted_grades.better_items',
            'equal_items': 'wanted_grades.equal_items',
        }, used) }}
    from listed
    {{ 'cross join cutoffs' if not plan.k }}
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {%- if sqlrec.some_of(['better_items', 'equal_items'], used) %}
    left join wanted_grades
        on wanted_grades.user_id = relevant.user_id and wanted_grades.relevance = relevant.relevance
    {%- endif %}
    where {{ sqlrec.within(plan, 'listed.rank', 'cutoffs') }} {{ sqlrec.where_asked(plan, kind, 'cutoffs', 'and') }}
),
attended as (
    select {{ sqlrec.taken(constants, 'evaluated') }}
        {{- sqlrec.chosen({
            'rank': 'attended_places.rank',
            'hit': 'attended_places.hit',
            'better_items': 'attended_places.better_items',
            'equal_items': 'attended_places.equal_items',
        }, used) }}
    from evaluated
    left join attended_places
        on {{ sqlrec.same(sqlrec.with_cutoff(plan, keys), 'attended_places', 'evaluated') }}
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
    union all
    select {{ sqlrec.taken(constants, 'evaluated') }}
        {{- sqlrec.chosen({
            'rank': 'cast(null as bigint)',
            'hit': sqlrec.double('null'),
            'better_items': 'wanted_grades.better_items',
            'equal_items': 'wanted_grades.equal_items',
        }, used) }}
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
({{ sqlrec.fading(patience, better) }} - {{ sqlrec.fading(patience, better ~ ' + ' ~ equal) }})
/ ({{ equal }} * {{ sqlrec.double(1 - patience) }})
{%- endmacro %}
