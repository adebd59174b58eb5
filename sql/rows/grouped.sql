-- Grouped: one row per model, segment, cutoff and group of items: how the group is shown to all users
-- together. The users are those who have a list that reaches the cutoff, whether or not the truth knows
-- them. An item may be in several groups, and counts in each; what items says twice counts once.
--
-- The same in all rows of a model, segment and cutoff:
--
--   users_evaluated  how many users have a list
--   short_lists      how many of the lists are shorter than k
--   ties_at_cutoff   how many have the same score at places k and k + 1
--   stock_items      how many items the table of items has
--   mean_found       the mean of found_rate over the groups that have one
--   mean_shown       the mean of shown_rate over the groups that have one
--
-- Row by row:
--
--   item_group       the group; one row, which has no rates, is of the items without a group
--   lists            how many places within k hold one of its items
--   exposure         the same, each place weighted by 1 / log2(rank + 1)
--   total_lists      lists of all items together, whether they have a group or not
--   total_exposure   exposure of all items together
--   found_rate       the share of what the users want in the group that their lists show within k; null
--                    for a group that none of them wants
--   wanted           how many relevant items of it the users have, each counted for each user; null for
--                    a group that none of them wants
--   members          how many items it has
--   seen_by          how many pairs of a user and an item of the group the history of the users has
--   total_seen_by    the same of all items together, whether they have a group or not
--   shown_rate       the share of all pairs of a user and an item of the group that the lists show
--                    within k, leaving out in the whole what the user's history has

{% macro grouped(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set found = kind.truth and sqlrec.some_of(['found_rate', 'mean_found'], used) %}
{% set shown = sqlrec.some_of(['shown_rate', 'mean_shown'], used) %}
{% set had = ['seen_by'] | select('in', used) | list %}
{% set lists, exposure = sqlrec.some_of(['lists', 'total_lists'], used), sqlrec.some_of(['exposure', 'total_exposure'], used) %}
{% set totals = ['total_lists', 'total_exposure', 'total_seen_by'] | select('in', used) | list %}
{% set stocked = lists or exposure or 'members' in used or plan.audit %}
{% set of_items = totals + had + (['lists'] if lists or shown else []) + (['exposure'] if exposure else [])
    + (['wanted', 'hits'] if found else ['wanted'] | select('in', used) | list)
    + (['candidates'] if shown else ['stock'] if stocked else []) + (['users_evaluated'] | select('in', used) | list) %}
{% set columns = (['lists'] if lists else []) + (['exposure'] if exposure else [])
    + (['found_rate'] if found else []) + (['shown_rate'] if shown else [])
    + (['wanted', 'members', 'stock_items', 'seen_by'] | select('in', used) | list) %}
{% set accounts = sqlrec.item_accounts(plan, of_items) %}
-- Each item's groups.
item_groups as (
    {{ sqlrec.item_labels(plan, 'item_group') | trim }}
),
{% set items = sqlrec.item_sums(plan, kind, of_items, 'grouped_stock', 'grouped_items') %}
{% call sqlrec.kept_queries(sqlrec.identifiers(items)) %}
-- The items with a group.
grouped_stock as (
    select item_id
    from item_groups
    group by item_id
),
{% endcall %}
{{ items }}
{% set means = ['found', 'shown'] | select('in', sqlrec.rests(used, 'mean_')) | list %}
{% set select %}
    {% for name in groups + accounts %}
    grouped_items.{{ name }},
    {% endfor %}
    coalesce(sum(grouped_items.lists), 0) as lists,
    coalesce(sum(grouped_items.exposure), 0) as exposure,
    {% for name in totals %}
    max(grouped_items.{{ name }}) as {{ name }},
    {% endfor %}
    sum(case when item_groups.item_group is not null then grouped_items.hits end)
        / nullif(sum(grouped_items.wanted), 0) as found_rate,
    sum(grouped_items.wanted) as wanted,
    {{ sqlrec.double('count(item_groups.item_group)') }} as members,
    {{ sqlrec.double('max(stock_counts.stock_items)') }} as stock_items,
    coalesce(sum(grouped_items.seen_by), 0) as seen_by,
    coalesce(sum(grouped_items.lists), 0)
        / nullif(sum({{ sqlrec.double('grouped_items.candidates') }}), 0) as shown_rate,
    item_groups.item_group,
{% endset %}
{% set select = sqlrec.entries(select, groups + accounts + columns + totals + ['item_group']) %}
-- {{ 'Each group' if not means else 'The rates of each group' }}.
{{ 'grouped_rates' if means else 'grouped' }} as (
    select
        {{ select }}
    from grouped_items
    {%- call sqlrec.kept_joins(sqlrec.identifiers(select)) %}
    left join item_groups on item_groups.item_id = grouped_items.item_id
    cross join (select count(distinct {{ 'item_id' if plan.audit else plan['items'].columns.item_id }}) as stock_items from {{ 'item_attributes' if plan.audit else plan['items'].relation }}) as stock_counts
    {%- endcall %}
    group by {{ sqlrec.names(groups + accounts, 'grouped_items') ~ ', ' if groups + accounts }}item_groups.item_group
),
{% if means %}
-- The same rates, with their mean over the groups.
grouped as (
    select
        {{ sqlrec.names(groups + accounts) ~ ',' if groups + accounts }}
        {%- for name in columns + totals %}
        {{ name }},
        {%- endfor %}
        {%- for name in means %}
        sum({{ name }}_rate) over ({{ sqlrec.partitioned(groups) }})
        / nullif(count({{ name }}_rate) over ({{ sqlrec.partitioned(groups) }}), 0) as mean_{{ name }},
        {%- endfor %}
        item_group
    from grouped_rates
),
{% endif %}
{% endmacro %}

{% macro grouped_keys(plan, used) %}{{ return(sqlrec.whole_groups(plan, used)) }}{% endmacro %}

{% macro grouped_population(plan) %}recs{% endmacro %}
