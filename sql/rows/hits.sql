-- Hits: one row per model, user, cutoff and judged item of the list within k. A user without a
-- judged item in the list still has one row, without a hit and beyond all cutoffs.
--
-- All columns of rows/evaluated_users.sql, which are constant for a user and cutoff, and
--
-- By row; hits, grades and their sums are doubles:
--
--   rank            the item's rank, from 1
--   misses_so_far   ranks without a hit down to this rank, judged or not
--   discount        the weight of the rank: 1 / log2(rank + 1)
--   late_discount   the discount of the 2002 paper: 1 / log2(rank), and 1 for the first two ranks
--   precision_lead  the precision at a hit minus the largest precision at a later hit, at least 0
--   relevance       the item's grade, at least 0; equal to hit if the truth has no grades
--   hit             1 if the item is relevant, else 0
--   top_hit         1 if the item is relevant and no item of the user has a higher grade, else 0
--   hits_so_far     hits at this rank and above
--   gain_so_far, dcg_so_far   the sum of grades, and of grades times discounts, at this rank and
--                             above
--   best_...        values of the user's best list, down to this rank or of the whole list (see
--                   rows/best_lists.sql)
--   stop_<max_grade>  the probability that a user who reads from the top stops at this rank. A user
--                   who reaches an item with grade g stops with the probability (2^g - 1) /
--                   2^max_grade
--   stop_own        like stop_<max_grade>, for the highest grade of the user's items
--   is_judged       1 if the item is judged. A grade below 0 marks an item that was pooled
--                   but not judged, unless it counts as relevant
--   judged_so_far   judged items at this rank and above
--   named_so_far    like judged_so_far, but includes items that were pooled but not judged
--
-- `matches` contains the ranks of a list that have a judgment. Columns that depend on the ranks
-- above belong in `matches`; they are windows ordered by listed.rank. Ranks of recs may have gaps,
-- but listed.counted_rank numbers the items of a list. `hits` contains the matches within each
-- cutoff, and a row of zeros for users without a match. Columns of a match belong in
-- `columns_of_match`, which reads only `matches`, since DuckDB's running sums have no other table.
-- Columns that depend on ranks below, or on a match and its user, belong in `hits`, and columns of
-- the user or the cutoff belong in `evaluated_users`. If metrics add a column to integers, its zero is a
-- double, since SQLite truncates a division of integers. Columns that no metric reads are removed.

{% macro hits(plan, kind, used) %}
{% set within = 'matches.' ~ plan.reached_rank ~ ' <= evaluated_users.k' %}
{{ sqlrec.matches(plan, used) }}
-- The matches of each user within the cutoff; a user without a match has one row of zeros.
hits as (
    select
        evaluated_users.*,
        {{ sqlrec.columns_of_match(plan, used) }},
        coalesce(
            greatest(
                matches.hit * matches.hits_so_far / matches.rank - coalesce(
                    max(matches.hit * matches.hits_so_far / matches.rank) over (
                        partition by evaluated_users.model, evaluated_users.user_id, evaluated_users.k order by matches.rank desc
                        rows between unbounded preceding and 1 preceding
                    ),
                    0
                ),
                0
            ),
            0
        ) as precision_lead
    from evaluated_users
    left join matches on matches.model = evaluated_users.model and matches.user_id = evaluated_users.user_id
        and {{ '(' ~ within ~ ' or ' ~ sqlrec.at_cutoff(plan, 'shared', 'matches', 'evaluated_users.k') ~ ' > 0)' if plan.shares_ranks else within }}
),
{% endmacro %}

{% macro matches(plan, used) %}
-- The recommended items that are in the truth, with their ranks.
matches as (
    select listed.model, listed.user_id, listed.rank,
        listed.counted_rank,
        {% for name in plan.rank_columns %}listed.{{ name }}, {% endfor %}
        relevant.relevance,
        relevant.is_relevant as hit,
        relevant.is_relevant * relevant.is_top as top_hit,
        relevant.is_judged,
        sum(relevant.{{ 'relevant_rows' if 'adds_up_rows' in plan.properties.truth_duplicates else 'is_relevant' }}) over (
            partition by listed.model, listed.user_id order by listed.rank asc rows between unbounded preceding and current row
        ) as hits_so_far,
        sum(relevant.relevance) over (
            partition by listed.model, listed.user_id order by listed.rank asc rows between unbounded preceding and current row
        ) as gain_so_far,
        sum(relevant.relevance * (1 / log2(listed.rank + 1))) over (
            partition by listed.model, listed.user_id order by listed.rank asc rows between unbounded preceding and current row
        ) as dcg_so_far,
        sum(relevant.is_judged) over (
            partition by listed.model, listed.user_id order by listed.rank asc rows between unbounded preceding and current row
        ) as judged_so_far,
        sum(cast(1 as double)) over (
            partition by listed.model, listed.user_id order by listed.rank asc rows between unbounded preceding and current row
        ) as named_so_far,
        {% for name in used if name[:5] == 'stop_' %}{{ sqlrec.stop_probability('relevant.enough_' ~ name[5:], 'partition by listed.model, listed.user_id order by listed.rank asc') }} as {{ name }}, {% endfor %}
        {# Below the end of the best list, its totals. #}
        coalesce(best_list_ranks.best_dcg, best_list_totals.best_dcg) as best_dcg,
        coalesce(best_list_ranks.best_gain, best_list_totals.best_gain + listed.rank - best_list_totals.best_items) as best_gain,
        best_list_totals.best_items,
        best_list_totals.best_total,
        best_list_totals.best_relevance,
        best_list_ranks.best_later
    from {{ plan.ranks_to_match }}
    join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join best_list_ranks on best_list_ranks.user_id = listed.user_id and best_list_ranks.rank = listed.rank
    left join best_list_totals on best_list_totals.user_id = listed.user_id
    {{ 'where listed.' ~ plan.reached_rank ~ ' <= ' ~ plan.depth if plan.depth and not plan.shares_ranks }}
),
{% endmacro %}

{% macro columns_of_match(plan, used) -%}
coalesce(matches.rank, 2147483647) as rank,
        coalesce(matches.hit, 0) as hit,
        coalesce(matches.top_hit, 0) as top_hit,
        coalesce(matches.relevance, 0) as relevance,
        coalesce(matches.hits_so_far, 0) as hits_so_far,
        coalesce(matches.gain_so_far, 0) as gain_so_far,
        coalesce(matches.dcg_so_far, 0) as dcg_so_far,
        coalesce(matches.counted_rank - matches.hits_so_far, 0) as misses_so_far,
        coalesce(matches.is_judged, cast(0 as double)) as is_judged,
        coalesce(matches.judged_so_far, cast(0 as double)) as judged_so_far,
        coalesce(matches.named_so_far, cast(0 as double)) as named_so_far,
        coalesce({{ sqlrec.at_cutoff(plan, 'shared', 'matches', 'evaluated_users.k') if plan.shares_ranks else '1 / log2(matches.rank + 1)' }}, 0) as discount,
        coalesce(case when matches.rank > 2 then 1 / log2(matches.rank) when matches.rank > 0 then cast(1 as double) end, 0) as late_discount,
        coalesce(matches.best_dcg, 0) as best_dcg,
        coalesce(matches.best_gain, 0) as best_gain,
        coalesce(matches.best_items, 0) as best_items,
        coalesce(matches.best_total, 0) as best_total,
        coalesce(matches.best_relevance, 0) as best_relevance,
        {% for name in used if name[:5] == 'stop_' %}coalesce(matches.{{ name }}, 0) as {{ name }}, {% endfor %}
        coalesce(matches.best_later, 0) as best_later
{%- endmacro %}
