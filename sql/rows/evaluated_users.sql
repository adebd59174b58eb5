-- Evaluated users: one row per model, user of the population and cutoff, with all columns that do not
-- need the hits.
--
--   model           the model of the list
--   user_id         the user
--   k               the cutoff
--   <segment>       a column of `by`, with one value for each user
--   list_length     the length of the list, at most k; 0 for a user without a list. With
--                   truth_duplicates=lines, the number of lines (see rules/truth_duplicates.sql)
--   relevant_items  number of items that are relevant to the user; with some rules an item counts
--                   once for each row of the list with the item (see rules/relevant_copies.sql)
--   judged_items    number of items that the truth judges for the user
--   nonrelevant_items  number of judged items that are not relevant
--   distinct_gains  number of different gains above 0 of the user's items
--   exceeds_best_list  1 if the list is at least two items longer than the best list, else 0
--   requested_length  the cutoff; for whole lists, the length of the list
--   catalog_items   number of items in the catalog
--   tied            1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   ideal_...       value of the user's best list (see rows/ideal.sql)

{% macro evaluated_users(plan) %}
{% set ranks = sqlrec.at_cutoff(plan, 'ranks', 'list_lengths', 'population.k') %}
{% set length = 'line_counts.list_length' if 'ranks_rows' in plan.properties.truth_duplicates else ranks %}
{#- The numbers of items in best lists, by the depth of ideals. A user without a list still has a best list of one rank. If items are
    counted rows of the truth, the number is unsigned in ClickHouse, which cannot mix it with signed numbers. #}
{% set depths = {
    'achievable': 'least(population.k, {})',
    'k': 'population.k',
    'relevant': '{}',
    'list_length': 'case when ' ~ ranks ~ ' > 0 then least(' ~ ranks ~ ', cast({} as bigint)) else least(1, cast({} as bigint)) end',
} %}
-- The population, with the list length and the totals of each user.
evaluated_users as (
    select population.model, population.user_id, population.k,
        {% for segment in plan.by if segment.table != 'draws' %}{{ segment.table }}_segments.{{ segment.name }}, {% endfor %}
        coalesce({{ length }}, 0) as list_length,
        {{ plan.items_of_user | replace('{}', 'relevant_items') }} as relevant_items,
        truth_users.distinct_gains,
        case when {{ length }} >= truth_users.items_with_gain + 2 then 1 else 0 end as exceeds_best_list,
        coalesce(truth_users.judged_items, 0) as judged_items,
        coalesce(truth_users.nonrelevant_items, 0) as nonrelevant_items,
        {% for ideal in plan.ideals %}{{ ideal.value }} as {{ ideal.name }}, {% endfor %}
        case when population.k < {{ plan.whole_list }} then population.k else coalesce({{ length }}, 0) end as requested_length,
        cast(catalog_counts.catalog_items as double) as catalog_items,
        coalesce({{ sqlrec.at_cutoff(plan, 'tied', 'list_lengths', 'population.k') }}, 0) as tied
    from population
    cross join catalog_counts
    left join truth_users on truth_users.user_id = population.user_id
    {{ 'left join list_lengths on list_lengths.model = population.model and list_lengths.user_id = population.user_id' if plan.recs }}
    {{ sqlrec.account_joins(plan, 'population') if plan.by }}
    {% if 'repeats_are_relevant' in plan.properties.duplicates %}
    left join relevant_copy_counts on {{ sqlrec.equal_columns(sqlrec.relevant_copy_keys(plan), 'relevant_copy_counts', 'population') }}
    {% endif %}
    {% if 'ranks_rows' in plan.properties.truth_duplicates %}
    left join line_counts on line_counts.model = population.model and line_counts.user_id = population.user_id and line_counts.k = population.k
    {% endif %}
    {% for depth, items in depths.items() %}
    {% set sources = plan.ideals | selectattr('depth', 'equalto', depth) | map(attribute='source') | list %}
    {% if 'perfect' in sources %}
    {% set perfect = 'perfect' if depth == 'achievable' else 'perfect_' ~ depth %}
    left join perfect{{ ' as ' ~ perfect if depth != 'achievable' }} on {{ perfect }}.depth = {{ items | replace('{}', plan.items_of_user | replace('{}', 'relevant_items')) }}
    {% endif %}
    {% if 'sums' in sources %}
    left join ideal_sums as sums_{{ depth }}
        on {{ sqlrec.equal_columns(sqlrec.relevant_copy_keys(plan) if 'repeats_are_relevant' in plan.properties.duplicates else ['user_id'], 'sums_' ~ depth, 'population') }}
        and sums_{{ depth }}.depth = {{ items | replace('{}', plan.items_of_user | replace('{}', 'ideal_items')) }}
    {% endif %}
    {% endfor %}
),
{% endmacro %}
