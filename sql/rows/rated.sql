-- Rated items: one row per model, user and item that has a score in the list and a grade in the truth,
-- down to the deepest cutoff.
--
--   model, user_id  whose list it is
--   rank            the item's place in the list, from 1
--   score           its score, as it is given
--   grade           its grade, as it is given, also below 0
--   relevant        1 where it is relevant, else 0
--
-- Rated: one row per rated item within k. Lists without any have no row.
--
-- The same in all rows of a list and cutoff: k, list_length, tied as in rows/shown.sql, and
--
--   mean_predicted    the mean of the scores
--   mean_grade        the mean of the grades
--
-- Row by row:
--
--   predicted         the score
--   grade, relevant   as above
--   negatives_so_far  the items that are not relevant and have a score no higher
--   tied_negatives    those of them with the same score
--   predicted_place   the item's place by its score, among equal scores their mean place, from the
--                     middle of all: below 0 in the lower half
--   grade_place       the same by its grade
--
-- Negatives are counted for the rows of relevant items; in the others they mean nothing.

{% macro rated_items(plan, used) %}
-- Listed items that the truth grades{{ ', within the cutoff' if sqlrec.lists_alone(plan) }}.
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
    {#- An item without a score was not predicted, one without a grade has nothing to predict. #}
    where listed.score is not null{{ ' and relevant.grade is not null' if plan.truth.columns.relevance and 'grade' in used }}{{ ' and ' ~ sqlrec.within(plan, 'listed.rank', '') if sqlrec.lists_alone(plan) and plan.k != plan.whole_list }}
),
{% endmacro %}

{% macro rated_places(plan, kind, used) %}
{% if not sqlrec.places_alone(plan, used) %}
-- The rated items within each cutoff.
{{ kind.name }}_places as (
    select
        {{ sqlrec.taken(sqlrec.user_groups(plan, used), 'shown_lists') }},
        {{ sqlrec.taken(['rank', 'score'], 'rated_items') }}
        {{- sqlrec.chosen({'grade': 'rated_items.grade', 'relevant': 'rated_items.relevant'}, sqlrec.columns_of_rated(used)) }}
    from shown_lists
    join rated_items
        on {{ sqlrec.same(plan.list_keys, 'rated_items', 'shown_lists') }}
        {{ sqlrec.and_within(plan, 'rated_items.rank', 'shown_lists') }}
    {{ sqlrec.where_asked(plan, kind, 'shown_lists') }}
),
{% endif %}
{% endmacro %}
-- What is read of them for the columns that are used.
{% macro columns_of_rated(used) %}
{{ return(
    (['grade'] if sqlrec.some_of(['grade', 'mean_grade', 'grade_place'], used) else [])
    + (['relevant'] if sqlrec.some_of(['relevant', 'negatives_so_far', 'tied_negatives'], used) else [])
) }}
{% endmacro %}
{% macro rated_source(plan, kind, used) %}{{ 'rated_items' if sqlrec.places_alone(plan, used) else kind.name ~ '_places' }}{% endmacro %}

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

-- How many items that are not relevant have no higher score, and the same score, in each part of the
-- rows. Among equal scores the relevant items come last, so that they count all of the others.
{% macro negatives(part, used) %}
{%- if 'negatives_so_far' in used %},
        sum(1 - relevant) over (
            {{ 'partition by ' ~ sqlrec.names(part) ~ ' ' if part }}order by score asc, relevant asc
            rows between unbounded preceding and current row
        ) as negatives_so_far,
        sum(1 - relevant) over (partition by {{ sqlrec.names(part + [sqlrec.part_of('score')]) }}) as tied_negatives
{%- endif %}
{%- endmacro %}

-- An item's place by a column, from the middle: half of how much lower it stands than it would if the
-- order were turned round. Equal values, told apart by their rank both times, get their mean place.
{% macro middle_place(part, column) -%}
(
            {{ sqlrec.double('row_number() over (partition by ' ~ part ~ ' order by ' ~ column ~ ' asc, rank asc)') }}
            - {{ sqlrec.double('row_number() over (partition by ' ~ part ~ ' order by ' ~ column ~ ' desc, rank asc)') }}
        ) / 2
{%- endmacro %}
