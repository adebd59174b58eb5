-- Agreed: one row per list and cutoff with a rated item within k (see rows/rated.sql): how many pairs
-- of these items are in the same order by score and by grade.
--
--   k, list_length, tied   as in rows/shown.sql
--   concordant             pairs in which the item with the higher score has the higher grade
--   discordant             pairs in which the item with the higher score has the lower grade
--   tied_predicted         pairs with the same score and different grades
--   tied_grade             pairs with different scores and the same grade
--   tied_both              pairs with the same score and the same grade
--
-- In lists of up to 100 places each pair is formed. In longer lists none is: the grades of a list are numbered
-- from 0, and the numbers read digit by digit, in base 4: two different grades part at exactly one digit, the highest in which they
-- differ. For each digit, the items whose grades agree in all higher ones stand together in the
-- order of their scores, and the discordant partners of an item are those before it with a lower
-- score, with a larger digit: a running sum. That makes (rated items) * log4(different grades) rows,
-- twice the items for grades from 1 to 10. In DuckDB a million rated items in lists of 5,000 take 4
-- s of CPU with ten grades and 9 s where all grades differ; a join of all pairs takes 40 s. In lists
-- of 200 both take as long, and in shorter ones the join saves 2 to 3 s of a million items.

{% macro agreed(plan, kind, used) %}
{{ (sqlrec.agreed_by_pairs if plan.depth and plan.depth <= 100 and plan.truth_duplicates not in ['rows', 'summed', 'lines'] else sqlrec.agreed_by_digits)(plan, kind, used) }}
{% endmacro %}

{% macro agreed_by_pairs(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set lists = sqlrec.user_groups(plan, used) %}
{% set alone = sqlrec.places_alone(plan, used) %}
-- Each pair of rated items of a list: which has the higher score, and which the higher grade. A single
-- item has a row too, which is not a pair.
agreed_pairs as (
    select {{ sqlrec.taken(lists, 'one' if alone else 'shown_lists') }},
        case when one.score > other.score then 1 when one.score < other.score then -1 else 0 end as by_score,
        case when one.grade > other.grade then 1 when one.grade < other.grade then -1 else 0 end as by_grade,
        {{ sqlrec.indicator('other.rank is not null') }} as pairs
    {%- if alone %}
    from rated_items as one
    {%- else %}
    from shown_lists
    join rated_items as one
        on {{ sqlrec.same(keys, 'one', 'shown_lists') }} {{ sqlrec.and_within(plan, 'one.rank', 'shown_lists') }}
    {%- endif %}
    left join rated_items as other
        on {{ sqlrec.same(keys, 'other', 'one') }} and other.rank > one.rank
        {%- if not alone %} {{ sqlrec.and_within(plan, 'other.rank', 'shown_lists') }}{% endif %}
    {{ sqlrec.where_asked(plan, kind, 'shown_lists') if not alone }}
),
-- How many pairs of a list agree.
agreed as (
    select {{ sqlrec.names(lists) }}
        {%- call sqlrec.kept_columns(used) %}
        sum(case when by_score * by_grade = 1 then pairs else 0 end) as concordant,
        sum(case when by_score * by_grade = -1 then pairs else 0 end) as discordant,
        sum(case when by_score = 0 and by_grade <> 0 then pairs else 0 end) as tied_predicted,
        sum(case when by_score <> 0 and by_grade = 0 then pairs else 0 end) as tied_grade,
        sum(case when by_score = 0 and by_grade = 0 then pairs else 0 end) as tied_both,
        {%- endcall %}
    from agreed_pairs
    group by {{ sqlrec.names(lists) }}
),
{% endmacro %}

{% macro agreed_by_digits(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set lists = sqlrec.user_groups(plan, used) %}
{% set list = sqlrec.names(sqlrec.with_cutoff(plan, keys)) %}
{% set alone = sqlrec.places_alone(plan, used) %}
{% set whose = 'agreed_items' if alone else 'shown_lists' %}
-- Grades are numbered from the lowest.
agreed_items as (
    select {{ sqlrec.names(keys) }}, rank, score,
        {{ sqlrec.double('dense_rank() over (partition by ' ~ sqlrec.names(keys) ~ ' order by grade asc)') }} - 1 as grade_number
    from rated_items
),
-- Items with the same score and grade are one row.
agreed_places as (
    select {{ sqlrec.taken(lists, whose) }},
        {{ sqlrec.taken(['score', 'grade_number'], 'agreed_items') }},
        {{ sqlrec.double('count(*)') }} as alike
    from {{ whose }}
    {%- if not alone %}
    join agreed_items
        on {{ sqlrec.same(keys, 'agreed_items', 'shown_lists') }}
        {{ sqlrec.and_within(plan, 'agreed_items.rank', 'shown_lists') }}
    {{ sqlrec.where_asked(plan, kind, 'shown_lists') }}
    {%- endif %}
    group by {{ sqlrec.names(lists, whose) }}, agreed_items.score, agreed_items.grade_number
),
-- Each with how many have its score, and how many its grade.
agreed_ties as (
    select {{ sqlrec.names(lists) }}, score, grade_number, alike,
        max(grade_number) over (partition by {{ list }}) as last_number,
        sum(alike) over (partition by {{ list }}, {{ sqlrec.part_of('score') }}) as same_score,
        sum(alike) over (partition by {{ list }}, {{ sqlrec.part_of('grade_number') }}) as same_grade
    from agreed_places
),
-- What the digits of a number are worth, as far as a number can have them.
agreed_digits as (
    {%- for number in range(16) if number == 0 or not plan.depth or 4 ** number < plan.depth %}
    {{ 'union all ' if not loop.first }}select {{ sqlrec.double(4 ** number) }} as worth
    {%- endfor %}
),
-- Each with the digits of its grade's number.
agreed_numbers as (
    select
        {{ sqlrec.taken(lists, 'agreed_ties') }},
        agreed_digits.worth as worth,
        floor(agreed_ties.grade_number / (4 * agreed_digits.worth)) as higher_digits,
        floor(agreed_ties.grade_number / agreed_digits.worth)
        - 4 * floor(agreed_ties.grade_number / (4 * agreed_digits.worth)) as digit,
        {{ sqlrec.taken(['score', 'alike', 'same_score', 'same_grade'], 'agreed_ties') }}
    from agreed_ties
    cross join agreed_digits
    where agreed_digits.worth = 1 or agreed_digits.worth <= agreed_ties.last_number
),
-- Among equal scores the smaller digits come first, and find none of the larger.
agreed_counts as (
    select
        {{ sqlrec.names(lists) }},
        worth,
        alike,
        same_score,
        same_grade,
        case digit
            {%- for digit in range(3) %}
            when {{ digit }}
            then
                sum(case when digit > {{ digit }} then alike else {{ sqlrec.double(0) }} end) over (
                    partition by {{ list }}, {{ sqlrec.part_of('worth') }}, {{ sqlrec.part_of('higher_digits') }} order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            {%- endfor %}
            else {{ sqlrec.double(0) }}
        end as partners
    from agreed_numbers
),
-- How many pairs of a list have the same score, or grade, and how many disagree.
agreed_pairs as (
    select
        {{ sqlrec.names(lists) }},
        sum(case when worth = 1 then alike else {{ sqlrec.double(0) }} end) as items,
        sum(case when worth = 1 then alike * (same_score - 1) else {{ sqlrec.double(0) }} end) / 2 as pairs_of_score,
        sum(case when worth = 1 then alike * (same_grade - 1) else {{ sqlrec.double(0) }} end) / 2 as pairs_of_grade,
        sum(case when worth = 1 then alike * (alike - 1) else {{ sqlrec.double(0) }} end) / 2 as tied_both,
        sum(alike * partners) as discordant
    from agreed_counts
    group by {{ sqlrec.names(lists) }}
),
-- How many pairs agree, and how many do not.
agreed as (
    select {{ sqlrec.names(lists) }}
        {%- call sqlrec.kept_columns(used) %}
        items * (items - 1) / 2 - pairs_of_score - pairs_of_grade + tied_both - discordant as concordant,
        discordant,
        pairs_of_score - tied_both as tied_predicted,
        pairs_of_grade - tied_both as tied_grade,
        tied_both,
        {%- endcall %}
    from agreed_pairs
),
{% endmacro %}

{% macro agreed_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used)) }}{% endmacro %}

{% macro agreed_population(plan) %}rated{% endmacro %}
