-- Geometric bpref: the geometric mean of per-user bpref, dominated by the users with the lowest
-- values, from 0 to 1. geometric_bpref@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id). All of truth is relevant.
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(1 as double) as is_relevant, cast(1 as double) as grade
    from truth
),

-- The population: users with relevant items.
evaluated as (
    select user_id, count(*) as relevant_items,
        cast(
            sum(case when grade >= 0 and is_relevant = 0 then 1 else 0 end) as bigint
        ) as nonrelevant_items
    from relevant
    group by user_id
),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, evaluated.relevant_items, evaluated.nonrelevant_items,
        coalesce(item.hit, 0) as hit, coalesce(item.hits_so_far, 0) as hits_so_far,
        coalesce(item.judged_so_far, cast(0 as double)) as judged_so_far
    from evaluated
    left join (
        select listed.user_id, relevant.is_relevant as hit,
            sum(relevant.is_relevant) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as hits_so_far,
            sum(cast(1 as double)) over (
                partition by listed.user_id order by listed.rank asc
                rows between unbounded preceding and current row
            ) as judged_so_far
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, relevant_items, nonrelevant_items,
        -- trec_eval 10, github.com/usnistgov/trec_eval, after Robertson 2006
        sum(
            case
                when judged_so_far > hits_so_far
                    then hit * (
                        1
                        - least(judged_so_far - hits_so_far, cast(relevant_items as double))
                        / nullif(least(nonrelevant_items, relevant_items), 0)
                    )
                else hit
            end
        ) / nullif(relevant_items, 0) as geometric_bpref
    from hits
    group by user_id, relevant_items, nonrelevant_items
)

select
    exp(
        avg(
            ln(
                case
                    when geometric_bpref > cast('1e-05' as double) then geometric_bpref
                    when geometric_bpref >= 0 then cast('1e-05' as double)
                end
            )
        )
    ) as value,
    count(geometric_bpref) as users
from hits_values
