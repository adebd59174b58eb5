-- List categories: one row per list, cutoff at which the list is not empty, and category within k.
-- Lists of users who are not in the truth have rows too. A list without a category still has one
-- row.
--
--   model             the model of the list, if there are several
--   user_id           the user
--   <segment>         a column of `by`, with one value for each user
--   k                 the cutoff
--   list_length       the length of the list, at most k; never 0
--   tied              1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   category          the category; null in the row of a list without a category
--   category_items    number of ranks within k with an item of the category; 0 in the row of a list
--                     without a category
--   category_line     the first rank of the category if each item takes a separate rank for each of
--                     its categories, in the order of their names; null in the row of a list
--                     without a category
--   category_ranks    the sum of category_items over the list: an item of two categories counts
--                     twice; constant for a list and cutoff
--   all_categories    number of categories of all items; constant

{% macro list_categories(plan, kind, used) %}
{% set keys = sqlrec.names(plan.key_columns, 'recommended_lists') %}
-- The number of categories.
all_item_categories as (
    select count(distinct category) as all_categories
    from item_categories
),
-- The categories of each list.
list_categories as (
    select {{ keys }}, listed_categories.category,
        cast(count(listed_categories.category) as double) as category_items,
        min(listed_categories.category_line) as category_line,
        cast(
            sum(count(listed_categories.category)) over (
                partition by recommended_lists.model, recommended_lists.user_id, recommended_lists.k
            ) as double
        ) as category_ranks,
        max(all_item_categories.all_categories) as all_categories
    from recommended_lists
    left join listed_categories
        on listed_categories.model = recommended_lists.model and listed_categories.user_id = recommended_lists.user_id
        and listed_categories.rank <= recommended_lists.k
    cross join all_item_categories
    group by {{ keys }}, listed_categories.category
),
{% endmacro %}
