-- List overlap: one row per list, cutoff that it reaches and depth, from 1 down to the end of the longer
-- of two lists: the model's and the baseline's for the same user, both cut at k.
--
-- A depth counts items: gaps in ranks are closed. Constant for a user and cutoff:
--
--   model            the model whose list it is, if there are several
--   user_id          the user
--   <segment>        a column of `by`, with one value for each user
--   k                the cutoff
--   list_length      the places of the model's list, at most k; never 0
--   tied             1 where places k and k + 1 have the same score; only in lists ordered by score
--   baseline_length  the places of the baseline's list, at most k; 0 for a user without one
--   shorter, longer  the smaller of the two, and the larger
--   common           number of items in both lists
--   shorter_common   number of items in both lists within the length of the shorter one
--   deepest          the cutoff, or for whole lists the end of the longer list. If a metric reads
--                    it, there are rows down to there
--
-- By row:
--
--   depth            the number of items from the top
--   overlap          number of items that both lists have down to there; a place that repeats an
--                    item of its own list counts as in both. Null past the longer list
--   weight_<p>       the weight of the agreement at the depth, without a constant factor: p^depth / depth

{% macro list_overlap(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set used = used + (['longer'] if 'deepest' in used else []) %}
{% set groups = sqlrec.user_groups(plan, used) %}
{% set list = sqlrec.names(sqlrec.with_cutoff(plan, keys)) %}
{% set repeats = sqlrec.repeats_items(plan) %}
{#- Ranks computed from scores have no gaps. #}
{% set own = 'own_places' if repeats or plan.order == 'rank' else 'listed' %}
{% set other = 'other_places' if repeats or plan.baseline.order == 'rank' else 'baseline_listed' %}
{% set alone = sqlrec.reads_only_places(plan, used) %}
{% set whole = 'over (partition by ' ~ list ~ ')' %}
{% set columns %}
    {{ sqlrec.running_sum('met', list, 'depth') }} as overlap,
    sum(met) {{ whole }} as common,
    sum(case when places = 2 then met else 0 end) {{ whole }} as shorter_common,
    {{ sqlrec.double('sum(baseline_places) ' ~ whole) }} as baseline_length,
    {{ sqlrec.double('sum(places - 1) ' ~ whole) }} as shorter,
    {{ sqlrec.double('sum(1) ' ~ whole) }} as longer,
{% endset %}
{% set weights = sqlrec.weights_of_depth(used, 'depth') %}
{% set select = sqlrec.chosen(columns, used) ~ (sqlrec.chosen(weights, used) if 'deepest' not in used) %}
{% set at_depths %}
    {{ sqlrec.double('sum(met)') }} as met,
    count(*) as places,
    sum(1 - own) as baseline_places,
{% endset %}
{% set at_depths = sqlrec.chosen(at_depths, sqlrec.identifiers(select)) %}
{{ sqlrec.closed_up('own_places', 'listed', keys, plan.order, repeats) if own != 'listed' }}
{{ sqlrec.closed_up('other_places', 'baseline_listed', ['user_id'], plan.baseline.order, repeats) if other != 'baseline_listed' }}
-- The places of both lists{{ '; met is 1 for the second place of an item, so that both lists have it' if 'met' in sqlrec.identifiers(at_depths) }}.
places_of_both as (
    select {{ sqlrec.names(groups) }}, depth
        {#- Without a list of the baseline, no item is in both. #}
        {%- call sqlrec.kept_columns(sqlrec.identifiers(at_depths)) %}
        own,
        {% if repeats %}
        case when mention > 1 then 1 - min(own) over (partition by {{ list }}) else row_number() over (
            partition by {{ list }}, item_id, mention order by depth asc, own asc
        ) - 1 end as met,
        {% else %}
        row_number() over (partition by {{ list }}, item_id order by depth asc, own asc) - 1 as met,
        {% endif %}
        {%- endcall %}
    from (
        select
            {{ sqlrec.columns_of(groups, own if alone else 'recommended_lists') }},
            {{ sqlrec.columns_of(['item_id'] + (['mention'] if repeats else []), own) }},
            {{ own }}.{{ 'rank' if own == 'listed' else 'place' }} as depth,
            1 as own
        from {{ own }}
        {{ 'join recommended_lists on ' ~ sqlrec.same(keys, 'recommended_lists', own) if not alone }}
        {{ sqlrec.where_within(plan, own ~ '.rank', 'recommended_lists') }} {{ sqlrec.where_requested(plan, kind, 'recommended_lists', 'and') }}
        union all
        select
            {{ sqlrec.columns_of(groups, 'recommended_lists') }},
            {{ sqlrec.columns_of(['item_id'] + (['mention'] if repeats else []), other) }},
            {{ other }}.{{ 'rank' if other == 'baseline_listed' else 'place' }} as depth,
            0 as own
        from recommended_lists
        join {{ other }} on {{ other }}.user_id = recommended_lists.user_id
        {{ sqlrec.where_within(plan, other ~ '.rank', 'recommended_lists') }} {{ sqlrec.where_requested(plan, kind, 'recommended_lists', 'and') }}
    ) as places
),
-- The number of items that are in both lists for the first time at each depth.
met_at_depths as (
    select {{ sqlrec.names(groups) }}, {{ sqlrec.double('depth') }} as depth
        {{- at_depths }}
    from places_of_both
    group by {{ sqlrec.names(groups) }}, depth
),
-- The overlap of the two lists down to each depth.
{{ 'depths' if 'deepest' in used else 'list_overlap' }} as (
    select {{ sqlrec.names(groups) }}, depth
        {{- select }}
    from met_at_depths
),
{% if 'deepest' in used %}
{% set constants = sqlrec.list_overlap_keys(plan, used) | reject('eq', 'deepest') | list %}
-- These depths, continued to the cutoff.
list_overlap as (
    select {{ sqlrec.names(constants) }}, depth
        {{- sqlrec.chosen({'overlap': 'overlap', 'deepest': sqlrec.deepest(plan)}, used) ~ sqlrec.chosen(weights, used) }}
    from depths
    {%- if plan.largest_k %}
    union all
    select {{ sqlrec.columns_of(constants, 'depths') }}, {{ sqlrec.double('numbers.number') }} as depth
        {{- sqlrec.chosen({'overlap': sqlrec.double('null'), 'deepest': sqlrec.deepest(plan)}, used) }}
        {{- sqlrec.chosen(sqlrec.weights_of_depth(used, sqlrec.double('numbers.number')), used) }}
    from depths
    cross join ({{ sqlrec.counting(plan.largest_k) }}) as numbers
    where depths.depth = depths.longer and numbers.number > depths.longer
        and numbers.number <= {{ sqlrec.k_of(plan, 'depths') }} and {{ sqlrec.k_of(plan, 'depths') }} <= {{ plan.largest_k }}
    {%- endif %}
),
{% endif %}
{% endmacro %}

{% macro list_overlap_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used) + ['baseline_length', 'shorter', 'longer', 'common', 'shorter_common', 'deepest'] | select('in', used) | list) }}{% endmacro %}

{% macro list_overlap_population(plan) %}recs{% endmacro %}

-- The weight of a depth for each p: entries of a select.
{% macro weights_of_depth(used, depth) %}
    {% for p in sqlrec.rests(used, 'weight_') %}
    {{ sqlrec.fading(sqlrec.from_name(p) | float, depth) }} / {{ depth }} as weight_{{ p }},
    {% endfor %}
{% endmacro %}

{% macro deepest(plan) -%}
{{ ('longer' if plan.k == plan.whole_list else sqlrec.double(plan.k)) if plan.k else 'case when k = ' ~ plan.whole_list ~ ' then longer else ' ~ sqlrec.double('k') ~ ' end' }}
{%- endmacro %}

-- The places of lists under a name, without gaps.
{% macro closed_up(name, table, keys, order, repeats) %}
{{ name }} as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        rank,
        {%- if repeats %}
        row_number() over (partition by {{ sqlrec.names(keys) }}, item_id order by rank asc) as mention,
        {%- endif %}
        {%- if order == 'rank' %}
        row_number() over (partition by {{ sqlrec.names(keys) }} order by rank asc, item_id asc) as place
        {%- else %}
        rank as place
        {%- endif %}
    from {{ table }}
),
{% endmacro %}

-- The sum of p^d / d over all depths d from `depth`, computed from the sum down to the depth
-- before. The true sum is below p^depth / (depth * (1 - p)), which also bounds rounding errors.
{% macro weight_from(p, depth, weight_before) -%}
{%- set rest = '-' ~ sqlrec.ln('1 - ' ~ sqlrec.double(p | float)) ~ ' - ' ~ weight_before -%}
{%- set most = sqlrec.fading(p, depth) ~ ' / (' ~ ('(' ~ depth ~ ')' if ' ' in depth else depth) ~ ' * (1 - ' ~ sqlrec.double(p | float) ~ '))' -%}
{{ sqlrec.greatest(sqlrec.least(rest, most), 0) }}
{%- endmacro %}
