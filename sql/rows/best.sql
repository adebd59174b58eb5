-- Best: one row per user and place of the list of the user's items from best to worst, as far as they
-- have a gain. What rows of lists are held against, place by place.
--
--   user_id      who
--   rank         the place, from 1
--   best_dcg     the DCG down to it
--   best_gain    the sum of gains down to it, each counted as at least 1
--   best_later   the sum of 1 / best_dcg over the places from it on after which the gain falls
--
-- Best ends: one row per user.
--
--   best_items   how many items have a gain
--   best_total   the sum of their gains
--   best_steps   the places after which the gain falls, the last one too
--   best_relevance   the gain of the first place
--   best_dcg, best_gain   those of the last place

{% macro best(plan) %}
best_places as (
    select
        user_id,
        relevance,
        lead(relevance) over (partition by user_id order by relevance desc, item_id asc) as next_relevance,
        row_number() over (partition by user_id order by relevance desc, item_id asc) as rank
    from relevant
    where relevance > 0
),
best_sums as (
    select
        user_id,
        rank,
        relevance,
        case when next_relevance = relevance then 0 else 1 end as is_step,
        {{ sqlrec.so_far("case when relevance > 1 then relevance else 1 end", 'user_id', 'rank') }} as best_gain,
        {{ sqlrec.so_far('relevance * ' ~ sqlrec.discount('dcg', 'rank'), 'user_id', 'rank') }} as best_dcg
    from best_places
),
best as (
    select
        user_id,
        rank,
        best_gain,
        best_dcg,
        sum(is_step / best_dcg) over (
            partition by user_id order by rank desc rows between unbounded preceding and current row
        ) as best_later
    from best_sums
),
best_ends as (
    select
        user_id,
        {{ sqlrec.double('count(*)') }} as best_items,
        sum(relevance) as best_total,
        max(relevance) as best_relevance,
        {{ sqlrec.double('sum(is_step)') }} as best_steps,
        max(best_gain) as best_gain,
        max(best_dcg) as best_dcg
    from best_sums
    group by user_id
),
{% endmacro %}

-- A column of the best list at the place of a list: past its end, what it has as a whole.
{% macro best_at(column) -%}
{%- if column == 'best_later' -%}
best.best_later
{%- elif column == 'best_dcg' -%}
coalesce(best.best_dcg, best_ends.best_dcg)
{%- elif column == 'best_gain' -%}
coalesce(best.best_gain, best_ends.best_gain + listed.rank - best_ends.best_items)
{%- else -%}
best_ends.{{ column }}
{%- endif -%}
{%- endmacro %}
