-- Target items: one row per model, user, cutoff and relevant item of the user, even if the list lacks the item. A
-- user without a relevant item still has one row, in which the columns by row are null.
--
-- Constant for a user and cutoff:
--
--   k               the cutoff
--   list_length     the length of the list, at most k
--   relevant_items  number of items that are relevant to the user
--   tied            1 if ranks k and k + 1 have the same score; only in lists ordered by score
--
-- By row:
--
--   hit             1 if the list has the item within k, else 0
--   item_users      number of users of the history with the item; 1 for an item without history
--   item_rarity     the number of pairs of a user and an item in the history, divided by the number
--                   of these pairs with the item; 0 for an item without history
--   seen            1 if the user's history has the item, else 0
--   price           the item's price
--   discount        the weight of the item's rank in the list, 1 / log2(rank + 1); 0 if the list
--                   lacks the item
--   best_discount   the weight of the item's rank among the user's items, ordered by price, if this
--                   rank is within k; else 0
--   inverse_propensity  1 / the propensity in the truth, the probability that the user saw the
--                   item; 0 if the propensity is missing or 0, and for a user without a relevant
--                   item
--   best_click_discount  like best_discount, with the user's items ordered by propensity, the
--                        lowest first

{% macro target_items(plan, kind, used) %}
-- Each user's relevant items, and their ranks in the list.
ranked_targets as (
    select models.model, relevant.user_id, listed.rank,
        cast(coalesce(item_counts.item_users, 1) as double) as item_users,
        coalesce(cast(history_counts.history_pairs as double) / item_counts.item_users, 0) as item_rarity,
        cast(case when interactions.item_id is not null then 1 else 0 end as double) as seen,
        item_prices.price,
        row_number() over (
            partition by models.model, relevant.user_id order by item_prices.price desc, relevant.item_id asc
        ) as price_rank,
        coalesce(1 / nullif(relevant.propensity, 0), 0) as inverse_propensity,
        row_number() over (
            partition by models.model, relevant.user_id
            order by coalesce(1 / nullif(relevant.propensity, 0), 0) desc, relevant.item_id asc
        ) as click_rank
    from relevant
    cross join models
    left join item_prices on item_prices.item_id = relevant.item_id
    left join item_counts on item_counts.item_id = relevant.item_id
    left join interactions on interactions.user_id = relevant.user_id and interactions.item_id = relevant.item_id
    cross join history_counts
    left join listed on listed.model = models.model and listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
    {{ 'where relevant.is_relevant > 0' if plan.audit or plan.has_grades }}
),
-- Each relevant item, and whether the list has it within the cutoff.
target_items as (
    select evaluated_users.*,
        cast(case when ranked_targets.rank <= evaluated_users.k then 1 else 0 end as double) as hit,
        ranked_targets.item_users,
        ranked_targets.item_rarity,
        ranked_targets.seen,
        ranked_targets.price,
        case when ranked_targets.rank <= evaluated_users.k then 1 / log2(ranked_targets.rank + 1) else cast(0 as double) end as discount,
        case when ranked_targets.price_rank <= evaluated_users.k then 1 / log2(ranked_targets.price_rank + 1) else cast(0 as double) end as best_discount,
        {{ 'ranked_targets.inverse_propensity' if 'is_relevant' in plan.properties.population else 'coalesce(ranked_targets.inverse_propensity, 0) as inverse_propensity' }},
        case when ranked_targets.click_rank <= evaluated_users.k then 1 / log2(ranked_targets.click_rank + 1) else cast(0 as double) end as best_click_discount
    from evaluated_users
    left join ranked_targets on ranked_targets.model = evaluated_users.model and ranked_targets.user_id = evaluated_users.user_id
),
{% endmacro %}
