-- Group gains: one row per model, segment, cutoff and group of items, with the mean gain of its items in
-- lists. The users are the population. An item may be in several groups, and counts in each group.
-- A repeated row of items counts once.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated  number of users
--   short_lists      number of their lists that are shorter than k
--   ties_at_cutoff   number of lists with the same score at ranks k and k + 1
--   groups_<mean>    number of groups that have this mean
--
-- By row:
--
--   mean_<worth>_all   the mean worth of the items of the group that lists show within k; the worth of an item
--                    is its mean over the ranks that show it. Null for a group without a shown item, and
--                    in the one row of the items without a group
--   mean_<worth>_hits  this mean, but only over the ranks of hits
--   rank_<mean>      the rank of the group by this mean, from 1 for the smallest
--
-- At a hit, <worth> is 1 for binary, the relevance for linear, 2^(relevance + s) - 1 for
-- exponential<s>, and the score for score; otherwise, it is 0.

{% macro group_gains(plan, kind, used) %}
{% set means = sqlrec.name_suffixes(used, 'mean_') %}
-- Each item's groups.
groups_of_gains as (
    select item_id, item_group
    from item_attributes
    where item_group is not null
    group by item_id, item_group
),
{# A user without a rank has a row without item, so that all evaluated users are counted. #}
-- The ranks of lists, with the judgments of their items.
group_gains_ranks as (
    select {{ sqlrec.names(plan.key_columns, 'evaluated_users') }}, listed.item_id,
        coalesce(relevant.is_relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance,
        coalesce(cast(listed.score as double), 0) as score,
        case
            when row_number() over (
                partition by evaluated_users.model, evaluated_users.user_id, evaluated_users.k order by listed.rank asc
            ) = 1 then 1
            else 0
        end as first_of_list,
        evaluated_users.list_length,
        evaluated_users.tied
    from evaluated_users
    {{ 'left ' if sqlrec.accounts(plan, used) }}join listed
        on listed.model = evaluated_users.model and listed.user_id = evaluated_users.user_id
        and listed.rank <= evaluated_users.k
    left join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),
-- The mean worth of each item.
group_gains_items as (
    select {{ plan.row_keys }}, item_id,
        {% for name in means %}
        sum({{ sqlrec.hit_worth(name.rsplit('_', 1)[0]) | trim }}) / {{ 'count(*)' if name[-4:] == '_all' else 'nullif(sum(hit), 0)' }} as {{ name }},
        {% endfor %}
        sum(sum(first_of_list)) over (partition by {{ plan.row_keys }}) as users_evaluated,
        sum(sum(case when {{ sqlrec.is_short(plan) }} then first_of_list else 0 end)) over (partition by {{ plan.row_keys }}) as short_lists,
        sum(sum(first_of_list * tied)) over (partition by {{ plan.row_keys }}) as ties_at_cutoff
    from group_gains_ranks
    group by {{ plan.row_keys }}, item_id
),
-- The mean of each group.
group_gains_groups as (
    select {{ sqlrec.names(plan.key_columns, 'group_gains_items') }}, groups_of_gains.item_group,
        max(group_gains_items.users_evaluated) as users_evaluated,
        max(group_gains_items.short_lists) as short_lists,
        max(group_gains_items.ties_at_cutoff) as ties_at_cutoff
        {%- for name in means %},
        {{ sqlrec.mean('case when groups_of_gains.item_group is not null then group_gains_items.' ~ name ~ ' end') }} as mean_{{ name }}
        {%- endfor %}
    from group_gains_items
    left join groups_of_gains on groups_of_gains.item_id = group_gains_items.item_id
    group by {{ sqlrec.names(plan.key_columns, 'group_gains_items') }}, groups_of_gains.item_group
),
-- The groups in the order of their means; groups without a mean are last.
group_gains as (
    select group_gains_groups.*
        {%- for name in means %},
        cast(count(mean_{{ name }}) over (partition by {{ plan.row_keys }}) as double) as groups_{{ name }},
        cast(
            row_number() over (
                partition by {{ plan.row_keys }}
                order by case when mean_{{ name }} is null then 1 else 0 end asc, mean_{{ name }} asc, item_group asc
            ) as double
        ) as rank_{{ name }}
        {%- endfor %}
    from group_gains_groups
),
{% endmacro %}

-- The worth of a hit: an expression over ranks.
{% macro hit_worth(worth) %}
{% if worth[:11] == 'exponential' %}
hit * (power(2, relevance + {{ sqlrec.literal(sqlrec.from_name(worth[11:]) | float) }}) - 1)
{% else %}
{{ {'binary': 'hit', 'linear': 'hit * relevance', 'score': 'hit * score'}[worth] }}
{% endif %}
{% endmacro %}

-- The mean difference of two groups. In the order of means, the group at rank i of n has the larger
-- mean in i - 1 pairs and the smaller mean in n - i pairs.
{% macro mean_group_difference(mean) %}
{% set groups = 'max(groups_' ~ mean ~ ')' %}
{% set apart = 'sum((2 * rank_' ~ mean ~ ' - groups_' ~ mean ~ ' - 1) * mean_' ~ mean ~ ')' %}
{#- Rounding errors may give a number below 0. #}
2 * {{ sqlrec.greatest(apart, 0) }} / nullif({{ groups }} * ({{ groups }} - 1), 0)
{% endmacro %}
