-- The standard error of means over users who belong to groups, such as households. Correlated users make the mean less
-- certain than the same number of independent users.
--
--   clusters            number of groups
--   degrees_of_freedom  the degrees of freedom of the t distribution for this error, by
--                       Satterthwaite: clusters - 1 if all groups have the same number of users,
--                       and fewer if some groups are large
--   standard_error      sqrt(sum of d^2 / (1 - n / users)) / users; the sum is over groups, with n
--                       users and a sum of deviations d
--   baseline_error, covariance   for differences from a baseline: the error of the baseline's mean,
--                                and its covariance with the difference
--
-- The term n / users corrects for large groups, which pull the mean toward their own values.
-- Without this term, the error is too small if there are few groups.
--
-- Source    Bell & McCaffrey 2002, Survey Methodology 28(2); Pustejovsky & Tipton 2018,
--           doi.org/10.1080/07350015.2016.1247004 (CR2), for a mean
--
-- The plan has two additional entries: cluster, the label of the segment that names groups, and
-- baseline_model, a string constant or none, for means of the differences from it.

{% macro clusters(plan) %}
{% set groups = sqlrec.compared_groups(plan, [plan.cluster]) %}
-- Standard errors of the means of {{ plan.title }} if users belong to groups.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.sampled(plan, groups) }},
centered as (
    select
        {{ groups | join(', ') }}, unit, violations,
        value - favg(value) over (partition by {{ groups | join(', ') }}) as deviation
        {%- if plan.baseline_model or plan.pairs %},
        baseline_value - favg(baseline_value) over (partition by {{ groups | join(', ') }}) as baseline_deviation
        {%- endif %}
    from sampled
),
cluster_sums as (
    select {{ groups | join(', ') }}, unit, count(*) as users, sum(deviation) as deviation,
        {%- if plan.baseline_model or plan.pairs %}
        sum(baseline_deviation) as baseline_deviation,
        {%- endif %}
        max(violations) as violations
    from centered
    group by {{ groups | join(', ') }}, unit
),
cluster_shares as (
    select
        {{ groups | join(', ') }}, deviation, violations,
        {%- if plan.baseline_model or plan.pairs %}
        baseline_deviation,
        {%- endif %}
        users / {{ sqlrec.double('sum(users) over (partition by ' ~ groups | join(', ') ~ ')') }} as share,
        {{ sqlrec.double('sum(users) over (partition by ' ~ groups | join(', ') ~ ')') }} as all_users
    from cluster_sums
)
{%- set rest = 'nullif(1 - share, 0)' %}
{%- set squares = 'sum(share * share / ' ~ rest ~ ')' %}
select
    {{ groups | join(', ') }},
    count(*) as clusters,
    1 / (
        sum(share * share) + {{ squares }} * {{ squares }}
        - sum(share * share / {{ rest }} * share * share / {{ rest }})
    ) as degrees_of_freedom,
    sqrt(sum(deviation * deviation / {{ rest }})) / max(all_users) as standard_error,
    {%- if plan.baseline_model or plan.pairs %}
    sqrt(sum(baseline_deviation * baseline_deviation / {{ rest }})) / max(all_users) as baseline_error,
    sum(deviation * baseline_deviation / {{ rest }}) / max(all_users) / max(all_users) as covariance,
    {%- endif %}
    max(violations) as violations
from cluster_shares
group by {{ groups | join(', ') }}
{{ sqlrec.ending() }}
{% endmacro %}
