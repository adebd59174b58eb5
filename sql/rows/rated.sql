-- Rated items: one row per model, user and item that has a score in the list and a grade in the truth,
-- down to the deepest cutoff.
--
--   model, user_id  whose list it is
--   rank            the item's place in the list, from 1
--   score           its score as in recs
--   grade           its grade as in the truth, also below 0
--   relevant        1 where it is relevant, else 0
--
-- Rated: one row per rated item within k. Lists without a rated item have no row.
--
-- Constant for a list and cutoff: k, list_length, tied as in rows/recommended_items.sql, and
--
--   mean_predicted    the mean of the scores
--   mean_grade        the mean of the grades
--
-- By row:
--
--   predicted         the score
--   grade, relevant   as above
--   negatives_so_far  number of irrelevant items with the same or a lower score
--   tied_negatives    number of these with the same score
--   predicted_place   the item's place by its score, relative to the middle: below 0 in the lower
--                     half; equal scores have their mean place
--   grade_place       the same by its grade
--
-- Negatives are defined only in the rows of relevant items.

{% macro rated_items(plan, used) %}
-- Listed items that the truth grades{{ ', within the cutoff' if sqlrec.has_one_group(plan) }}.
rated_items as (
    {%- set columns %}
    {{ 'listed.model,' if 'model' in plan.list_keys }}
    listed.user_id,
    listed.rank,
    listed.score,
    relevant.grade,
    relevant.is_relevant as relevant,
    {%- endset %}
    select {{ sqlrec.entries(columns, used) }}
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {#- An item without a score or without a grade is not rated. #}
    where listed.score is not null{{ ' and relevant.grade is not null' if plan.truth.columns.relevance and 'grade' in used }}{{ ' and ' ~ sqlrec.is_within(plan, 'listed.rank', '') if sqlrec.has_one_group(plan) and plan.k != plan.whole_list }}
),
{% endmacro %}

{% macro rated_places(plan, kind, used) %}
{% if not sqlrec.reads_only_places(plan, used) %}
-- The rated items within each cutoff.
{{ kind.name }}_places as (
    select
        {{ sqlrec.columns_of(sqlrec.user_groups(plan, used), 'recommended_lists') }},
        {{ sqlrec.columns_of(['rank', 'score'], 'rated_items') }}
        {{- sqlrec.chosen({'grade': 'rated_items.grade', 'relevant': 'rated_items.relevant'}, sqlrec.columns_of_rated(used)) }}
    from recommended_lists
    join rated_items
        on {{ sqlrec.same(plan.list_keys, 'rated_items', 'recommended_lists') }}
        {{ sqlrec.and_within(plan, 'rated_items.rank', 'recommended_lists') }}
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
),
{% endif %}
{% endmacro %}
-- The columns of rated items that the used columns need.
{% macro columns_of_rated(used) %}
{{ return(
    (['grade'] if sqlrec.some_of(['grade', 'mean_grade', 'grade_place'], used) else [])
    + (['relevant'] if sqlrec.some_of(['relevant', 'negatives_so_far', 'tied_negatives'], used) else [])
) }}
{% endmacro %}
{% macro rated_source(plan, kind, used) %}{{ 'rated_items' if sqlrec.reads_only_places(plan, used) else kind.name ~ '_places' }}{% endmacro %}

{% macro rated(plan, kind, used) %}
{% set list = sqlrec.names(sqlrec.with_cutoff(plan, plan.list_keys)) %}
{{ sqlrec.rated_places(plan, kind, used) }}
{% set columns %}
    {{ sqlrec.double('score') }} as predicted,
    grade,
    relevant,
    {{ sqlrec.mean(sqlrec.double('score')) }} over (partition by {{ list }}) as mean_predicted,
    {{ sqlrec.mean('grade') }} over (partition by {{ list }}) as mean_grade,
    {{ sqlrec.middle_place(list, 'score') }} as predicted_place,
    {{ sqlrec.middle_place(list, 'grade') }} as grade_place,
{% endset %}
-- Each rated item within the cutoff.
rated as (
    select {{ sqlrec.names(sqlrec.user_groups(plan, used)) }}
        {{- sqlrec.chosen(columns, used) }}
        {{- sqlrec.negatives(sqlrec.with_cutoff(plan, plan.list_keys), used) }}
    from {{ sqlrec.rated_source(plan, kind, used) }}
),
{% endmacro %}

{% macro rated_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used)) }}{% endmacro %}

{% macro rated_population(plan) %}rated{% endmacro %}

-- The numbers of irrelevant items with the same or a lower score, and with the same score, in each
-- partition. Among equal scores relevant items come last, so that they count all irrelevant ones.
{% macro negatives(part, used) %}
{%- if 'negatives_so_far' in used %},
        sum(1 - relevant) over (
            {{ 'partition by ' ~ sqlrec.names(part) ~ ' ' if part }}order by score asc, relevant asc
            rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant) over (partition by {{ sqlrec.names(part + [sqlrec.part_of('score')]) }}) as tied_negatives
{%- endif %}
{%- endmacro %}

-- An item's place by a column, relative to the middle: half the difference of its places in
-- ascending and in descending order. Both orders break ties by rank, so equal values get their mean
-- place.
{% macro middle_place(part, column) -%}
(
            {{ sqlrec.double('row_number() over (partition by ' ~ part ~ ' order by ' ~ column ~ ' asc, rank asc)') }}
            - {{ sqlrec.double('row_number() over (partition by ' ~ part ~ ' order by ' ~ column ~ ' desc, rank asc)') }}
        ) / 2
{%- endmacro %}
