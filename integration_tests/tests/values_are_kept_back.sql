-- Where rows break a rule there is no value, and it is said how often.
select model, metric from {{ ref('untrusted') }} where value is not null or standard_error is not null or median is not null or violations <> 2
union all
select model, metric from {{ ref('untrusted_users') }} where value is not null or violations <> 2
union all
select model, metric from {{ ref('untrusted_comparison') }} where difference is not null or wins is not null or violations < 1
union all
select input as model, message as metric from {{ ref('violations') }}
where message <> 'recs: user u1 has item a more than once, one of 2 such repeats: a list has an item only once; give duplicates=''best'' to keep its best rank'
