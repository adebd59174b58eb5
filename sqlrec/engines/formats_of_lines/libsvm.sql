-- LibSVM: a label, a query as the user, and the number of the line as the item.
select
    regexp_extract(line, 'qid:(\S+)', 1) as user_id,
    row_number() over () - 1 as item_id,
    regexp_extract(line, '^\s*(\S+)', 1) as value_column
from file_lines
where regexp_matches(line, '^\s*[^#\s]')
