-- Says which rules are broken and gives one example of each: what the caller is told where a report
-- counts faults.
--
--   fault                    the rule; the text for people is in sqlrec/runner.py
--   found                    how often it is broken
--   user_id, item_id, rank   one example, ids as text

{% macro faults(plan) %}
{% set keys = sqlrec.names(plan['keys']) %}
with
{{ sqlrec.listed(plan) }}
{{ sqlrec.relevant(plan) }}
{{ sqlrec.segments(plan) }}
broken as (
    select 'recs_user' as fault, user_id, item_id, rank from listed where user_id is null
    {%- if 'model' in plan['keys'] %}
    union all
    select 'recs_model' as fault, user_id, item_id, rank from listed where model is null
    {%- endif %}
    union all
    select 'recs_item' as fault, user_id, item_id, rank from listed where item_id is null
    union all
    select 'recs_twice' as fault, user_id, item_id, max(rank) as rank
    from listed
    where user_id is not null and item_id is not null
    group by {{ keys }}, item_id
    having count(*) > 1
    {%- if plan.null_scores == 'error' %}
    union all
    select 'recs_{{ plan.order }}' as fault, user_id, item_id, rank from listed where unplaced = 1
    {%- endif %}
    {%- if plan.order == 'rank' %}
    union all
    select 'recs_rank_twice' as fault, user_id, max(item_id) as item_id, rank
    from listed
    where rank is not null
    group by {{ keys }}, rank
    having count(*) > 1
    {%- endif %}
    {%- if plan.check_order %}
    union all
    select 'recs_order' as fault, user_id, item_id, rank from listed where misplaced = 1
    {%- endif %}
    union all
    select 'truth_user' as fault, user_id, item_id, 0 as rank from relevant where user_id is null
    union all
    select 'truth_item' as fault, user_id, item_id, 0 as rank from relevant where item_id is null
    union all
    select 'truth_relevance' as fault, user_id, item_id, 0 as rank from relevant where misgraded = 1
    union all
    select 'truth_twice' as fault, user_id, item_id, 0 as rank
    from relevant
    where user_id is not null and item_id is not null
    group by user_id, item_id
    having count(*) > 1
    {%- for table in sqlrec.segment_tables(plan).split() %}
    union all
    select '{{ table }}_segment' as fault, user_id, null as item_id, 0 as rank from {{ table }}_segments where faults > 0
    {%- endfor %}
),
numbered as (
    select
        fault,
        {{ sqlrec.string('user_id') }} as user_id,
        {{ sqlrec.string('item_id') }} as item_id,
        rank,
        row_number() over (partition by fault order by rank asc, user_id asc, item_id asc) as number,
        count(*) over (partition by fault) as found
    from broken
)
select fault, found, user_id, item_id, rank
from numbered
where number = 1
{{ sqlrec.ending() }}
{% endmacro %}
