-- Agreed: one row per list and cutoff with a rated item within k (see rows/rated.sql): how many pairs of
-- these items score and grade put in the same order.
--
--   k, list_length, tied   as in rows/shown.sql
--   concordant             pairs of which the higher score has the higher grade
--   discordant             pairs of which the higher score has the lower grade
--   tied_predicted         pairs with the same score and different grades
--   tied_grade             pairs with different scores and the same grade
--   tied_both              pairs with the same score and the same grade
--
-- No pair is ever made. The grades of a list are numbered from 0, and the numbers read bit by bit: two
-- different grades part at exactly one bit, the highest in which they differ. For each bit, the items
-- whose grades agree in all higher bits stand together, in the order of their scores, and an item
-- without the bit has as many discordant partners as there are items with it above: a running sum. That
-- is (rated items) * log2(different grades) rows, two to four times the items for ratings by stars. In
-- DuckDB 200 lists of 5,000 items take 4 s of CPU with ten grades and 9 s where all grades differ; a
-- join of all pairs takes 40 s, for lists of 200 items the same, and less for shorter ones.

{% macro agreed(plan, kind, used) %}
{% set keys = plan['keys'] %}
{% set lists = sqlrec.user_groups(plan).split() %}
{% set list = sqlrec.names(keys + ['k']) %}
agreed_items as (
    select
        {{ sqlrec.names(keys) }},
        rank,
        score,
        grade,
        case
            when
                lag(grade) over (partition by {{ sqlrec.names(keys) }} order by grade asc, rank asc)
                = grade
            then 0
            else 1
        end as first_of_grade
    from rated_items
),
agreed_grades as (
    select
        {{ sqlrec.names(keys) }},
        rank,
        score,
        {{ sqlrec.double(
            'sum(first_of_grade) over (partition by ' ~ sqlrec.names(keys) ~ ' order by grade asc, rank asc '
            ~ 'rows between unbounded preceding and current row)'
        ) }} - 1 as grade_number,
        {{ sqlrec.double('sum(first_of_grade) over (partition by ' ~ sqlrec.names(keys) ~ ')') }} - 1 as last_number
    from agreed_items
),
-- Items with the same score and grade are one row.
agreed_places as (
    select
        {{ sqlrec.taken(lists, 'shown_lists') }},
        agreed_grades.score as score,
        agreed_grades.grade_number as grade_number,
        agreed_grades.last_number as last_number,
        {{ sqlrec.double('count(*)') }} as alike
    from shown_lists
    join agreed_grades
        on {{ sqlrec.same(keys, 'agreed_grades', 'shown_lists') }}
        and agreed_grades.rank <= shown_lists.k
    where {{ sqlrec.asked_at(kind, 'shown_lists.k') }}
    group by {{ sqlrec.names(lists, 'shown_lists') }}, agreed_grades.score, agreed_grades.grade_number, agreed_grades.last_number
),
agreed_ties as (
    select
        {{ sqlrec.names(lists) }},
        score,
        grade_number,
        last_number,
        alike,
        sum(alike) over (partition by {{ list }}, score) as same_score,
        sum(alike) over (partition by {{ list }}, grade_number) as same_grade
    from agreed_places
),
-- What a bit is worth, as far as a number can have it; and once 0, for what is counted once.
agreed_bits as (
    select {{ sqlrec.double(0) }} as bit
    {%- for number in range(31) if not plan.depth or 2 ** number < plan.depth %}
    union all select {{ sqlrec.double(2 ** number) }} as bit
    {%- endfor %}
),
agreed_halves as (
    select
        {{ sqlrec.taken(lists, 'agreed_ties') }},
        agreed_bits.bit as bit,
        floor(agreed_ties.grade_number / nullif(2 * agreed_bits.bit, 0)) as higher_bits,
        floor(agreed_ties.grade_number / nullif(agreed_bits.bit, 0))
        - 2 * floor(agreed_ties.grade_number / nullif(2 * agreed_bits.bit, 0)) as has_bit,
        agreed_ties.score as score,
        agreed_ties.alike as alike,
        agreed_ties.same_score as same_score,
        agreed_ties.same_grade as same_grade
    from agreed_ties
    cross join agreed_bits
    where agreed_bits.bit <= agreed_ties.last_number
),
-- Among equal scores those without the bit come first, and find none of them.
agreed_counts as (
    select
        {{ sqlrec.names(lists) }},
        bit,
        alike,
        same_score,
        same_grade,
        (1 - has_bit) * alike * sum(has_bit * alike) over (
            partition by {{ list }}, bit, higher_bits order by score asc, has_bit asc
            rows between unbounded preceding and current row
        ) as discordant_partners
    from agreed_halves
),
agreed_pairs as (
    select
        {{ sqlrec.names(lists) }},
        sum(case when bit = 0 then alike else {{ sqlrec.double(0) }} end) as items,
        sum(case when bit = 0 then alike * (same_score - 1) else {{ sqlrec.double(0) }} end) / 2 as pairs_of_score,
        sum(case when bit = 0 then alike * (same_grade - 1) else {{ sqlrec.double(0) }} end) / 2 as pairs_of_grade,
        sum(case when bit = 0 then alike * (alike - 1) else {{ sqlrec.double(0) }} end) / 2 as tied_both,
        sum(case when bit > 0 then discordant_partners else {{ sqlrec.double(0) }} end) as discordant
    from agreed_counts
    group by {{ sqlrec.names(lists) }}
),
agreed as (
    select
        {{ sqlrec.names(lists) }},
        items * (items - 1) / 2 - pairs_of_score - pairs_of_grade + tied_both - discordant as concordant,
        discordant,
        pairs_of_score - tied_both as tied_predicted,
        pairs_of_grade - tied_both as tied_grade,
        tied_both
    from agreed_pairs
),
{% endmacro %}

{% macro agreed_keys(plan, used) -%}
{{ sqlrec.user_groups(plan) }}
{%- endmacro %}

{% macro agreed_population(plan) %}rated{% endmacro %}
