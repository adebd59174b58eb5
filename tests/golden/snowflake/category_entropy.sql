-- Category entropy: how evenly the list is spread over categories, in bits, at least 0.
-- category_entropy@10.
-- Reads recs (user_id, item_id, score) and items (item_id, category).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The categories of the item at each rank.
listed_categories as (
    select listed.user_id, listed.rank, labels.category
    from listed
    join (select distinct item_id, category from items where category is not null) as labels
        on labels.item_id = listed.item_id
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The categories of each list.
list_categories as (
    select recommended_lists.user_id,
        cast(count(listed_categories.category) as double) as category_items,
        cast(
            sum(count(listed_categories.category)) over (
                partition by recommended_lists.user_id
            ) as double
        ) as category_ranks
    from recommended_lists
    left join listed_categories
        on listed_categories.user_id = recommended_lists.user_id and listed_categories.rank <= 10
    group by recommended_lists.user_id, listed_categories.category
),

list_categories_values as (
    select
        sum(
            category_items / nullif(category_ranks, 0)
            * log(2, category_ranks / nullif(category_items, 0))
        ) as category_entropy  -- Shannon 1948
    from list_categories
    group by user_id
)

select avg(category_entropy) as value, count(category_entropy) as users
from list_categories_values
