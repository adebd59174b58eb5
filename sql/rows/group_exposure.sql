-- Group exposure: one row per model, segment, cutoff and group of items, with the group's exposure
-- in all lists. All users with a list that is not empty at the cutoff count, even if they are not
-- in the truth. An item may be in several groups, and counts in each group. A repeated row of items
-- counts once.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated  number of users with a list
--   short_lists      number of lists shorter than k
--   ties_at_cutoff   number of lists with the same score at ranks k and k + 1
--   stock_items      number of items in the table items
--   mean_found       the mean of found_rate over the groups
--   mean_shown       the mean of shown_rate over the groups
--
-- By row:
--
--   item_group       the group; null in one row, without rates, for the items without a group
--   lists            number of ranks within k with an item of the group
--   exposure         like lists, with each rank weighted by 1 / log2(rank + 1)
--   total_lists      the sum of lists over all items, with and without a group
--   total_exposure   the exposure of all items
--   found_rate       the share of the group's relevant items that lists show within k; null for a
--                    group without a relevant item
--   relevant_pairs   number of pairs of a user and a relevant item of the group; null for a group
--                    without a relevant item
--   members          number of items in the group
--   seen_by          number of pairs of a user and an item of the group in the history
--   total_seen_by    the sum of seen_by over all items, with and without a group
--   shown_rate       the share of all pairs of a user and an item of the group that the lists show
--                    within k, except pairs in the user's history

{% macro group_exposure(plan, kind, used) %}
{% set groups = sqlrec.names(plan.key_columns, 'group_exposure_items') %}
{% set found = kind.truth and sqlrec.uses_any(['found_rate', 'mean_found'], used) %}
{% set shown = sqlrec.uses_any(['shown_rate', 'mean_shown'], used) %}
{% set listed = sqlrec.uses_any(['lists', 'total_lists', 'exposure', 'total_exposure'], used) %}
{% set sources = (['ranks'] if listed or shown else []) + (['relevant_pairs'] if found or 'relevant_pairs' in used else [])
    + (['stock'] if listed or shown or 'members' in used or plan.audit else [])
    + (['seen_by'] if plan.history and (shown or sqlrec.uses_any(['seen_by', 'total_seen_by'], used)) else []) %}
-- Each item's groups.
item_groups as (
    select item_id, item_group
    from item_attributes
    where item_group is not null
    group by item_id, item_group
),
-- The items with a group.
group_exposure_stock as (
    select item_id
    from item_groups
    group by item_id
),
-- The number of items.
stock_counts as (
    select count(distinct item_id) as stock_items
    from item_attributes
),
{{ sqlrec.item_sums(plan, kind, used + (['hits'] if found else []), sources, 'group_exposure_stock') }}
-- The rates of each group.
group_exposure_rates as (
    select {{ groups }}, item_groups.item_group,
        max(group_exposure_items.users_evaluated) as users_evaluated,
        max(group_exposure_items.short_lists) as short_lists,
        max(group_exposure_items.ties_at_cutoff) as ties_at_cutoff,
        coalesce(sum(group_exposure_items.lists), 0) as lists,
        coalesce(sum(group_exposure_items.exposure), 0) as exposure,
        max(group_exposure_items.total_lists) as total_lists,
        max(group_exposure_items.total_exposure) as total_exposure,
        max(group_exposure_items.total_seen_by) as total_seen_by,
        sum(case when item_groups.item_group is not null then group_exposure_items.hits end)
            / nullif(sum(group_exposure_items.relevant_pairs), 0) as found_rate,
        sum(group_exposure_items.relevant_pairs) as relevant_pairs,
        cast(count(item_groups.item_group) as double) as members,
        cast(max(stock_counts.stock_items) as double) as stock_items,
        coalesce(sum(group_exposure_items.seen_by), 0) as seen_by,
        coalesce(sum(group_exposure_items.lists), 0)
            / nullif(sum(cast(group_exposure_items.candidates as double)), 0) as shown_rate
    from group_exposure_items
    left join item_groups on item_groups.item_id = group_exposure_items.item_id
    cross join stock_counts
    group by {{ groups }}, item_groups.item_group
),
-- The rates, with their means over the groups.
group_exposure as (
    select group_exposure_rates.*
        {%- for name in ['found', 'shown'] %},
        sum({{ name }}_rate) over (partition by {{ plan.row_keys }})
        / nullif(count({{ name }}_rate) over (partition by {{ plan.row_keys }}), 0) as mean_{{ name }}
        {%- endfor %}
    from group_exposure_rates
),
{% endmacro %}
