-- Targets: one row per model, user, cutoff and relevant item of the user, whether or not the list has it.
-- A user with none still has one row, in which its columns are null.
--
-- The same in all rows of a user and cutoff:
--
--   k               the cutoff
--   list_length     the places of the list, at most k
--   relevant_items  how many items are relevant to the user
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--
-- Row by row:
--
--   found           1 where the list has the item within k, else 0
--   item_users      how many users of the history had the item; 1 for an item without history
--   item_rarity     the pairs of the history divided by those of the item; 0 for an item without history
--   seen            1 where the user's history has the item, else 0
--   price           its price
--   discount        the weight of its place in the list, 1 / log2(rank + 1); 0 where it is not found
--   best_discount   the weight of its place in the list of the user's items by price, as far as that has
--                   places within k; else 0
--   inverse_propensity  1 / the probability that the user saw it, from the truth; 0 where that is missing or 0,
--                   and for a user with none
--   best_click_discount  the same as best_discount, of the user's items from the least likely seen

{% macro targets(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set placed = sqlrec.some_of(['found', 'discount'], used) %}
{% set inverse = 'coalesce(1 / nullif(relevant.propensity, 0), 0)' %}
{% set of_user = 'partition by ' ~ ('models.model, ' if 'model' in keys) ~ 'relevant.user_id' %}
{% set of_items %}
    {{ sqlrec.double('coalesce(item_counts.item_users, 1)') }} as item_users,
    coalesce({{ sqlrec.double('history_counts.history_pairs') }} / item_counts.item_users, 0) as item_rarity,
    {{ sqlrec.indicator('interactions.item_id is not null') }} as seen,
    item_prices.price,
    row_number() over ({{ of_user }} order by item_prices.price desc, relevant.item_id asc) as price_rank,
    {{ inverse }} as inverse_propensity,
    row_number() over ({{ of_user }} order by {{ inverse }} desc, relevant.item_id asc) as click_rank,
{% endset %}
{% set of_items = sqlrec.chosen(of_items, used + (['price_rank'] if 'best_discount' in used else []) + (['click_rank'] if 'best_click_discount' in used else [])) %}
{% set columns %}
    {{ sqlrec.indicator(sqlrec.within(plan, 'wanted_items.rank', 'evaluated')) }} as found,
    wanted_items.item_users,
    wanted_items.item_rarity,
    wanted_items.seen,
    wanted_items.price,
    {{ sqlrec.discount_within(plan, 'wanted_items.rank') }} as discount,
    {{ sqlrec.discount_within(plan, 'wanted_items.price_rank') }} as best_discount,
    {{ 'wanted_items.inverse_propensity' if plan.population in ['truth', 'truth_and_recs'] else 'coalesce(wanted_items.inverse_propensity, 0) as inverse_propensity' }},
    {{ sqlrec.discount_within(plan, 'wanted_items.click_rank') }} as best_click_discount,
{% endset %}
-- Each user's relevant items{{ ', and their places in the list' if placed }}.
wanted_items as (
    select
        {{ sqlrec.named('models.model', 'model') ~ ',' if 'model' in keys }}
        {{ sqlrec.named('relevant.user_id', 'user_id') }}
        {{- ',\n        ' ~ sqlrec.named('listed.rank', 'rank') if placed }}
        {{- of_items }}
    from relevant
    {%- call sqlrec.kept_joins(sqlrec.identifiers(of_items) + (['models'] if 'model' in keys else []) + (['listed'] if placed else [])) %}
    cross join models
    left join item_prices on item_prices.item_id = relevant.item_id
    left join item_counts on item_counts.item_id = relevant.item_id
    left join interactions on interactions.user_id = relevant.user_id and interactions.item_id = relevant.item_id
    cross join history_counts
    left join listed
        on listed.user_id = relevant.user_id
        and listed.item_id = relevant.item_id
        {{ 'and listed.model = models.model' if 'model' in keys }}
    {%- endcall %}
    {{ 'where relevant.is_relevant > 0' if not sqlrec.reads_relevant_alone(plan, used) }}
),
-- Each relevant item{{ ', and whether the list has it within the cutoff' if placed else ' of who is averaged over' }}.
targets as (
    select
        {{ sqlrec.taken(sqlrec.targets_keys(plan, used), 'evaluated') }}
        {{- sqlrec.chosen(columns, used) }}
    from evaluated
    left join wanted_items
        on {{ sqlrec.same(keys, 'wanted_items', 'evaluated') }}
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
),
{% endmacro %}

-- The weight of a place within the cutoff, else 0.
{% macro discount_within(plan, rank) -%}
case when {{ sqlrec.within(plan, rank, 'evaluated') }} then 1 / {{ sqlrec.log2(rank ~ ' + 1') }} else {{ sqlrec.double(0) }} end
{%- endmacro %}

{% macro targets_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used) + ['relevant_items'] | select('in', used) | list) }}{% endmacro %}

{% macro targets_population(plan) %}{{ plan.population }}{% endmacro %}
