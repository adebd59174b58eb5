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

-- How long each list is.
list_lengths as (
    select user_id,
        cast(
            bit_count(
                bit_or(
                    case when rank between 1 and 62 then cast(1 as bigint) << rank else 0 end
                ) & 2047
            ) as bigint
        ) as places_10
    from listed
    group by user_id
),

shown_lists as (
    select list_lengths.user_id, list_lengths.places_10 as list_length
    from list_lengths
    where list_lengths.places_10 > 0
),

-- The users of each segment and cutoff.
exposed_accounts as (
    select count(*) as users_evaluated from shown_lists
),

exposed_sums as (
    select listed.item_id as item_id, sum(1 / sqrt(cast(shown_lists.list_length as double))) as mass
    from listed
    join shown_lists on shown_lists.user_id = listed.user_id
    where listed.rank <= 10
    group by listed.item_id
),

-- The accounts are a row without item, whose numbers a window then gives to all rows: a join by
-- segments would lose those that are null.
exposed_counted as (
    select item_id, mass as mass, cast(null as bigint) as users
    from exposed_sums
    union all
    select null as item_id, cast(null as double) as mass, cast(users_evaluated as bigint) as users
    from exposed_accounts
),

exposed_items as (
    select users_evaluated, item_id, mass
    from (
        select mass, max(users) over () as users_evaluated, item_id
        from exposed_counted
    ) as accounted
),

exposed_known as (
    select exposed_items.users_evaluated, exposed_items.item_id, exposed_items.mass
    from exposed_items
),

exposed as (
    select users_evaluated, item_id, mass from exposed_known
),

exposed_values as (
    select users_evaluated,
        -- Zhou et al. 2010
        1
        - (sum(mass * mass) - users_evaluated)
        / nullif(cast(users_evaluated as double) * (users_evaluated - 1), 0) as inter_list_diversity
    from exposed
    group by users_evaluated
)

select inter_list_diversity as value, cast(null as bigint) as users
from exposed_values
