-- LightGCN: a user and its items, best first; a user without items has no list.
select
    string_split_regex(trim(line), '\s+')[1] as user_id,
    string_split_regex(trim(line), '\s+')[2:] as item_id
from file_lines
where len(string_split_regex(trim(line), '\s+')) > 1
