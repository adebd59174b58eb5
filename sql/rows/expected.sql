-- Expected: one row per model, user, cutoff and rank within k at which a relevant item can be,
-- because it has the same score. Items with equal scores are a group, with equally likely orders:
-- the value of a rank is the mean over all these orders. Missing scores are a group too. A user
-- without such a rank still has one row, without a hit and beyond all cutoffs.
--
-- All columns of rows/evaluated_users.sql, which are constant for a user and cutoff, and
--
-- By row:
--
--   rank              the rank, from 1
--   hit               the probability of a relevant item here: the share of relevant items in the group
--   first_hit         the probability that the first relevant item of the list is here
--   hits_so_far       hits at this rank and above, if this rank is a hit
--   relevance         the mean relevance of the group
--   exponential_gain  the mean of 2^relevance - 1 in the group
--   discount, late_discount   the weights of the rank, as in rows/hits.sql
--
-- Source: McSherry & Najork 2008, doi.org/10.1007/978-3-540-78646-7_38. If no scores are equal,
-- each group is one rank, and the columns are equal to the columns of rows/hits.sql.

{% macro expected(plan, kind, used) %}
-- Groups of equal scores that have a relevant item.
tied_groups as (
    select listed.model, listed.user_id, listed.ranks_above,
        cast(count(*) as double) as ranks,
        sum(relevant.is_relevant) as hits,
        sum(relevant.relevance) as relevance,
        sum(power(2, relevant.relevance) - 1) as exponential_gain
    from listed
    left join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    group by listed.model, listed.user_id, listed.ranks_above
    having sum(relevant.is_relevant) > 0 or sum(relevant.relevance) > 0
),
-- Each group, with the hits of the groups above.
tied_groups_in_lists as (
    select model, user_id, ranks_above, ranks, hits, relevance, exponential_gain,
        coalesce(
            sum(hits) over (
                partition by model, user_id order by ranks_above asc rows between unbounded preceding and 1 preceding
            ),
            0
        ) as hits_above
    from tied_groups
),
-- The ranks of these groups, with the number of earlier ranks of the same group.
tied_ranks as (
    select listed.model, listed.user_id, listed.rank,
        listed.rank - listed.ranks_above - 1 as ranks_before,
        tied_groups_in_lists.ranks_above,
        tied_groups_in_lists.ranks,
        tied_groups_in_lists.hits,
        tied_groups_in_lists.hits_above,
        tied_groups_in_lists.relevance,
        tied_groups_in_lists.exponential_gain
    from listed
    join tied_groups_in_lists
        on tied_groups_in_lists.model = listed.model
        and tied_groups_in_lists.user_id = listed.user_id
        and tied_groups_in_lists.ranks_above = listed.ranks_above
    {{ 'where listed.rank <= ' ~ [plan.depth or plan.whole_list, plan.ends or plan.whole_list] | min if plan.depth or plan.ends }}
),
-- The expected values of each rank. Each rank without a hit uses up one irrelevant item of the
-- group; after the last irrelevant item, the rank is certainly a hit.
chances as (
    select model, user_id, rank,
        hits / ranks as hit,
        case
            when hits_above = 0 and hits > 0 and ranks_before <= ranks - hits
            then hits / (ranks - ranks_before)
            else cast(0 as double)
        end as next_hit,
        coalesce(
            sum(
                case
                    when ranks_before < ranks - hits
                    then ln((ranks - hits - ranks_before) / (ranks - ranks_before))
                    else cast(0 as double)
                end
            ) over (
                partition by model, user_id, ranks_above order by rank asc rows between unbounded preceding and 1 preceding
            ),
            0
        ) as without_hit,
        1 + hits_above + case
            when ranks > 1 then ranks_before * (hits - 1) / (ranks - 1)
            else cast(0 as double)
        end as hits_so_far,
        relevance / ranks as relevance,
        exponential_gain / ranks as exponential_gain,
        1 / log2(rank + 1) as discount,
        case when rank > 2 then 1 / log2(rank) when rank > 0 then cast(1 as double) end as late_discount
    from tied_ranks
),
-- The expected values of each user; a user without such a rank has one row of zeros.
expected as (
    select evaluated_users.*,
        coalesce(chances.rank, 2147483647) as rank,
        coalesce(chances.hit, cast(0 as double)) as hit,
        {#- The probability of a hit here without a hit before, times the probability of no hit before, by
logarithms. A tiny probability is replaced by 0, because some engines cannot compute it. #}
        coalesce(
            case
                when chances.without_hit > -600 then chances.next_hit * exp(chances.without_hit)
                else cast(0 as double)
            end,
            cast(0 as double)
        ) as first_hit,
        coalesce(chances.hits_so_far, cast(0 as double)) as hits_so_far,
        coalesce(chances.relevance, cast(0 as double)) as relevance,
        coalesce(chances.exponential_gain, cast(0 as double)) as exponential_gain,
        coalesce(chances.discount, cast(0 as double)) as discount,
        coalesce(chances.late_discount, cast(0 as double)) as late_discount
    from evaluated_users
    left join chances on chances.model = evaluated_users.model and chances.user_id = evaluated_users.user_id and chances.rank <= evaluated_users.k
),
{% endmacro %}

-- The expected gain of an item: an expression over a row.
{% macro expected_gain(gain) -%}
{{ {'binary': 'hit', 'linear': 'relevance', 'exponential': 'exponential_gain'}[gain] }}
{%- endmacro %}
