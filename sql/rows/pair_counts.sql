-- Pair counts: one row per list and cutoff with a rated item within k (see rows/rated.sql): the number
-- of pairs of these items with the same order by score and by grade.
--
--   k, list_length, tied   as in rows/recommended_items.sql
--   concordant             pairs in which the item with the higher score has the higher grade
--   discordant             pairs in which the item with the higher score has the lower grade
--   tied_predicted         pairs with the same score and different grades
--   tied_grade             pairs with different scores and the same grade
--   tied_both              pairs with the same score and the same grade
--
-- In lists of up to 100 places, pairs are joined. In longer lists they are counted without a join:
-- the grades of a list are numbered from 0, and the numbers are read digit by digit, in base 4. Two
-- different grades have exactly one digit that decides their order: the highest digit in which they
-- differ. For each digit, items with equal higher digits are sorted by score, and the discordant
-- partners of an item are the items with a lower score and a larger digit: a running sum. This
-- needs (rated items) * log4(different grades) rows, twice the items for grades from 1 to 10. In
-- DuckDB a million rated items in lists of 5,000 take 4 s of CPU with ten grades and 9 s if all
-- grades differ; a join of all pairs takes 40 s. In lists of 200 both take the same time, and in
-- shorter lists the join saves 2 to 3 s per million items.

{% macro pair_counts(plan, kind, used) %}
{{ (sqlrec.pairs_by_join if plan.depth and plan.depth <= 100 and plan.truth_duplicates not in ['rows', 'summed', 'lines'] else sqlrec.pairs_by_digits)(plan, kind, used) }}
{% endmacro %}

{% macro pairs_by_join(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set lists = sqlrec.user_groups(plan, used) %}
{% set alone = sqlrec.reads_only_places(plan, used) %}
-- Each pair of rated items of a list, with the signs of the differences in score and grade. A
-- single item also has a row, which is not a pair.
item_pairs as (
    select {{ sqlrec.columns_of(lists, 'one' if alone else 'recommended_lists') }},
        case when one.score > other.score then 1 when one.score < other.score then -1 else 0 end as by_score,
        case when one.grade > other.grade then 1 when one.grade < other.grade then -1 else 0 end as by_grade,
        {{ sqlrec.indicator('other.rank is not null') }} as pairs
    {%- if alone %}
    from rated_items as one
    {%- else %}
    from recommended_lists
    join rated_items as one
        on {{ sqlrec.same(keys, 'one', 'recommended_lists') }} {{ sqlrec.and_within(plan, 'one.rank', 'recommended_lists') }}
    {%- endif %}
    left join rated_items as other
        on {{ sqlrec.same(keys, 'other', 'one') }} and other.rank > one.rank
        {%- if not alone %} {{ sqlrec.and_within(plan, 'other.rank', 'recommended_lists') }}{% endif %}
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') if not alone }}
),
-- The number of pairs of a list of each kind.
pair_counts as (
    select {{ sqlrec.names(lists) }}
        {%- call sqlrec.kept_columns(used) %}
        sum(case when by_score * by_grade = 1 then pairs else 0 end) as concordant,
        sum(case when by_score * by_grade = -1 then pairs else 0 end) as discordant,
        sum(case when by_score = 0 and by_grade <> 0 then pairs else 0 end) as tied_predicted,
        sum(case when by_score <> 0 and by_grade = 0 then pairs else 0 end) as tied_grade,
        sum(case when by_score = 0 and by_grade = 0 then pairs else 0 end) as tied_both,
        {%- endcall %}
    from item_pairs
    group by {{ sqlrec.names(lists) }}
),
{% endmacro %}

{% macro pairs_by_digits(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set lists = sqlrec.user_groups(plan, used) %}
{% set list = sqlrec.names(sqlrec.with_cutoff(plan, keys)) %}
{% set alone = sqlrec.reads_only_places(plan, used) %}
{% set whose = 'pair_items' if alone else 'recommended_lists' %}
-- Numbers of grades, from 0 for the lowest.
pair_items as (
    select {{ sqlrec.names(keys) }}, rank, score,
        {{ sqlrec.double('dense_rank() over (partition by ' ~ sqlrec.names(keys) ~ ' order by grade asc)') }} - 1 as grade_number
    from rated_items
),
-- Items with the same score and grade are one row.
pair_places as (
    select {{ sqlrec.columns_of(lists, whose) }},
        {{ sqlrec.columns_of(['score', 'grade_number'], 'pair_items') }},
        {{ sqlrec.double('count(*)') }} as equal_items
    from {{ whose }}
    {%- if not alone %}
    join pair_items
        on {{ sqlrec.same(keys, 'pair_items', 'recommended_lists') }}
        {{ sqlrec.and_within(plan, 'pair_items.rank', 'recommended_lists') }}
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
    {%- endif %}
    group by {{ sqlrec.names(lists, whose) }}, pair_items.score, pair_items.grade_number
),
-- Each row, with the numbers of items with its score and with its grade.
pair_ties as (
    select {{ sqlrec.names(lists) }}, score, grade_number, equal_items,
        max(grade_number) over (partition by {{ list }}) as last_number,
        sum(equal_items) over (partition by {{ list }}, {{ sqlrec.part_of('score') }}) as same_score,
        sum(equal_items) over (partition by {{ list }}, {{ sqlrec.part_of('grade_number') }}) as same_grade
    from pair_places
),
-- The powers of 4 that a grade's number can have as digits.
pair_digits as (
    {%- for number in range(16) if number == 0 or not plan.depth or 4 ** number < plan.depth %}
    {{ 'union all ' if not loop.first }}select {{ sqlrec.double(4 ** number) }} as place_value
    {%- endfor %}
),
-- Each row, once for each digit of its grade's number.
pair_numbers as (
    select
        {{ sqlrec.columns_of(lists, 'pair_ties') }},
        pair_digits.place_value as place_value,
        floor(pair_ties.grade_number / (4 * pair_digits.place_value)) as higher_digits,
        floor(pair_ties.grade_number / pair_digits.place_value)
        - 4 * floor(pair_ties.grade_number / (4 * pair_digits.place_value)) as digit,
        {{ sqlrec.columns_of(['score', 'equal_items', 'same_score', 'same_grade'], 'pair_ties') }}
    from pair_ties
    cross join pair_digits
    where pair_digits.place_value = 1 or pair_digits.place_value <= pair_ties.last_number
),
-- Among equal scores smaller digits come first, so a row never counts larger digits of its own
-- score.
digit_counts as (
    select
        {{ sqlrec.names(lists) }},
        place_value,
        equal_items,
        same_score,
        same_grade,
        case digit
            {%- for digit in range(3) %}
            when {{ digit }}
            then
                sum(case when digit > {{ digit }} then equal_items else {{ sqlrec.double(0) }} end) over (
                    partition by {{ list }}, {{ sqlrec.part_of('place_value') }}, {{ sqlrec.part_of('higher_digits') }} order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            {%- endfor %}
            else {{ sqlrec.double(0) }}
        end as partners
    from pair_numbers
),
-- The numbers of pairs of a list with the same score, with the same grade, and of discordant pairs.
item_pairs as (
    select
        {{ sqlrec.names(lists) }},
        sum(case when place_value = 1 then equal_items else {{ sqlrec.double(0) }} end) as items,
        sum(case when place_value = 1 then equal_items * (same_score - 1) else {{ sqlrec.double(0) }} end) / 2 as pairs_of_score,
        sum(case when place_value = 1 then equal_items * (same_grade - 1) else {{ sqlrec.double(0) }} end) / 2 as pairs_of_grade,
        sum(case when place_value = 1 then equal_items * (equal_items - 1) else {{ sqlrec.double(0) }} end) / 2 as tied_both,
        sum(equal_items * partners) as discordant
    from digit_counts
    group by {{ sqlrec.names(lists) }}
),
-- The number of pairs of each kind.
pair_counts as (
    select {{ sqlrec.names(lists) }}
        {%- call sqlrec.kept_columns(used) %}
        items * (items - 1) / 2 - pairs_of_score - pairs_of_grade + tied_both - discordant as concordant,
        discordant,
        pairs_of_score - tied_both as tied_predicted,
        pairs_of_grade - tied_both as tied_grade,
        tied_both,
        {%- endcall %}
    from item_pairs
),
{% endmacro %}

{% macro pair_counts_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used)) }}{% endmacro %}

{% macro pair_counts_population(plan) %}rated{% endmacro %}
