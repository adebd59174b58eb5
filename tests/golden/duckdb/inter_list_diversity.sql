-- Inter-list diversity: how much the lists of two users differ, over all pairs of users, from 0 to
-- 1. inter_list_diversity@10.
-- Reads recs (user_id, item_id, score).
with
-- Lists from the best score down; equal scores by item.
listed as (
    select user_id, item_id,
        row_number() over (partition by user_id order by score desc, item_id asc) as rank
    from recs
),

-- The users with a list, and its length.
shown_lists as (
    select user_id, count(*) as list_length
    from listed
    where rank <= 10
    group by user_id
),

-- The users with a list.
exposed_accounts as (select count(*) as users_evaluated from shown_lists),

-- For each item, how often lists show it.
exposed_sums as (
    select listed.item_id, sum(1 / sqrt(cast(shown_lists.list_length as double))) as mass
    from listed
    join shown_lists on shown_lists.user_id = listed.user_id
    where listed.rank <= 10
    group by listed.item_id
),

exposed as (
    select users_evaluated, item_id, mass
    from exposed_sums
    cross join exposed_accounts
),

exposed_values as (
    select users_evaluated,
        -- Zhou et al. 2010
        1
        - greatest(
            least(
                sum(mass * mass) - users_evaluated,
                cast(users_evaluated as double) * (users_evaluated - 1)
            ),
            0
        )
        / nullif(cast(users_evaluated as double) * (users_evaluated - 1), 0) as inter_list_diversity
    from exposed
    group by users_evaluated
)

select inter_list_diversity as value,
    cast(case when inter_list_diversity is null then 0 else users_evaluated end as bigint) as users
from exposed_values
