-- An input with resampled users, in several replicates. Each draw of a user adds a copy of the
-- user's rows under a new name. So metrics that are not means over users can be evaluated with
-- replicates as segments. Users are drawn as in sql/statistics/replicates.sql.
--
--   sqlrec_user       the name of the copy
--   sqlrec_replicate  the replicate, from 1
--
-- Sums by item need no copies. Instead, the terms of a rank are multiplied by the number of draws
-- of its user, for all replicates together (drawn_items). The same applies to a user's terms in
-- functions of sums over rated items (drawn_pooled).
--
-- The plan has the entries of one input: its relation and user_id; the relation of draws; and whether all
-- drawn users are kept.

{% macro resampled(plan) %}
(
    select given.*, drawn.sqlrec_user as sqlrec_user, drawn.sqlrec_replicate as sqlrec_replicate
    from {{ plan.draws }} as drawn
    {{ 'left join' if plan.all_drawn else 'join' }} {{ plan.given.relation }} as given on {{ sqlrec.string('given.' ~ plan.given.columns.user_id) }} = drawn.unit
) as resampled
{% endmacro %}

-- The resampled users of some inputs. One row per copy, for the replicates of the blocks from the
-- first to the last. The plan has these inputs, each with its relation and user_id.
{% macro draws(plan) %}
{% set units %}
select distinct {{ sqlrec.string('user_id') }} as unit
from (
    {%- for source in plan.sources %}
    {{ 'union all' if not loop.first }}
    select {{ sqlrec.with_alias(source.columns.user_id, 'user_id') }} from {{ source.relation }}
    {%- endfor %}
) as users
{% endset %}
(
    select
        unit,
        unit || '~' || {{ sqlrec.string('replicate') }} || '~' || {{ sqlrec.string('copies.number') }} as sqlrec_user,
        replicate as sqlrec_replicate
    from (
        {{ sqlrec.weights_of('(\n            ' ~ sqlrec.hashed_units(units, plan.first, plan.last) | indent(12) ~ '\n        ) as hashed') }}
    ) as weighed
    join (
        {{ sqlrec.integers_to(12) | indent(8) }}
    ) as copies on copies.number <= weighed.weight
)
{% endmacro %}

-- A query over units, blocks and digits: the number of draws of each unit in the four replicates of
-- a block.
{% macro weights_of(hashed) %}
        {%- for replicate in range(4) %}
        {{ 'union all' if not loop.first }}
        select
            unit,
            4 * block - {{ 3 - replicate }} as replicate,
            {{ sqlrec.poisson('substr(digits, ' ~ (8 * replicate + 1) ~ ', 8)') }} as weight
        from {{ hashed }}
        {%- endfor %}
{% endmacro %}

{% macro hashed_units(units, first, last) %}
select
    units.unit as unit,
    blocks.number as block,
    {{ sqlrec.md5("units.unit || ':' || " ~ sqlrec.string('blocks.number')) }} as digits
from (
    {{ units | trim | indent(4) }}
) as units
cross join (
    {{ sqlrec.integers_to(last) | indent(4) }}
) as blocks
where blocks.number between {{ first }} and {{ last }}
{% endmacro %}

-- Means of per-user values over resampled users. One row per model, segment, replicate, metric and
-- cutoff.
{% macro drawn_values(plan) %}
-- {{ plan.title }} of resampled users.
{{ sqlrec.by_rules(plan, 'means') }}
{{ sqlrec.ending() }}
{% endmacro %}

-- The number of draws of each user with a list, in a column for each replicate. plan.drawn contains
-- the first and the last block.
{% macro drawn_users(plan) %}
{% set first, last = plan.drawn[0], plan.drawn[1] %}
drawn_digits as {{ sqlrec.materialized() }}(
    select
        user_id
        {%- for block in range(first, last + 1) %},
        {{ sqlrec.md5(sqlrec.string('user_id') ~ " || ':" ~ block ~ "'") }} as digits_{{ block }}
        {%- endfor %}
    from (select distinct user_id from recommended_lists) as listed_users
),
drawn_users as {{ sqlrec.materialized(alone=true) }}(
    select
        user_id
        {%- for block in range(first, last + 1) %}
        {%- for replicate in range(4) %},
        {{ sqlrec.poisson('substr(digits_' ~ block ~ ', ' ~ (8 * replicate + 1) ~ ', 8)') }} as weight_{{ 4 * block - 3 + replicate }}
        {%- endfor %}
        {%- endfor %}
    from drawn_digits
),
drawn_replicates as (
    select number as replicate
    from ({{ sqlrec.integers_to(4 * last) | trim }}) as numbers
    where number between {{ 4 * first - 3 }} and {{ 4 * last }}
),
{% endmacro %}

{% macro drawn_numbers(plan) %}{{ return(range(4 * plan.drawn[0] - 3, 4 * plan.drawn[1] + 1) | list) }}{% endmacro %}

-- A sum of one replicate, from the columns for all replicates.
{% macro replicate_sum(plan, name) -%}
case drawn_replicates.replicate
            {%- for number in sqlrec.drawn_numbers(plan) %}
            when {{ number }} then drawn_sums.{{ name }}_{{ number }}
            {%- endfor %}
        end
{%- endmacro %}

-- The number of drawn users with a list.
{% macro drawn_accounts(plan, kind) %}
{% set groups = plan.group_columns %}
{% set replicate = (plan.by | last).name %}
{% set undrawn = groups | reject('equalto', replicate) | list %}
select {{ groups | join(', ') }}, users_evaluated
    from (
        select
            {{ sqlrec.columns_of(undrawn, 'drawn_sums') ~ ',' if undrawn }}
            drawn_replicates.replicate as {{ replicate }},
            {{ sqlrec.replicate_sum(plan, 'users') }} as users_evaluated
        from (
            select
                {{ sqlrec.columns_of(undrawn, 'recommended_lists') ~ ',' if undrawn }}
                {%- for number in sqlrec.drawn_numbers(plan) %}
                sum(drawn_users.weight_{{ number }}) as users_{{ number }}{{ ',' if not loop.last }}
                {%- endfor %}
            from recommended_lists
            join drawn_users on drawn_users.user_id = recommended_lists.user_id
            {{ 'group by ' ~ sqlrec.names(undrawn, 'recommended_lists') if undrawn }}
        ) as drawn_sums
        cross join drawn_replicates
    ) as drawn_counts
    where users_evaluated > 0
{% endmacro %}

-- The sums of each item: the terms of each rank, relevant item and item of the history, times the
-- number of draws of its user.
{% macro drawn_items(plan, kind, used, sources, names, faded) %}
{% set groups = plan.group_columns %}
{% set replicate = (plan.by | last).name %}
{% set undrawn = groups | reject('equalto', replicate) | list %}
-- Each row of the sources, with its part in the sums of its item.
{{ kind.name }}_drawable as (
    {{ sqlrec.added_to_items(sqlrec.with_row_keys(plan, undrawn), kind, used, sources, faded, none) | trim }}
),
{{ kind.name }}_drawn as (
    select {{ (groups + ['item_id'] + names) | join(', ') }}
    from (
        select
            {{ sqlrec.columns_of(undrawn, 'drawn_sums') ~ ',' if undrawn }}
            drawn_replicates.replicate as {{ replicate }},
            drawn_sums.item_id as item_id
            {%- for name in names %},
            {{ sqlrec.replicate_sum(plan, name) if name == 'hits' else 'nullif(' ~ sqlrec.replicate_sum(plan, name) ~ ', 0)' }} as {{ name }}
            {%- endfor %}
        from (
            select
                {{ sqlrec.columns_of(undrawn + ['item_id'], kind.name ~ '_drawable') }}
                {%- for name in names %}
                {%- for number in sqlrec.drawn_numbers(plan) %},
                sum(drawn_users.weight_{{ number }} * {{ kind.name }}_drawable.{{ name }}) as {{ name }}_{{ number }}
                {%- endfor %}
                {%- endfor %}
            from {{ kind.name }}_drawable
            join drawn_users on drawn_users.user_id = {{ kind.name }}_drawable.user_id
            group by {{ sqlrec.names(undrawn + ['item_id'], kind.name ~ '_drawable') }}
        ) as drawn_sums
        cross join drawn_replicates
    ) as drawn_items
    where {% for name in names if name != 'hits' %}{{ ' or ' if not loop.first }}{{ name }} is not null{% endfor %}
),
{% endmacro %}

-- Values over all users' rated items that are functions of a few sums: each user's sums of
-- deviations from the mean grade, times the number of draws of the user.
{% macro drawn_pooled(plan, kind) %}
{% set groups, replicate = plan.groups, (plan.by | last).name %}
{% set undrawn = groups | reject('equalto', replicate) | list %}
{% set score, grade, error = 'predicted - mean_grade', 'grade - mean_grade', 'predicted - grade' %}
{% set sums = {
    'items': 'cast(1 as double)',
    'scores': score,
    'grades': grade,
    'score_squares': sqlrec.product(score, score),
    'grade_squares': sqlrec.product(grade, grade),
    'errors': sqlrec.product(error, error),
} %}
pooled_grades as (
    select
        {{ sqlrec.columns_of(undrawn + ['user_id'], 'recommended_lists') }},
        cast(rated_items.score as double) as predicted,
        rated_items.grade as grade,
        favg(rated_items.grade) over ({{ 'partition by ' ~ sqlrec.names(undrawn, 'recommended_lists') if undrawn }}) as mean_grade
    from recommended_lists
    join rated_items
        on rated_items.model = recommended_lists.model and rated_items.user_id = recommended_lists.user_id
        and rated_items.rank <= recommended_lists.k
    {{ sqlrec.where_cutoffs(kind, plan, 'recommended_lists.k') }}
),
pooled_users as (
    select {{ (undrawn + ['user_id']) | join(', ') }}, min(grade) as least, max(grade) as most
        {%- for name, added in sums.items() %}, sum({{ added }}) as {{ name }}{% endfor %}
    from pooled_grades
    group by {{ (undrawn + ['user_id']) | join(', ') }}
),
pooled_hashed as {{ sqlrec.materialized(alone=true) }}(
    {{ sqlrec.hashed_units('select distinct ' ~ sqlrec.string('user_id') ~ ' as unit from pooled_users', plan.drawn[0], plan.drawn[1]) | trim | indent(4) }}
),
pooled_drawn as (
    select {{ sqlrec.names(undrawn, 'pooled_users') ~ ',' if undrawn }}
        weighed.replicate as {{ replicate }}, min(pooled_users.least) as least, max(pooled_users.most) as most
        {%- for name in sums %}, sum(weighed.weight * pooled_users.{{ name }}) as {{ name }}{% endfor %}
    from pooled_users
    join (
        {{ sqlrec.weights_of('pooled_hashed') }}
    ) as weighed on weighed.unit = {{ sqlrec.string('pooled_users.user_id') }}
    where weighed.weight > 0
    group by {{ sqlrec.names(undrawn, 'pooled_users') ~ ',' if undrawn }} weighed.replicate
),
{{ kind.name }}_values as (
    select {{ groups | join(', ') }}
        {%- for metric in kind.metrics %}, {{ sqlrec.value_or_replacement(plan, sqlrec.value_of_pooled(metric)) }} as {{ metric.column }}{% endfor %}
    from pooled_drawn
),
{% endmacro %}

-- The value of a metric from these sums. The sums are relative to the mean grade, so sums of
-- squares lose no digits.
{% macro value_of_pooled(metric) -%}
{%- set apart = 'score_squares + grade_squares - 2 * ' ~ sqlrec.product('grades', 'scores') ~ ' / items' -%}
{%- set value = {
    'pooled__r2': '1 - errors / nullif(grade_squares - ' ~ sqlrec.product('grades', 'grades') ~ ' / items, 0)',
    'pooled__cohen_kappa': '1 - errors / nullif(' ~ apart ~ ', 0)',
    'pooled__krippendorff_alpha': '1 - (2 * items - 1) * errors / nullif(2 * items * (' ~ apart ~ ') - ' ~ sqlrec.product('scores - grades', 'scores - grades') ~ ', 0)',
}[metric.macro] -%}
case when least < most{{ ' or errors > 0' if metric.macro != 'pooled__r2' }} then {{ value }}
    {{- ' when errors > 0 then 0 else 1' if metric.params.get('constant') == 'zero' }} end
{%- endmacro %}
