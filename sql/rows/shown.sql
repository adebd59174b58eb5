-- Shown lists: one row per list and cutoff that it reaches, whether or not the truth knows the user.
--
--   model          whose list it is, where several models are evaluated
--   user_id        for whom
--   <segment>      what `by` names, one value for each user
--   k              the cutoff
--   list_length    the places of the list, at most k; never 0
--   tied           1 where places k and k + 1 have the same score; only in lists ordered by score
--
-- Shown: one row per place of a shown list within k. The columns above, and
--
--   item_id        what stands there
--   rank           the item's place, from 1
--   discount       the weight of the place: 1 / log2(rank + 1)
--   seen           1 where the history has the item for the user, else 0
--   item_users     how many users of the history had the item; 0 for an item without history
--   item_events    how often it was had there
--   history_users  how many users the history has; the same in all rows
--   history_items  how many items
--   judged         1 where the truth judges the item for the user, else 0
--   hit            1 where the item is relevant, else 0
--   relevance      the item's grade, at least 0; 1 where the truth does not grade, 0 where it is silent
--   expected       1 where the baseline's list has the item for the user within k, else 0
--   baseline_length  the places of the baseline's list, at most k; the same in all rows of a user

{% macro shown_lists(plan) %}
shown_lists as (
    select
        {{ sqlrec.taken(plan['keys'], 'lists') }},
        {%- for segment in plan.by %}
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        cutoffs.k as k,
        {{ sqlrec.list_length(plan, 'lists') }} as list_length
        {%- if plan.order == 'score' %},
        {{ sqlrec.list_tied(plan, 'lists') }} as tied
        {%- endif %}
    from lists
    cross join cutoffs
    {%- for table in sqlrec.segment_tables(plan).split() %}
    left join {{ table }}_segments on {{ table }}_segments.user_id = lists.user_id
    {%- endfor %}
    where {{ sqlrec.list_length(plan, 'lists') }} > 0
),
{% endmacro %}

{% macro shown(plan, kind, used) %}
{% set keys = plan['keys'] %}
{% set counted = 'item_users' in used or 'item_events' in used %}
{% set totalled = 'history_users' in used or 'history_items' in used %}
{% set judged = 'judged' in used or 'hit' in used or 'relevance' in used %}
-- Each place with what is known of its item.
placed as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.item_id as item_id,
        listed.rank as rank
        {%- if 'discount' in used %},
        1 / {{ sqlrec.log2('listed.rank + 1') }} as discount
        {%- endif %}
        {%- if 'seen' in used %},
        case when seen.events > 0 then {{ sqlrec.double(1) }} else {{ sqlrec.double(0) }} end as seen
        {%- endif %}
        {%- if counted %},
        {{ sqlrec.double('coalesce(item_counts.item_users, 0)') }} as item_users,
        {{ sqlrec.double('coalesce(item_counts.item_events, 0)') }} as item_events
        {%- endif %}
        {%- if totalled %},
        {{ sqlrec.double('history_counts.history_users') }} as history_users,
        {{ sqlrec.double('history_counts.history_items') }} as history_items
        {%- endif %}
        {%- if judged %},
        case when relevant.relevant >= 0 then {{ sqlrec.double(1) }} else {{ sqlrec.double(0) }} end as judged,
        coalesce(relevant.relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance
        {%- endif %}
        {%- if 'expected' in used %},
        baseline_listed.rank as baseline_rank
        {%- endif %}
    from listed
    {%- if 'seen' in used %}
    left join seen on seen.user_id = listed.user_id and seen.item_id = listed.item_id
    {%- endif %}
    {%- if counted %}
    left join item_counts on item_counts.item_id = listed.item_id
    {%- endif %}
    {%- if totalled %}
    cross join history_counts
    {%- endif %}
    {%- if judged %}
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {%- endif %}
    {%- if 'expected' in used %}
    left join baseline_listed
        on baseline_listed.user_id = listed.user_id
        and baseline_listed.item_id = listed.item_id
    {%- endif %}
),
shown as (
    select
        {{ sqlrec.taken(sqlrec.user_groups(plan).split(), 'shown_lists') }},
        placed.item_id as item_id,
        placed.rank as rank
        {%- if 'discount' in used %},
        placed.discount as discount
        {%- endif %}
        {%- if 'seen' in used %},
        placed.seen as seen
        {%- endif %}
        {%- if counted %},
        placed.item_users as item_users,
        placed.item_events as item_events
        {%- endif %}
        {%- if totalled %},
        placed.history_users as history_users,
        placed.history_items as history_items
        {%- endif %}
        {%- if judged %},
        placed.judged as judged,
        placed.hit as hit,
        placed.relevance as relevance
        {%- endif %}
        {%- if 'expected' in used %},
        case
            when placed.baseline_rank <= shown_lists.k then {{ sqlrec.double(1) }}
            else {{ sqlrec.double(0) }}
        end as expected,
        coalesce({{ sqlrec.baseline_length(plan) }}, 0) as baseline_length
        {%- endif %}
    from shown_lists
    join placed
        on {{ sqlrec.same(keys, 'placed', 'shown_lists') }}
        and placed.rank <= shown_lists.k
    {%- if 'expected' in used %}
    left join baseline_lists on baseline_lists.user_id = shown_lists.user_id
    {%- endif %}
    where {{ sqlrec.asked_at(kind, 'shown_lists.k') }}
),
{% endmacro %}

{% macro shown_keys(plan, used) -%}
{{ sqlrec.user_groups(plan) }}{{ ' baseline_length' if 'baseline_length' in used }}{{ ' history_users' if 'history_users' in used }}{{ ' history_items' if 'history_items' in used }}
{%- endmacro %}

{% macro shown_population(plan) %}recs{% endmacro %}

-- The places of the baseline's list within the cutoff of a shown list.
{% macro baseline_length(plan) -%}
case shown_lists.k{% for k in plan.cutoffs %} when {{ k }} then baseline_lists.{{ sqlrec.places(plan, k) }}{% endfor %} end
{%- endmacro %}
