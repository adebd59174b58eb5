-- Alpha-NDCG: the NDCG of a list whose hits gain less for each hit above that has the same aspect,
-- from 0 to 1. alpha_ndcg@10.
-- Reads recs (user_id, item_id, score), truth (user_id, item_id) and items (item_id, aspect). All
-- of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (select user_id, item_id, cast(1 as double) as is_relevant from truth),

-- The users of the truth, with the totals of their items.
truth_users as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    group by user_id
),

-- Each item's aspects.
item_aspects as (select distinct item_id, aspect from items where aspect is not null),

-- The aspects of each user's relevant items.
relevant_aspects as (
    select relevant.user_id, relevant.item_id, item_aspects.aspect
    from relevant
    join item_aspects on item_aspects.item_id = relevant.item_id
),

-- One row per hit and aspect of the hit, with the number of hits above that have the aspect.
hit_aspects as (
    select listed.user_id, 1 / log2(listed.rank + 1) as discount,
        row_number() over (
            partition by listed.user_id, item_aspects.aspect order by listed.rank asc
        ) - 1 as earlier_hits
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where listed.rank <= 10
),

-- The best list, rank by rank: each takes the item with the largest gain; aspects that are
-- already covered gain less.
ideal_alpha_0p5 as (
    with recursive best_ranks as (
        select user_id, item_id, aspect, cast(0 as bigint) as rank, 0 as is_best,
            cast(0 as bigint) as had
        from relevant_aspects
        union all
        select user_id, item_id, aspect, rank, is_best,
            had + max(is_best) over (partition by user_id, aspect) as had
        from (
            select user_id, item_id, aspect, rank, had,
                case rank() over (partition by user_id order by gain desc, item_id desc)
                    when 1 then 1 else 0
                end as is_best
            from (
                select user_id, item_id, aspect, rank + 1 as rank, had,
                    floor(
                        sum(power(0.5e0, had)) over (partition by user_id, item_id) * 1099511627776
                        + 0.5e0
                    ) as gain
                from best_ranks
                where rank < 10 and is_best = 0
            ) as gains
        ) as best_items
    )
    select user_id, sum(power(0.5e0, had - 1) * (1 / log2(rank + 1))) as dcg_10
    from best_ranks
    where is_best = 1
    group by user_id
),

-- The hits of each user; a user without a hit has one row of zeros.
aspect_hits as (
    select truth_users.user_id, ideal_alpha_0p5.dcg_10 as ideal_alpha_0p5,
        coalesce(hit_aspects.earlier_hits, 0) as earlier_hits,
        coalesce(hit_aspects.discount, 0) as discount
    from truth_users
    left join hit_aspects on hit_aspects.user_id = truth_users.user_id
    left join ideal_alpha_0p5 on ideal_alpha_0p5.user_id = truth_users.user_id
    where truth_users.relevant_items > 0
),

aspect_hits_values as (
    select
        case
            when sum(power(0.5e0, earlier_hits) * discount) >= ideal_alpha_0p5
                and sum(power(0.5e0, earlier_hits) * discount) < 1.000000000001e0 * ideal_alpha_0p5
                then 1
            else sum(power(0.5e0, earlier_hits) * discount) / ideal_alpha_0p5
        end as alpha_ndcg  -- Clarke et al. 2008
    from aspect_hits
    group by user_id, ideal_alpha_0p5
)

select avg(alpha_ndcg) as value, count(alpha_ndcg) as users
from aspect_hits_values
