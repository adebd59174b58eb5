-- A query in parentheses, the plain form, and the grouping of all users return the same values as the relations.
{% for other in ['of_query', 'plain', 'by_groupings'] %}
{{ 'union all' if not loop.first }}
select expected.model, expected.metric
from {{ ref('evaluation') }} as expected
left join {{ ref(other) }} as other
    on other.model = expected.model and other.metric = expected.metric
    {{ "and other." ~ adapter.quote('grouping') ~ " = 'all'" if other == 'by_groupings' }}
where other.value is null or abs(expected.value - other.value) > 1e-12
{% endfor %}
