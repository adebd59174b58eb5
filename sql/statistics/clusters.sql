-- The standard error of means over users who belong to groups, such as households: what users of a group
-- have in common makes the mean less certain than as many strangers would.
--
--   clusters        how many groups there are
--   standard_error  sqrt(clusters / (clusters - 1) * sum of squares of the groups' sums of deviations) / users
--
--   baseline_error, covariance   of differences to a baseline: the same of the baseline's mean, and of both
--
-- Source    Liang & Zeger 1986, doi.org/10.1093/biomet/73.1.13, for a mean
--
-- The plan has two entries more than sqlrec/plan/plan.py lists: cluster, the label of the segment that names
-- groups, and baseline_model, a text constant or none, for means of the differences to it.

{% macro clusters(plan) %}
{% set groups = sqlrec.compared_groups(plan, plan.cluster) %}
-- How certain the means of {{ plan.title }} are where users belong to groups.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.sampled(plan, groups) }},
centred as (
    select
        {{ sqlrec.names(groups) }}, unit, violations,
        value - {{ sqlrec.mean('value') }} over (partition by {{ sqlrec.names(groups) }}) as deviation
        {%- if plan.baseline_model or plan.pairs %},
        baseline_value - {{ sqlrec.mean('baseline_value') }} over (partition by {{ sqlrec.names(groups) }}) as baseline_deviation
        {%- endif %}
    from sampled
),
cluster_sums as (
    select {{ sqlrec.names(groups) }}, unit, count(*) as users, sum(deviation) as deviation,
        {%- if plan.baseline_model or plan.pairs %}
        sum(baseline_deviation) as baseline_deviation,
        {%- endif %}
        max(violations) as violations
    from centred
    group by {{ sqlrec.names(groups) }}, unit
)
{%- set groups_less_one = 'nullif(' ~ sqlrec.double('count(*)') ~ ' - 1, 0)' %}
select
    {{ sqlrec.names(groups) }},
    count(*) as clusters,
    sqrt(sum(deviation * deviation) * count(*) / {{ groups_less_one }}) / sum(users) as standard_error,
    {%- if plan.baseline_model or plan.pairs %}
    sqrt(sum(baseline_deviation * baseline_deviation) * count(*) / {{ groups_less_one }}) / sum(users) as baseline_error,
    sum(deviation * baseline_deviation) * count(*) / {{ groups_less_one }} / sum(users) / sum(users) as covariance,
    {%- endif %}
    max(violations) as violations
from cluster_sums
group by {{ sqlrec.names(groups) }}
{{ sqlrec.ending() }}
{% endmacro %}
