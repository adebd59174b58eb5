-- Hamming diversity: the number of categories in which two items of the list differ, averaged over
-- its pairs, at least 0. hamming_diversity@10.
-- Reads recs (user_id, item_id, score) and items (item_id, category).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
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
recommended_lists as (
    select user_id, count(*) as list_length
    from listed
    where rank <= 10
    group by user_id
),

-- The categories of each list.
list_categories as (
    select recommended_lists.user_id, recommended_lists.list_length,
        cast(count(listed_categories.category) as double) as category_items
    from recommended_lists
    left join listed_categories
        on listed_categories.user_id = recommended_lists.user_id and listed_categories.rank <= 10
    group by recommended_lists.user_id, recommended_lists.list_length, listed_categories.category
),

list_categories_values as (
    select
        -- RecTools 0.19
        2 * sum(category_items * (list_length - category_items))
        / nullif(cast(list_length as double) * (list_length - 1), 0) as hamming_diversity
    from list_categories
    group by user_id, list_length
)

select avg(hamming_diversity) as value, count(hamming_diversity) as users
from list_categories_values
