-- Netflix Prize: lines of users after the line of their item, such as 1234:
select
    string_split(line, ',')[1] as user_id,
    item_id,
    string_split(line, ',')[2] as value_column,
    string_split(line, ',')[3] as date
from (
    select
        line,
        last_value(case when line like '%:' then rtrim(line, ':') end ignore nulls) over (
            order by number rows between unbounded preceding and current row
        ) as item_id
    from (select trim(line) as line, row_number() over () as number from file_lines)
)
where line like '%,%'
