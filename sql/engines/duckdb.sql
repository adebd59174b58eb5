-- Queries that DuckDB runs faster in another form: each makes the rows of the one of its name in sql/rows. They run
-- where rows are checked; what is printed plainly has the common forms.
--
-- In DuckDB an item that comes again follows itself: rows are sorted by item, and compared with the row before, which
-- takes less than to count different items where ids are whole numbers. Rows without other columns are sorted faster,
-- so that a rank that breaks a rule is 0, and no column says that it does.

{% macro duckdb__listed(plan, lists, used) %}
{% set is_repeat = sqlrec.follows_itself(plan, lists.list_keys) | trim if plan.duplicates == 'error' else '' %}
{% if is_repeat %}
{{ sqlrec['listed_' ~ ('with_truth' if 'judged_places' in used else 'in_order_by_' ~ lists.order)](plan, lists, is_repeat) }}
{% else %}
{{ sqlrec.default__listed(plan, lists, used) }}
{% endif %}
{% endmacro %}

{% macro listed_in_order_by_rank(plan, lists, is_repeat) %}
{{ sqlrec.narrow_places(plan, lists) }}
-- In the order of items an item that is in a list twice follows itself; below the cutoff it may.
listed as (
    select model, user_id, item_id, score, given_rank, rank, misplaced,
        case when rank = 0 then 1 else 0 end as unplaced,
        {{ is_repeat }} as is_repeat
    from (select * from places order by user_id, model, item_id, rank) as in_order
),
{% endmacro %}

{% macro listed_in_order_by_score(plan, lists, is_repeat) %}
{{ sqlrec.places_by_score(plan, lists) }}
-- In the order of items an item that is in a list twice follows itself; below the cutoff it may.
listed as (
    select *, {{ is_repeat }} as is_repeat
    from (select * from places order by user_id, model, item_id{{ ', rank' if lists.ties == 'expected' }}) as in_order
),
{% endmacro %}

-- One sort tells hits and repeats.
{% macro listed_with_truth(plan, lists, is_repeat) %}
{{ sqlrec.narrow_places(plan, lists) }}
-- In the order of items an item that is in a list twice follows itself; below the cutoff it may.
-- A place follows its judgment, of rank -1.
listed as (
    select model, user_id, item_id, score, given_rank, rank, misplaced,
        case when rank = 0 then 1 else 0 end as unplaced,
        {{ is_repeat }} as is_repeat,
        lag(rank) over () as rank_before
    from (
        select *
        from (
            select * from places
            union all by name
            select 'recs' as model, user_id, item_id, -1 as rank from relevant
        ) as with_truth
        order by user_id, model, item_id, rank
    ) as in_order
),
{% endmacro %}

{% macro narrow_places(plan, lists) %}
-- {{ sqlrec.whose_lists(lists) }} by rank, which is 0 where it breaks a rule.
places as (
    select model, user_id, item_id, score, given_rank,
        case when given_rank >= 1 then given_rank else 0 end as rank,
        case
            when score is null then 1
            when lag(score) over (partition by model, user_id order by given_rank asc, item_id asc) < score then 1
            else 0
        end as misplaced
    from distinct_items
    {{ sqlrec.where_given(plan, lists) }}
),
{% endmacro %}

-- Lists are sorted by the score alone, and again where that leaves the order open: a quarter less work where few
-- scores are equal.
{% macro duckdb__ranked(plan, lists) %}
-- {{ sqlrec.whose_lists(lists) }} from the best score down{{ sqlrec.equal_scores(lists) }}.
scored as (
    select *,
        rank() over (partition by user_id, model order by {{ sqlrec.by_score(plan) }}) as first_place,
        row_number() over (partition by user_id, model order by {{ sqlrec.by_score(plan) }}) as some_place,
        coalesce(lead(score) over (partition by user_id, model order by {{ sqlrec.by_score(plan) }}) = score, score is null) as before_equal
    from {{ sqlrec.rows_ranked(lists) }}
),
ranked as (
    select model, user_id, item_id, score,
        first_place as rank,
        first_place - 1 as places_above,
        case when score is null then 1 else 0 end as unplaced,
        0 as tied
    from scored
    where first_place = some_place and not before_equal and first_place <= {{ sqlrec.last_place(plan, lists) }}
    union all
    select model, user_id, item_id, score,
        first_place - 1 + row_number() over (partition by model, user_id, first_place order by {{ sqlrec.among_equals(plan, lists) }}) as rank,
        first_place - 1 as places_above,
        case when score is null then 1 else 0 end as unplaced,
        case
            when score is not null and row_number() over (partition by model, user_id, first_place order by {{ sqlrec.among_equals(plan, lists) }})
                < count(*) over (partition by model, user_id, first_place) then 1
            else 0
        end as tied
    from scored
    where (first_place < some_place or before_equal) and first_place <= {{ sqlrec.last_place(plan, lists) }}
),
{% endmacro %}

-- The truth in the order of items.
{% macro duckdb__judgments(plan, used) %}
{% set is_repeat = sqlrec.follows_itself(plan, ['user_id']) | trim if plan.truth_duplicates == 'error' else '' %}
{% if is_repeat %}
-- In the order of items an item that is judged twice follows itself.
judgments as (
    select *, {{ is_repeat }} as is_repeat
    from (select * from judgments_counted order by user_id, item_id) as in_order
),
{% else %}
{{ sqlrec.default__judgments(plan, used) }}
{% endif %}
{% endmacro %}

-- 1 where a row in the order of keys and items is the item of the row before, else 0. Empty where ids are not whole
-- numbers.
{% macro duckdb__follows_itself(plan, keys) -%}
{%- if plan.whole_ids and (keys == ['user_id'] or plan.recs[0].models) -%}
case when {% for key in keys %}{{ key }} = lag({{ key }}) over () and {% endfor %}item_id = lag(item_id) over () then 1 else 0 end
{%- endif -%}
{%- endmacro %}

-- The places of a list whose items the truth judges, in one value: an aggregate over rows of lists, which are in order
-- with those of the truth; and a query that has a row for each again. One sort that tells hits and repeats, and leaves
-- no row to be read twice, takes a quarter less for lists by rank.
{% macro gathered_places(plan) -%}
{%- set hits_alone = plan.audit and plan.kinds | map(attribute='name') | list == ['hits'] -%}
{%- set one_list_by_rank = plan.order == 'rank' and plan.list_keys == ['user_id'] and not plan.lists -%}
{%- set once = plan.duplicates == 'error' and plan.truth_duplicates == 'error' and plan.unlisted == 'absent' -%}
{%- if hits_alone and one_list_by_rank and once and sqlrec.follows_itself(plan, ['user_id']) -%}
list({'rank': rank, 'item_id': item_id}) filter (where is_repeat = 1 and rank_before < 0)
{%- endif -%}
{%- endmacro %}
{% macro reads_gathered_places(plan, used) %}{{ return(sqlrec.gathered_places(plan) | trim and 'misses_so_far' not in used) }}{% endmacro %}
{% macro duckdb__places_read(plan, used) -%}
{{ "(select 'recs' as model, user_id, unnest(judged_places, recursive := true) from list_lengths) as listed" if sqlrec.reads_gathered_places(plan, used) else sqlrec.default__places_read(plan, used) }}
{%- endmacro %}

-- Judgments that are all alike need not be looked up for these.
{% macro duckdb__judgments_of_places(plan, used) %}
{% if sqlrec.reads_gathered_places(plan, used) and not sqlrec.has_grades(plan) and not sqlrec.rests(used, 'stop_') %}
    cross join (select {{ sqlrec.double(1) }} as grade, {{ sqlrec.double(1) }} as relevance, {{ sqlrec.double(1) }} as is_relevant, {{ sqlrec.double(1) }} as is_judged, {{ sqlrec.double(1) }} as is_top) as relevant
{% else %}
{{ sqlrec.default__judgments_of_places(plan, used) }}
{% endif %}
{% endmacro %}
