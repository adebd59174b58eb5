-- Values of one metric in several forms, and the numbers of users with a value that differs between
-- two forms. Forms that differ only in their population and in their rules for undefined values
-- share per-user values. For each form, plan.forms contains the metric of the call with these
-- values (base), the form's population, and its rules for undefined values and users without a
-- list. plan.changes contains the numbers of two forms to compare. One row per model:
--
--   model
--   value_<n>, users_<n>    the mean of form n, and its number of users
--   violations_<n>          number of broken rules in form n
-- changed_users_<n> number of users with different values in the two forms of change n, or with a
-- value in only one of the forms
--
-- With `plan.within`, the cutoff or the largest rank, rows also contain facts that show which rules have the same
-- effect: the counts of the model's users, and the columns of `row_facts`.

{% macro explanation(plan) %}
{% set forms, parts = plan.forms, [] %}
{% set bases = forms | map(attribute='base') | unique | list %}
{% set members = {'is_judged': 'judged_items > 0', 'is_relevant': 'relevant_items > 0', 'has_list': 'list_length > 0'} %}
{% for part in plan.parts or [] %}{% set _ = parts.append(dict(part, bases=bases)) %}{% endfor %}
{{ sqlrec.rows_by_rules(dict(plan, parts=parts, bases=bases), 'user_columns') }},
-- Each user's values, with columns for each form.
user_forms as (
    select
        model,
        user_id
        {%- for form in forms %}
        {%- set number, value, violations = loop.index, 'value_' ~ form.base, 'violations_' ~ form.base %}
        {%- set counts = [violations ~ ' is not null'] %}
        {%- for name in sqlrec.population_properties().get(form.population, []) %}{% set _ = counts.append(members[name]) %}{% endfor %}
        {%- set counts = counts | join(' and ') %}
        {%- set value = 'case when list_length > 0 then ' ~ value ~ ' end' if form.without_list == 'undefined' else value %}
        {%- set value = 'coalesce(' ~ value ~ ', ' ~ (1 if form.undefined == 'one' else 0) ~ ')' if form.undefined in ['zero', 'one'] else value %}
        {%- set columns = {'form': 'case when ' ~ counts ~ ' then ' ~ value ~ ' end', 'violations': violations} %}
        {%- set _ = columns.update({'member': 'case when ' ~ counts ~ ' then 1 end'} if form.undefined == 'propagate' else {}) %}
        {%- for name, column in columns.items() %},
        {{ 'max(' ~ column ~ ')' if parts else column }} as {{ name }}_{{ number }}
        {%- endfor %}
        {%- endfor %}
        {%- if plan.within %},
        case when relevant_items > 0 then 1 end as counted,
        list_length
        {%- endif %}
    from user_columns
    {{ 'group by model, user_id' if parts }}
){{ ',' if plan.within }}
{{ sqlrec.row_facts(plan) if plan.within }}
select
    model
    {%- for form in forms %}
    {%- set number = loop.index %}
    {%- set column = 'form_' ~ number %}
    {%- set mean = sqlrec.mean(column) %},
    {{ 'case when count(' ~ column ~ ') = count(member_' ~ number ~ ') then ' ~ mean ~ ' end' if form.undefined == 'propagate' else mean }} as value_{{ number }},
    cast(count({{ column }}) as bigint) as users_{{ number }},
    cast(coalesce(max(violations_{{ number }}), 0) as bigint) as violations_{{ number }}
    {%- endfor %}
    {%- for before, after in plan.changes %},
    cast(sum(
        case
            when form_{{ before }} is null and form_{{ after }} is null then 0
            when abs(form_{{ after }} - form_{{ before }}) <= 0.000000001 then 0
            else 1
        end
    ) as bigint) as changed_users_{{ loop.index }}
    {%- endfor %}
    {%- if plan.within %},
    count(counted) as users_evaluated,
    count(case when list_length = 0 then counted end) as users_without_list,
    count(case when list_length > 0 and list_length < {{ plan.within }} then counted end) as short_lists,
    count(case when list_length > 0 and counted is null then 1 end) as unjudged_lists
    {%- for name in plan.facts %},
    max({{ name }}) as {{ name }}
    {%- endfor %}
    {%- endif %}
from user_forms
{{ 'cross join row_facts' if plan.within }}
group by model
order by model asc
{{ sqlrec.ending() }}
{% endmacro %}

{% macro columns_of_bases(plan) %}
{% set columns = [] %}
{% for base in plan.bases %}{% set _ = columns.extend(['value_' ~ base, 'violations_' ~ base]) %}{% endfor %}
{{ return(columns) }}
{% endmacro %}

-- Each user's values in columns, with the number of broken rules for each column. In the rows of a
-- part, the columns of other parts are null.
{% macro user_columns_query(plan) %}
{{ sqlrec.violation_counts(plan) }}
user_columns as (
    {%- for kind in plan.kinds | selectattr('per_user') %}
    {{ 'union all' if not loop.first }}
    {%- set values, metrics = kind.name ~ '_values', {} %}
    {%- for metric in kind.metrics %}{% set _ = metrics.update({metric.label: metric.column}) %}{% endfor %}
    {%- set of_kind = kind.name == 'hits' %}
    select
        {{ sqlrec.result_keys(plan, values, values) }}
        {{ values }}.user_id as user_id,
        {{ values ~ '.list_length' if kind.name not in sqlrec.limits().whole_kinds else 'cast(null as bigint)' }} as list_length,
        {{ values ~ '.relevant_items' if of_kind else 'cast(null as bigint)' }} as relevant_items,
        {{ values ~ '.judged_items' if of_kind else 'cast(null as bigint)' }} as judged_items
        {%- for base in plan.bases %},
        {{ values ~ '.' ~ metrics[base] if base in metrics else 'cast(null as double)' }} as value_{{ base }},
        cast({{ 'violation_counts.violations' if base in metrics else 'null' }} as bigint) as violations_{{ base }}
        {%- endfor %}
    from {{ values }}
    cross join violation_counts
    {%- endfor %}
)
{%- endmacro %}

-- Facts about the rows of all models. Each fact reads the rows of recs again, because DuckDB would store a query that
-- is read twice.
--
--   unscored_rows   rows without a score, in lists ordered by score
--   repeated_items  rows of whole lists that repeat an item within the cutoff
--   tied_ranks      ranks with the same score as the next item; 0 in lists ordered by rank
--   missing_ranks   rows of whole lists below missing ranks; 0 in lists ordered by score
--   other_orders    lists in which the score does not fall with each rank; 0 without scores or ranks
--   least_score     the smallest score
--   least_grade, least_relevant, largest_grade   the smallest grade of the truth, the smallest
--                   grade of a relevant item, and the largest grade

{% macro row_facts(plan) %}
{% set grade, by_rank, lists = plan.truth.columns.relevance, plan.order == 'rank', plan.recs_lists %}
{% set grade = 'cast(' ~ grade ~ ' as double)' if grade else 'cast(1 as double)' %}
{% set inside, scored = 'given_rank <= ' ~ plan.within, plan.check_order or not by_rank %}
ranks_within as (
    select model, user_id, item_id{{ ', tied' if not by_rank }}
    from listed
    where rank between 1 and {{ plan.within }}
),
counts_within as (
    select count(*) as ranks, cast(sum({{ 0 if by_rank else 'tied' }}) as bigint) as tied_ranks
    from ranks_within
),
{{ sqlrec.all_recommended(plan, lists, 'rows_of_lists') }}
rows_of_items as (
    select count(*) as all_rows
    from rows_of_lists
    join ranks_within on ranks_within.model = rows_of_lists.model and ranks_within.user_id = rows_of_lists.user_id and ranks_within.item_id = rows_of_lists.item_id
),
{% if by_rank %}
short_lists as (
    select model, user_id, count(*) as ranks
    from ranks_within
    group by model, user_id
    having count(*) < {{ plan.within }}
),
{{ sqlrec.all_recommended(plan, lists, 'rows_of_short_lists') }}
rows_below as (
    select cast(sum(case when given_rank > short_lists.ranks then 1 else 0 end) as bigint) as missing_ranks
    from rows_of_short_lists
    join short_lists on short_lists.model = rows_of_short_lists.model and short_lists.user_id = rows_of_short_lists.user_id
),
{% endif %}
{% if scored %}
{{ sqlrec.all_recommended(plan, lists, 'rows_with_scores') }}
all_scores as (
    select cast(count(*) - count(score) as bigint) as unscored_rows, min(score) as least_score
    from rows_with_scores
),
{% endif %}
{% if plan.check_order %}
{{ sqlrec.all_recommended(plan, lists, 'rows_with_both') }}
orders_of_lists as (
    select
        case
            when count(distinct case when {{ inside }} then score end) < count(case when {{ inside }} then 1 end) then 1
            when max(case when {{ inside }} then null else score end) >= min(case when {{ inside }} then score end) then 1
            else 0
        end as has_other_order
    from rows_with_both
    group by model, user_id
),
all_orders as (
    select cast(sum(has_other_order) as bigint) as other_orders
    from orders_of_lists
),
{% endif %}
grades as (
    select
        min({{ grade }}) as least_grade,
        min(case when {{ grade }} > 0 then {{ grade }} end) as least_relevant,
        max({{ grade }}) as largest_grade
    from {{ plan.truth.relation }}
),
row_facts as (
    select
        {{ 'unscored_rows' if scored and not by_rank else '0 as unscored_rows' }},
        all_rows - ranks as repeated_items,
        tied_ranks,
        {{ 'missing_ranks' if by_rank else '0 as missing_ranks' }},
        {{ 'other_orders' if plan.check_order else '0 as other_orders' }},
        {{ 'least_score' if scored else 'cast(null as double) as least_score' }},
        least_grade,
        least_relevant,
        largest_grade
    from counts_within
    cross join rows_of_items
    cross join grades
    {{ 'cross join rows_below' if by_rank }}
    {{ 'cross join all_scores' if scored }}
    {{ 'cross join all_orders' if plan.check_order }}
)
{%- endmacro %}
