-- Attended: the attention that a list gives, and the attention that its items deserve. One row per model, user, cutoff and place
-- of the list within k; and where a metric mentions equal_items, one per model, user, cutoff and grade of the
-- user's relevant items. A user with neither still has one row, in which the columns are null.
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
--   attention_<p>   the attention of a user who goes on from each place to the next with probability p:
--                   p^(rank - 1); null in rows of grades
--   deserved_<p>    the mean attention over the places of items of this grade in the best list; null
--                   for an item that is not relevant
--   equal_items     how many items of the user have this grade, in its row; null in rows of places

{% macro attended(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set constants = sqlrec.attended_keys(plan, used) %}
{% set attention, deserved, no_attention = {}, {}, {} %}
{% for name in sqlrec.starting(used, 'attention_') %}
{% set _ = attention.update({name: sqlrec.fading(sqlrec.from_name(name[10:]) | float, 'listed.rank - 1')}) %}
{% set _ = no_attention.update({name: sqlrec.double('null')}) %}
{% endfor %}
{% set better = 'sum(count(*)) over (partition by user_id order by relevance desc rows between unbounded preceding and current row) - count(*)' %}
{% for name in sqlrec.starting(used, 'deserved_') %}
{% set patience = sqlrec.from_name(name[9:]) | float %}
{% set _ = deserved.update({name: sqlrec.fading(patience, better) ~ ' * ' ~ sqlrec.mean_attention(patience, 'count(*)')}) %}
{% endfor %}
{% if deserved %}
-- Each user's relevant items by grade, with the attention that one of them deserves.
wanted_grades as (
    select user_id, relevance
        {{- sqlrec.chosen({'equal_items': sqlrec.double('count(*)')}, used) ~ sqlrec.chosen(deserved, used) }}
    from relevant
    {{ 'where is_relevant > 0' if not sqlrec.reads_relevant_alone(plan, used) }}
    group by user_id, relevance
),
{% endif %}
-- The places of lists, with the attention that each gets.
attended_places as (
    select {{ sqlrec.taken(keys, 'listed') }}
        {{- sqlrec.chosen({
            'k': 'cutoffs.k' if not plan.k else none,
            'rank': 'listed.rank',
            'hit': 'coalesce(relevant.is_relevant, 0)',
        }, used) ~ sqlrec.chosen(attention, used) ~ sqlrec.chosen(sqlrec.columns_of('wanted_grades', deserved), used) }}
    from listed
    {{ 'cross join cutoffs' if not plan.k }}
    {%- if deserved or 'hit' in used %}
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {%- endif %}
    {%- if deserved %}
    left join wanted_grades
        on wanted_grades.user_id = relevant.user_id and wanted_grades.relevance = relevant.relevance
    {%- endif %}
    {{ sqlrec.where_within(plan, 'listed.rank', 'cutoffs') }} {{ sqlrec.where_asked(plan, kind, 'cutoffs', 'and') }}
),
-- The population, with the places of each user's list{{ ' and the grades of the relevant items' if 'equal_items' in used }}.
attended as (
    select {{ sqlrec.taken(constants, 'evaluated') }}
        {{- sqlrec.chosen({'rank': 'attended_places.rank', 'hit': 'attended_places.hit'}, used) }}
        {{- sqlrec.chosen(sqlrec.columns_of('attended_places', attention), used) ~ sqlrec.chosen(sqlrec.columns_of('attended_places', deserved), used) }}
        {{- sqlrec.chosen({'equal_items': sqlrec.double('null')}, used) }}
    from evaluated
    left join attended_places
        on {{ sqlrec.same(sqlrec.with_cutoff(plan, keys), 'attended_places', 'evaluated') }}
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
    {%- if 'equal_items' in used %}
    union all
    select {{ sqlrec.taken(constants, 'evaluated') }}
        {{- sqlrec.chosen({'rank': 'cast(null as bigint)', 'hit': sqlrec.double('null')}, used) }}
        {{- sqlrec.chosen(no_attention, used) ~ sqlrec.chosen(sqlrec.columns_of('wanted_grades', deserved), used) }}
        {{- sqlrec.chosen({'equal_items': 'wanted_grades.equal_items'}, used) }}
    from evaluated
    join wanted_grades on wanted_grades.user_id = evaluated.user_id
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
    {%- endif %}
),
{% endmacro %}

{% macro attended_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used) + ['relevant_items'] | select('in', used) | list) }}{% endmacro %}

{% macro attended_population(plan) %}{{ plan.population }}{% endmacro %}

-- Columns of these names as a table has them.
{% macro columns_of(table, names) %}
{% set columns = {} %}
{% set _ = columns.update(sqlrec.each(names, table ~ '.{}')) %}
{{ return(columns) }}
{% endmacro %}

-- What each of the first places gets on average.
{% macro mean_attention(patience, places) -%}
(1 - {{ sqlrec.fading(patience, places) }}) / ({{ places }} * {{ sqlrec.double(1 - patience) }})
{%- endmacro %}
