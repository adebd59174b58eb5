-- Pair counts: one row per list and cutoff with a rated item within k (see rows/rated.sql), with
-- numbers of pairs of these items, by their order in scores and in grades.
--
--   k, list_length, tied   as in rows/recommended_lists.sql
--   concordant             pairs in which the item with the higher score has the higher grade
--   discordant             pairs in which the item with the higher score has the lower grade
--   tied_predicted         pairs with the same score and different grades
--   tied_grade             pairs with different scores and the same grade
--   tied_both              pairs with the same score and the same grade
--
-- In lists of up to 100 items, pairs are joined. In longer lists, pairs are counted without a join.
-- The grades of a list are numbered from 0, and each number is split into digits in base 4. The
-- highest digit in which two grades differ decides their order. For each digit, items with equal
-- higher digits are sorted by score. A running sum then counts the discordant pairs of an item: the
-- items with a lower score and a larger digit. This needs (rated items) * log4(different grades)
-- rows, twice the items for grades from 1 to 10. In DuckDB, a million rated items in lists of 5,000
-- take 4 s of CPU with ten grades, and 9 s if all grades differ; a join of all pairs takes 40 s. In
-- lists of 200 items, both methods take the same time. In shorter lists, the join saves 2 to 3 s
-- per million items.

{% macro pair_counts(plan, kind, used) %}
{% set by_join = plan.depth and plan.depth <= 100 and 'joins_once' not in plan.properties.truth_duplicates %}
{{ sqlrec.pairs_by_join(plan, kind, used) if by_join else sqlrec.pairs_by_digits(plan, kind, used) }}
{% endmacro %}

{% macro pairs_by_join(plan, kind, used) %}
{{ sqlrec.ranks_within_cutoff(plan, kind, 'pair_ranks', 'rated_items') }}
-- Each pair of rated items of a list, with the signs of the differences in score and grade. A
-- single item also has a row, which is not a pair.
item_pairs as (
    select pair_ranks.*,
        case when pair_ranks.score > other.score then 1 when pair_ranks.score < other.score then -1 else 0 end as by_score,
        case when pair_ranks.grade > other.grade then 1 when pair_ranks.grade < other.grade then -1 else 0 end as by_grade,
        cast(case when other.rank is not null then 1 else 0 end as double) as pairs
    from pair_ranks
    left join rated_items as other
        on other.model = pair_ranks.model and other.user_id = pair_ranks.user_id and other.rank > pair_ranks.rank
        and other.rank <= pair_ranks.k
),
-- The number of pairs of a list of each kind.
pair_counts as (
    select {{ plan.row_keys }},
        sum(case when by_score * by_grade = 1 then pairs else 0 end) as concordant,
        sum(case when by_score * by_grade = -1 then pairs else 0 end) as discordant,
        sum(case when by_score = 0 and by_grade <> 0 then pairs else 0 end) as tied_predicted,
        sum(case when by_score <> 0 and by_grade = 0 then pairs else 0 end) as tied_grade,
        sum(case when by_score = 0 and by_grade = 0 then pairs else 0 end) as tied_both
    from item_pairs
    group by {{ plan.row_keys }}
),
{% endmacro %}

{% macro pairs_by_digits(plan, kind, used) %}
-- Numbers of grades, from 0 for the lowest.
pair_items as (
    select model, user_id, rank, score,
        cast(dense_rank() over (partition by model, user_id order by grade asc) as double) - 1 as grade_number
    from rated_items
),
{{ sqlrec.ranks_within_cutoff(plan, kind, 'pair_ranks', 'pair_items') }}
-- Items with the same score and grade are one row.
pair_groups as (
    select {{ plan.row_keys }}, score, grade_number, cast(count(*) as double) as equal_items
    from pair_ranks
    group by {{ plan.row_keys }}, score, grade_number
),
-- Each row, with the numbers of items with its score and with its grade.
pair_ties as (
    select {{ plan.row_keys }}, score, grade_number, equal_items,
        max(grade_number) over (partition by model, user_id, k) as last_number,
        sum(equal_items) over (partition by model, user_id, k, {{ sqlrec.part_of('score') }}) as same_score,
        sum(equal_items) over (partition by model, user_id, k, {{ sqlrec.part_of('grade_number') }}) as same_grade
    from pair_groups
),
-- The powers of 4 for the digits of a grade's number.
pair_digits as (
    {%- for number in range(16) if number == 0 or not plan.depth or 4 ** number < plan.depth %}
    {{ 'union all ' if not loop.first }}select {{ sqlrec.double(4 ** number) }} as rank_value
    {%- endfor %}
),
-- Each row, once for each digit of its grade's number.
pair_numbers as (
    select {{ sqlrec.names(plan.key_columns, 'pair_ties') }},
        pair_digits.rank_value,
        floor(pair_ties.grade_number / (4 * pair_digits.rank_value)) as higher_digits,
        floor(pair_ties.grade_number / pair_digits.rank_value)
        - 4 * floor(pair_ties.grade_number / (4 * pair_digits.rank_value)) as digit,
        pair_ties.score, pair_ties.equal_items, pair_ties.same_score, pair_ties.same_grade
    from pair_ties
    cross join pair_digits
    where pair_digits.rank_value = 1 or pair_digits.rank_value <= pair_ties.last_number
),
-- Among equal scores, smaller digits come first, so a row does not count larger digits with the
-- same score.
digit_counts as (
    select {{ plan.row_keys }}, rank_value, equal_items, same_score, same_grade,
        case digit
            {%- for digit in range(3) %}
            when {{ digit }}
            then
                sum(case when digit > {{ digit }} then equal_items else cast(0 as double) end) over (
                    partition by model, user_id, k, {{ sqlrec.part_of('rank_value') }}, {{ sqlrec.part_of('higher_digits') }} order by score asc, digit asc
                    rows between unbounded preceding and current row
                )
            {%- endfor %}
            else cast(0 as double)
        end as partners
    from pair_numbers
),
-- The numbers of pairs of a list with the same score, with the same grade, and of discordant pairs.
item_pairs as (
    select {{ plan.row_keys }},
        sum(case when rank_value = 1 then equal_items else cast(0 as double) end) as items,
        sum(case when rank_value = 1 then equal_items * (same_score - 1) else cast(0 as double) end) / 2 as pairs_of_score,
        sum(case when rank_value = 1 then equal_items * (same_grade - 1) else cast(0 as double) end) / 2 as pairs_of_grade,
        sum(case when rank_value = 1 then equal_items * (equal_items - 1) else cast(0 as double) end) / 2 as tied_both,
        sum(equal_items * partners) as discordant
    from digit_counts
    group by {{ plan.row_keys }}
),
-- The number of pairs of each kind.
pair_counts as (
    select {{ plan.row_keys }},
        items * (items - 1) / 2 - pairs_of_score - pairs_of_grade + tied_both - discordant as concordant,
        discordant,
        pairs_of_score - tied_both as tied_predicted,
        pairs_of_grade - tied_both as tied_grade,
        tied_both
    from item_pairs
),
{% endmacro %}
