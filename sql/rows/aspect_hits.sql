-- Aspect hits: one row per model, user, cutoff, hit within k, and aspect of the hit. A user without
-- a hit still has one row, in which the discount is 0. If a metric reads a column of ranks, ranks
-- without a hit have rows too: one for each aspect of the item, or one if the item has no aspect.
--
--   model             the model of the list, if there are several
--   user_id           the user
--   <segment>         a column of `by`, with one value for each user
--   k                 the cutoff
--   list_length       the length of the list, at most k; 0 for a user without a list
--   tied              1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   earlier_hits      number of hits above that have the aspect
--   discount          the weight of the rank: 1 / log2(rank + 1); 0 without a hit or aspect
--   earlier_ranks     number of items above that have the aspect
--   is_new            1 if it is the first rank of the aspect, else 0
--   rank              the rank, from 1
--   rank_discount     the weight of the rank in the first of its rows, 0 in its other rows
--   hit               1 if the item is relevant, else 0
--   hit_with_aspect   1 in the row of a hit and one of its aspects, else 0
--   reciprocal        1 / rank in the row of a hit and one of its aspects, else 0
--   aspect_items      number of the user's relevant items that have the aspect; 1 in other rows
--   user_aspects      number of aspects of the user's relevant items; constant for a user, and null
--                     without an aspect
--   full_<weight>_<alpha>   gain of a list from an aspect if every item is a hit with the aspect;
--                     the weight of a rank is its reciprocal or its discount; constant for a cutoff
--   all_aspects       number of aspects of all items; constant
--   ideal_alpha_<alpha>   the alpha-DCG of the best list, constant for a user and cutoff; null
--                     if no relevant item of the user has an aspect
--
-- The best list is built rank by rank. Each rank takes the item with the largest gain; if gains are
-- equal, the item with the largest id. Each alpha has its own best list.

{% macro aspect_hits(plan, kind, used) %}
{# Two metrics may need the same columns under different names. #}
{% set ideals = {} %}
{% for metric in kind.metrics if metric.macro == 'aspect_hits__alpha_ndcg' and 'rs_metrics' not in metric.params.values() %}
{% set _ = ideals.setdefault(metric.params.get('alpha', 0.5) | string, []).extend(metric.cutoffs) %}
{% endfor %}
{% set fulls, last = sqlrec.names_with_prefix(used, 'full_'), [kind.cutoffs | max, 1000] | min %}
-- Each item's aspects.
item_aspects as (
    select item_id, aspect
    from item_attributes
    where aspect is not null
    group by item_id, aspect
),
-- The number of aspects of all items.
aspect_counts as (
    select cast(count(distinct aspect) as double) as all_aspects
    from item_aspects
),
-- The aspects of each user's relevant items.
relevant_aspects as (
    select relevant.user_id, relevant.item_id, item_aspects.aspect
    from relevant
    join item_aspects on item_aspects.item_id = relevant.item_id
    where relevant.is_relevant > 0
),
-- The number of each user's relevant items with each aspect.
user_aspect_items as (
    select user_id, aspect, cast(count(*) as double) as aspect_items
    from relevant_aspects
    group by user_id, aspect
),
-- The number of aspects of each user's relevant items.
user_aspects as (
    select user_id, cast(count(distinct aspect) as double) as user_aspects
    from relevant_aspects
    group by user_id
),
{% if fulls %}
-- The gain of a list from an aspect if all its items are hits with it.
full_gains as (
    select {% for name in fulls %}sum({{ sqlrec.full_gain(name, last) }}) as {{ name }}, {% endfor %}cutoffs.k
    from ({{ sqlrec.integers_to(last) | trim }}) as numbers
    cross join cutoffs
    where numbers.number <= cutoffs.k
    group by cutoffs.k
),
{% endif %}
{{ sqlrec.aspects_of_ranks(plan, kind) if sqlrec.uses_any(['earlier_ranks', 'rank_discount', 'all_aspects', 'is_new'], used) else sqlrec.aspects_of_hits(plan, kind, used) }}
{% for alpha, cutoffs in ideals.items() %}
{{ sqlrec.best_aspects(plan, cutoffs | unique | sort, alpha) }}
{% endfor %}
-- The hits of each user; a user without a hit has one row of zeros.
aspect_hits as (
    select evaluated_users.*,
        {% for alpha, cutoffs in ideals.items() %}
        {% set ideal = sqlrec.ideal_alpha_dcg(alpha) %}
        case evaluated_users.k{% for k in cutoffs | unique %} when {{ k }} then {{ ideal }}.dcg_{{ k }}{% endfor %} end as {{ ideal }},
        {% endfor %}
        {% for name in fulls %}full_gains.{{ name }}, {% endfor %}
        aspect_counts.all_aspects,
        user_aspects.user_aspects,
        coalesce(user_aspect_items.aspect_items, 1) as aspect_items,
        coalesce(hit_aspects.earlier_hits, 0) as earlier_hits,
        coalesce(hit_aspects.discount, 0) as discount,
        case when hit_aspects.discount > 0 then 1 else 0 end as hit_with_aspect,
        case when hit_aspects.discount > 0 then cast(1 as double) / hit_aspects.rank else cast(0 as double) end as reciprocal,
        coalesce(hit_aspects.rank, 0) as rank,
        coalesce(hit_aspects.earlier_ranks, 0) as earlier_ranks,
        coalesce(hit_aspects.is_new, 0) as is_new,
        coalesce(hit_aspects.rank_discount, 0) as rank_discount,
        coalesce(hit_aspects.hit, 0) as hit
    from evaluated_users
    cross join aspect_counts
    {{ 'join full_gains on full_gains.k = evaluated_users.k' if fulls }}
    left join user_aspects on user_aspects.user_id = evaluated_users.user_id
    left join hit_aspects
        on hit_aspects.model = evaluated_users.model and hit_aspects.user_id = evaluated_users.user_id
        and hit_aspects.rank <= evaluated_users.k
    left join user_aspect_items
        on user_aspect_items.user_id = evaluated_users.user_id and user_aspect_items.aspect = hit_aspects.aspect
    {% for alpha in ideals %}
    {% set ideal = sqlrec.ideal_alpha_dcg(alpha) %}
    left join {{ ideal }} on {{ ideal }}.user_id = evaluated_users.user_id
    {% endfor %}
),
{% endmacro %}

-- The gain at a rank: the term of a sum.
{% macro full_gain(name, last) -%}
{%- set weight, alpha = name[5:].split('_') -%}
{{ sqlrec.power_of_fraction(1 - sqlrec.from_name(alpha) | float, 'numbers.number - 1', last) }} / {{ {'reciprocal': 'cast(numbers.number as double)', 'discount': 'log2(numbers.number + 1)'}[weight] }}
{%- endmacro %}

-- Hit aspects: the aspects of hits, or of all ranks.
{% macro aspects_of_hits(plan, kind, used) %}
-- One row per hit and aspect of the hit, with the number of hits above that have the aspect.
hit_aspects as (
    select listed.model, listed.user_id, listed.rank, item_aspects.aspect,
        1 / log2(listed.rank + 1) as discount,
        row_number() over (
            partition by listed.model, listed.user_id, item_aspects.aspect order by listed.rank asc
        ) - 1 as earlier_hits
    from {{ '(select model, user_id, item_id, min(rank) as rank from listed group by model, user_id, item_id) as ' if 'hits_once' in plan.properties.duplicates }}listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    join item_aspects on item_aspects.item_id = listed.item_id
    where relevant.is_relevant > 0 and listed.rank <= {{ kind.cutoffs | max }}
),
{% endmacro %}
{% macro aspects_of_ranks(plan, kind) %}
{% set first = 'listed.rank = min(listed.rank) over (partition by listed.model, listed.user_id, listed.item_id)' %}
-- The ranks, once for each aspect of the item, or once without an aspect.
aspect_ranks as (
    select listed.model, listed.user_id, listed.rank, item_aspects.aspect,
        {{ 'case when ' ~ first ~ ' then coalesce(relevant.is_relevant, 0) else 0 end' if 'hits_once' in plan.properties.duplicates else 'coalesce(relevant.is_relevant, 0)' }} as hit
    from listed
    left join item_aspects on item_aspects.item_id = listed.item_id
    left join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    where listed.rank <= {{ kind.cutoffs | max }}
),
-- Each row, with the numbers of hits and ranks above that have the aspect.
hit_aspects as (
    select model, user_id, rank, aspect, hit,
        case when hit > 0 and aspect is not null then 1 / log2(rank + 1) else cast(0 as double) end as discount,
        sum(hit) over (
            partition by model, user_id, aspect order by rank asc rows between unbounded preceding and current row
        ) - hit as earlier_hits,
        row_number() over (partition by model, user_id, aspect order by rank asc) - 1 as earlier_ranks,
        case when aspect is not null and row_number() over (partition by model, user_id, aspect order by rank asc) = 1 then 1 else 0 end as is_new,
        case row_number() over (partition by model, user_id, rank order by aspect asc)
            when 1 then 1 / log2(rank + 1) else cast(0 as double)
        end as rank_discount
    from aspect_ranks
),
{% endmacro %}

-- The column and named query of an ideal.
{% macro ideal_alpha_dcg(alpha) -%}
ideal_alpha_{{ sqlrec.in_name(alpha) }}
{%- endmacro %}

-- The alpha-DCG of the best lists down to each cutoff. Each user who has a relevant item with an
-- aspect has a row. If the engine can rank rows in a recursive query, one recursive query builds
-- all ranks. Otherwise each rank is a query that marks one more item as chosen. Gains are compared
-- to 12 digits, so all engines choose the same items.
{% macro best_aspects(plan, cutoffs, alpha) %}
{% set ideal = sqlrec.ideal_alpha_dcg(alpha) %}
{% set depth = cutoffs | max %}
{% set recursive = sqlrec.ranks_in_recursion() %}
{% set worth = sqlrec.discount('dcg', 'rank', sqlrec.power_of_fraction(1 - alpha | float, 'had - 1', depth)) %}
{% set sums %}
    select user_id,
        {%- for k in cutoffs %}
        sum({{ 'case when rank <= ' ~ k ~ ' then ' ~ worth ~ ' end' if k < depth else worth }}) as dcg_{{ k }}{{ ',' if not loop.last }}
        {%- endfor %}
{% endset %}
{% set candidates %}
    select user_id, item_id, aspect, cast(0 as bigint) as rank{{ ', 0 as is_best' if recursive }}, cast(0 as bigint) as had
    from relevant_aspects
{% endset %}
{% if recursive %}
-- The best list, rank by rank: each takes the item with the largest gain; aspects that are
-- already covered gain less.
{{ ideal }} as (
    with recursive best_ranks as (
        {{ candidates | trim }}
        union all
        select user_id, item_id, aspect, rank, is_best,
            had + max(is_best) over (partition by user_id, aspect) as had
        from (
            select user_id, item_id, aspect, rank, had,
                case rank() over (partition by user_id order by gain desc, {{ sqlrec.items_in_order(plan, 'desc') }})
                    when 1 then 1 else 0
                end as is_best
            from (
                select user_id, item_id, aspect, rank + 1 as rank, had,
                    floor(
                        sum({{ sqlrec.power_of_fraction(1 - alpha | float, 'had', depth) }}) over (partition by user_id, item_id) * 1099511627776 + 0.5e0
                    ) as gain
                from best_ranks
                where rank < {{ depth }} and is_best = 0
            ) as gains
        ) as best_items
    )
    {{ sums | trim }}
    from best_ranks
    where is_best = 1
    group by user_id
),
{% else %}
-- Items to choose from. An item has rank 0 until it is chosen, and no aspect is covered yet.
{{ ideal }}_rank_0 as (
    {{ candidates | trim }}
),
{% for rank in range(1, depth + 1) %}
{{ ideal }}_rank_{{ rank }} as (
    select user_id, item_id, aspect, case when is_best = 1 then {{ rank }} else rank end as rank,
        had + case when rank = 0 then max(is_best) over (partition by user_id, aspect) else 0 end as had
    from (
        select user_id, item_id, aspect, rank, had,
            case rank + rank() over (partition by user_id, rank order by gain desc, {{ sqlrec.items_in_order(plan, 'desc') }})
                when 1 then 1 else 0
            end as is_best
        from (
            select user_id, item_id, aspect, rank, had,
                floor(
                    sum({{ sqlrec.power_of_fraction(1 - alpha | float, 'had', rank) }}) over (partition by user_id, item_id) * 1099511627776 + 0.5e0
                ) as gain
            from {{ ideal }}_rank_{{ rank - 1 }}
        ) as gains
    ) as best_items
),
{% endfor %}
-- The alpha-DCG of the best list.
{{ ideal }} as (
    {{ sums | trim }}
    from {{ ideal }}_rank_{{ depth }}
    where rank > 0
    group by user_id
),
{% endif %}
{% endmacro %}
