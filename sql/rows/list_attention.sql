-- List attention: the attention that the ranks of a list get, and the attention that their items
-- deserve. One row per model, user, cutoff and rank of the list within k. If a metric reads
-- equal_items, there is also one row per model, user, cutoff and grade of the user's relevant
-- items. A user without a list and without relevant items has one row, in which the columns by row
-- are null.
--
-- Constant for a user and cutoff:
--
--   k               the cutoff
--   list_length     the length of the list, at most k
--   relevant_items  number of items that are relevant to the user
--   tied            1 if ranks k and k + 1 have the same score; only in lists ordered by score
--
-- By row:
--
--   rank            the rank, from 1; null in rows of grades
--   hit             1 if its item is relevant, else 0
--   attention_<p>   the attention of a user who continues from each rank to the next with probability p:
--                   p^(rank - 1); null in rows of grades
--   deserved_<p>    the mean attention over the ranks that items with this grade have in the best
--                   list; null for an item that is not relevant
--   equal_items     number of the user's items with this grade; null in rows of ranks

{% macro list_attention(plan, kind, used) %}
{% set attention, deserved = sqlrec.names_with_prefix(used, 'attention_'), sqlrec.names_with_prefix(used, 'deserved_') %}
{% set better = 'sum(count(*)) over (partition by user_id order by relevance desc rows between unbounded preceding and current row) - count(*)' %}
-- Each user's relevant items by grade, with the attention that an item of this grade deserves.
truth_grades as (
    select user_id, relevance,
        {% for name in deserved %}
        {% set patience = sqlrec.from_name(name[9:]) | float %}
        {{ sqlrec.power_of_fraction(patience, better) }} * {{ sqlrec.mean_attention(patience, 'count(*)') }} as {{ name }},
        {% endfor %}
        cast(count(*) as double) as equal_items
    from relevant
    where is_relevant > 0
    group by user_id, relevance
),
-- The ranks of lists, with the attention that each rank gets.
list_attention_ranks as (
    select listed.model, listed.user_id, cutoffs.k, listed.rank,
        {% for name in attention %}
        {{ sqlrec.power_of_fraction(sqlrec.from_name(name[10:]) | float, 'listed.rank - 1') }} as {{ name }},
        {% endfor %}
        {% for name in deserved %}truth_grades.{{ name }}, {% endfor %}
        coalesce(relevant.is_relevant, 0) as hit
    from listed
    cross join cutoffs
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    left join truth_grades on truth_grades.user_id = relevant.user_id and truth_grades.relevance = relevant.relevance
    where listed.rank <= cutoffs.k
),
-- The population, with the ranks of each user's list{{ ' and the grades of the relevant items' if 'equal_items' in used }}.
list_attention as (
    select evaluated_users.*,
        {% for name in attention + deserved %}list_attention_ranks.{{ name }}, {% endfor %}
        list_attention_ranks.rank,
        list_attention_ranks.hit,
        cast(null as double) as equal_items
    from evaluated_users
    left join list_attention_ranks
        on list_attention_ranks.model = evaluated_users.model and list_attention_ranks.user_id = evaluated_users.user_id
        and list_attention_ranks.k = evaluated_users.k
    {%- if 'equal_items' in used %}
    union all
    select evaluated_users.*,
        {% for name in attention %}cast(null as double) as {{ name }}, {% endfor %}
        {% for name in deserved %}truth_grades.{{ name }}, {% endfor %}
        cast(null as bigint) as rank,
        cast(null as double) as hit,
        truth_grades.equal_items
    from evaluated_users
    join truth_grades on truth_grades.user_id = evaluated_users.user_id
    {%- endif %}

),
{% endmacro %}

-- The mean attention of the first ranks.
{% macro mean_attention(patience, ranks) -%}
(1 - {{ sqlrec.power_of_fraction(patience, ranks) }}) / ({{ ranks }} * {{ sqlrec.double(1 - patience) }})
{%- endmacro %}
