-- Item exposure: one row per model, segment, cutoff and item, with its exposure in all lists. Users count
-- if their list reaches the cutoff, whether or not they are in the truth.
--
-- Constant for a model, segment and cutoff:
--
--   users_evaluated  number of users with a list
--   short_lists      number of lists shorter than k
--   ties_at_cutoff   number of lists with the same score at places k and k + 1
--   catalog_items    number of items in the catalog
--   history_items    number of items in the history
--   total_lists      the sum of lists over all items: the places of all lists
--   total_exposure   the sum of exposure over all items
--   total_wanted     the sum of wanted over all items
--
-- By row:
--
--   item_id          the item
--   lists            number of lists that show it within k; null for an item in no list
--   exposure         the same, each list weighted by 1 / log2(rank + 1)
--   faded_<patience>  the same, each list weighted by patience^(rank - 1)
--   mass             the same, each list weighted by 1 / sqrt(list_length); for lists that may
--                    repeat items, by 1 / the length of the vector of the items' counts
--   in_catalog       1 where the catalog has it, else 0
--   in_history       1 where the history has it, else 0
--   place_lists      its place among the items shown, from 1 for the one with the most lists
--   place_exposure, place_faded_<patience>
--                    the same by exposure, and by faded_<patience>
--   catalog_place_lists, catalog_place_exposure, catalog_place_faded_<patience>
--                    the same among the items of the catalog, or among the items outside of it
--   wanted           number of users to whom it is relevant; null instead of 0
--   hits             number of these users with the item in their list within k
--   candidates       number of users whose history does not have it; null for an item without
--                    history
--   in_head_<share>  1 if the items with more users have less than that share of the history's
--                    pairs of user and item, else 0; null for an item without history
--
-- Items in no list have a row if a metric reads another column of them. One more row has no item
-- and nulls in the columns of items, so that users with a list are always counted.

{% macro item_exposure(plan, kind, used) %}
{% set groups = sqlrec.groups(plan) %}
{% set cataloged = plan.catalog and (sqlrec.some_of(['in_catalog', 'catalog_items'], used) or sqlrec.starting(used, 'catalog_place_')) %}
{% set historic = plan.history and 'history_items' in used %}
{% set heads = sqlrec.starting(used, 'in_head_') if plan.history else [] %}
{% set columns %}
    {% for column in sqlrec.item_sum_names(plan, kind, used) %}
    {{ sqlrec.place_among_items(plan, groups, column) }} as place_{{ column }},
    {% if cataloged %}
    {{ sqlrec.place_among_items(plan, groups + [sqlrec.part_of('in_catalog')], column) }} as catalog_place_{{ column }},
    {% endif %}
    {% endfor %}
{% endset %}
{% set columns = sqlrec.chosen(columns, used) %}
{% set names_known = (['catalog_items', 'in_catalog'] if cataloged else []) + (['history_items', 'in_history'] if historic else []) + heads %}
{% set known %}
    catalog_counts.catalog_items,
    {{ sqlrec.indicator('catalog_rows.item_id is not null') }} as in_catalog,
    {{ sqlrec.double('history_counts.history_items') }} as history_items,
    {{ sqlrec.indicator('item_counts.item_users > 0') }} as in_history,
    {% for name in heads %}
    popular_items.{{ name }},
    {% endfor %}
{% endset %}
{% set known = sqlrec.chosen(known, names_known) %}
{{ sqlrec.item_sums(plan, kind, used, 'item_counts' if plan.history else none, 'item_exposure_items' if known or columns else 'item_exposure') }}
{% if heads %}
-- The head: the most popular items, up to the item with which they reach its share of the history.
popular_items as (
    select item_id,
        {%- for name in heads %}
        case when pairs_before / pairs < {{ sqlrec.double(sqlrec.from_name(name[8:]) | float) }} then 1 else 0 end as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select item_id, {{ sqlrec.double('sum(item_users) over ()') }} as pairs,
            sum(item_users) over (
                order by item_users desc, {{ sqlrec.items_in_order(plan) }}
                rows between unbounded preceding and current row
            ) - item_users as pairs_before
        from item_counts
    ) as items_in_order
),
{% endif %}
{% if known %}
-- Each item, with its columns of catalog and history.
{{ 'item_exposure_known' if columns else 'item_exposure' }} as (
    select
        {{ sqlrec.columns_of(groups + sqlrec.item_columns(plan, kind, used), 'item_exposure_items') }}
        {{- known }}
    from item_exposure_items
    {%- call sqlrec.kept_joins(sqlrec.identifiers(known)) %}
    left join catalog_rows on catalog_rows.item_id = item_exposure_items.item_id
    cross join catalog_counts
    left join item_counts on item_counts.item_id = item_exposure_items.item_id
    left join popular_items on popular_items.item_id = item_exposure_items.item_id
    cross join history_counts
    {%- endcall %}
),
{% endif %}
{% if columns %}
-- Each item, with the columns that are computed from both.
item_exposure as (
    select
        {{ sqlrec.names(groups + sqlrec.item_columns(plan, kind, used) + names_known) }}
        {{- columns }}
    from {{ 'item_exposure_known' if known else 'item_exposure_items' }}
),
{% endif %}
{% endmacro %}

-- An item's place in a partition of the rows, in descending order of a column.
{% macro place_among_items(plan, part, column) -%}
{{ sqlrec.double('row_number() over (
            ' ~ sqlrec.partitioned(part) ~ ' order by coalesce(' ~ column ~ ', 0) desc, ' ~ sqlrec.items_in_order(plan) ~ '
        )') }}
{%- endmacro %}

{% macro item_exposure_keys(plan, used) %}{{ return(sqlrec.whole_groups(plan, used) + ['catalog_items', 'history_items'] | select('in', used) | list) }}{% endmacro %}

{% macro item_exposure_population(plan) %}recs{% endmacro %}

-- One row per model, segment, cutoff and item, under a name, with the columns above that are
-- computed from users and lists. `stock` names the rows with all items that can be recommended.
{% macro item_sums(plan, kind, used, stock, name) %}
{% set keys = plan.list_keys %}
{% set groups = sqlrec.groups(plan) %}
{% set sums = sqlrec.item_sum_names(plan, kind, used) %}
{% set together = sqlrec.items_together(plan) %}
{% set accounts = sqlrec.item_accounts(plan, used) %}
{% set totals = ['lists', 'exposure', 'wanted', 'seen_by'] | select('in', sqlrec.rests(used, 'total_')) | list %}
{% set unnamed = ['stock'] + (['seen_by'] if 'seen_by' not in used else []) %}
{% set faded = sqlrec.starting(sums, 'faded_') %}
{% set alone = not plan.by and 'mass' not in sums %}
{% set at = 'cutoffs' if alone else 'recommended_lists' %}
{% set accounted = plan.audit or accounts or 'candidates' in used or 'stock' in sums and not together %}
{# With groups, the counts of users are a row without item, and a window copies its numbers to all rows: a
   join by segments would lose segments that are null. #}
{% set spread = [] if together else accounts %}
{% set sources = (['places'] if sqlrec.some_of(['lists', 'exposure', 'mass'] + faded, sums) else [])
    + (['wanted'] if sqlrec.some_of(['wanted', 'hits'], sums) else []) + ['stock', 'seen_by'] | select('in', sums) | list %}
{# A list that repeats items is a vector of counts: the square of a count n is n + 2 * (pairs of repeats). #}
{% set repeats = 'mass' in sums and sqlrec.repeats_items(plan) %}
{% set length = sqlrec.double('recommended_lists.list_length') %}
{% set squares = '(' ~ length ~ ' + 2 * repeated_pairs.repeated_pairs)' if repeats else length %}
{# Without groups, candidates are the items of the history, which also has their users. #}
{% set had = together and stock == 'item_counts' and 'seen_by' in sums %}
{% set sources = sources | reject('eq', 'stock') | list if had else sources %}
{# Items that can be shown have a row. If no metric reads candidates, nothing else of them is read. #}
{% set sums = sums | reject('eq', 'stock') | list if had or 'candidates' not in used and not plan.drawn else sums %}
{% if plan.drawn %}
{{ sqlrec.drawn_items(plan, kind, sources | reject('equalto', 'stock') | list, sums, squares) }}
{% set sources = ['drawn'] + sources | select('equalto', 'stock') | list %}
{% endif %}
{% set summed = sources | length > 1 %}
{% set counted = summed or spread %}
{# If places are the only source, their totals are computed in the same query. #}
{% set at_once = together and sources == ['places'] and not accounts and 'candidates' not in used %}
{% set finished = plan.audit or accounts or totals and not at_once or 'candidates' in used %}
{% if accounted %}
-- The users {{ 'with a list' if together else 'of each segment and cutoff' }}.
{{ kind.name }}_accounts as (
    {%- if plan.drawn %}
    {{ sqlrec.drawn_accounts(plan, kind) | trim }}
    {%- else %}
    select
        {{ sqlrec.names(groups) ~ ',' if groups }}
        count(*) as users_evaluated
        {%- call sqlrec.kept_columns(accounts) %}
        sum(case when recommended_lists.{{ sqlrec.is_short(plan) }} then 1 else 0 end) as short_lists,
        {{ 'sum(recommended_lists.tied)' if plan.order == 'score' else 0 }} as ties_at_cutoff,
        {%- endcall %}
    from recommended_lists
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
    {{ 'group by ' ~ groups | join(', ') if groups }}
    {%- endif %}
),
{% endif %}
{% set exposure = 'sum(1 / ' ~ sqlrec.log2('listed.rank + 1') ~ ')' %}
-- {{ sqlrec.comment_of_sources(sources) }}.
{{ kind.name ~ '_sums' if counted or finished else name }} as (
    {%- for source in sources %}
    {{ 'union all' if not loop.first }}
    {%- if source == 'drawn' %}
    select
        {{ sqlrec.names(groups + ['item_id']) }}
        {{- sqlrec.sums_of_source(sums, sqlrec.each(sums | reject('eq', 'stock'), '{}')) }}
    from {{ kind.name }}_drawn
    {%- elif source == 'places' %}
    select
        {%- for group in groups %}
        {{ sqlrec.named(('listed' if group == 'model' else at) ~ '.' ~ group, group) }},
        {%- endfor %}
        {{ sqlrec.named('listed.item_id', 'item_id') }}
        {%- call sqlrec.sums_of_source(sums + (used | select('in', ['total_lists', 'total_exposure']) | list if at_once else [])) %}
        {{ sqlrec.double('count(*)') }} as lists,
        {{ exposure }} as exposure,
        {{ sqlrec.double('sum(count(*)) over ()') }} as total_lists,
        sum({{ exposure }}) over () as total_exposure,
        {% for name in faded %}
        sum({{ sqlrec.fading(sqlrec.from_name(name[6:]) | float, 'listed.rank - 1') }}) as {{ name }},
        {% endfor %}
        sum(1 / sqrt({{ squares }})) as mass,
        {%- endcall %}
    from listed
    {{ ('cross join cutoffs' if not plan.k) if alone else 'join recommended_lists on ' ~ sqlrec.same(keys, 'recommended_lists', 'listed') }}
    {{ 'join repeated_pairs on ' ~ sqlrec.same(sqlrec.with_cutoff(plan, keys), 'repeated_pairs', 'recommended_lists') if repeats }}
    {{ sqlrec.where_within(plan, 'listed.rank', at) }} {{ sqlrec.where_requested(plan, kind, at, 'and') }}
    group by {% for group in groups %}{{ 'listed' if group == 'model' else at }}.{{ group }}, {% endfor %}listed.item_id
    {%- elif source == 'wanted' %}
    select
        {{ sqlrec.columns_of(groups, 'recommended_lists') ~ ',' if groups }}
        {{ sqlrec.named('relevant.item_id', 'item_id') }}
        {%- call sqlrec.sums_of_source(sums) %}
        sum(relevant.is_relevant) as wanted,
        sum(case when {{ sqlrec.is_within(plan, 'listed.rank', 'recommended_lists') }} then relevant.is_relevant else 0 end) as hits,
        {%- endcall %}
    from relevant
    join recommended_lists on recommended_lists.user_id = relevant.user_id
    {%- call sqlrec.kept_joins(['listed'] if 'hits' in sums else []) %}
    left join listed
        on {{ sqlrec.same(keys, 'listed', 'recommended_lists') }}
        and listed.item_id = relevant.item_id
    {%- endcall %}
    {{ sqlrec.where_clause(['relevant.is_relevant > 0' if not sqlrec.reads_only_relevant(plan, used), sqlrec.where_requested(plan, kind, 'recommended_lists', '')]) }}
    group by {{ sqlrec.names(groups, 'recommended_lists') ~ ', ' if groups }}relevant.item_id
    {%- elif source == 'stock' %}
    select
        {{ sqlrec.columns_of(groups, kind.name ~ '_accounts') ~ ',' if groups }}
        {{ sqlrec.named(stock ~ '.item_id', 'item_id') if not together else 'item_id' }}
        {{- sqlrec.sums_of_source(sums, {'stock': sqlrec.double(1)}) }}
    from {{ stock if together else kind.name ~ '_accounts' }}
    {{ 'cross join ' ~ stock if not together }}
    {%- else %}
    select
        {{ sqlrec.columns_of(groups, 'recommended_lists') ~ ',' if groups }}
        {{ sqlrec.named('interactions.item_id', 'item_id') }}
        {{- sqlrec.sums_of_source(sums, {'seen_by': sqlrec.double('count(recommended_lists.user_id)' if had else 'count(*)')}) }}
    from interactions
    {{ 'left ' if had }}join recommended_lists on recommended_lists.user_id = interactions.user_id
    {{ sqlrec.where_requested(plan, kind, 'recommended_lists') }}
    group by {{ sqlrec.names(groups, 'recommended_lists') ~ ', ' if groups }}interactions.item_id
    {%- endif %}
    {%- endfor %}
),
{% set counts = {'users_evaluated': 'users', 'short_lists': 'short_users', 'ties_at_cutoff': 'tied_users'} %}
{% set of_sums = summed and together %}
{% set shown_to = 'coalesce(' ~ ('sum(seen_by)' if of_sums else 'seen_by') ~ ', 0)' %}
{% set columns %}
    {% if had %}
    users_evaluated - sum(seen_by) as candidates,
    {% else %}
    case when {{ 'sum(stock)' if of_sums else 'stock' }} > 0 then users_evaluated{{ ' - ' ~ shown_to if 'seen_by' in sums }} end as candidates,
    {% endif %}
    {% for total in totals %}
    {{ ('sum(sum({})) over ()' if of_sums else 'sum({}) over ()' if together else 'total_{}') | replace('{}', total) }} as total_{{ total }},
    {% endfor %}
{% endset %}
{% if of_sums and finished %}
-- The sums of each item.
{{ name }} as (
    select {{ sqlrec.names(accounts + ['item_id']) }}
        {%- for name in sums if name not in unnamed %},
        sum({{ name }}) as {{ name }}
        {%- endfor %}
        {{- sqlrec.chosen(columns, used) }}
    from {{ kind.name }}_sums
    {{ 'cross join ' ~ kind.name ~ '_accounts' if accounted }}
    group by item_id{{ ', ' ~ (accounts + ['users_evaluated']) | unique | join(', ') if accounted }}
),
{% else %}
{% if counted %}
-- Each item's sums{{ '. The counts of users are a row without item, and a window copies its numbers to all rows' if spread }}.
{{ kind.name ~ '_counted' if finished else name }} as (
    select
        {{ sqlrec.names(groups) ~ ',' if groups }}
        item_id
        {%- for name in sums %},
        {{ 'sum(' ~ name ~ ')' if summed else name }} as {{ name }}
        {%- endfor %}
        {%- for name in spread %},
        cast(null as bigint) as {{ counts[name] }}
        {%- endfor %}
    from {{ kind.name }}_sums
    {{ 'group by ' ~ (groups + ['item_id']) | join(', ') if summed }}
    {%- if spread %}
    union all
    select
        {{ sqlrec.names(groups) ~ ',' if groups }}
        null as item_id
        {{- sqlrec.chosen(sqlrec.each(sums, sqlrec.double('null')), sums) }}
        {%- for name in spread %},
        cast({{ name }} as bigint) as {{ counts[name] }}
        {%- endfor %}
    from {{ kind.name }}_accounts
    {%- endif %}
),
{% endif %}
{% if finished %}
{{ name }} as (
    select {{ sqlrec.names(groups + accounts + ['item_id'] + sums | reject('in', unnamed) | list) }}
        {{- sqlrec.chosen(columns, used) }}
    {%- if together %}
    from {{ kind.name }}_{{ 'counted' if counted else 'sums' }}
    {{ 'cross join ' ~ kind.name ~ '_accounts' if accounted }}
    {%- else %}
    from (
        select
            {{ sqlrec.names(groups + sums) }},
            {%- for name in accounts %}
            max({{ counts[name] }}) over ({{ sqlrec.partitioned(groups) }}) as {{ name }},
            {%- endfor %}
            {%- for name in totals %}
            sum({{ name }}) over ({{ sqlrec.partitioned(groups) }}) as total_{{ name }},
            {%- endfor %}
            item_id
        from {{ kind.name }}_{{ 'counted' if counted else 'sums' }}
    ) as accounted
    {%- endif %}
),
{% endif %}
{% endif %}
{% endmacro %}

{% macro comment_of_sources(sources) -%}
{%- set said = {
    'places': 'how often lists show it',
    'wanted': 'how many users it is relevant to',
    'stock': 'whether it can be shown',
    'seen_by': 'how many users had it before',
    'drawn': 'its sums over users drawn again',
} -%}
For each item, {% for source in sources %}{{ ('' if loop.first else ' and ' if loop.last else ', ') ~ said[source] }}{% endfor %}
{%- endmacro %}

-- True if all rows of items are of one model, segment and cutoff.
{% macro items_together(plan) %}{{ return(not plan.audit and not sqlrec.groups(plan)) }}{% endmacro %}

-- The counts of users that rows of items have.
{% macro item_accounts(plan, used) %}
{{ return(sqlrec.accounts(plan, used + (['users_evaluated'] if 'candidates' in used and not sqlrec.items_together(plan) else []))) }}
{% endmacro %}

-- The partition of a window: all rows without groups.
{% macro partitioned(groups) -%}
{{ 'partition by ' ~ groups | join(', ') if groups }}
{%- endmacro %}

-- The sums of an item that metrics read.
{% macro item_sum_names(plan, kind, used) %}
{% set placed = sqlrec.rests(used, 'place_') + sqlrec.rests(used, 'catalog_place_') %}
{{ return((
    ['lists', 'exposure', 'mass'] | select('in', used) | list + sqlrec.starting(used, 'faded_')
    + ['lists', 'exposure'] | select('in', placed + sqlrec.rests(used, 'total_')) | list + sqlrec.starting(placed, 'faded_')
    + (['wanted'] + ['hits'] | select('in', used) | list if kind.truth and sqlrec.some_of(['wanted', 'hits'], used) else [])
    + (['stock'] if sqlrec.some_of(['candidates', 'stock'], used) else [])
    + (['seen_by'] if plan.history and sqlrec.some_of(['candidates', 'seen_by', 'total_seen_by'], used) else [])
) | unique | list) }}
{% endmacro %}

-- The columns of <kind>_items except the groups.
{% macro item_columns(plan, kind, used) %}
{% set totals = ['total_lists', 'total_exposure', 'total_wanted'] | select('in', used) | list %}
{% set sums = sqlrec.item_sum_names(plan, kind, used) | reject('in', ['stock', 'seen_by']) | list %}
{{ return(sqlrec.item_accounts(plan, used) + ['item_id'] + sums + totals + ['candidates'] | select('in', used) | list) }}
{% endmacro %}

-- The sums of a source, with nulls for sums of other sources.
{% macro sums_of_source(sums, own=none) -%}
{%- set names = ['lists', 'exposure', 'total_lists', 'total_exposure'] + sqlrec.starting(sums, 'faded_') + ['mass', 'wanted', 'hits', 'stock', 'seen_by'] -%}
{%- set columns = sqlrec.each(names, sqlrec.double('null')) -%}
{%- set _ = columns.update(own or sqlrec.columns(caller())) -%}
{{ sqlrec.chosen(columns, sums) }}
{%- endmacro %}
