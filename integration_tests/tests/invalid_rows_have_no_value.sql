-- If rows break a rule, there is no value, only the number of violations.
select model, metric from {{ ref('untrusted') }} where value is not null or standard_error is not null or median is not null or violations <> 2
union all
select model, metric from {{ ref('untrusted_users') }} where value is not null or violations <> 2
union all
select model, metric from {{ ref('untrusted_comparison') }} where difference is not null or wins is not null or violations < 1
union all
select input as model, message as metric from {{ ref('violations') }}
where message <> 'recs: user u1 has item a more than once (repeats: 2): a list may contain an item only once; use duplicates=''best'' to keep its best rank'
