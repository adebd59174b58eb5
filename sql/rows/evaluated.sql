-- Evaluated: one row per model, user of the population and cutoff: what is known before the hits.
--
--   model           whose list it is, where several models are evaluated
--   user_id         for whom
--   <segment>       what `by` names, one value for each user
--   k               the cutoff
--   list_length     the places of the list, at most k; 0 for a user without list. Lines, where places make
--                   them (see rows/lines.sql)
--   relevant_items  how many items are relevant to the user; more where those that the list repeats count
--                   as often (see rows/sought.sql)
--   judged_items    how many items the truth judges for the user
--   nonrelevant_items  how many of them are judged and not relevant; for the metrics that ask
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--   ideal_...       what the user's best list is worth, for the metrics that ask (see rows/ideal.sql)
--
-- Unjudged: one row per model, segment and cutoff, with the number of lists that reach into the cutoff, of
-- users for whom the truth has nothing relevant.
--
-- Repeated in segments: one row per model and segment, with the rows that lists had more than once.

{% macro evaluated(plan, used) %}
{% set keys = plan['keys'] %}
{% set whose = {'recs': 'lists', 'all': 'everybody'}.get(plan.population, 'judged_users') %}
{% if plan.population == 'all' %}
-- Whoever is in the truth or has a list.
everybody as (
    select distinct {{ sqlrec.names(keys) }}
    from (
        select {{ sqlrec.names(keys) }}
        from lists
        union all
        select {{ 'models.model as model, ' if 'model' in keys }}judged_users.user_id as user_id
        from judged_users
        {{ 'cross join models' if 'model' in keys }}
    ) as listed_or_judged
),
{% endif %}
-- Who is averaged over: {{ plan.population | replace('_', ' ') }}.
evaluated_users as (
    select
        {%- if plan.population in ['recs', 'all'] %}
        {{ sqlrec.taken(keys, whose) }},
        {%- else %}
        {{ 'models.model as model,' if 'model' in keys }}
        judged_users.user_id as user_id,
        {%- endif %}
        {%- for segment in plan.by %}
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        {%- for k in plan.cutoffs %}
        coalesce(lists.{{ sqlrec.column_at(plan, 'places', k) }}, 0) as {{ sqlrec.column_at(plan, 'places', k) }},
        {%- if plan.order == 'score' %}
        coalesce(lists.{{ sqlrec.column_at(plan, 'tied', k) }}, 0) as {{ sqlrec.column_at(plan, 'tied', k) }},
        {%- endif %}
        {%- endfor %}
        coalesce(judged_users.relevant_items, 0) as relevant_items,
        coalesce(judged_users.judged_items, 0) as judged_items,
        {%- if 'nonrelevant_items' in used %}
        coalesce(judged_users.nonrelevant_items, 0) as nonrelevant_items,
        {%- endif %}
        coalesce(judged_users.ideal_items, 0) as ideal_items
    {%- if plan.population == 'recs' %}
    from lists
    left join judged_users on judged_users.user_id = lists.user_id
    {%- elif plan.population == 'all' %}
    from everybody
    left join judged_users on judged_users.user_id = everybody.user_id
    left join lists on {{ sqlrec.same(keys, 'lists', 'everybody') }}
    {%- else %}
    from judged_users
    {{ 'cross join models' if 'model' in keys }}
    {{ 'join' if plan.population in ['truth_and_recs', 'judged_and_recs'] else 'left join' }} lists
        on lists.user_id = judged_users.user_id
        {{ 'and lists.model = models.model' if 'model' in keys }}
    {%- endif %}
    {%- for table in sqlrec.segment_tables(plan).split() %}
    left join {{ table }}_segments
        on {{ table }}_segments.user_id = {{ whose }}.user_id
    {%- endfor %}
    {%- if plan.population in ['truth', 'truth_and_recs'] %}
    where judged_users.relevant_items > 0
    {%- endif %}
),
{% if sqlrec.seeks_again(plan) %}
{{ sqlrec.sought(plan) }}
{% endif %}
{% set in_lines = plan.truth_duplicates == 'lines' %}
{% if in_lines %}
{{ sqlrec.lines(plan) }}
{% endif %}
{{ sqlrec.ideal_rows(plan, used) }}
evaluated as (
    select
        {{ sqlrec.taken(keys, 'evaluated_users') }},
        {%- for segment in plan.by %}
        evaluated_users.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        cutoffs.k as k,
        {{ 'coalesce(line_counts.list_length, 0)' if in_lines else sqlrec.at_cutoff(plan, 'places', 'evaluated_users') }} as list_length,
        {{ sqlrec.items_of_user(plan, 'relevant_items') }} as relevant_items,
        evaluated_users.judged_items as judged_items
        {%- if 'nonrelevant_items' in used %},
        evaluated_users.nonrelevant_items as nonrelevant_items
        {%- endif %}
        {%- if plan.order == 'score' %},
        {{ sqlrec.at_cutoff(plan, 'tied', 'evaluated_users') }} as tied
        {%- endif %}
        {{- sqlrec.ideal_columns(plan, used) }}
    from evaluated_users
    cross join cutoffs
    {%- if sqlrec.seeks_again(plan) %}
    left join sought_counts
        on {{ sqlrec.same(keys, 'sought_counts', 'evaluated_users') }}
        and sought_counts.k = cutoffs.k
    {%- endif %}
    {%- if in_lines %}
    left join line_counts
        on {{ sqlrec.same(keys, 'line_counts', 'evaluated_users') }}
        and line_counts.k = cutoffs.k
    {%- endif %}
    {{ sqlrec.ideal_joins(plan, used) }}
    {%- if plan.population in ['truth_and_recs', 'judged_and_recs', 'recs'] %}
    where {{ sqlrec.at_cutoff(plan, 'places', 'evaluated_users') }} > 0
    {%- endif %}
),
{% endmacro %}

{% macro unjudged(plan) %}
{% set keys = sqlrec.account_keys(plan, 'lists').split() %}
unjudged as (
    select
        {%- for key in keys %}
        {{ key }} as {{ key.split('.')[1] }},
        {%- endfor %}
        cutoffs.k as k,
        sum(
            case
                when judged_users.relevant_items > 0 then 0
                when {{ sqlrec.at_cutoff(plan, 'places', 'lists') }} > 0 then 1
                else 0
            end
        ) as unjudged_lists
    from lists
    cross join cutoffs
    left join judged_users on judged_users.user_id = lists.user_id
    {{- sqlrec.account_joins(plan, 'lists') }}
    group by {{ (keys + ['cutoffs.k']) | join(', ') }}
),
{% endmacro %}

{% macro repeated_in_segments(plan) %}
{% set keys = sqlrec.account_keys(plan, 'repeated').split() %}
repeated_in_segments as (
    select
        {%- for key in keys %}
        {{ key }} as {{ key.split('.')[1] }},
        {%- endfor %}
        sum(repeated.repeated_rows) as repeated_rows
    from repeated
    {{- sqlrec.account_joins(plan, 'repeated') }}
    group by {{ keys | join(', ') }}
),
{% endmacro %}

-- The model and segments of rows of users, and the joins that find the segments.
{% macro account_keys(plan, table) -%}
{{ table ~ '.model ' if 'model' in plan['keys'] }}
{%- for segment in plan.by %}{{ segment.table }}_segments.{{ segment.name }} {% endfor -%}
{%- endmacro %}

{% macro account_joins(plan, table) %}
    {%- for segments in sqlrec.segment_tables(plan).split() %}
    left join {{ segments }}_segments on {{ segments }}_segments.user_id = {{ table }}.user_id
    {%- endfor %}
{%- endmacro %}

-- The model and segments of an account are those of a report's row: a condition.
{% macro of_account(plan, account, report) -%}
{{ account ~ '.model = models.model' if 'model' in plan['keys'] }}
{%- for segment in plan.by %}
{{- ' and ' if 'model' in plan['keys'] or not loop.first }}
{{- sqlrec.same_or_null(account ~ '.' ~ segment.name, report ~ '.' ~ segment.name) }}
{%- endfor %}
{%- endmacro %}
