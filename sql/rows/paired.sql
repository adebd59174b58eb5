-- Paired: one row per place of a recommended list within k, with the sums over the pairs of its item and
-- each item above. So the places of a list have each pair once.
--
--   model             the model whose list it is, if there are several
--   user_id           the user
--   <segment>         a column of `by`, with one value for each user
--   k                 the cutoff
--   list_length       the places of the list, at most k; never 0
--   tied              1 where places k and k + 1 have the same score; only in lists ordered by score
--   rank              the item's place, from 1
--   shared_above      the sum over the items above of the Jaccard similarity of their categories
--                     and this item's; only pairs that share a category are joined, since the
--                     others add 0
--   distance_above    the sum of the distances to items above that have a distance in items
--   known_above       number of items above that have a distance in items

{% macro paired(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set deepest = kind.cutoffs | max %}
{% set columns %}
    coalesce(shared_places.shared_above, 0) as shared_above,
    coalesce(distant_places.distance_above, 0) as distance_above,
    coalesce(distant_places.known_above, 0) as known_above,
{% endset %}
{% set columns = sqlrec.chosen(columns, used) %}
{% set read = sqlrec.identifiers(columns) %}
{% call sqlrec.kept_queries(read) %}
-- Each pair of places of a list that share a category, with the number that they share.
category_pairs as (
    select
        {{ sqlrec.columns_of(keys + ['rank', 'categories'], 'below') }},
        above.categories as categories_above,
        {{ sqlrec.double('count(*)') }} as shared
    from listed_categories as below
    join listed_categories as above
        on {{ sqlrec.same(keys, 'above', 'below') }}
        and above.category = below.category
        and above.rank < below.rank
    where below.rank <= {{ deepest }}
    group by
        {{ sqlrec.names(keys + ['rank', 'categories'], 'below') }},
        {{ sqlrec.names(['rank', 'categories'], 'above') }}
),
-- The sum of each place's similarities to the places above.
shared_places as (
    select
        {{ sqlrec.names(keys) }},
        rank,
        sum(shared / (categories + categories_above - shared)) as shared_above
    from category_pairs
    group by {{ sqlrec.names(keys) }}, rank
),
-- A distance is the same both ways; several rows of a pair are averaged.
item_distances as (
    select item_id, other_item_id, {{ sqlrec.mean('distance') }} as distance
    from (
        select item_id, other_item_id, distance from item_attributes
        union all
        select other_item_id as item_id, item_id as other_item_id, distance from item_attributes
    ) as both_ways
    where distance is not null
    group by item_id, other_item_id
),
-- The sum of each place's distances to the places above.
distant_places as (
    select
        {{ sqlrec.columns_of(keys + ['rank'], 'below') }},
        sum(item_distances.distance) as distance_above,
        count(*) as known_above
    from listed as below
    join listed as above
        on {{ sqlrec.same(keys, 'above', 'below') }}
        and above.rank < below.rank
    join item_distances
        on item_distances.item_id = below.item_id
        and item_distances.other_item_id = above.item_id
    where below.rank <= {{ deepest }}
    group by {{ sqlrec.names(keys + ['rank'], 'below') }}
),
{% endcall %}
{% set alone = sqlrec.reads_only_places(plan, used) %}
-- Each place, with its similarities and distances to the places above.
{{ 'paired' if alone else 'paired_places' }} as (
    select {{ sqlrec.columns_of(keys + ['rank'], 'listed') }}
        {{- columns }}
    from listed
    {%- call sqlrec.kept_joins(read) %}
    left join shared_places
        on {{ sqlrec.same(keys + ['rank'], 'shared_places', 'listed') }}
    left join distant_places
        on {{ sqlrec.same(keys + ['rank'], 'distant_places', 'listed') }}
    {%- endcall %}
    {{ sqlrec.where_within(plan, 'listed.rank', '') if alone }}
),
{% if not alone %}
-- The places of each list within the cutoff.
paired as (
    select {{ sqlrec.columns_of(sqlrec.user_groups(plan, used), 'recommended_lists') }},
        {{ sqlrec.columns_of(['rank'] + ['shared_above', 'distance_above', 'known_above'] | select('in', used) | list, 'paired_places') }}
    from recommended_lists
    join paired_places
        on {{ sqlrec.same(keys, 'paired_places', 'recommended_lists') }}
        {{ sqlrec.and_within(plan, 'paired_places.rank', 'recommended_lists') }}
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
),
{% endif %}
{% endmacro %}

{% macro paired_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used)) }}{% endmacro %}

{% macro paired_population(plan) %}recs{% endmacro %}
