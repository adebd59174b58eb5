-- Relevant: one row per item that the truth judges for a user.
--
--   user_id         who
--   item_id         what
--   relevance       how much it is wanted: its grade; 1 without grades, 0 for a grade below 0
--   relevant        1 where the item counts as relevant, else 0
--   grade           its grade as it is given, also below 0; 1 without grades
--   misgraded       1 where the grade is missing, or too large to be added up; else 0
--
-- Where the truth may name an item more than once, its rows stay; `met` has each item once then.
--
-- Judged users: one row per user of the truth.
--
--   judged_items    how many items are judged
--   relevant_items  how many items are relevant
--   ideal_items     how many a best list could hold: relevant, or with a relevance above 0
--   nonrelevant_items  how many are judged and not relevant; a grade below 0 is no judgement
--   faults          broken rules: no user, no item, no grade or too large a one, an item twice

{% macro relevant(plan, named) %}
-- Every judgement.
judgements as (
    {%- set user = sqlrec.named(plan.truth.columns.user_id, 'user_id') %}
    {%- set grade = sqlrec.double(plan.truth.columns.relevance or 1) %}
    {%- set graded = sqlrec.number(grade) if plan.truth.floating.relevance else grade %}
    {%- if plan.truth.unnest %}
    {{ sqlrec.unnested(user ~ ',\n        ' ~ graded ~ ' as grade', plan.truth.columns.item_id, 'listed_at', plan.truth.relation) | trim }}
    {%- else %}
    select
        {{ user }},
        {{ sqlrec.named(plan.truth.columns.item_id, 'item_id') }},
        {{ graded }} as grade
        {%- if plan.truth_duplicates == 'last' %},
        row_number() over () as row
        {%- endif %}
    from {{ plan.truth.relation }}
    {%- endif %}
),
{% set merged = plan.truth_duplicates in ['best', 'last'] %}
{% if merged %}
-- An item is judged once, by its {{ plan.truth_duplicates }} grade.
distinct_judgements as (
    select user_id, item_id, {{ 'arg_max(grade, row)' if plan.truth_duplicates == 'last' else 'max(grade)' }} as best_grade
    from judgements
    group by user_id, item_id
),
{% endif %}
{% set again = sqlrec.follows_itself(plan, ['user_id']) | trim if plan.truth_duplicates == 'error' else '' %}
{% if again %}
-- In the order of items an item that is judged twice follows itself.
judgements_in_order as (
    select *, {{ again }} as again
    from (select * from judgements order by user_id, item_id) as in_order
),
{% endif %}
{% set largest = sqlrec.double(plan.largest_relevance) %}
{% set grade = 'best_grade' if merged else 'grade' %}
relevant as (
    select
        user_id,
        item_id,
        case when {{ grade }} > 0 then {{ grade }} else {{ sqlrec.double(0) }} end as relevance,
        {%- if plan.relevance_threshold is not none and plan.relevance_threshold < -plan.largest_relevance %}
        {{ sqlrec.double(1) }} as relevant,
        {%- else %}
        case
            when {{ grade }} {{ '> 0' if plan.relevance_threshold is none else '>= ' ~ sqlrec.double(plan.relevance_threshold) }}
            then {{ sqlrec.double(1) }}
            else {{ sqlrec.double(0) }}
        end as relevant,
        {%- endif %}
        {{ sqlrec.named(grade, 'grade') }},
        case
            when {{ grade }} between -{{ largest }} and {{ largest }}
            then 0
            else 1
        end as misgraded
        {%- if again %},
        again
        {%- endif %}
    from {{ 'distinct_judgements' if merged else 'judgements_in_order' if again else 'judgements' }}
),
judged_users as (
    select
        user_id,
        count(*) as judged_items,
        cast(sum(relevant) as bigint) as relevant_items,
        cast(
            sum(case when relevance > 0 or relevant > 0 then 1 else 0 end) as bigint
        ) as ideal_items,
        {%- if 'nonrelevant_items' in named %}
        cast(
            sum(case when grade >= 0 and relevant = 0 then 1 else 0 end) as bigint
        ) as nonrelevant_items,
        {%- endif %}
        case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {%- if plan.truth_duplicates == 'error' %}
        + {{ 'sum(again)' if again else 'count(item_id) - count(distinct item_id)' }}
        {%- endif %}
        + sum(misgraded) as faults
    from relevant
    group by user_id
),
{% if plan.truth_duplicates in ['rows', 'summed', 'lines'] or (plan.truth_duplicates == 'error' and plan.ties in ['best', 'worst']) %}
-- What a place meets: each item once, with the least relevance above 0 that the truth has of it.
met as (
    select
        user_id,
        item_id,
        coalesce(min(case when relevance > 0 then relevance end), 0) as relevance,
        max(relevant) as relevant,
        {%- if plan.truth_duplicates == 'summed' %}
        sum(relevant) as relevant_rows,
        {%- endif %}
        max(grade) as grade
    from relevant
    group by user_id, item_id
),
{% endif %}
{% endmacro %}
