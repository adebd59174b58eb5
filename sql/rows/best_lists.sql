-- Best list ranks: one row per user and rank of the list of the user's items with a gain, from best to worst.
-- Lists are compared with it rank by rank.
--
--   user_id      the user
--   rank         the rank, from 1
--   relevance    the gain of the rank
--   best_dcg     the DCG down to this rank
--   best_gain    the sum of gains down to this rank, each at least 1
--   best_later   the sum of 1 / best_dcg over this rank and later ranks, if the next item has a
--                lower gain
--
-- Best list totals: one row per user.
--
--   best_items   number of items with a gain
--   best_total   the sum of their gains
--   best_relevance   the gain of the first rank
--   best_dcg, best_gain   the values of the last rank

{% macro best_lists(plan) %}
-- The ranks of each user's best list, from the top.
best_gains as (
    select user_id, best_rank as rank, relevance,
        lead(relevance) over (partition by user_id order by best_rank asc) as next_relevance,
        sum(case when relevance > 1 then relevance else 1 end) over (
            partition by user_id order by best_rank asc rows between unbounded preceding and current row
        ) as best_gain,
        sum(relevance * (1 / log2(best_rank + 1))) over (
            partition by user_id order by best_rank asc rows between unbounded preceding and current row
        ) as best_dcg
    from relevant
    where relevance > 0
),
-- The ranks of each user's best list.
best_list_ranks as (
    select user_id, rank, relevance, best_gain, best_dcg,
        sum(case when relevance > coalesce(next_relevance, 0) then 1 / best_dcg end) over (
            partition by user_id order by rank desc rows between unbounded preceding and current row
        ) as best_later
    from best_gains
),
-- The best list as a whole.
best_list_totals as (
    select user_id,
        cast(count(*) as double) as best_items,
        sum(relevance) as best_total,
        max(relevance) as best_relevance,
        max(best_gain) as best_gain,
        max(best_dcg) as best_dcg
    from best_list_ranks
    group by user_id
),
{% endmacro %}
