-- Cumulative gain: the sum of the gains of the items within k, from 0 up. cumulative_gain@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc nulls last, item_id asc) as rank
    from recs
),

-- Each user's relevant items.
relevant as (
    select user_id, item_id, cast(relevance as double) as relevance
    from truth
    where relevance > 0
),

-- The population: users with relevant items.
evaluated as (select distinct user_id from relevant),

-- The hits of each user within 10 places; a user without hits has one row of zeros.
hits as (
    select evaluated.user_id, coalesce(item.relevance, 0) as relevance
    from evaluated
    left join (
        select listed.user_id, relevant.relevance
        from listed
        join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        where listed.rank <= 10
    ) as item on item.user_id = evaluated.user_id
),

hits_values as (
    select user_id, sum(relevance) as cumulative_gain  -- Jarvelin & Kekalainen 2002
    from hits
    group by user_id
)

select avg(cumulative_gain) as value, count(cumulative_gain) as users
from hits_values
