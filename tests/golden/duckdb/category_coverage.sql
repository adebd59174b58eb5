-- Category coverage: the number of different categories in the list, per rank or as a share of all
-- categories, at least 0. category_coverage@10.
-- Reads recs (user_id, item_id, score) and items (item_id, category).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each item with each of its categories, and the number of its categories.
item_categories as (select distinct item_id, category from items where category is not null),

-- The categories of the item at each rank.
listed_categories as (
    select listed.user_id, listed.rank, item_categories.category
    from listed
    join item_categories on item_categories.item_id = listed.item_id
),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The categories of each list.
list_categories as (
    select distinct recommended_lists.user_id, listed_categories.category
    from recommended_lists
    left join listed_categories
        on listed_categories.user_id = recommended_lists.user_id and listed_categories.rank <= 10
),

list_categories_values as (
    select
        cast(count(category) as double) / 10 as category_coverage  -- RePlay 0.22
    from list_categories
    group by user_id
)

select avg(category_coverage) as value, count(category_coverage) as users
from list_categories_values
