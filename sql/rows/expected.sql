-- Expected: one row per model, user, cutoff and place within k, if its score is that of a relevant item.
-- Items with equal scores are a group, all orders of which are equally likely: the value of a place is
-- the mean over all these orders. Missing scores are a group too. A user without such a place still has
-- one row, without a hit and past every cutoff.
--
-- The same in all rows of a user and cutoff: k, list_length, asked_length, relevant_items, catalog_items,
-- tied and ideal_... as in rows/hits.sql.
--
-- Row by row:
--
--   rank              the place, from 1
--   hit               the probability of a relevant item here: the share of such items in the group
--   first_hit         the probability that the first relevant item of the list is here
--   hits_so_far       hits at this place and above, if there is one at this place
--   relevance         the mean relevance of the group
--   exponential_gain  the mean of 2^relevance - 1 in the group
--   discount, late_discount   the weights of the place, as in rows/hits.sql
--
-- Source: McSherry & Najork 2008, doi.org/10.1007/978-3-540-78646-7_38. Where no scores are equal, each
-- group is one place, and all is as in rows/hits.sql.

{% macro expected(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set zero = sqlrec.double(0) %}
{% set chances %}
    hits / places as hit,
    {# Items without relevance are used up one by one: once none is left, a hit is sure. #}
    case
            when hits_above = 0 and hits > 0 and places_before <= places - hits
            then hits / (places - places_before)
            else {{ sqlrec.double(0) }}
        end as next_hit,
    coalesce(
            sum(
                case
                    when places_before < places - hits
                    then {{ sqlrec.ln('(places - hits - places_before) / (places - places_before)') }}
                    else {{ sqlrec.double(0) }}
                end
            ) over (
                partition by {{ sqlrec.names(keys) }}, places_above order by rank asc
                rows between unbounded preceding and 1 preceding
            ), 0
        ) as without_hit,
    1 + hits_above + case
            when places > 1 then places_before * (hits - 1) / (places - 1)
            else {{ sqlrec.double(0) }}
        end as hits_so_far,
    relevance / places as relevance,
    exponential_gain / places as exponential_gain,
    {{ sqlrec.discount('dcg', 'rank') }} as discount,
    {{ sqlrec.discount('late_dcg', 'rank') }} as late_discount,
{% endset %}
{% set chances = sqlrec.chosen(chances, used + (['next_hit', 'without_hit'] if 'first_hit' in used else [])) %}
{% set named = sqlrec.identifiers(chances) %}
{% set groups = 'tied_groups_in_lists' if 'hits_above' in named else 'tied_groups' %}
-- Equal scores with something relevant among them.
tied_groups as (
    select {{ sqlrec.taken(keys + ['places_above'], 'listed') }}
        {%- call sqlrec.kept_columns(named + (['hits'] if 'hits_above' in named else [])) %}
        {{ sqlrec.double('count(*)') }} as places,
        sum(relevant.is_relevant) as hits,
        sum(relevant.relevance) as relevance,
        sum(power({{ sqlrec.two() }}, relevant.relevance) - 1) as exponential_gain,
        {%- endcall %}
    from listed
    left join {{ sqlrec.relevant_once(plan) }} on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    group by {{ sqlrec.names(keys, 'listed') }}, listed.places_above
    having sum(relevant.is_relevant) > 0 or sum(relevant.relevance) > 0
),
{% if 'hits_above' in named %}
-- With the hits of the groups above each.
tied_groups_in_lists as (
    select {{ sqlrec.names(keys + ['places_above']) }}
        {{- sqlrec.chosen(sqlrec.each(['places', 'hits', 'relevance', 'exponential_gain'], '{}'), named) }},
        coalesce(
            sum(hits) over (
                partition by {{ sqlrec.names(keys) }} order by places_above asc
                rows between unbounded preceding and 1 preceding
            ),
            0
        ) as hits_above
    from tied_groups
),
{% endif %}
{% set columns = {'places_before': 'listed.rank - listed.places_above - 1'} %}
{% set _ = columns.update(sqlrec.each(['places_above', 'places', 'hits', 'hits_above', 'relevance', 'exponential_gain'], groups ~ '.{}')) %}
-- Their places{{ ', with the places of the group before each' if 'places_before' in named }}.
tied_places as (
    select {{ sqlrec.taken(keys + ['rank'], 'listed') }}
        {{- sqlrec.chosen(columns, named) }}
    from listed
    join {{ groups }}
        on {{ sqlrec.same(keys, groups, 'listed') }}
        and {{ groups }}.places_above = listed.places_above
    {{ 'where listed.rank <= ' ~ [plan.depth or plan.whole_list, plan.ends or plan.whole_list] | min if plan.depth or plan.ends }}
),
-- What can be expected of each place.
chances as (
    select {{ sqlrec.names(keys) }}, rank
        {{- chances }}
    from tied_places
),
-- The same for each user; who can expect nothing has one row of zeros.
expected as (
    select
        {{ sqlrec.taken(sqlrec.hits_constants(plan, used), 'evaluated') }}
        {%- call sqlrec.kept_columns(used) %}
        {{ sqlrec.asked_length(plan, {'k': 'evaluated.k', 'list_length': 'evaluated.list_length'}) }} as asked_length,
        {{ sqlrec.double('catalog_counts.catalog_items') }} as catalog_items,
        coalesce(chances.rank, {{ plan.past_every_cutoff }}) as rank,
        coalesce(chances.hit, {{ zero }}) as hit,
        {#- The chance of a hit if there was none before, times that of none, by its logarithm. What is next to nothing
            is 0: some engines refuse to compute it. #}
        coalesce(case when chances.without_hit > -600 then chances.next_hit * exp(chances.without_hit) else {{ zero }} end, {{ zero }}) as first_hit,
        coalesce(chances.hits_so_far, {{ zero }}) as hits_so_far,
        coalesce(chances.relevance, {{ zero }}) as relevance,
        coalesce(chances.exponential_gain, {{ zero }}) as exponential_gain,
        coalesce(chances.discount, {{ zero }}) as discount,
        coalesce(chances.late_discount, {{ zero }}) as late_discount,
        {%- endcall %}
    from evaluated
    left join chances on {{ sqlrec.same(keys, 'chances', 'evaluated') }} {{ sqlrec.and_within(plan, 'chances.rank', 'evaluated') }}
    {{ 'cross join catalog_counts' if 'catalog_items' in used }}
),
{% endmacro %}

{% macro expected_keys(plan, used) %}{{ return(sqlrec.hits_keys(plan, used)) }}{% endmacro %}

{% macro expected_population(plan) %}{{ plan.population }}{% endmacro %}

-- What an item can be expected to be worth: an expression over a row.
{% macro expected_gain(gain) -%}
{{ {'binary': 'hit', 'linear': 'relevance', 'exponential': 'exponential_gain'}[gain] }}
{%- endmacro %}
