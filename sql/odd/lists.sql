-- Lists as some libraries make them, before they are ranked: of users of the truth alone; each item once; by
-- what the truth says of it; by the order of rows. And afterwards: items with equal scores share their places.

-- Whether rows do not stand as they are given.
{% macro is_odd(plan, lists) %}
{{ return(sqlrec.counts_once(plan) or sqlrec.goes_by_row(plan, lists) or lists.of_truth or lists.ties in ['best', 'worst']) }}
{% endmacro %}
{% macro counts_once(plan) %}{{ return(plan.duplicates in ['best', 'best_in_cut', 'first', 'last']) }}{% endmacro %}
{% macro goes_by_row(plan, lists) %}{{ return(sqlrec.equals_by_row(lists) or plan.duplicates in ['first', 'last']) }}{% endmacro %}
{% macro equals_by_row(lists) %}{{ return(lists.ties == 'first' and lists.order == 'score') }}{% endmacro %}

-- What lists are then read of: a relation, what orders them, and the queries that make it.
{% macro odd_lists(plan, lists, given) %}
{% set found = namespace(relation=lists.side ~ 'recommended', given=given) %}
{% set queries %}
{% if lists.of_truth %}
{% set relation = found.relation %}
{% set found.relation = lists.side ~ 'recommended_to_truth' %}
-- The lists of users of the truth.
{{ found.relation }} as (
    select *
    from {{ relation }}
    where user_id is null or user_id in (select {{ plan.truth.columns.user_id }} from {{ plan.truth.relation }})
),
{% endif %}
{% if plan.duplicates == 'best_in_cut' and lists.side != 'baseline_' %}
{{ sqlrec.cut_rows(plan, lists, found.relation, given) }}
{% set found.relation = lists.side ~ 'cut_rows' %}
{% endif %}
{% if sqlrec.counts_once(plan) %}
{{ sqlrec.distinct_items(plan, lists, found.relation, given) }}
{% set found.relation = lists.side ~ 'distinct_items' %}
{% set found.given = 'best_' ~ given %}
{% endif %}
{% if lists.ties in ['best', 'worst'] %}
{{ sqlrec.recommended_and_met(plan, lists, found.relation, found.given) }}
{% set found.relation = 'recommended_and_met' %}
{% endif %}
{% endset %}
{{ return({'queries': queries, 'relation': found.relation, 'given': found.given}) }}
{% endmacro %}

-- The rows down to the largest cutoff. Where the order of rows decides between equal scores, the place says
-- it: an item then stands where its best row stood.
{% macro cut_rows(plan, lists, relation, given) %}
{% set goes_by_ties = sqlrec.goes_by_row(plan, lists) or lists.ties not in ['best', 'worst', 'first'] %}
-- Lists are cut before items are counted once.
{{ lists.side }}cut_rows as (
    select {{ sqlrec.names(lists.list_keys) }}, item_id
        {{- ', given_rank' if lists.order == 'rank' }}
        {{- ', score' if lists.order == 'score' or lists.check_order or lists.scored }}
        {{- ', row_place as row_order' if sqlrec.goes_by_row(plan, lists) }}
    from (
        select *,
            row_number() over (
                partition by {{ sqlrec.names(lists.list_keys) }}
                order by {{ sqlrec.by_score(plan, given) if lists.order == 'score' else given ~ ' asc' }}, {{ sqlrec.among_equals(plan, lists) if goes_by_ties else sqlrec.by_item('asc') }}
            ) as row_place
        from {{ relation }}
    ) as placed_rows
    where row_place <= {{ plan.largest_k or plan.whole_list }}
),
{% endmacro %}

-- An item counts once in a list, at its best or last place.
{% macro distinct_items(plan, lists, relation, given) %}
{% set side, keys = lists.side, lists.list_keys %}
{% set counted = side != 'baseline_' and plan.audit %}
-- An item counts once in a list, at its {{ plan.duplicates | replace('_in_cut', '') }} place.
{{ side }}distinct_items as (
    select {{ sqlrec.names(keys) }}, item_id,
        {%- if plan.duplicates not in ['first', 'last'] %}
        {{ 'max' if lists.order == 'score' else 'min' }}({{ given }}) as best_{{ given }}
        {%- elif sqlrec.has_row_order(plan) %}
        max(case when repeat_number = 1 then {{ given }} end) as best_{{ given }}
        {%- else %}
        {{ 'arg_max' if plan.duplicates == 'last' else 'arg_min' }}({{ given }}, row_order) as best_{{ given }}
        {%- endif %}
        {{- ', max(score) as score' if (lists.check_order or lists.scored) and lists.order != 'score' }}
        {{- ', min(row_order) as row_order' if sqlrec.equals_by_row(lists) }}
        {{- ', count(*) - 1 as repeats' if counted }}
    from {{ relation }}
    group by {{ sqlrec.names(keys) }}, item_id
),
{% if counted %}
{{ side }}repeated as (
    {#- Of which segment they are, the user says. #}
    {%- set whose = keys if plan.by else keys | reject('equalto', 'user_id') | list %}
    select {{ whose | join(', ') ~ ', ' if whose }}sum(repeats) as repeated_rows
    from {{ side }}distinct_items
    {{ 'group by ' ~ whose | join(', ') if whose }}
),
{% endif %}
{% endmacro %}

-- What the truth says of an item decides between equal scores.
{% macro recommended_and_met(plan, lists, relation, given) %}
-- What the truth says of each item, which decides between equal scores.
recommended_and_met as (
    select
        {{ sqlrec.taken(lists.list_keys, relation) }},
        {{ relation }}.item_id as item_id,
        {{ relation }}.{{ given }} as {{ given }},
        coalesce(relevant.relevance, 0) as relevance,
        coalesce(relevant.is_relevant, 0) as is_relevant
    from {{ relation }}
    left join {{ 'first_judgments as ' if plan.truth_duplicates in ['rows', 'summed', 'lines', 'error'] }}relevant
        on relevant.user_id = {{ relation }}.user_id
        and relevant.item_id = {{ relation }}.item_id
),
{% endmacro %}

-- Items with equal scores share what their places are worth.
{% macro shared_places(plan, lists, name, used) %}
-- Items with equal scores share what their places are worth.
{{ name }} as (
    select {{ sqlrec.names(lists.list_keys) }}, item_id, rank
        {{- sqlrec.chosen({'score': 'score' if lists.scored else none, 'unplaced': 'unplaced', 'tied': 'tied'}, used) }}
        {%- for k in plan.cutoffs %},
        {{ sqlrec.mean('case when rank <= ' ~ k ~ ' then ' ~ sqlrec.discount('dcg', 'rank') ~ ' else 0 end') }}
            over (partition by {{ sqlrec.names(lists.list_keys) }}, {{ sqlrec.part_of('score') }}) as {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
    from {{ lists.side }}ranked
    {%- if plan.ends %}
    where rank <= {{ plan.ends }}
    {%- endif %}
),
{% endmacro %}

-- Whether a column orders the rows of lists, and not where they stand.
{% macro has_row_order(plan) %}{{ return(plan.recs[0].columns.order_by is not none) }}{% endmacro %}

-- The order of rows of a list; where a column leaves it open, that of items.
{% macro by_row(plan) -%}
{%- if sqlrec.has_row_order(plan) -%}
case when row_order is null then 1 else 0 end asc, row_order asc, {{ sqlrec.items_in_order(plan) }}
{%- else -%}
row_order asc
{%- endif -%}
{%- endmacro %}

-- 1 for the row of an item that counts, by the column that orders rows; of rows alike in it, the best.
{% macro number_of_repeat(plan, lists, source) -%}
{% set columns = source.columns %}
{% set list = ([sqlrec.model(plan, source)] if 'model' in lists.list_keys and source.model is none else []) + [columns.user_id] %}
row_number() over (
            partition by {{ list | join(', ') }}, {{ columns.item_id }}
            order by case when {{ columns.order_by }} is null then 1 else 0 end asc, {{ columns.order_by }} {{ 'asc' if plan.duplicates == 'first' else 'desc' }},
                {{ sqlrec.descending(sqlrec.score(plan, source), 'last') if lists.order == 'score' else sqlrec.numbers_of(columns.rank) ~ ' asc' }}
        )
{%- endmacro %}
