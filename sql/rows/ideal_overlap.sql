-- Ideal overlap: one row per model, user, cutoff and depth. The depth runs from 1 to the length of
-- the longer list: either the user's list or the best list of the user's items, both cut at k. A
-- user without both lists has one row with a null depth.
--
-- The best list contains the items with a gain, from the highest grade down. Items with equal
-- grades have the order of the user's list. Gaps in the ranks of recs are closed.
--
--   model            the model of the list, if there are several
--   user_id          the user
--   <segment>        a column of `by`, with one value for each user
--   k                the cutoff
--   list_length      the length of the list, at most k; 0 for a user without a list
--   tied             1 if ranks k and k + 1 have the same score; only in lists ordered by score
--
-- By row:
--
--   depth            the number of items from the top
--   overlap          number of items in the top depth items of both lists
--   best_overlap     number of items in the top depth items of the best list
--   weight_<p>       p^depth / depth

{% macro ideal_overlap(plan, kind, used) %}
{% set keys = sqlrec.names(plan.key_columns, 'evaluated_users') %}
{{ sqlrec.close_rank_gaps('own_ranks', 'listed', 'model, user_id', plan.order) }}
-- Each item of a user's best list, with its ranks in the best list and in the user's list.
best_lists as (
    select evaluated_users.model, evaluated_users.user_id, evaluated_users.k, own_ranks.closed_rank as own_rank,
        row_number() over (
            partition by evaluated_users.model, evaluated_users.user_id, evaluated_users.k
            order by relevant.relevance desc, coalesce(own_ranks.closed_rank, {{ plan.past_every_cutoff }}) asc, relevant.item_id asc
        ) as best_rank
    from evaluated_users
    join first_judgments as relevant on relevant.user_id = evaluated_users.user_id
    left join own_ranks
        on own_ranks.model = evaluated_users.model and own_ranks.user_id = evaluated_users.user_id
        and own_ranks.item_id = relevant.item_id and own_ranks.rank <= evaluated_users.k
        {{ 'and own_ranks.mention = 1' if 'keeps_repeats' in plan.properties.duplicates }}
    where relevant.relevance > 0
),
-- The ranks of both lists, and the depths from which an item is in both.
overlap_ranks as (
    select evaluated_users.model, evaluated_users.user_id, evaluated_users.k, own_ranks.closed_rank as depth, 0 as best, 0 as met
    from evaluated_users
    join own_ranks
        on own_ranks.model = evaluated_users.model and own_ranks.user_id = evaluated_users.user_id
        and own_ranks.rank <= evaluated_users.k
    union all
    select model, user_id, k, best_rank as depth, 1 as best, 0 as met
    from best_lists
    where best_rank <= k
    union all
    select model, user_id, k, greatest(own_rank, best_rank) as depth, 0 as best, 1 as met
    from best_lists
    where own_rank is not null and best_rank <= k
),
-- The overlap of each list with the best list, down to each depth.
ideal_overlap as (
    select {{ keys }}, overlap_ranks.depth,
        {{ sqlrec.weights_of_depth(used, 'cast(overlap_ranks.depth as double)') }}
        sum(cast(sum(overlap_ranks.met) as double)) over (
            partition by evaluated_users.model, evaluated_users.user_id, evaluated_users.k order by overlap_ranks.depth asc rows between unbounded preceding and current row
        ) as overlap,
        sum(cast(sum(overlap_ranks.best) as double)) over (
            partition by evaluated_users.model, evaluated_users.user_id, evaluated_users.k order by overlap_ranks.depth asc rows between unbounded preceding and current row
        ) as best_overlap
    from evaluated_users
    left join overlap_ranks
        on overlap_ranks.model = evaluated_users.model and overlap_ranks.user_id = evaluated_users.user_id
        and overlap_ranks.k = evaluated_users.k
    group by {{ keys }}, overlap_ranks.depth
),
{% endmacro %}
