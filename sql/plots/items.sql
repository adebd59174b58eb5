-- Plots of the items that lists show, down to the single cutoff of the plan. The number of rows is
-- small for any number of lists.

-- Longtail: the share of recommendations by popularity of items, compared with the history. The
-- items of the history are ordered by their number of users, and divided into ten groups of the
-- same size; decile 1 is the most popular. One row per decile, for the history and for each model.
--
--   model    null for the history
--   decile   null for items without history
--   ranks    number of recommendations of these items; for the history, number of their users
--   share    the share of this number in the total
{% macro plot_longtail(plan) %}
-- The share of recommendations by popularity of items, down to rank {{ plan.k }}.
{{ sqlrec.plotted_rows(plan, sqlrec.longtail_rows(plan)) }}
{% endmacro %}

{% macro longtail_rows(plan) %}
{{ sqlrec.violation_counts(plan) }}
{{ sqlrec.item_ranks(plan) }}
popular_items as (
    select
        item_id,
        item_users,
        floor(
            (row_number() over (order by item_users desc, {{ sqlrec.by_item('asc') }}) - 1)
            * cast(10 as double) / count(*) over ()
        ) + 1 as decile
    from item_counts
),
decile_ranks as (
    select {{ sqlrec.string('null') }} as model, decile, sum(item_users) as ranks
    from popular_items
    group by decile
    union all
    select
        item_ranks.model as model,
        popular_items.decile as decile,
        sum(item_ranks.ranks) as ranks
    from item_ranks
    left join popular_items on popular_items.item_id = item_ranks.item_id
    group by item_ranks.model, popular_items.decile
    union all
    select listed_models.model as model, popular_deciles.decile as decile, 0 as ranks
    from (select model from item_ranks group by model) as listed_models
    cross join (select decile from popular_items group by decile) as popular_deciles
),
deciles as (
    select model, cast(decile as bigint) as decile, cast(sum(ranks) as double) as ranks
    from decile_ranks
    group by model, decile
)
select
    deciles.model as model,
    deciles.decile as decile,
    cast(deciles.ranks as bigint) as ranks,
    deciles.ranks / sum(deciles.ranks) over (partition by deciles.model) as share,
    cast(violation_counts.violations as bigint) as violations
from deciles
cross join violation_counts
order by model asc, decile asc
{% endmacro %}

-- Lorenz: the concentration of recommendations on items. Items are ordered from the least to the
-- most shown, and divided into 200 groups of the same size. One row per model and group, and one
-- row per model at 0.
--
--   item_share   the share of items that are not shown more often than the items of this group
--   rank_share   the share of recommendations that these items have
--   items        number of items: of the catalog if it is passed, else of all lists
--   gini         the metric gini of the same items
{% macro plot_lorenz(plan) %}
-- The share of recommendations that each share of items has, down to rank {{ plan.k }}.
{{ sqlrec.plotted_rows(plan, sqlrec.lorenz_rows(plan)) }}
{% endmacro %}

{% macro lorenz_rows(plan) %}
{{ sqlrec.violation_counts(plan) }}
{{ sqlrec.item_ranks(plan) }}
{% if plan.catalog %}
all_ranks as (
    select
        listed_models.model as model,
        catalog_rows.item_id as item_id,
        coalesce(item_ranks.ranks, 0) as ranks
    from catalog_rows
    cross join (select model from item_ranks group by model) as listed_models
    left join item_ranks on item_ranks.item_id = catalog_rows.item_id and item_ranks.model = listed_models.model
),
{% endif %}
{% set ranks = 'all_ranks' if plan.catalog else 'item_ranks' %}
ordered_items as (
    select
        model,
        ranks,
        row_number() over (partition by model order by ranks asc, {{ sqlrec.by_item('desc') }}) as number,
        count(*) over (partition by model) as items,
        sum(ranks) over (partition by model) as all_ranks
    from {{ ranks }}
),
parted_items as (
    select
        model, items, all_ranks, ranks, number,
        floor((number - 1) * cast(200 as double) / items) as part,
        sum((2 * number - items - 1) * cast(ranks as double)) over (partition by model)
        / nullif(cast(items as double) * all_ranks, 0) as gini
    from ordered_items
),
parts_of_items as (
    select
        model, items, all_ranks, gini, part,
        cast(max(number) as double) / items as item_share,
        cast(sum(ranks) as double) as ranks
    from parted_items
    group by model, items, all_ranks, gini, part
),
lorenz_curve as (
    select
        model, item_share,
        sum(ranks) over (
            partition by model order by part asc rows between unbounded preceding and current row
        ) / nullif(all_ranks, 0) as rank_share,
        items, gini
    from parts_of_items
    union all
    select model, cast(0 as double) as item_share, cast(0 as double) as rank_share, items, gini
    from parts_of_items
    where part = 0
)
select
    {{ sqlrec.columns_of(['model', 'item_share', 'rank_share', 'items', 'gini'], 'lorenz_curve') }},
    cast(violation_counts.violations as bigint) as violations
from lorenz_curve
cross join violation_counts
order by model asc, item_share asc
{% endmacro %}

-- Ranks: the distribution of hits over ranks. A row per model and rank.
--
--   hits    number of lists with a relevant item at the rank
--   share   the share of this number in the total hits
{% macro plot_ranks(plan) %}
-- The share of hits by rank, down to rank {{ plan.k }}.
{{ sqlrec.plotted_rows(plan, sqlrec.ranks_rows(plan)) }}
{% endmacro %}

{% macro ranks_rows(plan) %}
{{ sqlrec.violation_counts(plan) }}
hits_by_rank as (
    select
        {{ sqlrec.plotted_model(plan) }} as model,
        listed.rank as rank,
        cast(sum(case when relevant.is_relevant > 0 then 1 else 0 end) as double) as hits
    from listed
    left join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= {{ plan.k }}
    group by {{ 'listed.model, ' if 'model' in plan.list_keys }}listed.rank
)
select
    hits_by_rank.model as model,
    hits_by_rank.rank as rank,
    cast(hits_by_rank.hits as bigint) as hits,
    hits_by_rank.hits / nullif(sum(hits_by_rank.hits) over (partition by hits_by_rank.model), 0) as share,
    cast(violation_counts.violations as bigint) as violations
from hits_by_rank
cross join violation_counts
order by model asc, rank asc
{% endmacro %}

-- Calibration: the mix of categories in lists, compared with the history. Each rank, and each item
-- of a user's history, has a weight of 1, divided equally among its categories; items without a
-- category are excluded. Each of the 20 most frequent categories of the history has a row, and all
-- other categories share a row, for the history and for each model.
--
--   model     null for the history
--   number    the category's number: 1 is the most frequent category in the history, and 21 is all
--             other categories
--   category  the category; null for the row of all other categories
--   share     the category's share of ranks, or of the history
{% macro plot_calibration(plan) %}
-- The share of recommendations by category, down to rank {{ plan.k }}, compared with the history.
{{ sqlrec.plotted_rows(plan, sqlrec.calibration_rows(plan)) }}
{% endmacro %}

{% macro calibration_rows(plan) %}
{{ sqlrec.violation_counts(plan) }}
category_ranks as (
    select
        {{ sqlrec.string('null') }} as model,
        item_categories.category as category,
        sum(1 / cast(item_categories.categories as double)) as ranks
    from interactions
    join item_categories on item_categories.item_id = interactions.item_id
    group by item_categories.category
    union all
    select
        {{ sqlrec.string('model') if 'model' in plan.list_keys else "'recs'" }} as model,
        category,
        sum(1 / categories) as ranks
    from listed_categories
    where rank <= {{ plan.k }}
    group by {{ 'model, ' if 'model' in plan.list_keys }}category
),
numbered_categories as (
    select category, row_number() over (order by ranks_had desc, {{ sqlrec.by_item('asc', 'category') }}) as number
    from (
        select category, sum(case when model is null then ranks else 0 end) as ranks_had
        from category_ranks
        group by category
    ) as categories_had
),
parted_categories as (
    select
        category_ranks.model as model,
        case when numbered_categories.number <= 20 then numbered_categories.number else 21 end as number,
        category_ranks.ranks as ranks
    from category_ranks
    join numbered_categories on numbered_categories.category = category_ranks.category
    union all
    select
        mixed_models.model as model,
        case when numbered_categories.number <= 20 then numbered_categories.number else 21 end as number,
        cast(0 as double) as ranks
    from numbered_categories
    cross join (select model from category_ranks group by model) as mixed_models
),
mixed_categories as (
    select model, number, sum(ranks) as ranks
    from parted_categories
    group by model, number
)
select
    mixed_categories.model as model,
    cast(mixed_categories.number as bigint) as number,
    {{ sqlrec.string('case when mixed_categories.number <= 20 then numbered_categories.category end') }} as category,
    mixed_categories.ranks / sum(mixed_categories.ranks) over (partition by mixed_categories.model) as share,
    cast(violation_counts.violations as bigint) as violations
from mixed_categories
left join numbered_categories on numbered_categories.number = mixed_categories.number
cross join violation_counts
order by model asc, number asc
{% endmacro %}

-- A query of rows, after the queries that it reads.
{% macro plotted_rows(plan, rows) %}
{% call sqlrec.plotted() %}
with
{{ sqlrec.queries_read(plan, rows) }}
{{ rows }}
{{ sqlrec.ending() }}
{% endcall %}
{% endmacro %}

-- A statement without unread parts, in dbt too.
{% macro plotted() %}{{ sqlrec.prune_statement(sqlrec.tidy_white_space(caller()), of_model=false) }}{% endmacro %}

-- The number of lists that show an item within the cutoff. One row per model and item.
{% macro item_ranks(plan) %}
item_ranks as (
    select {{ sqlrec.plotted_model(plan) }} as model, item_id, count(*) as ranks
    from listed
    where rank <= {{ plan.k }}
    group by {{ 'listed.model, ' if 'model' in plan.list_keys }}item_id
),
{% endmacro %}

-- The model of a rank as a string.
{% macro plotted_model(plan) -%}
{{ sqlrec.string('listed.model') if 'model' in plan.list_keys else "'recs'" }}
{%- endmacro %}

-- The first items of users' histories, with the number of all items in each history.
{% macro items_had(plan) %}
with
had as (
    select distinct
        {{ plan.user_id }} as user_id,
        {{ plan.item_id }} as item_id
    from {{ plan.relation }}
    where {{ plan.user_id }} in ({{ plan.users | join(', ') }})
),
numbered_had as (
    select
        user_id,
        item_id,
        row_number() over (partition by user_id order by item_id asc) as item_number,
        count(*) over (partition by user_id) as items
    from had
)
select user_id, item_id, items
from numbered_had
where item_number <= {{ plan.most }}
order by user_id asc, item_number asc
{{ sqlrec.ending() }}
{% endmacro %}

-- The titles of items.
{% macro item_titles(plan) %}
select
    {{ plan.item_id }} as item_id,
    min({{ plan.title }}) as title
from {{ plan.relation }}
where {{ plan.item_id }} in ({{ plan.ids | join(', ') }})
group by {{ plan.item_id }}
{{ sqlrec.ending() }}
{% endmacro %}
