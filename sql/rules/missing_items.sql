-- missing_items: the ranks of lists, and below them items that the list lacks, as in libraries that
-- read a row for each item instead of lists. The macro of a value is `missing_items__VALUE`.
--
-- Columns with missing items:
--
--   item_id       the item
--   rank          the rank; with universe, the ranks of added items are beyond all cutoffs, since
--                 only their expected discount is known
--   shared_<k>    the expected discount within a cutoff, if ties are shared; items below a list are
--                 tied

-- The properties of each value (see sqlrec/rules.py).
{% macro missing_items_properties() %}
{{ return({
    'absent': [],
    'last': ['extends_lists'],
    'universe': ['extends_lists', 'depends_on_other_users'],
}) }}
{% endmacro %}

-- absent: adds no items to lists.
{% macro missing_items__absent(plan) %}{% endmacro %}

-- last: appends the missing items of the user's truth to a list. They are ordered by item.
{% macro missing_items__last(plan) %}
{{ sqlrec.missing_relevant(plan) }}
-- Lists, and below them the missing items.
with_missing_items as (
    select model, user_id, item_id,
        {% for name in plan.shared_columns %}{{ name }}, {% endfor %}
        cast(rank as bigint) as rank,
        cast(rank as bigint) as counted_rank
    from listed
    union all
    select model, user_id, item_id,
        {% for k in plan.cutoffs if plan.shares_ranks %}{{ sqlrec.mean('case when missing_rank <= ' ~ k ~ ' then ' ~ sqlrec.discount('dcg', 'missing_rank') ~ ' else 0 end') }} over (partition by model, user_id) as shared_{{ plan.cutoff_names[k] }}, {% endfor %}
        cast(missing_rank as bigint) as rank,
        cast(missing_rank as bigint) as counted_rank
    from missing_relevant
),
{% endmacro %}

-- universe: appends all missing items to a list, tied.
{% macro missing_items__universe(plan) %}
{{ sqlrec.missing_relevant(plan) }}
-- All items of lists and truth.
universe as (
    select distinct item_id
    from (
        select item_id from recommended
        union all
        select item_id from relevant
    ) as listed_or_judged
),
-- A number for each of these items.
universe_ranks as (
    select row_number() over (order by item_id asc) as number
    from universe
),
-- The expected discounts of an item below a list, for each length of a list.
universe_shares as (
    select listing.list_length,
        {% for k in plan.cutoffs %}sum(case when universe_ranks.number <= {{ k }} then 1 / log2(universe_ranks.number + 1) else 0 end) / count(*) as shared_{{ plan.cutoff_names[k] }}, {% endfor %}
        count(*) as ranks
    from (select distinct list_length from missing_relevant) as listing
    join universe_ranks on universe_ranks.number > listing.list_length
    group by listing.list_length
),
-- Lists, and below them the missing items.
with_missing_items as (
    select model, user_id, item_id,
        {% for name in plan.shared_columns %}{{ name }}, {% endfor %}
        cast(rank as bigint) as rank,
        cast(rank as bigint) as counted_rank
    from listed
    union all
    select missing_relevant.model, missing_relevant.user_id, missing_relevant.item_id,
        {% for name in plan.shared_columns %}universe_shares.{{ name }}, {% endfor %}
        2147483647 as rank,
        2147483647 as counted_rank
    from missing_relevant
    join universe_shares on universe_shares.list_length = missing_relevant.list_length
),
{% endmacro %}

{% macro missing_relevant(plan) %}
{% set length = 'coalesce(' ~ sqlrec.at_cutoff(plan, 'ranks', 'list_lengths', plan.cutoffs[-1]) ~ ', 0)' %}
-- The items of the truth that are missing from lists.
missing_relevant as (
    select models.model, relevant.user_id, relevant.item_id,
        {{ length }} as list_length,
        {{ length }} + row_number() over (partition by models.model, relevant.user_id order by relevant.item_id asc) as missing_rank
    from relevant
    cross join models
    left join list_lengths on list_lengths.model = models.model and list_lengths.user_id = relevant.user_id
    left join listed on listed.model = models.model and listed.user_id = relevant.user_id and listed.item_id = relevant.item_id
    where listed.item_id is null
),
{% endmacro %}
