-- Ideal: the value of the best list that a user could have been shown. A metric names the column
-- that it needs:
--
--   ideal_dcg_<gain>_<depth>        its DCG
--   ideal_late_dcg_<gain>_<depth>   its DCG with the discount of the 2002 paper, which is 1 for the
--                                   first two ranks
--   ideal_rank_dcg_<gain>_<depth>   its DCG with the reciprocal of the rank as discount
--
--     gain   binary        1 for a relevant item
--            linear        its relevance; the name omits it
--            exponential   2^relevance - 1
--            kept_linear, kept_exponential   the gain of a relevant item; 0 for other items
--     depth  achievable    the best k of the user's items, or all items if there are fewer; the
--                          name omits it
--            relevant      all of the user's items, for any k
--            list_length   the best of the user's items, at most as many as the list has within k
--            k             k items of relevance 1, whether the user has them or not
--
--   ideal_err_<max_grade>                   its expected reciprocal rank
--   ideal_utility_<half_life>_<neutral>     its utility for a user who loses patience down the list
--
--   ideal_page_<rows>_<columns>_<gain>      its DCG on a page of this size
--
--     The last three are values of the best k of the user's items. sqlrec.in_name writes numbers in
--     names.
--
-- Ideals have three sources. An ideal that does not depend on the list is a sum over the items of
-- each user of the truth, by best_rank, their rank in the best list. If all gains are 1, the ideal
-- depends only on its depth. `perfect` then contains a row for each depth, which is faster than
-- ranking the truth. Otherwise, `ideal_sums` contains a row for each user and depth.

{% macro perfect(plan) %}
-- The DCG of a list of hits, by its length.
perfect as (
    select
        number as depth,
        sum(1 / log2(number + 1)) over (order by number asc rows between unbounded preceding and current row) as dcg,
        sum(case when number > 2 then 1 / log2(number) when number > 0 then cast(1 as double) end) over (order by number asc rows between unbounded preceding and current row) as late_dcg,
        sum(cast(1 as double) / number) over (order by number asc rows between unbounded preceding and current row) as rank_dcg
    from ({{ plan.integers }}) as numbers
),
{% endmacro %}

{% macro ideal_sums(plan) %}
{% set sums = plan.ideals | selectattr('source', 'equalto', 'sums') | list %}
{% set keys = (sqlrec.relevant_copy_keys(plan) if 'repeats_are_relevant' in plan.properties.duplicates else ['user_id']) | join(', ') %}
-- The user's items from best to worst.
ideal_lists as (
    select {{ keys }}, relevance, is_relevant,
        {% for ideal in sums if ideal.form[:4] == 'err_' %}{{ sqlrec.stop_probability('(' ~ sqlrec.satisfaction(sqlrec.from_name(ideal.form[4:]) | float, 'relevance') ~ ')', 'partition by ' ~ keys ~ ' order by relevance desc, item_id asc') }} as best_stop_{{ ideal.form[4:] }}, {% endfor %}
        row_number() over (partition by {{ keys }} order by relevance desc, item_id asc) as rank
    from {{ 'relevant_copies' if 'repeats_are_relevant' in plan.properties.duplicates else 'relevant' }}
    where relevance > 0 or is_relevant > 0
),
-- The value of the best list down to each depth.
ideal_sums as (
    select {{ keys }},
        {% for ideal in sums %}sum({{ sqlrec.ideal_addend(ideal, 'rank') }}) over (partition by {{ keys }} order by rank asc rows between unbounded preceding and current row) as {{ ideal.gain ~ '_' if ideal.gain }}{{ ideal.form }}, {% endfor %}
        rank as depth
    from ideal_lists
),
{% endmacro %}
