-- List CTR: the mean relevance of the recommendations in all lists with an item of the user's
-- truth, from 0 to 1 if the relevance is a click. list_ctr@10.
-- Reads recs (user_id, item_id, score) and truth (user_id, item_id, relevance).
with
-- Each user's judged items.
relevant as (select user_id, item_id, cast(relevance as double) as grade from truth),

-- The items and scores of lists.
scored_items as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- Each rank, with the rows of the truth for its item.
observed_feedback_values as (
    select
        favg(relevant.grade) as list_ctr,  -- Jurity 2.1.0
        cast(count(relevant.grade) as double) as list_ctr_weight
    from scored_items
    left join relevant
        on relevant.user_id = scored_items.user_id and relevant.item_id = scored_items.item_id
    where scored_items.rank <= 10
    group by scored_items.user_id
)

select
    sum(list_ctr * list_ctr_weight)
    / nullif(sum(case when list_ctr is not null then list_ctr_weight end), 0) as value,
    count(list_ctr) as users
from observed_feedback_values
