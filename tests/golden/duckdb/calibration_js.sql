-- Calibration JS: the Jensen-Shannon divergence between the categories of the list and the
-- categories of the user's history, in bits, from 0 to 1. It measures miscalibration, so 0 is best.
-- calibration_js@10.
-- Reads recs (user_id, item_id, score), history (user_id, item_id) and items (item_id, category).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- Each item with each of its categories, and the number of its categories.
item_categories as (
    select item_id, category, count(*) over (partition by item_id) as categories
    from items
    where category is not null
    group by item_id, category
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

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
    select listed.user_id, listed.rank, item_categories.category,
        1 / cast(item_categories.categories as double) as list_weight,
        cast(0 as double) as history_weight
    from listed
    join item_categories on item_categories.item_id = listed.item_id
    union all
    select recommended_lists.user_id, 0 as rank, history_categories.category,
        cast(0 as double) as list_weight, history_categories.history_weight
    from recommended_lists
    join history_categories on history_categories.user_id = recommended_lists.user_id
),

-- The weight of each category in the list, and in the history.
category_weights as (
    select recommended_lists.user_id, sum(weighed_categories.list_weight) as list_weight,
        sum(weighed_categories.history_weight) as history_weight
    from recommended_lists
    left join weighed_categories
        on weighed_categories.user_id = recommended_lists.user_id and weighed_categories.rank <= 10
    group by recommended_lists.user_id, weighed_categories.category
),

-- The weights as shares of list and history.
category_distributions as (
    select user_id,
        list_weight / nullif(sum(list_weight) over (partition by user_id), 0) as list_share,
        history_weight / nullif(sum(history_weight) over (partition by user_id), 0) as history_share
    from category_weights
),

category_distributions_values as (
    select
        abs(
            sum(
                history_share + list_share
                - coalesce(history_share * log2(1 + list_share / nullif(history_share, 0)), 0)
                - coalesce(list_share * log2(1 + history_share / nullif(list_share, 0)), 0)
            )
        ) / sum(history_share + list_share) as calibration_js  -- Lin 1991
    from category_distributions
    group by user_id
)

select avg(calibration_js) as value, count(calibration_js) as users
from category_distributions_values
