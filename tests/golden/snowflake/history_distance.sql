-- History distance: 1 minus the mean cosine similarity of the list's items and the items of the
-- user's history, from 0 to 2, and at most 1 if no value is negative. history_distance@10.
-- Reads recs (user_id, item_id, score),
-- history (user_id, item_id) and items (item_id, feature, value).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- The items of each user's history.
interactions as (select distinct user_id, item_id from history),

-- Each item's features; several values of a feature are averaged.
feature_values as (
    select item_id, feature, avg(cast(value as double)) as value
    from items
    where feature is not null and cast(value as double) is not null
    group by item_id, feature
),

-- Items as vectors of length 1. Values close to 0 are excluded, because their squares would
-- underflow.
item_vectors as (
    select item_id, feature, value / sqrt(squares) as coordinate
    from (
        select item_id, feature, value, sum(value * value) over (partition by item_id) as squares
        from feature_values
        where abs(value) >= cast('1e-100' as double)
    ) as lengths
    where abs(value) >= sqrt(squares) * cast('1e-100' as double)
),

-- The number of items in each user's history.
history_lengths as (select user_id, count(*) as items_had from interactions group by user_id),

-- The sum of the vectors of each user's history.
history_vectors as (
    select interactions.user_id, item_vectors.feature, sum(item_vectors.coordinate) as coordinate
    from interactions
    join item_vectors on item_vectors.item_id = interactions.item_id
    group by interactions.user_id, item_vectors.feature
),

-- The sum of the cosines of a shown item and the items of the user's history.
history_likeness as (
    select shown_items.user_id, shown_items.item_id,
        sum(item_vectors.coordinate * history_vectors.coordinate) as likeness
    from (select distinct user_id, item_id from listed) as shown_items
    join item_vectors on item_vectors.item_id = shown_items.item_id
    join history_vectors
        on history_vectors.user_id = shown_items.user_id
        and history_vectors.feature = item_vectors.feature
    group by shown_items.user_id, shown_items.item_id
),

-- The ranks of each list within the cutoff.
recommended_items as (
    select listed.user_id,
        count(*) over (partition by listed.user_id) as list_length,
        greatest(
            least(
                coalesce(history_likeness.likeness, 0), cast(history_lengths.items_had as double)
            ),
            cast(-history_lengths.items_had as double)
        ) / history_lengths.items_had as likeness
    from listed
    left join history_lengths on history_lengths.user_id = listed.user_id
    left join history_likeness
        on history_likeness.user_id = listed.user_id and history_likeness.item_id = listed.item_id
    where listed.rank <= 10
),

recommended_items_values as (
    select
        sum(1 - likeness) / list_length as history_distance  -- Zhang et al. 2012
    from recommended_items
    group by user_id, list_length
)

select avg(history_distance) as value, count(history_distance) as users
from recommended_items_values
