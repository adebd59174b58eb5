-- The standard error of means over users who belong to groups, such as households: what users of a group
-- have in common makes the mean less certain than as many strangers would.
--
--   clusters        how many groups there are
--   standard_error  sqrt(clusters / (clusters - 1) * sum of squares of the groups' sums of deviations) / users
--
-- Source    Liang & Zeger 1986, doi.org/10.1093/biomet/73.1.13, for a mean
--
-- The plan has two entries more than sqlrec/plan/plan.py lists: cluster, the label of the segment that names
-- groups, and baseline_model, a text constant or none, for means of the differences to it.

{% macro clusters(plan) %}
{% set groups = ['model'] + plan.by | rejectattr('label', 'equalto', plan.cluster) | map(attribute='label') | list + ['metric', 'k'] %}
-- How certain the means of {{ plan.title }} are where users belong to groups.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.sampled(plan, groups) }},
centred as (
    select
        {{ sqlrec.names(groups) }}, unit, faults,
        value - {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}) as deviation
    from sampled
),
clustered as (
    select {{ sqlrec.names(groups) }}, unit, count(*) as users, sum(deviation) as deviation, max(faults) as faults
    from centred
    group by {{ sqlrec.names(groups) }}, unit
)
select
    {{ sqlrec.names(groups) }},
    count(*) as clusters,
    sqrt(
        sum(deviation * deviation) * count(*) / nullif(cast(count(*) as {{ adapter.dispatch('double_type', 'sqlrec')() }}) - 1, 0)
    ) / sum(users) as standard_error,
    max(faults) as faults
from clustered
group by {{ sqlrec.names(groups) }}
{{ sqlrec.ending() }}
{% endmacro %}
