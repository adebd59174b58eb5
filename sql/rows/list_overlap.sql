-- List overlap: one row per list, cutoff at which the list is not empty, and depth. The depth runs
-- from 1 to the end of the longer list: either the model's list or the baseline's list for the same
-- user, both cut at k.
--
-- A depth counts items, so gaps in ranks are closed. Constant for a user and cutoff:
--
--   model            the model of the list, if there are several
--   user_id          the user
--   <segment>        a column of `by`, with one value for each user
--   k                the cutoff
--   list_length      the length of the model's list, at most k; never 0
--   tied             1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   baseline_length  the length of the baseline's list, at most k; 0 for a user without such a list
--   shorter, longer  the smaller and the larger of the two lengths
--   common           number of items in both lists
--   shorter_common   number of items that both lists contain within the length of the shorter list
--   deepest          the cutoff, or for whole lists the end of the longer list. If a metric reads
--                    this column, rows continue down to this depth
--
-- By row:
--
--   depth            the number of items from the top
--   overlap          number of items that both lists contain down to this depth; a rank that
--                    repeats an item of its list counts as an item in both lists. Null below the
--                    end of the longer list
--   weight_<p>       the weight of the agreement at the depth, without a constant factor: p^depth / depth

{% macro list_overlap(plan, kind, used) %}
{% set constants = plan.key_columns + ['baseline_length', 'shorter', 'longer', 'common', 'shorter_common'] %}
{% set deepest = 'case when depths.k < ' ~ plan.whole_list ~ ' then cast(depths.k as double) else depths.longer end' %}
{{ sqlrec.close_rank_gaps('model_ranks', 'listed', 'model, user_id', plan.order) }}
{{ sqlrec.close_rank_gaps('compared_ranks', 'baseline_listed', 'user_id', plan.baseline.order) }}
{{ sqlrec.ranks_within_cutoff(plan, kind, 'model_list_ranks', 'model_ranks') }}
-- The ranks of both lists.
ranks_of_both as (
    select model, user_id, {{ plan.group_columns[1:] | join(', ') }}, list_length, tied, item_id, mention, closed_rank as depth, 1 as own
    from model_list_ranks
    union all
    select recommended_lists.model, recommended_lists.user_id, {{ sqlrec.names(plan.group_columns[1:] + ['list_length', 'tied'], 'recommended_lists') }},
        compared_ranks.item_id, compared_ranks.mention, compared_ranks.closed_rank as depth, 0 as own
    from recommended_lists
    join compared_ranks on compared_ranks.user_id = recommended_lists.user_id and compared_ranks.rank <= recommended_lists.k
),
-- Each rank; met is 1 for the second rank of an item, from which both lists contain it.
met_ranks as (
    select ranks_of_both.*,
        {# Without a list of the baseline, no item is in both lists. #}
        {% if 'keeps_repeats' in plan.properties.duplicates %}
        case when mention > 1 then 1 - min(own) over (partition by model, user_id, k) else row_number() over (
            partition by model, user_id, k, item_id, mention order by depth asc, own asc
        ) - 1 end as met
        {% else %}
        row_number() over (partition by model, user_id, k, item_id order by depth asc, own asc) - 1 as met
        {% endif %}
    from ranks_of_both
),
-- The number of items that are in both lists for the first time at each depth.
met_at_depths as (
    select {{ plan.row_keys }}, cast(depth as double) as depth,
        cast(sum(met) as double) as met,
        count(*) as lists,
        sum(1 - own) as baseline_items
    from met_ranks
    group by {{ plan.row_keys }}, depth
),
-- The overlap of the two lists down to each depth.
{{ 'depths' if 'deepest' in used else 'list_overlap' }} as (
    select {{ plan.row_keys }}, depth,
        {{ sqlrec.weights_of_depth(used, 'depth') }}
        sum(met) over (
            partition by model, user_id, k order by depth asc rows between unbounded preceding and current row
        ) as overlap,
        sum(met) over (partition by model, user_id, k) as common,
        sum(case when lists = 2 then met else 0 end) over (partition by model, user_id, k) as shorter_common,
        cast(sum(baseline_items) over (partition by model, user_id, k) as double) as baseline_length,
        cast(sum(lists - 1) over (partition by model, user_id, k) as double) as shorter,
        cast(sum(1) over (partition by model, user_id, k) as double) as longer
    from met_at_depths
),
{% if 'deepest' in used %}
-- These depths, and all other depths down to the cutoff.
list_overlap as (
    select {{ constants | join(', ') }}, depth,
        {{ sqlrec.weights_of_depth(used, 'depth') }}
        overlap,
        {{ deepest }} as deepest
    from depths
    {%- if plan.largest_k %}
    union all
    select {{ sqlrec.names(constants, 'depths') }}, cast(numbers.number as double) as depth,
        {{ sqlrec.weights_of_depth(used, 'cast(numbers.number as double)') }}
        cast(null as double) as overlap,
        {{ deepest }} as deepest
    from depths
    cross join ({{ sqlrec.integers_to(plan.largest_k) }}) as numbers
    where depths.depth = depths.longer and numbers.number > depths.longer
        and numbers.number <= depths.k and depths.k <= {{ plan.largest_k }}
    {%- endif %}
),
{% endif %}
{% endmacro %}

-- The weight of a depth for each p: columns of a select.
{% macro weights_of_depth(used, depth) %}
    {% for p in sqlrec.name_suffixes(used, 'weight_') %}
    {{ sqlrec.power_of_fraction(sqlrec.from_name(p) | float, depth) }} / {{ depth }} as weight_{{ p }},
    {% endfor %}
{% endmacro %}

-- The ranks of lists under a name, without gaps; `mention` numbers the ranks of an item.
{% macro close_rank_gaps(name, table, keys, order) %}
{{ name }} as (
    select {{ keys }}, item_id, rank,
        row_number() over (partition by {{ keys }}, item_id order by rank asc) as mention,
        {{ 'row_number() over (partition by ' ~ keys ~ ' order by rank asc, item_id asc)' if order == 'rank' else 'rank' }} as closed_rank
    from {{ table }}
),
{% endmacro %}

-- The sum of p^d / d over all depths d from `depth`: the total minus the sum down to the previous
-- depth. The true sum is below p^depth / (depth * (1 - p)), which also limits rounding errors.
{% macro weight_from(p, depth, weight_before) -%}
{%- set rest = '-' ~ sqlrec.ln('1 - ' ~ sqlrec.double(p | float)) ~ ' - ' ~ weight_before -%}
{%- set most = sqlrec.power_of_fraction(p, depth) ~ ' / (' ~ ('(' ~ depth ~ ')' if ' ' in depth else depth) ~ ' * (1 - ' ~ sqlrec.double(p | float) ~ '))' -%}
{{ sqlrec.greatest(sqlrec.least(rest, most), 0) }}
{%- endmacro %}
