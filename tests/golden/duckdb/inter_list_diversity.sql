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
recommended_lists as (
    select user_id, count(*) as list_length
    from listed
    where rank <= 10
    group by user_id
),

-- The users with a list.
item_exposure_accounts as (select count(*) as users_evaluated from recommended_lists),

-- The sums of each item.
item_exposure_sums as (
    select sum(1 / sqrt(cast(recommended_lists.list_length as double))) as mass
    from listed
    join recommended_lists on recommended_lists.user_id = listed.user_id
    where listed.rank <= 10
    group by listed.item_id
),

-- Each item, with its columns.
item_exposure_values as (
    select item_exposure_accounts.users_evaluated,
        1
        - greatest(
            least(
                sum(item_exposure_sums.mass * item_exposure_sums.mass)
                - item_exposure_accounts.users_evaluated,
                cast(item_exposure_accounts.users_evaluated as double)
                * (item_exposure_accounts.users_evaluated - 1)
            ),
            0
        )
        / nullif(
            cast(item_exposure_accounts.users_evaluated as double)
            * (item_exposure_accounts.users_evaluated - 1),
            0
        ) as inter_list_diversity  -- Zhou et al. 2010
    from item_exposure_accounts
    cross join item_exposure_sums
    group by item_exposure_accounts.users_evaluated
)

select inter_list_diversity as value,
    cast(case when inter_list_diversity is null then 0 else users_evaluated end as bigint) as users
from item_exposure_values
