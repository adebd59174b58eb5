-- Gained: one row per model, segment, cutoff and group of items: what its items gain where lists show
-- them. The users are those of the population. An item may be in several groups, and counts in each;
-- what items says twice counts once.
--
-- The same in all rows of a model, segment and cutoff:
--
--   users_evaluated  how many users there are
--   short_lists      how many of their lists are shorter than k
--   ties_at_cutoff   how many have the same score at places k and k + 1
--   groups_<mean>    how many groups have this mean
--
-- Row by row:
--
--   mean_<worth>_all   the mean, over the items of the group that lists show within k, of what the item
--                    is worth on average in the places that show it; null for a group of which no item
--                    is shown, and in the one row of the items without a group
--   mean_<worth>_hits  the same in the places of hits alone
--   place_<mean>     the place of the group by this mean, from 1 for the smallest
--
-- Where the item is relevant to the user of the list, <worth> is 1 for binary, its relevance for
-- linear, 2^(relevance + s) - 1 for exponential<s>, and its score for score; elsewhere it is 0.

{% macro gained(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set accounts = sqlrec.accounts(plan, used) %}
{% set of_lists = sqlrec.columns_of_accounts(plan, accounts) %}
{% set means = sqlrec.rests(used, 'mean_') %}
{% set sums %}
    {% for name in means %}
    {% set divisor = 'count(*)' if name[-4:] == '_all' else 'nullif(sum(hit), 0)' %}
    sum({{ sqlrec.worth_of_hit(name.rsplit('_', 1)[0]) | trim }}) / {{ divisor }} as {{ name }},
    {% endfor %}
{% endset %}
{% set columns %}
    coalesce(relevant.is_relevant, 0) as hit,
    coalesce(relevant.relevance, 0) as relevance,
    coalesce({{ sqlrec.double('listed.score') }}, 0) as score,
{% endset %}
-- Each item's groups.
groups_of_gained as (
    {{ sqlrec.item_labels(plan, 'item_group') | trim }}
),
{# A user whose list shows nothing has a row without item, so that who is evaluated is counted. #}
-- The places of lists, with what the truth says of their items.
gained_places as (
    select {{ sqlrec.taken(groups, 'evaluated') ~ ',' if groups }}
        {{ sqlrec.named('listed.item_id', 'item_id') }}
        {{- sqlrec.chosen(columns, sqlrec.identifiers(sums)) }}
        {%- if accounts %},
        {{ sqlrec.first_of_list(sqlrec.names(sqlrec.with_cutoff(plan, plan.list_keys), 'evaluated'), 'listed.rank') }} as first_of_list
        {%- endif %}
        {{- ', ' ~ sqlrec.taken(of_lists, 'evaluated') if of_lists }}
    from evaluated
    {{ 'left ' if accounts }}join listed
        on {{ sqlrec.same(plan.list_keys, 'listed', 'evaluated') }}
        {{ sqlrec.and_within(plan, 'listed.rank', 'evaluated') }}
    left join {{ sqlrec.relevant_once(plan) }} on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {{ sqlrec.where_asked(plan, kind, 'evaluated') }}
),
{% set together = 'over (' ~ sqlrec.partitioned(groups) ~ ')' %}
-- What each item is worth on average.
gained_items as (
    select {{ sqlrec.names(groups + ['item_id']) }}
        {{- sqlrec.chosen(sums, means) }}
        {%- call sqlrec.kept_columns(accounts) %}
        sum(sum(first_of_list)) {{ together }} as users_evaluated,
        sum(sum(case when {{ sqlrec.is_short(plan) }} then first_of_list else 0 end)) {{ together }} as short_lists,
        sum(sum({{ 'first_of_list * tied' if plan.order == 'score' else 0 }})) {{ together }} as ties_at_cutoff,
        {%- endcall %}
    from gained_places
    group by {{ sqlrec.names(groups + ['item_id']) }}
),
-- The mean of each group.
gained_groups as (
    select {{ sqlrec.taken(groups + accounts, 'gained_items') ~ ',' if groups + accounts }}
        {{ sqlrec.named('groups_of_gained.item_group', 'item_group') }}
        {%- for name in means %},
        {{ sqlrec.mean('case when groups_of_gained.item_group is not null then gained_items.' ~ name ~ ' end') }} as mean_{{ name }}
        {%- endfor %}
    from gained_items
    left join groups_of_gained on groups_of_gained.item_id = gained_items.item_id
    group by {{ sqlrec.names(groups + accounts, 'gained_items') ~ ', ' if groups + accounts }}groups_of_gained.item_group
),
-- The groups in order of their means, those without one last.
gained as (
    select {{ sqlrec.names(groups + accounts) ~ ',' if groups + accounts }}
        {%- for name in means %}
        mean_{{ name }},
        {{ sqlrec.double('count(mean_' ~ name ~ ') over (' ~ sqlrec.partitioned(groups) ~ ')') }} as groups_{{ name }},
        {{ sqlrec.double('row_number() over (
            ' ~ sqlrec.partitioned(groups) ~ ' order by case when mean_' ~ name ~ ' is null then 1 else 0 end asc, mean_' ~ name ~ ' asc, item_group asc
        )') }} as place_{{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from gained_groups
),
{% endmacro %}

{% macro gained_keys(plan, used) %}{{ return(sqlrec.whole_groups(plan, used)) }}{% endmacro %}

{% macro gained_population(plan) %}{{ plan.population }}{% endmacro %}

-- What a hit is worth: an expression over places.
{% macro worth_of_hit(worth) %}
{% if worth[:11] == 'exponential' %}
hit * (power({{ sqlrec.two() }}, relevance + {{ sqlrec.literal(sqlrec.from_name(worth[11:]) | float) }}) - 1)
{% else %}
{{ {'binary': 'hit', 'linear': 'hit * relevance', 'score': 'hit * score'}[worth] }}
{% endif %}
{% endmacro %}

-- The mean difference of two groups. In order of their means, the one at place i of n is the larger of
-- i - 1 pairs and the smaller of n - i.
{% macro mean_apart(mean) %}
{% set groups = 'max(groups_' ~ mean ~ ')' %}
{% set apart = 'sum((2 * place_' ~ mean ~ ' - groups_' ~ mean ~ ' - 1) * mean_' ~ mean ~ ')' %}
{#- What rounding leaves of 0 may lie below it. #}
2 * {{ sqlrec.greatest(apart, 0) }} / nullif({{ groups }} * ({{ groups }} - 1), 0)
{% endmacro %}
