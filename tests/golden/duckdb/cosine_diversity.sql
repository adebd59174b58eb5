-- Cosine diversity: 1 minus the cosine similarity of two items' vectors, averaged over the pairs of
-- the list, from 0 to 2, and at most 1 if no value is negative. cosine_diversity@10.
-- Reads recs (user_id, item_id, score) and items (item_id, feature, value).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The users with a list, and its length.
recommended_lists as (
    select user_id, count(*) as list_length
    from listed
    where rank <= 10
    group by user_id
),

-- Each item's features; several values of a feature are averaged.
feature_values as (
    select item_id, feature, favg(cast(value as double)) as value
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
        where abs(value) >= 1e-100
    ) as lengths
    where abs(value) >= sqrt(squares) * 1e-100
),

-- The vectors of the items at each rank.
listed_vectors as (
    select listed.user_id, listed.rank, item_vectors.feature, item_vectors.coordinate
    from listed
    join item_vectors on item_vectors.item_id = listed.item_id
),

-- The sum of a list's vectors, feature by feature.
list_features as (
    select recommended_lists.user_id, recommended_lists.list_length,
        coalesce(sum(listed_vectors.coordinate), 0) as feature_sum,
        coalesce(sum(listed_vectors.coordinate * listed_vectors.coordinate), 0) as feature_squares
    from recommended_lists
    left join listed_vectors
        on listed_vectors.user_id = recommended_lists.user_id and listed_vectors.rank <= 10
    group by recommended_lists.user_id, recommended_lists.list_length, listed_vectors.feature
),

list_features_values as (
    select
        -- Jurity 2.1
        1
        - greatest(
            least(
                sum(feature_sum * feature_sum - feature_squares),
                (cast(list_length as double) * (list_length - 1))
            ),
            -(cast(list_length as double) * (list_length - 1))
        ) / nullif((cast(list_length as double) * (list_length - 1)), 0) as cosine_diversity
    from list_features
    group by user_id, list_length
)

select avg(cosine_diversity) as value, count(cosine_diversity) as users
from list_features_values
