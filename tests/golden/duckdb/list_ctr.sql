-- List CTR: the mean relevance of the recommendations in all lists with an item of the user's
-- truth, from 0 to 1 if the relevance is a click. list_ctr@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Lists from the best score down.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each user's judged items.
relevant as (select user_id, item_id, cast(relevance as double) as grade from truth),

-- The users with a list, and its length.
recommended_lists as (select distinct user_id from listed where rank <= 10),

-- The ranks of lists, with the rows of the truth for their items.
observed_feedback_values as (
    select
        favg(relevant.grade) as list_ctr,  -- Jurity 2.1.0
        cast(count(relevant.grade) as double) as list_ctr_weight
    from recommended_lists
    join listed on listed.user_id = recommended_lists.user_id and listed.rank <= 10
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    group by listed.user_id
)

select
    sum(list_ctr * list_ctr_weight)
    / nullif(sum(case when list_ctr is not null then list_ctr_weight end), 0) as value,
    count(list_ctr) as users
from observed_feedback_values
