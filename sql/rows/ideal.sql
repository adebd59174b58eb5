-- Ideal: what the best list that a user could have been shown is worth. A metric asks for it by the
-- name of its column:
--
--   ideal_dcg_<gain>_<depth>        its DCG
--   ideal_late_dcg_<gain>_<depth>   its DCG with the discount that starts late
--   ideal_rank_dcg_<gain>_<depth>   its DCG with the reciprocal of the place as discount
--
--     gain   binary        1 for a relevant item
--            linear        its relevance, where the name leaves the gain out
--            exponential   2^relevance - 1
--            kept_linear, kept_exponential   the same of a relevant item, and 0 of others
--     depth  achievable    the best k of the user's items, or all where there are fewer, where the name
--                          leaves the depth out
--            relevant      all of the user's items, whatever k
--            list_length   the best as many as were shown within k
--            k             k items of relevance 1, whether the user has them or not
--
--   ideal_err_<max_grade>                   its expected reciprocal rank
--   ideal_utility_<half_life>_<neutral>     its utility for a user who loses patience
--
--   ideal_page_<rows>_<columns>_<gain>      its DCG on a page of so many rows and columns
--
--     each of the best k of the user's items; the numbers are written by sqlrec.in_name
--
-- Three sources. What does not depend on the list is summed for each user of the truth, from its best_rank.
-- Where all gains are 1, the ideal depends on its depth alone: `perfect` holds it for each depth, which takes
-- less than to number the truth, and less text where there are several cutoffs and the engine counts in a line.
-- Otherwise `ideal_sums` holds it for each user and depth.

{% macro ideal_rows(plan, used) %}
{% set ideals = {} %}
{% for name in sqlrec.ideal_names(used) %}
{% set _ = ideals.setdefault(sqlrec.ideal_source(plan, name), []).append(name) %}
{% endfor %}
{% if 'perfect' in ideals %}
-- The DCG of a list of nothing but hits.
perfect as (
    select
        number as depth,
        sum(1 / log2(number + 1)) over (order by number asc rows between unbounded preceding and current row) as dcg,
        sum(case when number > 2 then 1 / log2(number) when number > 0 then cast(1 as double) end) over (order by number asc rows between unbounded preceding and current row) as late_dcg,
        sum(cast(1 as double) / number) over (order by number asc rows between unbounded preceding and current row) as rank_dcg
    from ({{ sqlrec.counting(plan.largest_k) }}) as numbers
),
{% endif %}
{% if 'sums' in ideals %}
{% set whose = sqlrec.names(sqlrec.sought_keys(plan) if sqlrec.seeks_again(plan) else ['user_id']) %}
-- The user's items from best to worst.
ideal_lists as (
    select {{ whose }}, relevance, is_relevant,
        {% for name in ideals.sums if name[:10] == 'ideal_err_' %}{{ sqlrec.stop('(' ~ sqlrec.enough(sqlrec.from_name(name[10:]) | float, 'relevance') ~ ')', 'partition by ' ~ whose ~ ' order by relevance desc, item_id asc') }} as best_stop_{{ name[10:] }}, {% endfor %}
        row_number() over (partition by {{ whose }} order by relevance desc, item_id asc) as rank
    from {{ 'sought' if sqlrec.seeks_again(plan) else 'relevant' }}
    where relevance > 0 or is_relevant > 0
),
-- What the best list down to each depth is worth.
ideal_sums as (
    select {{ whose }},
        {% for name in ideals.sums %}{{ sqlrec.so_far(sqlrec.ideal_addend(name, 'rank'), whose, 'rank') }} as {{ (sqlrec.ideal_parts(name)[1] or '') ~ ('_' if sqlrec.ideal_parts(name)[1] else '') ~ sqlrec.ideal_parts(name)[0] }}, {% endfor %}
        rank as depth
    from ideal_lists
),
{% endif %}
{% endmacro %}
