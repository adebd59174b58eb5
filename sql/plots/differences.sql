-- Differences: the distribution of gains and losses. The differences of users from the baseline are
-- sorted, and divided into 200 parts with the same number of users. One row per model, segment,
-- metric, cutoff and part.
--
--   share             the share of users with a difference up to the largest of this part
--   part_users        number of users in the part
--   difference        the mean of their differences
--   low, high         the smallest and the largest difference in the part
--   users             number of users
--   wins, ties, losses number of users for whom the model is better than, equal to or worse than
--                     the baseline; wins and losses are null if the metric's direction is neither
--
-- The plan also has baseline_model, as in sql/statistics/comparison.sql.

{% macro plot_differences(plan) %}
{% set segments = plan.by | map(attribute='label') | list %}
{% set groups = ['model'] + segments + ['metric', 'k'] %}
{% call sqlrec.plotted() %}
-- The differences from {{ plan.baseline_model }} by {{ plan.title }}, in order.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.differences(plan) }},
ordered_differences as (
    select
        {{ groups | join(', ') }}, difference, violations,
        row_number() over (partition by {{ groups | join(', ') }} order by difference asc, user_id asc) as number,
        count(*) over (partition by {{ groups | join(', ') }}) as users,
        sum(case when distance > 0 and difference > 0 then 1 else 0 end) over (partition by {{ groups | join(', ') }}) as more,
        sum(case when distance > 0 and difference < 0 then 1 else 0 end) over (partition by {{ groups | join(', ') }}) as fewer
    from differences
),
parted_differences as (
    select
        {{ groups | join(', ') }}, difference, violations, number, users, more, fewer,
        floor((number - 1) * cast(200 as double) / users) as part
    from ordered_differences
),
parts_of_users as (
    select
        {{ groups | join(', ') }}, part, users, more, fewer,
        {{ sqlrec.better(plan) }} as better,
        cast(max(number) as double) / users as share,
        count(*) as part_users,
        favg(difference) as difference,
        min(difference) as low,
        max(difference) as high,
        max(violations) as violations
    from parted_differences
    group by {{ groups | join(', ') }}, part, users, more, fewer
)
select
    {{ groups | join(', ') }},
    {{ sqlrec.request_text(plan) | trim }} as request,
    better, share, part_users, difference, low, high, users,
    cast(case better when 'higher' then more when 'lower' then fewer end as bigint) as wins,
    cast(users - more - fewer as bigint) as ties,
    cast(case better when 'higher' then fewer when 'lower' then more end as bigint) as losses,
    violations
from parts_of_users
order by {{ groups | join(' asc, ') }} asc, share asc
{{ sqlrec.ending() }}
{% endcall %}
{% endmacro %}

-- The largest losses: the users with the largest losses for one model, metric and cutoff; at most plan.most users.
-- Equal differences are ordered by user. With plan.either, also the largest gains.
--
--   user_id, value, baseline_value, difference
{% macro plot_losers(plan) %}
{% set sign = {'higher': 'asc', 'lower': 'desc'}[plan.kinds[0].metrics[0].better] %}
{% call sqlrec.plotted() %}
-- The largest losses against {{ plan.baseline_model }}: {{ plan.title }}.
{{ sqlrec.rows_by_rules(plan, 'user_results') }},
{{ sqlrec.differences(plan) }},
numbered_differences as (
    select
        user_id, value, baseline_value, difference, distance, violations,
        row_number() over (order by {{ 'distance desc' if plan.either else 'difference ' ~ sign }}, {{ sqlrec.by_item('asc', 'user_id') }}) as number
    from differences
    where model = {{ plan.shown_model }}
)
select user_id, value, baseline_value, difference, violations
from numbered_differences
where number <= {{ plan.most }} and distance > 0{{ ' and difference ' ~ ('<' if sign == 'asc' else '>') ~ ' 0' if not plan.either }}
order by number asc
{{ sqlrec.ending() }}
{% endcall %}
{% endmacro %}

-- The lists of some users down to the cutoff, with hits marked. One row per model, user and rank.
--
--   model, user_id, rank, item_id
--   hit             1 if the item is relevant, else 0
--   relevant_items  number of items that are relevant to the user
--
-- plan.shown_users contains the users' ids, and plan.shown_models the models, as SQL constants.
{% macro plot_lists(plan) %}
{% set lists = sqlrec.lists_of_users(plan) %}
{% call sqlrec.plotted() %}
with
{{ sqlrec.queries_read(plan, lists) }}
{{ lists }}
{{ sqlrec.ending() }}
{% endcall %}
{% endmacro %}

{% macro lists_of_users(plan) %}
{{ sqlrec.violation_counts(plan) }}
ranked_targets as (
    select user_id, cast(sum(is_relevant) as bigint) as relevant_items
    from relevant
    where user_id in ({{ plan.shown_users | join(', ') }})
    group by user_id
),
recommended_items_ranks as (
    select
        {{ sqlrec.columns_of(plan.list_keys + ['rank', 'item_id'], 'listed') }},
        case when relevant.is_relevant > 0 then 1 else 0 end as hit
    from listed
    left join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.user_id in ({{ plan.shown_users | join(', ') }})
        and listed.model in ({{ plan.shown_models | join(', ') }})
        and listed.rank <= {{ plan.last_rank }}
)
select
    {{ sqlrec.columns_of(['model', 'user_id', 'rank', 'item_id', 'hit'], 'recommended_items_ranks') }},
    ranked_targets.relevant_items as relevant_items,
    cast(violation_counts.violations as bigint) as violations
from recommended_items_ranks
left join ranked_targets on ranked_targets.user_id = recommended_items_ranks.user_id
cross join violation_counts
order by model asc, user_id asc, rank asc
{% endmacro %}
