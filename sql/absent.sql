-- Values for users without a list, in means that count these users.

-- The columns of metrics with a mean that also counts users without a list.
{% macro filled_metrics(kind) %}
{% set names = [] %}
{% for metric in kind.metrics if 'absent' in metric.parts and sqlrec.part(metric, 'absent') %}{% set _ = names.append(metric.column) %}{% endfor %}
{{ return(names) }}
{% endmacro %}

-- The values of a kind, with values for users without a list if the mean counts these users. A
-- metric that counts these users has two additional macros. <rows>__<metric>__members names the
-- users who count: the column of its rows, and the query. <rows>__<metric>__absent is the value of
-- a user without a list, if another user has a list.
{% macro filled_values(plan, kind, columns, filled) %}
{% set several = 'model' in plan.list_keys %}
{% set groups = 'partition by ' ~ plan.groups | join(', ') if plan.groups else '' %}
{% set lists = sqlrec.user_groups(plan, ['list_length']) %}
{% set counted = kind.metrics | selectattr('column', 'in', filled) | list %}
-- The values for users without a list.
{{ kind.name }}_absent as (
    select
        {{ 'models.model as model,' if several }}
        {%- for segment in plan.by %}
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        {%- for metric in counted %}
        case when {{ metric.column }}_users.members > 0 then {{ sqlrec.part(metric, 'absent') }} end as {{ metric.column }},
        {%- endfor %}
        {{ 'cutoffs.k as k,' if not plan.k }}
        absent_users.user_id as user_id
    from (
        select user_id
        from (
            {%- for metric in counted %}
            {{ 'union all' if not loop.first }}
            select user_id from {{ sqlrec.part(metric, 'members') }}
            {%- endfor %}
        ) as counted_users
        group by user_id
    ) as absent_users
    {{ 'cross join cutoffs' if not plan.k }}
    {{ 'cross join models' if several }}
    left join list_lengths on list_lengths.user_id = absent_users.user_id{{ ' and list_lengths.model = models.model' if several }}
    {%- for metric in counted %}
    left join {{ sqlrec.part(metric, 'members') }} as {{ metric.column }}_users on {{ metric.column }}_users.user_id = absent_users.user_id
    {%- endfor %}
    {{- sqlrec.account_joins(plan, 'absent_users') }}
    where coalesce({{ sqlrec.at_cutoff(plan, 'ranks', 'list_lengths') }}, 0) = 0
),
{{ kind.name }}_{{ 'unweighted' if plan.user_weights else 'values' }} as (
    select {{ (lists + columns) | join(', ') }}
    from (
        select
            {{ lists | join(', ') }},
            {%- for column in columns %}
            {{ 'case when max(' ~ column ~ '_members) over (' ~ groups ~ ') > 0 then ' ~ column ~ ' end as ' if column in filled }}{{ column }},
            {%- endfor %}
            max(list_length) over ({{ groups }}) as longest_list
        from (
            select {{ (lists + columns) | join(', ') }} from {{ kind.name }}_known
            union all
            select
                {%- for name in lists %}
                {{ '0 as ' if name in ['list_length', 'tied'] }}{{ name }}{{ ',' if not loop.last }}
                {%- endfor %}
                {%- for column in columns %},
                {{ 'cast(null as double) as ' if column not in filled }}{{ column }}
                {%- endfor %}
            from {{ kind.name }}_absent
        ) as all_users
    ) as beside_lists
    where longest_list > 0
),
{%- endmacro %}
