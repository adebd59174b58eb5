-- The mean over users of sndr@all.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
with
-- Every recommendation.
recommended as (
    select
        user_id,
        item_id,
        case when score = cast('NaN' as double) then null else score + 0 end as score
    from recs
),

ranked as (
    select
        user_id,
        item_id,
        row_number() over (partition by user_id order by score desc nulls first, item_id asc) as rank,
        case when score is null then 1 else 0 end as unplaced,
        case
            when lead(score) over (partition by user_id order by score desc nulls first, item_id asc) = score
            then 1
            else 0
        end as tied
    from recommended
),

-- The places that the cutoffs reach.
listed as (
    select
        user_id, item_id, rank, unplaced, tied
    from ranked
),

lists as (
    select
        user_id,
        cast(least(count(*), 2147483646) as bigint) as places_all,
        max(case when rank = 2147483646 then tied else 0 end) as tied_all,
        case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        + count(item_id) - count(distinct item_id)
        + sum(unplaced) as faults
    from listed
    group by user_id
),

cutoffs as (
    select cast(2147483646 as bigint) as k
),

-- Every logged decision.
decisions_taken as (
    select
        user_id,
        item_id,
        case
            when cast(reward as double) between cast('-1e+100' as double) and cast('1e+100' as double)
            then cast(reward as double)
        end as reward,
        case
            when cast(propensity as double) between cast('1e-100' as double) and cast(1 as double)
            then cast(propensity as double)
        end as propensity,
        case
            when cast(predicted_reward as double) between cast('-1e+100' as double) and cast('1e+100' as double)
            then cast(predicted_reward as double)
        end as predicted_reward,
        case
            when cast(expected_reward as double) between cast('-1e+100' as double) and cast('1e+100' as double)
            then cast(expected_reward as double)
        end as expected_reward
    from logs
),

decisions as (
    select
        user_id, item_id, reward, propensity, predicted_reward, expected_reward,
        case when user_id is null then 1 else 0 end
        + case when item_id is null then 1 else 0 end
        + case when reward is null then 1 else 0 end
        + case when propensity is null then 1 else 0 end
        + case when predicted_reward is null then 1 else 0 end
        + case when expected_reward is null then 1 else 0 end as faults
    from decisions_taken
),

-- Each decision, with the place that a list gives its item.
decisions_counted as (
    select
        listed.rank as rank,
        decisions.reward as reward,
        decisions.propensity as propensity,
        decisions.predicted_reward as predicted_reward,
        decisions.expected_reward as expected_reward,
        decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
    left join listed
        on listed.user_id = decisions.user_id
        and listed.item_id = decisions.item_id
),

logged as (
    select
        decisions_counted.reward as reward,
        decisions_counted.propensity as propensity,
        decisions_counted.predicted_reward as predicted_reward,
        decisions_counted.expected_reward as expected_reward,
        cutoffs.k as k,
        case when decisions_counted.rank <= cutoffs.k then cast(1 as double) else cast(0 as double) end as target_probability,
        case when decisions_counted.rank <= cutoffs.k then cast(1 as double) else cast(0 as double) end / decisions_counted.propensity as weight,
        decisions_counted.users_evaluated as users_evaluated,
        0 as short_lists,
        0 as ties_at_cutoff
    from decisions_counted
    cross join cutoffs
    where cutoffs.k in (2147483646)
),

logged_values as (
    select
        k,
        users_evaluated,
        short_lists,
        ties_at_cutoff,
        avg(expected_reward)
        + sum(weight * (reward - predicted_reward)) / nullif(sum(weight), 0) as sndr,
        case
    when abs(sum(weight)) > cast('1e-150' as double) and abs(sum(weight)) > cast('1e-150' as double)
    then (sum(weight)) * (sum(weight))
    else cast(0 as double)
end / nullif(sum(case
    when abs(weight) > cast('1e-150' as double) and abs(weight) > cast('1e-150' as double)
    then (weight) * (weight)
    else cast(0 as double)
end), 0) as effective_decisions,
        max(weight) as largest_weight
    from logged
    group by k, users_evaluated, short_lists, ties_at_cutoff
),

logged_means as (
    select
        k,
        cast(users_evaluated as bigint) as users_evaluated,
        cast(0 as bigint) as users_without_list,
        cast(short_lists as bigint) as short_lists,
        cast(ties_at_cutoff as bigint) as ties_at_cutoff,
        sndr as mean_sndr,
        cast(case when sndr is null then 0 else users_evaluated end as bigint) as users_sndr,
        effective_decisions,
        largest_weight
    from logged_values
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from lists
        union all
        select cast(faults as bigint) as faults from decisions
    ) as all_faults
),

logged_asked as (
    select 'sndr' as metric, 'sndr' as asked, 1 as number, cast(2147483646 as bigint) as k
),

logged_report as (
    select
        cutoffs.k as k,
        logged_means.mean_sndr as mean_sndr,
        coalesce(logged_means.users_sndr, 0) as users_sndr,
        coalesce(logged_means.users_evaluated, 0) as users_evaluated,
        logged_means.users_without_list as users_without_list,
        logged_means.short_lists as short_lists,
        logged_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
        logged_means.effective_decisions as effective_decisions,
        logged_means.largest_weight as largest_weight,
        cast(faulty.faults as bigint) as faults
    from cutoffs
    left join logged_means on logged_means.k = cutoffs.k
    cross join faulty
),

results as (
    select
        'recs' as model,
        logged_asked.metric as metric,
        nullif(logged_report.k, 2147483646) as k,
        logged_asked.asked as asked,
        case logged_asked.number
            when 1 then logged_report.mean_sndr
        end as value,
        case logged_asked.number
            when 1 then logged_report.users_sndr
        end as users,
        'logs' as population,
        logged_report.users_evaluated as users_evaluated,
        logged_report.users_without_list as users_without_list,
        logged_report.short_lists as short_lists,
        logged_report.ties_at_cutoff as ties_at_cutoff,
        logged_report.unjudged_lists as unjudged_lists,
        logged_report.repeated_rows as repeated_rows,
        logged_report.effective_decisions as effective_decisions,
        logged_report.largest_weight as largest_weight,
        logged_report.faults as faults
    from logged_report
    join logged_asked on logged_asked.k = logged_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, effective_decisions, largest_weight, faults
from results
order by model asc, metric asc, k asc
