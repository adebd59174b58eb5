-- Category distributions: one row per list, cutoff at which the list is not empty, and category of
-- the list within k or of the user's history. Users who are not in the truth have rows too. If
-- neither list nor history has a category, there is still one row.
--
--   model           the model of the list, if there are several
--   user_id         the user
--   <segment>       a column of `by`, with one value for each user
--   k               the cutoff
--   list_length     the length of the list, at most k; never 0
--   tied            1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   category        the category; null in the row of a list and history without a category
--   list_share      the category's share of the list: each item has a weight of 1, divided equally
--                   among its categories; items without a category are excluded; null if the list
--                   has no category
--   history_share   the category's share of the user's history, in which each item counts once;
--                   null if the history has no category

{% macro category_distributions(plan, kind, used) %}
{% set lists = 'recommended_lists' if plan.has_one_group else 'list_lengths' %}
-- The weight of each category in a user's history. The weight of an item is divided equally among
-- its categories.
history_categories as (
    select interactions.user_id, item_categories.category,
        sum(1 / cast(item_categories.categories as double)) as history_weight
    from interactions
    join item_categories on item_categories.item_id = interactions.item_id
    group by interactions.user_id, item_categories.category
),
-- The categories of list and history. The history has rank 0, so that it counts at each cutoff.
weighed_categories as (
    select listed.model, listed.user_id, listed.rank, item_categories.category,
        1 / cast(item_categories.categories as double) as list_weight,
        cast(0 as double) as history_weight
    from listed
    join item_categories on item_categories.item_id = listed.item_id
    union all
    select {{ lists }}.model, {{ lists }}.user_id, 0 as rank, history_categories.category,
        cast(0 as double) as list_weight,
        history_categories.history_weight
    from {{ lists }}
    join history_categories on history_categories.user_id = {{ lists }}.user_id
),
-- The weight of each category in the list, and in the history.
category_weights as (
    select {{ sqlrec.names(plan.key_columns, 'recommended_lists') }}, weighed_categories.category,
        sum(weighed_categories.list_weight) as list_weight,
        sum(weighed_categories.history_weight) as history_weight
    from recommended_lists
    left join weighed_categories
        on weighed_categories.model = recommended_lists.model and weighed_categories.user_id = recommended_lists.user_id
        and weighed_categories.rank <= recommended_lists.k
    group by {{ sqlrec.names(plan.key_columns, 'recommended_lists') }}, weighed_categories.category
),
-- The weights as shares of list and history.
category_distributions as (
    select {{ plan.row_keys }}, category,
        list_weight / nullif(sum(list_weight) over (partition by model, user_id, k), 0) as list_share,
        history_weight / nullif(sum(history_weight) over (partition by model, user_id, k), 0) as history_share
    from category_weights
),
{% endmacro %}
