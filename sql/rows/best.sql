-- Best: one row per user and place of the list of the user's items from best to worst, as far as they
-- have a gain. What rows of lists are compared with, place by place.
--
--   user_id      the user
--   rank         the place, from 1
--   best_dcg     the DCG down to it
--   best_gain    the sum of gains down to it, each counted as at least 1
--   best_later   the sum of 1 / best_dcg over the places from it on after which the gain falls
--
-- Best ends: one row per user.
--
--   best_items   how many items have a gain
--   best_total   the sum of their gains
--   best_relevance   the gain of the first place
--   best_dcg, best_gain   those of the last place

{% macro best(used, alone) %}
{% set later = 'best_later' in used %}
{% set of_places = used + (['falls_after', 'best_dcg'] if later else []) %}
{% set of_ends = used + (['best_items'] if 'best_gain' in used else []) %}
{% set whole = sqlrec.some_of(['best_total', 'best_relevance'], used) %}
{% set so_far = '\n            partition by user_id order by best_rank asc rows between unbounded preceding and current row\n        ' %}
{% set columns %}
    max(best_rank) over (partition by user_id, {{ sqlrec.part_of('relevance') }}) as falls_after,
    sum(case when relevance > 1 then relevance else 1 end) over ({{ so_far }}) as best_gain,
    sum({{ sqlrec.discount('dcg', 'best_rank', 'relevance') }}) over ({{ so_far }}) as best_dcg,
{% endset %}
{{ "-- The best list of each user's items, place by place." if not later }}
best{{ '_sums' if later }} as (
    select user_id, best_rank as rank{{ ', relevance' if whole }}
        {{- sqlrec.chosen(columns, of_places) }}
    from relevant
    {{ 'where relevance > 0' if not alone }}
),
{% if later %}
best as (
    select user_id, rank{{ sqlrec.chosen({'relevance': 'relevance', 'best_gain': 'best_gain', 'best_dcg': 'best_dcg'}, used + (['relevance'] if whole else [])) }},
        sum(case when rank = falls_after then 1 / best_dcg end) over (
            partition by user_id order by rank desc rows between unbounded preceding and current row
        ) as best_later
    from best_sums
),
{% endif %}
{% if used != ['best_later'] %}
{% set ends %}
    {{ sqlrec.double('count(*)') }} as best_items,
    sum(relevance) as best_total,
    max(relevance) as best_relevance,
    max(best_gain) as best_gain,
    max(best_dcg) as best_dcg,
{% endset %}
-- The best list as a whole.
best_ends as (
    select user_id
        {{- sqlrec.chosen(ends, of_ends) }}
    from best
    group by user_id
),
{% endif %}
{% endmacro %}
