-- Observed feedback: one row per place of a recommended list within k and row of the truth that has its user and
-- item; a place without such a row still has one row, in which the truth's columns are null.
--
--   model             the model whose list it is, if there are several
--   user_id           the user
--   <segment>         a column of `by`, with one value for each user
--   k                 the cutoff
--   list_length       the places of the list, at most k; never 0
--   tied              1 where places k and k + 1 have the same score; only in lists ordered by score
--   score             the item's score in the list
--   reward            the grade as in the truth
--   propensity        the probability that the item was shown to the user; without such a column in the
--                     truth, 1 / (items of the truth)
--   matched_score     the score; with duplicates=crossed, where each place of a repeated item is
--                     joined with all places of the item, the score of the other place

{% macro observed_feedback(plan, kind, used) %}
{% set crossed = plan.duplicates == 'crossed' %}
{% set keys = plan.list_keys %}
{% set uniform = 'propensity' in used and not plan.truth.columns.propensity %}
{% set columns %}
    {{ sqlrec.double('listed.score') }} as score,
    relevant.grade as reward,
    {{ 'case when relevant.grade is not null then truth_items.uniform_propensity end' if uniform else 'relevant.propensity' }} as propensity,
    {{ sqlrec.double('twin.score' if crossed else 'listed.score') }} as matched_score,
{% endset %}
{% if uniform %}
-- The propensity if truth has none: every item of the truth is equally likely to be shown.
truth_items as (
    select 1 / {{ sqlrec.double('count(distinct item_id)') }} as uniform_propensity
    from relevant
),
{% endif %}
-- The places of lists, with the rows of the truth for their items.
observed_feedback as (
    select
        {{ sqlrec.columns_of(sqlrec.user_groups(plan, used), 'recommended_lists') }}
        {{- sqlrec.chosen(columns, used) }}
    from recommended_lists
    join listed
        on {{ sqlrec.same(keys, 'listed', 'recommended_lists') }}
        {{ sqlrec.and_within(plan, 'listed.rank', 'recommended_lists') }}
    left join {{ sqlrec.relevant_once(plan) }} on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {%- if crossed %}
    join listed as twin
        on {{ sqlrec.same(keys, 'twin', 'listed') }}
        and twin.item_id = listed.item_id
        {{ sqlrec.and_within(plan, 'twin.rank', 'recommended_lists') }}
        and (twin.rank = listed.rank or relevant.user_id is not null)
    {%- endif %}
    {{ 'cross join truth_items' if uniform }}
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
),
{% endmacro %}

{% macro observed_feedback_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used)) }}{% endmacro %}

{% macro observed_feedback_population(plan) %}recs{% endmacro %}

-- A row's reward, or error, divided by the propensity; 0 without a judgment or a propensity.
{% macro by_propensity(expression) -%}
coalesce({{ expression if sqlrec.is_column(expression) else '(' ~ expression ~ ')' }} / nullif(propensity, 0), 0)
{%- endmacro %}

-- A sum over rows of a list, divided by their number; null if a propensity of 0 makes it infinite.
{% macro mean_of_places(expression, correction) -%}
case
    when sum(case when propensity = 0 and {{ correction }} <> 0 then 1 else 0 end) = 0
    then {{ sqlrec.mean(expression) }}
end
{%- endmacro %}
