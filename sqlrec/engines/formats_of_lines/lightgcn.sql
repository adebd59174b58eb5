-- LightGCN: a user and its items, in any order.
select user_id, unnest(item_id) as item_id
from (
    select
        string_split_regex(trim(line), '\s+')[1] as user_id,
        string_split_regex(trim(line), '\s+')[2:] as item_id
    from file_lines
)
