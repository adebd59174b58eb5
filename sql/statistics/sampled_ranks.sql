-- Counts the ranks of relevant items in lists of sampled candidates. One row per model, segment and
-- rank.
--
--   rank            the rank of the relevant item; null if the list lacks the item
--   users           number of users with the item at this rank
--   relevant_items  the largest number of relevant items of a single user among these users
--   least_ranks, most_ranks     the lengths of the shortest and the longest of their lists
--
-- Every user should have one relevant item; users with several relevant items are in several rows. The plan reads whole
-- lists.

{% macro sampled_ranks(plan) %}
{% set groups = (['model'] if 'model' in plan.list_keys else []) + plan.by | map(attribute='name') | list %}
-- The ranks of relevant items among sampled candidates.
-- If the column violations is not 0, rows break a rule, and no value is valid.
{% set ranks = sqlrec.sampled_ranks_query(plan, groups) %}
with
{{ sqlrec.queries_read(plan, ranks) }}
{{ ranks }}
{{ sqlrec.ending() }}
{% endmacro %}

{% macro sampled_ranks_query(plan, groups) %}
{{ sqlrec.violation_counts(plan) }}
relevant_ranks as (
    select
        {{ sqlrec.columns_of(plan.list_keys, 'listed') }},
        listed.rank as rank
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where relevant.is_relevant > 0
),
sampled_users as (
    select
        {{ sqlrec.columns_of(groups + ['relevant_items', 'list_length'], 'evaluated_users') }},
        relevant_ranks.rank as rank
    from evaluated_users
    left join relevant_ranks on {{ sqlrec.equal_columns(plan.list_keys, 'relevant_ranks', 'evaluated_users') }}
),
sampled_ranks as (
    select
        {{ (groups + ['rank']) | join(', ') }},
        count(*) as users,
        max(relevant_items) as most_relevant,
        min(list_length) as least_ranks,
        max(list_length) as most_ranks
    from sampled_users
    group by {{ (groups + ['rank']) | join(', ') }}
)
select
    {{ sqlrec.result_keys(plan, 'sampled_ranks', 'sampled_ranks') }}
    sampled_ranks.rank as rank,
    sampled_ranks.users as users,
    sampled_ranks.most_relevant as relevant_items,
    sampled_ranks.least_ranks as least_ranks,
    sampled_ranks.most_ranks as most_ranks,
    cast(violation_counts.violations as bigint) as violations
from sampled_ranks
cross join violation_counts
order by model asc, {% for segment in plan.by %}{{ segment.label }} asc, {% endfor %}rank asc
{% endmacro %}
