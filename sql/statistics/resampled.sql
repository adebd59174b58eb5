-- An input with users drawn again, in several replicates: each user stands there as often as drawn, under
-- a name of its own each time. So what is not a mean over users can be evaluated again, replicates being
-- segments. Draws are those of sql/statistics/replicates.sql.
--
--   sqlrec_user       the name of the copy
--   sqlrec_replicate  the replicate, from 1
--
-- The plan is that of one input: its relation and user_id; the relation of draws; and whether all who are
-- drawn are kept.

{% macro resampled(plan) %}
(
    select given.*, drawn.sqlrec_user as sqlrec_user, drawn.sqlrec_replicate as sqlrec_replicate
    from {{ plan.draws }} as drawn
    {{ 'left join' if plan.all_drawn else 'join' }} {{ plan.given.relation }} as given on {{ sqlrec.string('given.' ~ plan.given.columns.user_id) }} = drawn.unit
) as resampled
{% endmacro %}

-- Who is drawn how often, of the users of some inputs: a row per copy, of the replicates of the blocks from
-- the first to the last. The plan has these inputs, each with its relation and user_id.
{% macro draws(plan) %}
(
    select
        unit,
        unit || '~' || {{ sqlrec.string('replicate') }} || '~' || {{ sqlrec.string('copies.number') }} as sqlrec_user,
        replicate as sqlrec_replicate
    from (
        {%- for replicate in range(4) %}
        {{ 'union all' if not loop.first }}
        select
            unit,
            4 * block - {{ 3 - replicate }} as replicate,
            {{ sqlrec.poisson('substr(digits, ' ~ (8 * replicate + 1) ~ ', 8)') }} as weight
        from (
            {{ sqlrec.hashed_units(plan) | indent(12) }}
        ) as hashed
        {%- endfor %}
    ) as weighed
    join (
        {{ sqlrec.counting(12) | indent(8) }}
    ) as copies on copies.number <= weighed.weight
)
{% endmacro %}

{% macro hashed_units(plan) %}
select
    unit,
    blocks.number as block,
    {{ sqlrec.md5("unit || ':' || " ~ sqlrec.string('blocks.number')) }} as digits
from (
    select distinct {{ sqlrec.string('user_id') }} as unit
    from (
        {%- for source in plan.sources %}
        {{ 'union all' if not loop.first }}
        select {{ sqlrec.named(source.columns.user_id, 'user_id') }} from {{ source.relation }}
        {%- endfor %}
    ) as users
) as units
cross join (
    {{ sqlrec.counting(plan.last) | indent(4) }}
) as blocks
where blocks.number between {{ plan.first }} and {{ plan.last }}
{% endmacro %}
