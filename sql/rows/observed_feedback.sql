-- Observed feedback: each rank of a recommended list within k, joined with the rows of the truth
-- for its user and item. A rank without such rows still has one row, in which the truth's columns
-- are null.
--
--   model             the model of the list, if there are several
--   user_id           the user
--   <segment>         a column of `by`, with one value for each user
--   k                 the cutoff
--   list_length       the length of the list, at most k; never 0
--   tied              1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   score             the item's score in the list
--   reward            the grade as in the truth
--   propensity        the probability that the item was shown to the user; without such a column in the
--                     truth, 1 / (items of the truth)
--   matched_score     the score. With duplicates=crossed, each rank of a repeated item is joined with all ranks of the
--                     item, and this is the score of the other rank

{% macro observed_feedback(plan, kind, used) %}
-- The propensity if the truth has no propensities: each item of the truth is shown with the same
-- probability.
truth_items as (
    select 1 / cast(count(distinct item_id) as double) as propensity
    from relevant
),
-- The items and scores of lists.
scored_items as (
    select model, user_id, item_id, rank, score
    from listed
),
{{ sqlrec.ranks_within_cutoff(plan, kind, 'scored_ranks', 'scored_items') }}
-- Each rank, with the rows of the truth for its item.
observed_feedback as (
    select scored_ranks.model, scored_ranks.user_id, {{ sqlrec.names(plan.group_columns[1:], 'scored_ranks') }},
        scored_ranks.list_length,
        scored_ranks.tied,
        cast(scored_ranks.score as double) as score,
        relevant.grade as reward,
        {{ 'relevant.propensity' if plan.truth.columns.propensity else 'case when relevant.grade is not null then truth_items.propensity end' }} as propensity,
        cast({{ 'twin' if 'crosses_ranks' in plan.properties.duplicates else 'scored_ranks' }}.score as double) as matched_score
    from scored_ranks
    cross join truth_items
    left join first_judgments as relevant on relevant.user_id = scored_ranks.user_id and relevant.item_id = scored_ranks.item_id
    {% if 'crosses_ranks' in plan.properties.duplicates %}
    join listed as twin
        on twin.model = scored_ranks.model and twin.user_id = scored_ranks.user_id and twin.item_id = scored_ranks.item_id
        and twin.rank <= scored_ranks.k
        and (twin.rank = scored_ranks.rank or relevant.user_id is not null)
    {% endif %}
),
{% endmacro %}

-- A row's reward, or error, divided by the propensity; 0 without a judgment or a propensity.
{% macro by_propensity(expression) -%}
coalesce({{ expression if sqlrec.is_column(expression) else '(' ~ expression ~ ')' }} / nullif(propensity, 0), 0)
{%- endmacro %}

-- A sum over the rows of a list, divided by the number of rows; null if a propensity of 0 makes the
-- sum infinite.
{% macro mean_of_ranks(expression, correction) -%}
case
    when sum(case when propensity = 0 and {{ correction }} <> 0 then 1 else 0 end) = 0
    then {{ sqlrec.mean(expression) }}
end
{%- endmacro %}
