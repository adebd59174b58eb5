-- With unlisted: the places of lists, and below them the items of the user's truth that a list lacks, as
-- libraries have it that are fed with a row for each item and not with lists.
--
--   item_id       what stands there
--   rank          the place; with all items below the list it is past every cutoff, for only what it can
--                 expect of a DCG is known
--   shared_<k>    the discount within a cutoff that the item can expect, where items with equal scores
--                 share: those below a list are tied with each other
--
-- plan.unlisted says what stands below a list: `last`, what it lacks of the user's truth, or `universe`,
-- what it lacks of all items of lists and truth.

{% macro unlisted(plan, shared) %}
{% set keys = plan.list_keys %}
{% set columns = ['rank'] %}
{% if shared %}
{% for k in plan.cutoffs %}{% set _ = columns.append(sqlrec.column_at(plan, 'shared', k)) %}{% endfor %}
{% endif %}
{% set length = 'coalesce(list_lengths.' ~ sqlrec.column_at(plan, 'places', plan.cutoffs[-1]) ~ ', 0)' %}
{% set several = 'model' in keys %}
{% set whose = ('models.model, ' if several) ~ 'relevant.user_id' %}
-- What lists lack of the truth.
missing_relevant as (
    select
        {{ 'models.model as model,' if several }}
        relevant.user_id as user_id,
        relevant.item_id as item_id,
        {{ length ~ ' as list_length,' if plan.unlisted == 'universe' }}
        {{ length }} + row_number() over (partition by {{ whose }} order by relevant.item_id asc) as place
    from relevant
    {{ 'cross join models' if several }}
    left join list_lengths on list_lengths.user_id = relevant.user_id{{ ' and list_lengths.model = models.model' if several }}
    left join listed
        on listed.user_id = relevant.user_id
        {{ 'and listed.model = models.model' if several }}
        and listed.item_id = relevant.item_id
    where listed.item_id is null
),
{% if plan.unlisted == 'universe' %}
-- All items, and as many places.
universe as (
    select distinct item_id
    from (
        select item_id from {{ plan.lists ~ '_' if plan.lists }}recommended
        union all
        select item_id from relevant
    ) as listed_or_judged
),
-- A place for each.
universe_places as (
    select row_number() over (order by item_id asc) as place
    from universe
),
-- For each length of a list, what an item below it can expect.
universe_shares as (
    select
        listing.list_length as list_length
        {%- for k in plan.cutoffs %},
        sum(case when universe_places.place <= {{ k }} then {{ sqlrec.discount('dcg', 'universe_places.place') }} else 0 end)
            / count(*) as {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
    from (select distinct list_length from missing_relevant) as listing
    join universe_places on universe_places.place > listing.list_length
    group by listing.list_length
),
{% endif %}
{# ClickHouse numbers rows without a sign, adds them to lengths with one, and refuses to order a column of both. #}
-- Lists, and below them what they lack.
with_unlisted as (
    select {{ sqlrec.names(keys) }}, item_id, cast(rank as bigint) as {{ sqlrec.names(columns) }}
    from listed
    union all
    {%- if plan.unlisted == 'universe' %}
    select
        {{ sqlrec.taken(keys, 'missing_relevant') }},
        missing_relevant.item_id as item_id,
        {{ plan.past_every_cutoff }} as rank
        {%- for column in columns[1:] %},
        universe_shares.{{ column }} as {{ column }}
        {%- endfor %}
    from missing_relevant
    join universe_shares on universe_shares.list_length = missing_relevant.list_length
    {%- else %}
    select
        {{ sqlrec.names(keys) }},
        item_id,
        cast(place as bigint) as rank
        {%- for k in plan.cutoffs if shared %},
        {{ sqlrec.mean('case when place <= ' ~ k ~ ' then ' ~ sqlrec.discount('dcg', 'place') ~ ' else 0 end') }}
            over (partition by {{ sqlrec.names(keys) }}) as {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
    from missing_relevant
    {%- endif %}
),
{% endmacro %}
