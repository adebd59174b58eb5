-- Bpref: how far relevant items rank above those judged not relevant, while items without a
-- judgment are ignored, from 0 to 1. bpref@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (
    select user_id, item_id,
        cast(case when relevance > 0 then 1 else 0 end as double) as is_relevant,
        cast(relevance as double) as grade
    from truth
),

-- The population: users with relevant items.
evaluated as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items,
        cast(
            sum(case when grade >= 0 and is_relevant = 0 then 1 else 0 end) as bigint
        ) as nonrelevant_items
    from relevant
    group by user_id
    having sum(is_relevant) > 0
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
            sum(
                cast(
                    case
                        when relevant.grade < 0 and relevant.is_relevant = 0 then 0
                        else 1
                    end as double
                )
            ) over (
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
        ) / nullif(relevant_items, 0) as bpref  -- Buckley & Voorhees 2004
    from hits
    group by user_id, relevant_items, nonrelevant_items
)

select avg(bpref) as value, count(bpref) as users
from hits_values
