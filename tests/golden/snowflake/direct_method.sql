-- The mean over users of direct_method@all.
-- Where the column faults is not 0, rows break a rule, and no value is to be trusted.
with
cutoffs as (
    select cast(2147483646 as bigint) as k
),

-- Every logged decision.
decisions_taken as (
    select
        case
            when cast(expected_reward as double) between cast('-1e+100' as double) and cast('1e+100' as double)
            then cast(expected_reward as double)
        end as expected_reward
    from logs
),

decisions as (
    select
        expected_reward,
        case when expected_reward is null then 1 else 0 end as faults
    from decisions_taken
),

-- Each decision.
decisions_counted as (
    select
        decisions.expected_reward as expected_reward,
        decision_counts.counted as users_evaluated
    from decisions
    cross join (select count(*) as counted from decisions) as decision_counts
),

logged as (
    select
        decisions_counted.expected_reward as expected_reward,
        cutoffs.k as k,
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
        avg(expected_reward) as direct_method
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
        direct_method as mean_direct_method,
        cast(case when direct_method is null then 0 else users_evaluated end as bigint) as users_direct_method
    from logged_values
),

-- Broken rules, in all inputs: where there are some, no value can be trusted.
faulty as (
    select sum(faults) as faults
    from (
        select cast(faults as bigint) as faults from decisions
    ) as all_faults
),

logged_asked as (
    select 'direct_method' as metric, 'direct_method' as asked, 1 as number, cast(2147483646 as bigint) as k
),

logged_report as (
    select
        cutoffs.k as k,
        logged_means.mean_direct_method as mean_direct_method,
        coalesce(logged_means.users_direct_method, 0) as users_direct_method,
        coalesce(logged_means.users_evaluated, 0) as users_evaluated,
        logged_means.users_without_list as users_without_list,
        logged_means.short_lists as short_lists,
        logged_means.ties_at_cutoff as ties_at_cutoff,
        cast(null as bigint) as unjudged_lists,
        cast(0 as bigint) as repeated_rows,
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
            when 1 then logged_report.mean_direct_method
        end as value,
        case logged_asked.number
            when 1 then logged_report.users_direct_method
        end as users,
        'logs' as population,
        logged_report.users_evaluated as users_evaluated,
        logged_report.users_without_list as users_without_list,
        logged_report.short_lists as short_lists,
        logged_report.ties_at_cutoff as ties_at_cutoff,
        logged_report.unjudged_lists as unjudged_lists,
        logged_report.repeated_rows as repeated_rows,
        logged_report.faults as faults
    from logged_report
    join logged_asked on logged_asked.k = logged_report.k
)

select
    model,
    metric, k, asked, value, users, population, users_evaluated, users_without_list, short_lists,
    ties_at_cutoff, unjudged_lists, repeated_rows, faults
from results
order by model asc, metric asc, k asc
