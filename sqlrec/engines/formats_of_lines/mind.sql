-- MIND: the items of an impression, such as N55689-1, where 1 is a click.
select
    user_id,
    regexp_extract(item, '^(.*)-([01])$', 1) as item_id,
    regexp_extract(item, '^(.*)-([01])$', 2) as relevance
from (
    select fields[1] as user_id, unnest(string_split(trim(fields[5]), ' ')) as item
    from (select string_split(line, e'\t') as fields from file_lines where trim(line) <> '')
)
