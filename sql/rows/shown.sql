-- Shown lists: one row per list and cutoff that it reaches, whether or not the truth knows the user.
--
--   model          whose list it is, where several models are evaluated
--   user_id        for whom
--   <segment>      what `by` names, one value for each user
--   k              the cutoff
--   list_length    the places of the list, at most k; never 0
--   tied           1 where places k and k + 1 have the same score; only in lists ordered by score
--
-- Shown: one row per place of a shown list within k. The columns above; the same in all rows of a user:
--
--   relevant_items   how many items are relevant to the user
--   baseline_length  the places of the baseline's list, at most k
--   history_users    how many users the history has
--   history_items    how many items
--   history_pairs    how many users and items: who had what, once each
--   history_events   how often something was had
--   catalog_items    how many items the catalog has
--   history_members  how many users of the history the user's segment has; null for a user without
--                    history
--   baseline_members  the same of users with a list of the baseline
--
-- Row by row:
--
--   item_id        what stands there
--   rank           the item's place, from 1
--   score          its score
--   discount       the weight of the place: 1 / log2(rank + 1)
--   seen           1 where the history has the item for the user, else 0
--   item_users     how many users of the history had the item; 0 for an item without history
--   item_events    how often it was had there
--   items_above    how many items more users had; all of the history for an item without history
--   items_beside   how many other items as many users had; 0 for an item without history
--   pairs_above    how many users and items those are
--   levels_above   how many different numbers of users above its own some item has; null without history
--   judged         1 where the truth judges the item for the user, else 0
--   hit            1 where the item is relevant, else 0
--   relevance      the item's grade, at least 0; 1 where the truth does not grade, 0 where it is silent
--   expected       1 where the baseline's list has the item for the user within k, else 0
--   baseline_score  what the baseline scores it for the user, at whatever place; null where it does not

{% macro shown_lists(plan) %}
shown_lists as (
    select
        {{ sqlrec.taken(plan['keys'], 'lists') }},
        {%- for segment in plan.by %}
        {{ segment.table }}_segments.{{ segment.name }} as {{ segment.name }},
        {%- endfor %}
        cutoffs.k as k,
        {{ sqlrec.at_cutoff(plan, 'places', 'lists') }} as list_length
        {%- if plan.order == 'score' %},
        {{ sqlrec.at_cutoff(plan, 'tied', 'lists') }} as tied
        {%- endif %}
    from lists
    cross join cutoffs
    {%- for table in sqlrec.segment_tables(plan).split() %}
    left join {{ table }}_segments on {{ table }}_segments.user_id = lists.user_id
    {%- endfor %}
    where {{ sqlrec.at_cutoff(plan, 'places', 'lists') }} > 0
),
{% endmacro %}

-- Each place with how many above it have the same item, and of a list how many pairs of places within k
-- have it.
{% macro repeated_pairs(plan) %}
places_again as (
    select
        {{ sqlrec.names(plan['keys']) }},
        item_id,
        rank,
        {{ sqlrec.double('row_number() over (partition by ' ~ sqlrec.names(plan['keys']) ~ ', item_id order by rank asc) - 1') }} as places_above
    from listed
),
repeated_pairs as (
    select
        {{ sqlrec.taken(plan['keys'] + ['k'], 'shown_lists') }},
        sum(places_again.places_above) as repeated_pairs
    from shown_lists
    join places_again
        on {{ sqlrec.same(plan['keys'], 'places_again', 'shown_lists') }}
        and places_again.rank <= shown_lists.k
    group by {{ sqlrec.names(plan['keys'] + ['k'], 'shown_lists') }}
),
{% endmacro %}

{% macro shown(plan, kind, used) %}
{% set keys = plan['keys'] %}
{% set popularity = sqlrec.mentioned('items_above items_beside pairs_above levels_above', used).split() %}
{% set counts = sqlrec.mentioned('item_users item_events', used).split() %}
{% set totals = sqlrec.mentioned('history_users history_items history_pairs history_events', used).split() %}
{#- What stands above an item without history is the whole of it. -#}
{% set whole = {'items_above': 'history_items', 'pairs_above': 'history_pairs'} %}
{% set totalled = totals or 'items_above' in popularity or 'pairs_above' in popularity %}
{% set judged = sqlrec.mentioned('judged hit relevance', used).split() %}
{% set relevant_items = sqlrec.mentioned('relevant_items', used) %}
{% set catalog_items = sqlrec.mentioned('catalog_items', used) %}
{% set seen = sqlrec.mentioned('seen', used) %}
{% set discount = sqlrec.mentioned('discount', used) %}
{% set score = sqlrec.mentioned('score', used) %}
{% set baseline_score = sqlrec.mentioned('baseline_score', used) %}
{% set expected = sqlrec.mentioned('expected baseline_length', used) %}
{% set members = sqlrec.mentioned('history_members baseline_members', used).split() %}
{# A repeated item is had or expected at its first place alone, or at each. #}
{% set first = 'listed.rank = min(listed.rank) over (partition by ' ~ sqlrec.names(keys, 'listed') ~ ', listed.item_id)' if plan.duplicates == 'once' %}
{% set item_counts = 'item_popularity' if popularity else 'item_counts' %}
{% if popularity %}
{{ sqlrec.item_popularity(popularity) }}
{% endif %}
{% if baseline_score %}
-- Scores of the baseline, also past every cutoff.
baseline_scores as (
    select user_id, item_id, max(score) as baseline_score
    from baseline_recommended
    group by user_id, item_id
),
{% endif %}
{% if expected and plan.duplicates not in ['error', 'best', 'last'] %}
-- An item of the baseline's list at its first place.
baseline_firsts as (
    select user_id, item_id, min(rank) as rank
    from baseline_listed
    group by user_id, item_id
),
{% endif %}
{% for column in members %}
{{ sqlrec.segment_members(plan, column, 'seen' if column == 'history_members' else 'baseline_lists') }}
{% endfor %}
-- Each place with what is known of its item.
placed as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.item_id as item_id,
        listed.rank as rank
        {%- if score %},
        {{ sqlrec.double('listed.score') }} as score
        {%- endif %}
        {%- if discount %},
        1 / {{ sqlrec.log2('listed.rank + 1') }} as discount
        {%- endif %}
        {%- if seen %},
        case when seen.events > 0{{ ' and ' ~ first if first }} then {{ sqlrec.double(1) }} else {{ sqlrec.double(0) }} end as seen
        {%- endif %}
        {%- for column in counts %},
        {{ sqlrec.double('coalesce(' ~ item_counts ~ '.' ~ column ~ ', 0)') }} as {{ column }}
        {%- endfor %}
        {%- for column in totals %},
        {{ sqlrec.double('history_counts.' ~ column) }} as {{ column }}
        {%- endfor %}
        {%- for column in popularity if column in whole %},
        {{ sqlrec.double('coalesce(item_popularity.' ~ column ~ ', history_counts.' ~ whole[column] ~ ')') }} as {{ column }}
        {%- endfor %}
        {%- if 'items_beside' in popularity %},
        {{ sqlrec.double('coalesce(item_popularity.items_beside, 0)') }} as items_beside
        {%- endif %}
        {%- if 'levels_above' in popularity %},
        {{ sqlrec.double('item_popularity.levels_above') }} as levels_above
        {%- endif %}
        {%- if judged %},
        case when relevant.relevant >= 0 then {{ sqlrec.double(1) }} else {{ sqlrec.double(0) }} end as judged,
        coalesce(relevant.relevant, 0) as hit,
        coalesce(relevant.relevance, 0) as relevance
        {%- endif %}
        {%- if expected %},
        {{ 'case when ' ~ first ~ ' then baseline_listed.rank end' if first else 'baseline_listed.rank' }} as baseline_rank
        {%- endif %}
        {%- if baseline_score %},
        {{ sqlrec.double('baseline_scores.baseline_score') }} as baseline_score
        {%- endif %}
    from listed
    {%- if seen %}
    left join seen on seen.user_id = listed.user_id and seen.item_id = listed.item_id
    {%- endif %}
    {%- if counts or popularity %}
    left join {{ item_counts }} on {{ item_counts }}.item_id = listed.item_id
    {%- endif %}
    {%- if totalled %}
    cross join history_counts
    {%- endif %}
    {%- if judged %}
    left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {%- endif %}
    {%- if expected %}
    left join {{ 'baseline_firsts as ' if plan.duplicates not in ['error', 'best', 'last'] }}baseline_listed
        on baseline_listed.user_id = listed.user_id
        and baseline_listed.item_id = listed.item_id
    {%- endif %}
    {%- if baseline_score %}
    left join baseline_scores
        on baseline_scores.user_id = listed.user_id
        and baseline_scores.item_id = listed.item_id
    {%- endif %}
),
shown as (
    select
        {{ sqlrec.taken(sqlrec.user_groups(plan).split(), 'shown_lists') }},
        {%- for column in counts + totals + popularity + (['judged', 'hit', 'relevance'] if judged else []) %}
        placed.{{ column }} as {{ column }},
        {%- endfor %}
        {%- for column in (discount ~ seen ~ score ~ baseline_score).split() %}
        placed.{{ column }} as {{ column }},
        {%- endfor %}
        {%- if relevant_items %}
        {{ sqlrec.double('coalesce(judged_users.relevant_items, 0)') }} as relevant_items,
        {%- endif %}
        {%- if catalog_items %}
        {{ sqlrec.double('catalog_counts.catalog_items') }} as catalog_items,
        {%- endif %}
        {%- for column in members %}
        {{ sqlrec.double(column ~ '.members') }} as {{ column }},
        {%- endfor %}
        {%- if expected %}
        case
            when placed.baseline_rank <= shown_lists.k then {{ sqlrec.double(1) }}
            else {{ sqlrec.double(0) }}
        end as expected,
        coalesce({{ sqlrec.at_cutoff(plan, 'places', 'baseline_lists', 'shown_lists.k') }}, 0) as baseline_length,
        {%- endif %}
        placed.item_id as item_id,
        placed.rank as rank
    from shown_lists
    join placed
        on {{ sqlrec.same(keys, 'placed', 'shown_lists') }}
        and placed.rank <= shown_lists.k
    {%- if relevant_items %}
    left join judged_users on judged_users.user_id = shown_lists.user_id
    {%- endif %}
    {%- if expected %}
    left join baseline_lists on baseline_lists.user_id = shown_lists.user_id
    {%- endif %}
    {%- for column in members %}
    left join {{ column }} on {{ column }}.user_id = shown_lists.user_id
    {%- endfor %}
    {%- if catalog_items %}
    cross join catalog_counts
    {%- endif %}
    where {{ sqlrec.asked_at(kind, 'shown_lists.k') }}
),
{% endmacro %}

{% macro shown_keys(plan, used) -%}
{{ sqlrec.user_groups(plan) }} {{ sqlrec.mentioned(
    'relevant_items baseline_length history_users history_items history_pairs history_events '
    ~ 'catalog_items history_members baseline_members', used
) }}
{%- endmacro %}

{% macro shown_population(plan) %}recs{% endmacro %}

-- The items of the history with those above them, which more users had. Items that as many users had
-- stand side by side.
{% macro item_popularity(columns) %}
{% set frame = 'order by item_users desc, item_id asc rows between unbounded preceding and current row' %}
items_in_order as (
    select
        item_id,
        item_users,
        item_events,
        row_number() over (order by item_users desc, item_id asc) as number,
        row_number() over (partition by item_users order by item_id asc) as number_of_level,
        sum(item_users) over ({{ frame }}) as pairs
    from item_counts
),
item_popularity as (
    select
        {%- if 'items_above' in columns %}
        min(number) over (partition by item_users) - 1 as items_above,
        {%- endif %}
        {%- if 'items_beside' in columns %}
        count(*) over (partition by item_users) - 1 as items_beside,
        {%- endif %}
        {%- if 'pairs_above' in columns %}
        min(pairs) over (partition by item_users) - item_users as pairs_above,
        {%- endif %}
        {%- if 'levels_above' in columns %}
        sum(case when number_of_level = 1 then 1 else 0 end) over ({{ frame }}) - 1 as levels_above,
        {%- endif %}
        item_id,
        item_users,
        item_events
    from items_in_order
),
{% endmacro %}

-- The users of a table under a name, with how many of them the segment of each has.
{% macro segment_members(plan, name, table) %}
{{ name }} as (
    select
        known.user_id as user_id,
        count(*) over (
            {%- for segment in plan.by %}
            {{- 'partition by ' if loop.first }}{{ segment.table }}_segments.{{ segment.name }}{{ ', ' if not loop.last }}
            {%- endfor -%}
        ) as members
    from (select user_id from {{ table }} group by user_id) as known
    {%- for table in sqlrec.segment_tables(plan).split() %}
    left join {{ table }}_segments on {{ table }}_segments.user_id = known.user_id
    {%- endfor %}
),
{% endmacro %}

-- What a place weighs: an expression over a row.
{% macro place_weight(discount, patience) -%}
{%- if discount == 'logarithmic' -%} discount
{%- elif discount == 'geometric' -%} {{ sqlrec.fading(patience, sqlrec.double('rank - 1')) }}
{%- else -%} {{ sqlrec.double(1) }}
{%- endif -%}
{%- endmacro %}
