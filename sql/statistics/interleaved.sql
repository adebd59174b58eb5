-- Credits the clicks on interleaved lists to the models of the clicked items. One row per ordered
-- pair of models and segment, over the impressions with items of both models.
--
--   impressions         number of impressions
--   wins, ties, losses  number of impressions in which items of the model have more clicks, the
--                       same number of clicks or fewer clicks
--   units               number of users of these impressions, or number of impressions if users are
--                       unknown
--   wins_wins, wins_ties, ... losses_losses   sums over units of the products of these counts
--
-- Source    Radlinski et al. 2008, doi.org/10.1145/1458082.1458092; Chapelle et al. 2012,
--           doi.org/10.1145/2094072.2094078
--
-- The plan is a dict: relation, its columns as SQL, and segments, a list of columns.

{% macro interleaved(plan) %}
{% set keys = ['model', 'rival'] + plan.segments | list %}
{% set outcomes = ['wins', 'ties', 'losses'] %}
-- Comparison of clicks on two models' items, in lists with items of both models.
with
{{ sqlrec.impression_rows(plan) }},
-- The clicks of each model in an impression; items without a model do not count.
credits as (
    select
        {{ ['impression_id', 'model'] | join(', ') }},
        max(unit_id) as unit_id,
        {%- for segment in plan.segments %}
        max({{ segment }}) as {{ segment }},
        {%- endfor %}
        sum(click) as credit
    from impression_rows
    where model is not null
    group by impression_id, model
),
preferences as (
    select
        credits.model as model,
        rivals.model as rival,
        {%- for segment in plan.segments %}
        {{ sqlrec.columns_of([segment], 'credits') }},
        {%- endfor %}
        {{ sqlrec.columns_of(['unit_id'], 'credits') }},
        case when credits.credit > rivals.credit then 1 else 0 end as win,
        case when credits.credit = rivals.credit then 1 else 0 end as tie,
        case when credits.credit < rivals.credit then 1 else 0 end as loss
    from credits
    join credits as rivals on rivals.impression_id = credits.impression_id
    where rivals.model <> credits.model
),
unit_preferences as (
    select
        {{ keys | join(', ') }},
        unit_id,
        cast(sum(win) as bigint) as wins,
        cast(sum(tie) as bigint) as ties,
        cast(sum(loss) as bigint) as losses
    from preferences
    group by {{ keys | join(', ') }}, unit_id
)
select
    {{ keys | join(', ') }},
    cast(sum(wins + ties + losses) as bigint) as impressions,
    {%- for outcome in outcomes %}
    cast(sum({{ outcome }}) as bigint) as {{ 'all_' ~ outcome }},
    {%- endfor %}
    {%- for outcome in outcomes %}
    {%- for other in outcomes[loop.index0:] %}
    cast(sum({{ outcome }} * {{ other }}) as bigint) as {{ outcome ~ '_' ~ other }},
    {%- endfor %}
    {%- endfor %}
    count(*) as units
from unit_preferences
group by {{ keys | join(', ') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- Counts rows of impressions that break a rule: rows without an impression or user, invalid numbers
-- of clicks, items twice in an impression, and impressions of several users or segments.
{% macro interleaved_violations(plan) %}
-- Broken rules of interleaved lists.
with
{{ sqlrec.impression_rows(plan) }},
impression_counts as (
    select
        impression_id,
        sum(case when impression_id is null or unit_id is null then 1 else 0 end) as unnamed,
        sum(case when click >= 0 and click <= cast(1000000000 as double) then 0 else 1 end) as odd_clicks,
        {%- if plan.item_id %}
        count(item_id) - count(distinct item_id) as repeats,
        {%- else %}
        0 as repeats,
        {%- endif %}
        case when count(distinct unit_id) > 1 {%- for segment in plan.segments %} or count(distinct {{ segment }}) > 1{% endfor %} then 1 else 0 end as several
    from impression_rows
    group by impression_id
)
select
    cast(sum(unnamed) as bigint) as unnamed,
    cast(sum(odd_clicks) as bigint) as odd_clicks,
    cast(sum(case when impression_id is null then 0 else repeats end) as bigint) as repeats,
    cast(sum(case when impression_id is null then 0 else several end) as bigint) as several
from impression_counts
{{ sqlrec.ending() }}
{% endmacro %}

{% macro impression_rows(plan) %}
impression_rows as (
    select
        {{ plan.impression_id }} as impression_id,
        {{ plan.user_id or plan.impression_id }} as unit_id,
        {{ plan.model }} as model,
        {%- if plan.item_id %}
        {{ plan.item_id }} as item_id,
        {%- endif %}
        {%- for segment in plan.segments %}
        {{ plan.segments[segment] }} as {{ segment }},
        {%- endfor %}
        {{ sqlrec.double(plan.click) }} as click
    from {{ plan.relation }}
)
{%- endmacro %}
