select * from {{ ref('recs') }}
union all
select * from {{ ref('recs') }} where user_id = 'u1'
