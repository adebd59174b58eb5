-- MIND: the items that a user clicked before an impression.
select fields[1] as user_id, unnest(string_split(trim(fields[4]), ' ')) as item_id
from (select string_split(line, e'\t') as fields from file_lines where trim(line) <> '')
where trim(fields[4]) <> ''
