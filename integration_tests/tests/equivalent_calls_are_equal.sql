-- A query in parentheses, the plain form, and the grouping of all users return the same values as the relations.
{% for other in ['of_query', 'plain', 'by_groupings'] %}
{{ 'union all' if not loop.first }}
select ours.model, ours.metric
from {{ ref('evaluation') }} as ours
left join {{ ref(other) }} as theirs
    on theirs.model = ours.model and theirs.metric = ours.metric
    {{ "and theirs." ~ adapter.quote('grouping') ~ " = 'all'" if other == 'by_groupings' }}
where theirs.value is null or abs(ours.value - theirs.value) > 1e-12
{% endfor %}
