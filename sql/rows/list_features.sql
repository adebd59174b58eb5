-- List features: one row per list, cutoff at which the list is not empty, and feature of its items
-- within k. Lists of users who are not in the truth have rows too. A list without a feature still
-- has one row.
--
--   model             the model of the list, if there are several
--   user_id           the user
--   <segment>         a column of `by`, with one value for each user
--   k                 the cutoff
--   list_length       the length of the list, at most k; never 0
--   tied              1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   feature           the feature; null in the row of a list without a feature
--   feature_sum       the sum of the items' values; the values of each item are scaled to a vector
--                     of length 1
--   feature_squares   the sum of the squares of these values
--   feature_of_items  the sum over items of the squared sum of the item's values over all its ranks
--   repeated_pairs    number of pairs of ranks within k with the same item

-- Items as vectors of their features.
{% macro item_vectors(plan) %}
-- Each item's features; several values of a feature are averaged.
feature_values as (
    select item_id, feature, favg(value) as value
    from item_attributes
    where feature is not null and value is not null
    group by item_id, feature
),
-- Items as vectors of length 1. Values close to 0 are excluded, because their squares would underflow.
item_vectors as (
    select item_id, feature, value / sqrt(squares) as coordinate
    from (
        select
            item_id,
            feature,
            value,
            sum(value * value) over (partition by item_id) as squares
        from feature_values
        where abs(value) >= 1e-100
    ) as lengths
    where abs(value) >= sqrt(squares) * 1e-100
),
{% endmacro %}

{% macro list_features(plan, kind, used) %}
{% set keys = sqlrec.names(plan.key_columns, 'recommended_lists') %}
{% set repeats = 'repeated_pairs' in used %}
-- The vectors of the items at each rank.
listed_vectors as (
    select listed.model, listed.user_id, listed.rank, item_vectors.feature, item_vectors.coordinate,
        {{ 'listed.ranks_above' if repeats else 0 }} as ranks_above
    from {{ 'ranks_again as listed' if repeats else 'listed' }}
    join item_vectors on item_vectors.item_id = listed.item_id
),
-- The sum of a list's vectors, feature by feature.
list_features as (
    select {{ keys }}, listed_vectors.feature,
        {{ 'repeated_pairs.repeated_pairs,' if repeats }}
        coalesce(sum(listed_vectors.coordinate), 0) as feature_sum,
        coalesce(sum(listed_vectors.coordinate * listed_vectors.coordinate), 0) as feature_squares,
        coalesce(
            sum((1 + 2 * listed_vectors.ranks_above) * listed_vectors.coordinate * listed_vectors.coordinate), 0
        ) as feature_of_items
    from recommended_lists
    left join listed_vectors
        on listed_vectors.model = recommended_lists.model and listed_vectors.user_id = recommended_lists.user_id
        and listed_vectors.rank <= recommended_lists.k
    {% if repeats %}
    join repeated_pairs
        on repeated_pairs.model = recommended_lists.model and repeated_pairs.user_id = recommended_lists.user_id
        and repeated_pairs.k = recommended_lists.k
    {% endif %}
    group by {{ keys }}, {{ 'repeated_pairs.repeated_pairs,' if repeats }} listed_vectors.feature
),
{% endmacro %}
