-- Ideal overlap: one row per model, user, cutoff and depth, from 1 down to the end of the longer of two lists: the
-- user's and the best list of the user's items, both cut at k. A user without either has one row without a depth.
--
-- The best list has the items with a gain, from the highest grade down; items with equal grades
-- keep the order of the user's list. Gaps in the ranks of recs are closed.
--
--   model            the model whose list it is, if there are several
--   user_id          the user
--   <segment>        a column of `by`, with one value for each user
--   k                the cutoff
--   list_length      the places of the list, at most k; 0 for a user without a list
--   tied             1 where places k and k + 1 have the same score; only in lists ordered by score
--
-- By row:
--
--   depth            the number of items from the top
--   overlap          number of items that both lists have down to there
--   best_overlap     number of items that the best list has down to there
--   weight_<p>       p^depth / depth

{% macro ideal_overlap(plan, kind, used) %}
{% set groups = sqlrec.user_groups(plan, used) %}
{% set list_keys = sqlrec.with_cutoff(plan, plan.list_keys) %}
{% set list = sqlrec.names(list_keys) %}
{% set repeats = sqlrec.repeats_items(plan) %}
{% set own = 'own_ranks' if repeats or plan.order == 'rank' else 'listed' %}
{% set place = own ~ ('.rank' if own == 'listed' else '.place') %}
{% set owner = sqlrec.names(list_keys, 'evaluated_users') %}
{{ sqlrec.closed_up('own_ranks', 'listed', plan.list_keys, plan.order, repeats) if own != 'listed' }}
-- Each item of a user's best list, with its places in the best list and in the user's list.
best_lists as (
    select
        {{ sqlrec.columns_of(list_keys, 'evaluated_users') }},
        {{ place }} as own_place,
        row_number() over (
            partition by {{ owner }}
            order by relevant.relevance desc, coalesce({{ place }}, {{ plan.past_every_cutoff }}) asc, relevant.item_id asc
        ) as best_place
    from evaluated_users
    join {{ sqlrec.relevant_once(plan) }} on relevant.user_id = evaluated_users.user_id
    left join {{ own }}
        on {{ sqlrec.same(plan.list_keys, own, 'evaluated_users') }} and {{ own }}.item_id = relevant.item_id
        {{ sqlrec.and_within(plan, own ~ '.rank', 'evaluated_users') }} {{ 'and ' ~ own ~ '.mention = 1' if repeats }}
    {{ sqlrec.where_clause([
        'relevant.relevance > 0' if not sqlrec.reads_only_relevant(plan, used + ['relevance']),
        sqlrec.where_requested(plan, kind, 'evaluated_users', ''),
    ]) }}
),
-- The places of both lists, and the depths from which an item is in both.
overlap_places as (
    select {{ sqlrec.columns_of(list_keys, 'evaluated_users') }}, {{ place }} as depth, 0 as best, 0 as met
    from evaluated_users
    join {{ own }} on {{ sqlrec.same(plan.list_keys, own, 'evaluated_users') }} {{ sqlrec.and_within(plan, own ~ '.rank', 'evaluated_users') }}
    {{ sqlrec.where_requested(plan, kind, 'evaluated_users') }}
    union all
    select {{ list }}, best_place as depth, 1 as best, 0 as met
    from best_lists
    {{ sqlrec.where_within(plan, 'best_place', 'best_lists') }}
    union all
    select {{ list }}, {{ sqlrec.greatest('own_place', 'best_place') }} as depth, 0 as best, 1 as met
    from best_lists
    where own_place is not null {{ sqlrec.and_within(plan, 'best_place', 'best_lists') }}
),
-- The overlap of each list with the best list, down to each depth.
ideal_overlap as (
    select {{ sqlrec.columns_of(groups, 'evaluated_users') }}, overlap_places.depth as depth
        {%- call sqlrec.kept_columns(used) %}
        {{ sqlrec.running_sum(sqlrec.double('sum(overlap_places.met)'), owner, 'overlap_places.depth') }} as overlap,
        {{ sqlrec.running_sum(sqlrec.double('sum(overlap_places.best)'), owner, 'overlap_places.depth') }} as best_overlap,
        {{ sqlrec.weights_of_depth(used, sqlrec.double('overlap_places.depth')) }}
        {%- endcall %}
    from evaluated_users
    left join overlap_places on {{ sqlrec.same(list_keys, 'overlap_places', 'evaluated_users') }}
    {{ sqlrec.where_requested(plan, kind, 'evaluated_users') }}
    group by {{ sqlrec.names(groups, 'evaluated_users') }}, overlap_places.depth
),
{% endmacro %}

{% macro ideal_overlap_keys(plan, used) %}{{ return(sqlrec.user_groups(plan, used)) }}{% endmacro %}

{% macro ideal_overlap_population(plan) %}{{ plan.population }}{% endmacro %}
