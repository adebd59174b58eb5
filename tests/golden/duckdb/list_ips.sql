-- List IPS: the mean reward over all recommendations, estimated by inverse propensity scores from
-- the items in the truth, unbounded. list_ips@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (select user_id, item_id, cast(relevance as double) as grade from truth),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The propensity if truth has no propensities: every item of the truth is equally likely to be
-- shown.
truth_items as (
    select 1 / cast(count(distinct item_id) as double) as propensity
    from relevant
),

-- The ranks of lists, with the rows of the truth for their items.
observed_feedback as (
    select recommended_lists.user_id, relevant.grade as reward,
        case when relevant.grade is not null then truth_items.propensity end as propensity
    from recommended_lists
    join listed on listed.user_id = recommended_lists.user_id and listed.rank <= 10
    cross join truth_items
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),

observed_feedback_values as (
    select
        case
            when sum(case when propensity = 0 and reward <> 0 then 1 else 0 end) = 0
                then favg(coalesce(reward / nullif(propensity, 0), 0))
        end as list_ips,  -- Dudik et al. 2011
        cast(count(*) as double) as list_ips_weight
    from observed_feedback
    group by user_id
)

select
    sum(list_ips * list_ips_weight)
    / nullif(sum(case when list_ips is not null then list_ips_weight end), 0) as value,
    count(list_ips) as users
from observed_feedback_values
