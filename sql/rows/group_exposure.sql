-- Group exposure: one row per model, segment, cutoff and group of items, with its exposure in all lists. Users count
-- if their list reaches the cutoff, whether or not they are in the truth. An item may be in several groups, and
-- counts in each; a repeated row of items counts once.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated  number of users with a list
--   short_lists      number of lists shorter than k
--   ties_at_cutoff   number of lists with the same score at places k and k + 1
--   stock_items      number of items in the table items
--   mean_found       the mean of found_rate over the groups
--   mean_shown       the mean of shown_rate over the groups
--
-- By row:
--
--   item_group       the group; null in one row, without rates, for the items without a group
--   lists            number of places within k with an item of the group
--   exposure         the same, each place weighted by 1 / log2(rank + 1)
--   total_lists      the same for all items, with and without a group
--   total_exposure   exposure of all items
--   found_rate       the share of the group's relevant items that lists show within k; null for a
--                    group without a relevant item
--   wanted           number of pairs of a user and a relevant item of the group; null for a group
--                    without a relevant item
--   members          number of items in the group
--   seen_by          number of pairs of a user and an item of the group in the history
--   total_seen_by    the same for all items, with and without a group
--   shown_rate       the share of all pairs of a user and an item of the group that the lists show
--                    within k, except pairs in the user's history

{% macro group_exposure(plan, kind, used) %}
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
{% set items = sqlrec.item_sums(plan, kind, of_items, 'group_exposure_stock', 'group_exposure_items') %}
{% call sqlrec.kept_queries(sqlrec.identifiers(items)) %}
-- The items with a group.
group_exposure_stock as (
    select item_id
    from item_groups
    group by item_id
),
{% endcall %}
{{ items }}
{% set means = ['found', 'shown'] | select('in', sqlrec.rests(used, 'mean_')) | list %}
{% set select %}
    {% for name in groups + accounts %}
    group_exposure_items.{{ name }},
    {% endfor %}
    coalesce(sum(group_exposure_items.lists), 0) as lists,
    coalesce(sum(group_exposure_items.exposure), 0) as exposure,
    {% for name in totals %}
    max(group_exposure_items.{{ name }}) as {{ name }},
    {% endfor %}
    sum(case when item_groups.item_group is not null then group_exposure_items.hits end)
        / nullif(sum(group_exposure_items.wanted), 0) as found_rate,
    sum(group_exposure_items.wanted) as wanted,
    {{ sqlrec.double('count(item_groups.item_group)') }} as members,
    {{ sqlrec.double('max(stock_counts.stock_items)') }} as stock_items,
    coalesce(sum(group_exposure_items.seen_by), 0) as seen_by,
    coalesce(sum(group_exposure_items.lists), 0)
        / nullif(sum({{ sqlrec.double('group_exposure_items.candidates') }}), 0) as shown_rate,
    item_groups.item_group,
{% endset %}
{% set select = sqlrec.entries(select, groups + accounts + columns + totals + ['item_group']) %}
-- {{ 'Each group' if not means else 'The rates of each group' }}.
{{ 'group_exposure_rates' if means else 'group_exposure' }} as (
    select
        {{ select }}
    from group_exposure_items
    {%- call sqlrec.kept_joins(sqlrec.identifiers(select)) %}
    left join item_groups on item_groups.item_id = group_exposure_items.item_id
    cross join (select count(distinct {{ 'item_id' if plan.audit else plan['items'].columns.item_id }}) as stock_items from {{ 'item_attributes' if plan.audit else plan['items'].relation }}) as stock_counts
    {%- endcall %}
    group by {{ sqlrec.names(groups + accounts, 'group_exposure_items') ~ ', ' if groups + accounts }}item_groups.item_group
),
{% if means %}
-- The rates, with their means over the groups.
group_exposure as (
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
    from group_exposure_rates
),
{% endif %}
{% endmacro %}

{% macro group_exposure_keys(plan, used) %}{{ return(sqlrec.whole_groups(plan, used)) }}{% endmacro %}

{% macro group_exposure_population(plan) %}recs{% endmacro %}
