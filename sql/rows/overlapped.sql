-- Overlapped: one row per list, cutoff that it reaches and depth, from 1 down to the end of the longer
-- of two lists: the model's and the baseline's for the same user, both cut at k.
--
-- A depth counts items: where given ranks leave gaps, the list closes up. The same in all rows of a user
-- and cutoff:
--
--   model            whose list it is, where several models are evaluated
--   user_id          for whom
--   <segment>        what `by` names, one value for each user
--   k                the cutoff
--   list_length      the places of the model's list, at most k; never 0
--   tied             1 where places k and k + 1 have the same score; only in lists ordered by score
--   baseline_length  the places of the baseline's list, at most k; 0 for a user without one
--   shorter, longer  the smaller of the two, and the larger
--   common           how many items both lists have
--   last_depth       how many items either has. A metric that mentions it has rows from the end of the
--                    longer list on too, down to the length of both together
--   deepest          the cutoff, or the end of the longer list where whole lists are asked. A metric that
--                    mentions it has rows down to there
--
-- Row by row:
--
--   depth            the number of items from the top
--   overlap          how many items both lists have down to there; a place that repeats an item of its own
--                    list counts as one that both have

{% macro overlapped(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set used = used + ['list_length'] %}
{% set groups = sqlrec.user_groups(plan, used) + ['baseline_length', 'shorter', 'longer'] %}
{% set beyond = 'last_depth' in used %}
{% set deepest = 'deepest' in used %}
{% set window = 'partition by ' ~ sqlrec.names(sqlrec.with_cutoff(plan, keys)) %}
{% set repeats = plan.duplicates not in ['error', 'best', 'first', 'last'] %}
{#- Ranks that are made of scores leave no gap. #}
{% set own_places = 'own_places' if repeats or plan.order == 'rank' else 'listed' %}
{% set other_places = 'other_places' if repeats or plan.baseline.order == 'rank' else 'baseline_listed' %}
{% set own_place, other_place = own_places ~ ('.rank' if own_places == 'listed' else '.place'), other_places ~ ('.rank' if other_places == 'baseline_listed' else '.place') %}
{% set lists = 'shown_lists' if sqlrec.lists_alone(plan) else 'list_lengths' %}
{{ sqlrec.closed_up('own_places', 'listed', keys, plan.order, repeats) if own_places != 'listed' }}
{{ sqlrec.closed_up('other_places', 'baseline_listed', ['user_id'], plan.baseline.order, repeats) if other_places != 'baseline_listed' }}
-- The places of both lists, each with the other's place for the same item.
places_of_both as (
    select
        {{ sqlrec.taken(keys, own_places) }},
        1 as own,
        {{ own_place }} as place,
        {{ 'case when own_places.mention > 1 then 1 else other_places.place end' if repeats else other_place }} as partner
    from {{ own_places }}
    left join {{ other_places }}
        on {{ sqlrec.same(['user_id', 'item_id'], other_places, own_places) }}
        {%- if repeats %}
        and other_places.mention = 1
        {%- endif %}
    union all
    select
        {{ sqlrec.taken(keys, lists) }},
        0 as own,
        {{ other_place }} as place,
        {{ 'case when other_places.mention > 1 then 1 else own_places.place end' if repeats else own_place }} as partner
    from {{ lists }}
    join {{ other_places }} on {{ other_places }}.user_id = {{ lists }}.user_id
    left join {{ own_places }}
        on {{ sqlrec.same(keys, own_places, lists) }}
        and {{ own_places }}.item_id = {{ other_places }}.item_id
        {%- if repeats %}
        and own_places.mention = 1
        {%- endif %}
),
pairs_of_lengths as (
    select
        {{ sqlrec.taken(sqlrec.user_groups(plan, used), 'shown_lists') }},
        coalesce({{ sqlrec.at_cutoff(plan, 'places', 'baseline_list_lengths', 'shown_lists.k') }}, 0) as baseline_length
    from shown_lists
    left join baseline_list_lengths on baseline_list_lengths.user_id = shown_lists.user_id
    {{ sqlrec.where_asked(plan, kind, 'shown_lists') }}
),
pairs_of_lists as (
    select
        {{ sqlrec.names(sqlrec.user_groups(plan, used + ['list_length'])) }},
        baseline_length,
        {{ sqlrec.double(sqlrec.least('list_length', 'baseline_length')) }} as shorter,
        {{ sqlrec.double(sqlrec.greatest('list_length', 'baseline_length')) }} as longer
    from pairs_of_lengths
),
-- Two lists meet in an item where the second of them has it.
met_at_depths as (
    select {{ sqlrec.names(groups) }}, depth, sum(met) as met
    from (
        select
            {{ sqlrec.taken(groups, 'pairs_of_lists') }},
            {%- if beyond %}
            {{ sqlrec.double('places_of_both.place + sides.beyond * pairs_of_lists.longer') }} as depth,
            {%- else %}
            {{ sqlrec.double('places_of_both.place') }} as depth,
            {%- endif %}
            case
                {%- if beyond %}
                when sides.beyond = 1 then {{ sqlrec.double(0) }}
                {%- endif %}
                when places_of_both.own = 1
                    and places_of_both.partner <= places_of_both.place
                    and places_of_both.partner <= pairs_of_lists.baseline_length
                then {{ sqlrec.double(1) }}
                when places_of_both.own = 0
                    and places_of_both.partner < places_of_both.place
                    and places_of_both.partner <= pairs_of_lists.list_length
                then {{ sqlrec.double(1) }}
                else {{ sqlrec.double(0) }}
            end as met
        from pairs_of_lists
        join places_of_both on {{ sqlrec.same(keys, 'places_of_both', 'pairs_of_lists') }}
        {%- if beyond %}
        cross join (select 0 as beyond union all select 1 as beyond) as sides
        {%- endif %}
        where places_of_both.place
            <= case places_of_both.own when 1 then pairs_of_lists.list_length else pairs_of_lists.baseline_length end
        {%- if beyond %}
            and (
                sides.beyond = 0
                or places_of_both.own = case when pairs_of_lists.list_length <= pairs_of_lists.baseline_length then 1 else 0 end
            )
        {%- endif %}
        {%- if deepest and plan.largest_k %}
        union all
        select
            {{ sqlrec.taken(groups, 'pairs_of_lists') }},
            {{ sqlrec.double('numbers.number') }} as depth,
            {{ sqlrec.double(0) }} as met
        from pairs_of_lists
        cross join ({{ sqlrec.counting(plan.largest_k) }}) as numbers
        where numbers.number > pairs_of_lists.longer
            and numbers.number <= {{ sqlrec.k_of(plan, 'pairs_of_lists') }}
            and {{ sqlrec.k_of(plan, 'pairs_of_lists') }} <= {{ plan.largest_k }}
        {%- endif %}
    ) as met_places
    group by {{ sqlrec.names(groups) }}, depth
),
overlapped as (
    select
        {{ sqlrec.names(groups) }},
        depth,
        sum(met) over (
            {{ window }} order by depth asc
            rows between unbounded preceding and current row
        ) as overlap,
        sum(met) over ({{ window }}) as common
        {%- if beyond %},
        longer + shorter - sum(met) over ({{ window }}) as last_depth
        {%- endif %}
        {%- if deepest %},
        case when {{ plan.k or 'k' }} = {{ plan.whole_list }} then longer else {{ sqlrec.double(plan.k | string if plan.k else 'k') }} end as deepest
        {%- endif %}
    from met_at_depths
),
{% endmacro %}

{% macro overlapped_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used) + ['baseline_length', 'shorter', 'longer', 'common', 'last_depth', 'deepest'] | select('in', used) | list) }}{% endmacro %}

{% macro overlapped_population(plan) %}recs{% endmacro %}

-- The places of lists under a name, without gaps.
{% macro closed_up(name, table, keys, order, repeats) %}
{{ name }} as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
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

-- The sum of p^d / d over all depths d past one, of the sum down to it. What rounding leaves where there
-- is next to nothing is kept below p^(depth + 1) / ((depth + 1) * (1 - p)), which it never reaches.
{% macro weight_beyond(p, depth, weight_before) -%}
{%- set rest = '(-' ~ sqlrec.ln(sqlrec.double(1 - p)) ~ ' - ' ~ weight_before ~ ')' -%}
{%- set most = sqlrec.fading(p, depth ~ ' + 1') ~ ' / ((' ~ depth ~ ' + 1) * ' ~ sqlrec.double(1 - p) ~ ')' -%}
case when {{ rest }} > 0 then {{ sqlrec.least(rest, most) }} else 0 end
{%- endmacro %}
