-- Listed: one row per place of a list, down to the deepest cutoff asked.
--
--   model        the model whose list it is, if there are several
--   user_id      the user
--   item_id      the item
--   rank         the place, from 1; given ranks may leave places out, and where one breaks a rule and rules are
--                checked, it is null, or 0 (see places_by_rank)
--   given_rank   the rank as it stands in the table; only where broken rules are shown
--   unplaced     1 where the score is missing, or the rank is missing or below 1; else 0
--   tied         1 where the next place has the same score, else 0; only in lists ordered by score
--   misplaced    1 without a score, or where the place before has a lower one; only with both
--   score        its score, at most 1e100; only where some metric is made of scores
--   shared_<k>   the discount within a cutoff that the item can expect, if the items with its score came
--                in any order; only where some metric asks, and then places below the deepest cutoff are
--                there too where this is not 0
--   places_above how many places have a higher score; only where what is expected of equal scores is
--                asked, and then all places of a score that begins within the cutoffs are there
--
-- Lists: one row per list.
--
--   places_<k>   its places within a cutoff
--   judged_places  the items of these that the truth judges, with their ranks; only where one sort of lists and
--                truth finds them
--   tied_<k>     1 where places k and k + 1 have the same score; only in lists ordered by score
--   violations   broken rules: no user or model, no item, no score or rank, an item or rank twice, ...

{% macro listed(plan, used) %}
{{ sqlrec.ranked_lists(plan, sqlrec.lists_of(plan), used) if not plan.lists }}
{% endmacro %}

{% macro list_lengths(plan, used) %}
{{ sqlrec.lengths_of_lists(plan, sqlrec.lists_of(plan), used) if not plan.lists }}
{% endmacro %}

-- What lists are made of, and their order. `side` stands before the names of their queries, and `reach` is a place
-- that they are read down to, whatever the cutoffs.
{% macro lists_of(plan, side='') %}
{{ return({
    'side': side,
    'sources': plan.recs,
    'list_keys': plan.list_keys,
    'order': plan.order,
    'check_order': plan.check_order,
    'scored': plan.scored,
    'ties': plan.ties if plan.order == 'score' or plan.ties == 'first' else 'item_asc',
    'of_truth': plan.listed == 'truth',
    'reach': 0,
}) }}
{% endmacro %}

-- The places of lists as above. What libraries do with rows before they are ranked is in odd/lists.sql.
{% macro ranked_lists(plan, lists, used) %}
{% set side = lists.side %}
{% set used = used + ['rank'] + (['score'] if lists.scored or lists.ties == 'shared' else []) %}
{% set source = sqlrec.read_directly(plan, lists) if sqlrec.is_read_directly(plan, lists, used) else sqlrec.read_together(plan, lists) %}
{% set again = sqlrec.follows_itself(plan, lists.list_keys) | trim if 'again' in used and plan.duplicates == 'error' else '' %}
{% set places = side ~ ('places' if again else 'listed') %}
{# Rows without other columns are sorted faster, so that the rank says of a place whether it is one. #}
{% set by_rank = again and lists.order == 'rank' %}
{% set with_truth = 'judged_places' in used %}
{% set last_place = sqlrec.last_place(plan, lists) %}
{# Who reads places says down to where, so that they are cut here where that is faster, or a rule. #}
{% set is_rule = plan.ends == last_place and lists.ties != 'shared' %}
{% set is_faster = lists.order == 'rank' and not plan.k %}
{% set cut = last_place < plan.whole_list and (plan.audit or is_rule or is_faster) %}
{{ source.queries }}
{% if lists.order == 'rank' %}
{{ sqlrec.places_by_rank(plan, lists, source, places, last_place if cut else none, used | reject('equalto', 'unplaced' if by_rank) | list, by_rank) }}
{% else %}
{{ sqlrec.places_by_score(plan, lists, source, side ~ 'ranked' if cut or lists.ties == 'shared' else places, last_place, used) }}
{{ sqlrec.shared_places(plan, lists, side ~ 'sharing' if cut else places, used) if lists.ties == 'shared' }}
{% if cut %}
-- The places that the cutoffs reach.
{{ places }} as (
    select *
    from {{ side }}{{ 'sharing' if lists.ties == 'shared' else 'ranked' }}
    where {{ 'places_above < ' ~ last_place if lists.ties == 'expected' else 'rank <= ' ~ last_place }}
    {{- ' or ' ~ sqlrec.column_at(plan, 'shared', plan.depth) ~ ' > 0' if lists.ties == 'shared' and plan.depth == last_place }}
),
{% endif %}
{% endif %}
{% if again %}
-- In the order of items an item that is in a list twice follows itself; below the cutoff it may.
{{ '-- A place follows its judgement, of rank -1.' if with_truth }}
{{ side }}listed as (
    select *, {{ again }} as again
        {{- ',\n        case when rank = 0 then 1 else 0 end as unplaced' if by_rank }}
        {{- ',\n        lag(rank) over () as rank_before' if with_truth }}
    from (
        select * from {{ '(select * from places union all by name select user_id, item_id, -1 as rank from relevant) as with_truth' if with_truth else places }}
        order by {{ sqlrec.names(lists.list_keys | reverse) }}, item_id{{ ', rank' if by_rank or lists.ties == 'expected' }}
    ) as in_order
),
{% endif %}
{% endmacro %}

-- The deepest place that cutoffs reach, or lists have to. With some rules, what is to be found depends on places
-- below them too.
{% macro last_place(plan, lists) %}
{% set depth = none if plan.duplicates in ['outer', 'crossed'] else plan.depth %}
{{ return([[depth or plan.whole_list, lists.reach] | max, plan.ends or plan.whole_list] | min) }}
{% endmacro %}

-- One table that is read as it stands needs no query of its own.
{% macro is_read_directly(plan, lists, used) %}
{{ return(
    not plan.audit and lists.side ~ 'recommended' not in used and lists.sources | length == 1
    and not lists.sources[0].unnest and not sqlrec.is_odd(plan, lists) and plan.null_scores != 'drop' and plan.seen == 'keep'
) }}
{% endmacro %}
{% macro read_directly(plan, lists) %}
{% set source = lists.sources[0] %}
{% set columns = source.columns %}
{% set score = sqlrec.score(plan, source) if columns.score else none %}
{{ return({
    'queries': '',
    'relation': source.relation,
    'named_keys': sqlrec.list_keys(plan, lists.list_keys, source),
    'list': ((sqlrec.model(plan, source) ~ ', ') if 'model' in lists.list_keys else '') ~ columns.user_id,
    'item_id': columns.item_id,
    'score': score,
    'given': score if lists.order == 'score' else sqlrec.numbers_of(columns.rank),
    'where': score ~ ' > 0' if lists.order == 'score' and plan.scores == 'positive' else none,
}) }}
{% endmacro %}

-- Otherwise every recommendation is read first.
{% macro read_together(plan, lists) %}
{% set given = 'score' if lists.order == 'score' else 'given_rank' %}
{% set odd = sqlrec.odd_lists(plan, lists, given) %}
{{ return({
    'queries': sqlrec.recommended(plan, lists) ~ odd.queries,
    'relation': odd.relation,
    'named_keys': sqlrec.names(lists.list_keys),
    'list': sqlrec.names(lists.list_keys),
    'item_id': 'item_id',
    'score': (odd.given if lists.order == 'score' else 'score') if lists.scored or lists.ties == 'shared' else none,
    'given': odd.given,
    'where': none,
}) }}
{% endmacro %}

{% macro recommended(plan, lists) %}
{% set order = lists.order %}
{% set first_or_last, ordered = plan.duplicates in ['first', 'last'], sqlrec.has_row_order(plan) %}
-- Every recommendation.
{{ lists.side }}{{ 'all_' if plan.seen != 'keep' }}recommended as (
    {%- for source in lists.sources %}
    {{ 'union all' if not loop.first }}
    {%- if source.unnest %}
    {{ sqlrec.unnested(sqlrec.list_keys(plan, lists.list_keys, source), source.columns.item_id, 'given_rank', source.relation) | trim }}
    {%- else %}
    {%- set score = sqlrec.score(plan, source) if source.columns.score else none %}
    select {{ sqlrec.list_keys(plan, lists.list_keys, source) }}, {{ sqlrec.named(source.columns.item_id, 'item_id') }}
        {{- ',\n        cast(' ~ source.columns.rank ~ ' as bigint) as given_rank' if order == 'rank' }}
        {{- ', ' ~ sqlrec.named(score, 'score') if order == 'score' or lists.check_order or lists.scored }}
        {{- ',\n        ' ~ sqlrec.named(source.columns.order_by or 'row_number() over ()', 'row_order') if sqlrec.equals_by_row(lists) or first_or_last and not ordered }}
        {{- ',\n        ' ~ sqlrec.number_of_repeat(plan, lists, source) ~ ' as repeat_number' if first_or_last and ordered }}
    from {{ source.relation }}
    {{ sqlrec.where([score ~ ' > 0' if order == 'score' and plan.scores == 'positive', score ~ ' is not null' if order == 'score' and plan.null_scores == 'drop']) }}
    {%- endif %}
    {%- endfor %}
),
{{ sqlrec.unseen(plan, lists) if plan.seen != 'keep' }}
{% endmacro %}

-- The places of items with ranks.
{% macro places_by_rank(plan, lists, source, name, last_place, used, in_order) %}
-- {{ sqlrec.whose_lists(lists) }} by rank{{ ', which is ' ~ (0 if in_order else 'null') ~ ' where it breaks a rule' if plan.audit }}.
{{ name }} as (
    select {{ source.named_keys }}, {{ sqlrec.named(source.item_id, 'item_id') }}
        {%- call sqlrec.kept_columns(used) %}
        {{ source.score ~ ' as score,' if source.score }}
        {% if plan.audit %}
        case when {{ source.given }} >= 1 then {{ source.given }}{{ ' else 0' if in_order }} end as rank,
        {% else %}
        {{ source.given }} as rank,
        {% endif %}
        {{ source.given }} as given_rank,
        case when {{ source.given }} >= 1 then 0 else 1 end as unplaced,
        {% if lists.check_order %}
        case
            when score is null
                or lag(score) over (
                    partition by {{ sqlrec.names(lists.list_keys) }}
                    order by {{ source.given }} asc, {{ sqlrec.by_item('asc') }}
                ) < score
            then 1
            else 0
        end as misplaced,
        {% endif %}
        {%- endcall %}
    from {{ source.relation }}
    {% if plan.audit %}
    {{ 'where ' ~ source.given ~ ' <= ' ~ last_place ~ ' or ' ~ source.given ~ ' is null' if last_place }}
    {% else %}
    where {{ source.given }} {{ 'between 1 and ' ~ last_place if last_place else '>= 1' }}
    {% endif %}
),
{% endmacro %}

-- The places of items with scores. The order is total: what the score leaves open, the item decides.
{% macro places_by_score(plan, lists, source, name, last_place, used) -%}
{%- set used = used + ['places_above'] if lists.ties == 'expected' else used | reject('equalto', 'places_above') | list -%}
-- {{ sqlrec.whose_lists(lists) }} from the best score down; equal scores {{ {
    'first': 'by row', 'best': 'the most relevant first', 'worst': 'the least relevant first', 'item_desc': 'by item, from the last',
    'text_asc': 'by item as text', 'text_desc': 'by item as text, from the last',
}.get(lists.ties, 'by item') }}.
{{ (adapter.dispatch('ranked', 'sqlrec') if plan.audit else sqlrec.default__ranked)(plan, lists, source, name, last_place, used) }}
{%- endmacro %}
{% macro default__ranked(plan, lists, source, name, last_place, used) %}
{% set by_score = 'partition by ' ~ source.list ~ ' order by ' ~ sqlrec.by_score(plan, source.given) %}
{% set window = by_score ~ ', ' ~ sqlrec.among_equals(plan, lists, source.item_id) %}
{{ name }} as (
    select {{ source.named_keys }}, {{ sqlrec.named(source.item_id, 'item_id') }}
        {%- call sqlrec.kept_columns(used) %}
        {{ source.score ~ ' as score,' if source.score }}
        row_number() over ({{ window }}) as rank,
        rank() over ({{ by_score }}) - 1 as places_above,
        case when {{ source.given }} is null then 1 else 0 end as unplaced,
        case when lead({{ source.given }}) over ({{ window }}) = {{ source.given }} then 1 else 0 end as tied,
        {%- endcall %}
    from {{ source.relation }}
    {{ 'where ' ~ source.where if source.where }}
),
{% endmacro %}

-- DuckDB sorts by the score alone, and sorts again what that leaves open: a quarter less work where few
-- scores are equal.
{% macro duckdb__ranked(plan, lists, source, name, last_place, used) %}
{% set given = source.given %}
{% set by_score = 'partition by ' ~ sqlrec.names(lists.list_keys | reverse) ~ ' order by ' ~ sqlrec.by_score(plan, given) %}
{% set equals = 'partition by ' ~ source.list ~ ', first_place' %}
{% set window = equals ~ ' order by ' ~ sqlrec.among_equals(plan, lists) %}
{{ lists.side }}scored as (
    select *,
        rank() over ({{ by_score }}) as first_place,
        row_number() over ({{ by_score }}) as some_place,
        coalesce(lead({{ given }}) over ({{ by_score }}) = {{ given }}, {{ given }} is null) as before_equal
    from {{ source.relation }}
),
{{ name }} as (
    {%- for equal in [false, true] %}
    {{ 'union all' if equal }}
    select {{ source.named_keys }}, item_id
        {%- call sqlrec.kept_columns(used) %}
        {{ source.score ~ ' as score,' if source.score }}
        first_place{{ ' - 1 + row_number() over (' ~ window ~ ')' if equal }} as rank,
        first_place - 1 as places_above,
        case when {{ given }} is null then 1 else 0 end as unplaced,
        {{ 'case when ' ~ given ~ ' is not null and row_number() over (' ~ window ~ ') < count(*) over (' ~ equals ~ ') then 1 else 0 end' if equal else 0 }} as tied,
        {%- endcall %}
    from {{ lists.side }}scored
    where {{ '(first_place < some_place or before_equal)' if equal else 'first_place = some_place and not before_equal' }}
        {{ 'and first_place <= ' ~ last_place if last_place < plan.whole_list }}
    {%- endfor %}
),
{% endmacro %}

{% macro whose_lists(lists) %}{{ "The baseline's lists" if lists.side == 'baseline_' else 'Lists' }}{% endmacro %}

{% macro lengths_of_lists(plan, lists, used) %}
{% set keys, order, last_place = lists.list_keys, lists.order, sqlrec.last_place(plan, lists) %}
{# Where lists go on below the cutoffs, as a rule asks, they are counted and checked down to these all the same. #}
{% set deepest = [plan.depth or last_place, last_place] | min if plan.audit else last_place %}
{% set with_truth = 'judged_places' in used %}
{# Ranks that are made here leave no place out. #}
{% set dense = order == 'score' and lists.ties != 'shared' and plan.audit %}
-- How long each {{ 'list of the baseline' if lists.side == 'baseline_' else 'list' }} is.
{{ lists.side }}list_lengths as (
    select {{ sqlrec.names(keys) }}
        {%- call sqlrec.kept_columns(used) %}
        {% for k in plan.cutoffs %}
        {% if plan.audit -%}
        {{ sqlrec.places_within(k, deepest, dense) }}
        {%- elif k == plan.whole_list -%}
        {{ sqlrec.row_count('*') }}
        {%- else -%}
        {{ sqlrec.default__places_within(k, last_place) }}
        {%- endif %} as {{ sqlrec.column_at(plan, 'places', k) }},
        {{ sqlrec.one_at(k, 'tied', deepest) ~ ' as ' ~ sqlrec.column_at(plan, 'tied', k) ~ ',' if order == 'score' }}
        {% endfor %}
        case when user_id is null {{ 'or model is null ' if 'model' in keys }}then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {{ '+ ' ~ ('sum(case when rank_before >= 0 then again else 0 end)' if with_truth else sqlrec.repeated_items(plan, keys)) if plan.duplicates == 'error' }}
        {{ '+ ' ~ sqlrec.repeated_ranks(deepest) if order == 'rank' }}
        {{ '+ sum(unplaced)' if order == 'rank' or plan.null_scores == 'error' }}
        {{ '+ sum(misplaced)' if lists.check_order }}
        {{ '+ sum(' ~ sqlrec.unscored(plan, order) ~ ')' if lists.scored }} as violations,
        {{ sqlrec.gathered_places(plan) ~ ' as judged_places,' if with_truth }}
        {%- endcall %}
    from {{ lists.side }}listed
    {% if with_truth %}
    where rank >= 0
    {% elif lists.ties == 'expected' and last_place < plan.whole_list %}
    where rank <= {{ last_place }}
    {% elif deepest < last_place %}
    where rank <= {{ deepest }}{{ ' or rank is null' if order == 'rank' }}
    {% endif %}
    group by {{ sqlrec.names(keys) }}
),
{% endmacro %}

-- How often the items of a list, or of a user of the truth, come again: an expression over their rows.
{% macro repeated_items(plan, keys) -%}
{{ 'sum(again)' if sqlrec.follows_itself(plan, keys) | trim else 'count(item_id) - count(distinct item_id)' }}
{%- endmacro %}

-- The column of a list that belongs to a cutoff: `places` or `tied`.
{% macro column_at(plan, name, k) -%}
{{ name }}_{{ 'all' if k == plan.whole_list else k }}
{%- endmacro %}

-- What a table with such columns has at k: an expression over it and the cutoffs.
{% macro at_cutoff(plan, name, table, k='cutoffs.k') -%}
{%- if plan.k -%}
{{ table }}.{{ sqlrec.column_at(plan, name, plan.k) }}
{%- else -%}
case {{ k }}{% for cutoff in plan.cutoffs %} when {{ cutoff }} then {{ table }}.{{ sqlrec.column_at(plan, name, cutoff) }}{% endfor %} end
{%- endif -%}
{%- endmacro %}

-- 1 where a score is not a number to count with, else 0: too large to be added up, or missing where the
-- rank orders the list, so that no other rule finds it.
{% macro unscored(plan, order) -%}
case when score between {{ sqlrec.double(-1e100) }} and {{ sqlrec.double(1e100) }}{{ ' or score is null' if order == 'score' or plan.null_scores != 'error' }} then 0 else 1 end
{%- endmacro %}

{% macro score(plan, source) -%}
{{ sqlrec.number(source.columns.score) if plan.audit and source.floating.score else sqlrec.numbers_of(source.columns.score) }}
{%- endmacro %}

-- The model of rows of recs, and the user, as entries of a select.
{% macro list_keys(plan, keys, source) -%}
{% if 'model' in keys -%}
{{ sqlrec.named(sqlrec.model(plan, source), 'model') }}, {% endif -%}
{{ sqlrec.named(source.columns.user_id, 'user_id') }}
{%- endmacro %}

{% macro model(plan, source) -%}
{%- set model = source.columns.model if source.model is not none or not plan.audit else sqlrec.string(source.columns.model) -%}
{{ 'cast(' ~ model ~ ' as enum (' ~ source.models | join(', ') ~ '))' if source.models and plan.audit else model }}
{%- endmacro %}

-- What stands before what, of items with equal scores.
{% macro among_equals(plan, lists, item='item_id') -%}
{%- set ties = lists.ties -%}
{%- if ties in ['best', 'worst'] -%}
{%- set direction = 'desc' if ties == 'best' else 'asc' -%}
relevance {{ direction }}, is_relevant {{ direction }}, {% endif -%}
{%- if ties == 'first' -%}
{{ sqlrec.by_row(plan) }}
{%- elif ties in ['text_asc', 'text_desc'] -%}
{{ sqlrec.by_text(ties[5:], item) }}
{%- else -%}
{{ sqlrec.items_in_order(plan, 'desc' if ties == 'item_desc' else 'asc', item) }}
{%- endif %}
{%- endmacro %}

-- Items by their ids. The plain form goes by the order that the database has for them.
{% macro items_in_order(plan, direction='asc', item='item_id') %}{{ (sqlrec.by_item if plan.audit else sqlrec.default__by_item)(direction, item) }}{% endmacro %}

{% macro by_score(plan, given) -%}
{#- Where a missing score is an error it comes first, so that every cutoff meets it. #}
{{- sqlrec.largest_first(given) if not plan.audit and plan.null_scores == 'error' else sqlrec.descending(given, 'last' if plan.null_scores == 'last' else 'first') }}
{%- endmacro %}
