-- Hits: one row per model, user, cutoff and judged item of the list within k. A user with none
-- still has one row, without a hit and past every cutoff.
--
-- The same in all rows of a user and cutoff:
--
--   k               the cutoff
--   list_length     the places of the list, at most k
--   asked_length    the cutoff; of whole lists, which have none, the places of the list
--   relevant_items  how many items are relevant to the user
--   judged_items    how many items the truth judges for the user
--   nonrelevant_items  how many of them are judged and not relevant
--   gain_levels     how many different gains the user's items have, 0 aside
--   goes_past       1 where the list goes on for two places or more past the last item with a gain, else 0
--   catalog_items   how many items the catalog has
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--   ideal_...       what the user's best list is worth (see rows/ideal.sql)
--
-- Row by row, where a hit and all that is made of hits and grades is a double:
--
--   rank            the item's place, from 1
--   misses_so_far   places down to this one without a hit, judged or not
--   discount        the weight of the place: 1 / log2(rank + 1)
--   late_discount   the same of the paper of 2002: 1 / log2(rank), and 1 for the first two places
--   precision_lead  by how much the precision at a hit exceeds the largest precision at a later hit, else 0
--   relevance       the item's grade, at least 0. Where the truth does not grade, it is the same as hit, and
--                   that is what is printed
--   hit             1 where the item is relevant, else 0
--   top_hit         1 where the item is relevant and none of the user has a higher grade, else 0
--   hits_so_far     hits at this place and above
--   gain_so_far, dcg_so_far   the sum of grades, and of grades by discounts, at this place and above
--   best_...        the values of the user's best list down to this place, and as a whole (see rows/best.sql)
--   stop_<max_grade>  the probability that a user who reads from the top stops here: at grade g that is
--                   (2^g - 1) / 2^max_grade for a user who gets here
--   stop_own        the same, with the highest grade of the user's items
--   is_judged       1 where the item is judged. A grade below 0 marks an item that was pooled
--                   but not judged, unless it counts as relevant
--   judged_so_far   judged items at this place and above
--   named_so_far    the same, with items that were pooled but not judged
--
-- Most of these are written twice. `of_places` has the places of a list that the truth judges, of all cutoffs together:
-- what looks up the list from a place is made there. `of_rows` has these cutoff by cutoff, and users without any, for
-- whom it says 0: what looks down a list, or depends on the cutoff or the user, is made there.
-- An entry ends with a comma, no other line of it does, and it is printed where a metric names it. What `plan`, `kind`
-- and `used` are is said in evaluate.sql, and how places of odd lists are counted in odd/places.sql.

{% macro hits(plan, kind, used) %}
{% set keys = plan.list_keys %}
{% set best = sqlrec.starting(used, 'best_') %}
{% set places = sqlrec.places_of_hits(plan, used) %}
{# Where nothing else reads evaluated users, they need no query of their own. #}
{% set inline = plan.kinds | length == 1 and not sqlrec.truth_users_alone(plan, used) %}
{% set user_columns = sqlrec.evaluated_row(plan, used + (['list_length'] if 'asked_length' in used else [])) %}
{% set user_columns = user_columns if inline else sqlrec.each(user_columns, 'evaluated.{}') %}
{# Where places are shared, items below the cutoff whose score reaches into it are among the rows, for a DCG. #}
{% set discount = sqlrec.at_cutoff(plan, 'shared', 'item', user_columns.k) if sqlrec.shares_places(plan) else sqlrec.discount('dcg', 'item.rank') %}
{# SQLite divides whole numbers without a rest: what a metric may divide by whole numbers is 0.0, not 0. #}
{% set zero = sqlrec.double(0) %}
{% set of_rows %}
    coalesce(item.rank, {{ plan.past_every_cutoff }}) as rank,
    coalesce(item.{{ places.counted }} - item.hits_so_far, 0) as misses_so_far,
    coalesce({{ discount }}, 0) as discount,
    coalesce({{ sqlrec.discount('late_dcg', 'item.rank') }}, 0) as late_discount,
    {{ sqlrec.asked_length(plan, user_columns) if 'asked_length' in used else 'null' }} as asked_length,
    {{ sqlrec.double('catalog_counts.catalog_items') }} as catalog_items,
    {{ sqlrec.precision_lead(plan, user_columns) }} as precision_lead,
    coalesce(item.relevance, 0) as relevance,
    coalesce(item.hit, 0) as hit,
    coalesce(item.top_hit, 0) as top_hit,
    coalesce(item.hits_so_far, 0) as hits_so_far,
    coalesce(item.gain_so_far, 0) as gain_so_far,
    coalesce(item.dcg_so_far, 0) as dcg_so_far,
    {% for name in ['best_dcg', 'best_gain', 'best_items', 'best_total', 'best_relevance', 'best_later'] + sqlrec.starting(used, 'stop_') %}
    coalesce(item.{{ name }}, 0) as {{ name }},
    {% endfor %}
    coalesce(item.is_judged, {{ zero }}) as is_judged,
    coalesce(item.judged_so_far, {{ zero }}) as judged_so_far,
    coalesce(item.named_so_far, {{ zero }}) as named_so_far,
{% endset %}
{% set printed = sqlrec.chosen(of_rows, used) %}
{% set named = sqlrec.identifiers(printed) %}
{% set items = sqlrec.hits_of_lists(plan, named, places.relation) | trim %}
{% set named_of_items = sqlrec.identifiers(items) %}
{{ sqlrec.check_read('rows/hits.sql: of_places', sqlrec.read_of('item', printed), named_of_items, 'write it there too') }}
{% set before = sqlrec.before_evaluated(plan, used) if inline else '' %}
{{ before }}
{{ places.queries }}
{{ sqlrec.best(best, sqlrec.reads_relevant_alone(plan, used + named_of_items)) if best }}
-- The hits of each user within {{ 'the cutoff' if not plan.k else 'their lists' if plan.k == plan.whole_list else plan.k ~ ' places' }}; a user without hits has one row of zeros.
hits as (
    select {{ sqlrec.entries(user_columns, sqlrec.hits_constants(plan, used)) }}
        {{- printed }}
    {{- sqlrec.evaluated_tables(plan, used, user_columns) if inline else '\n    from evaluated' }}
    {%- call sqlrec.kept_joins(named) %}
    left join (
        {{ items }}
    ) as item on {% for key in keys %}item.{{ key }} = {{ user_columns[key] }}{{ ' and ' if not loop.last }}{% endfor %}
        {{- ' and ' ~ sqlrec.reaches(plan, 'item', 'cutoffs' if inline else 'evaluated') if not plan.k }}
    cross join catalog_counts
    {%- endcall %}
    {{ sqlrec.evaluated_where(plan, used + named_of_items + sqlrec.identifiers(before)) if inline }}
),
{% endmacro %}

-- What the lists and the truth have in common: a query.
{% macro hits_of_lists(plan, named, places) %}
{% set keys = plan.list_keys %}
{% set is_judged = sqlrec.double('case when relevant.grade < 0 and relevant.is_relevant = 0 then 0 else 1 end') if plan.truth.columns.relevance else sqlrec.double(1) %}
{% set down = 'partition by ' ~ sqlrec.names(keys, 'listed') ~ ' order by listed.rank asc' %}
{% set down_to_here = '\n                ' ~ down ~ ' rows between unbounded preceding and current row\n            ' %}
{% set of_places %}
    listed.rank,
    listed.place,
    relevant.relevance,
    relevant.is_relevant as hit,
    relevant.is_relevant * relevant.is_top as top_hit,
    sum(relevant.{{ 'relevant_rows' if plan.truth_duplicates == 'summed' else 'is_relevant' }}) over ({{ down_to_here }}) as hits_so_far,
    {{ is_judged }} as is_judged,
    sum({{ is_judged }}) over ({{ down_to_here }}) as judged_so_far,
    sum({{ sqlrec.double(1) }}) over ({{ down_to_here }}) as named_so_far,
    sum(relevant.relevance) over ({{ down_to_here }}) as gain_so_far,
    sum({{ sqlrec.discount('dcg', 'listed.rank', 'relevant.relevance') }}) over ({{ down_to_here }}) as dcg_so_far,
    {# Past the end of the best list, what it has as a whole. #}
    coalesce(best.best_dcg, best_ends.best_dcg) as best_dcg,
    coalesce(best.best_gain, best_ends.best_gain + listed.rank - best_ends.best_items) as best_gain,
    best_ends.best_items,
    best_ends.best_total,
    best_ends.best_relevance,
    best.best_later,
    {% for name in sqlrec.starting(named, 'stop_') %}
    {{ sqlrec.stop('relevant.enough_' ~ name[5:], down) }} as {{ name }},
    {% endfor %}
    {% for k in plan.cutoffs %}
    listed.{{ sqlrec.column_at(plan, 'shared', k) }},
    {% endfor %}
{% endset %}
{# Lists by score that are read whole end here at the deepest cutoff: what lies below is not numbered. #}
{% set last_place = sqlrec.last_place(plan, sqlrec.lists_of(plan)) %}
{% set by_place = plan.truth_duplicates != 'lines' and not sqlrec.shares_places(plan) %}
{% set ends_here = not plan.audit and plan.order == 'score' and plan.ends != last_place and last_place < plan.whole_list and by_place %}
{% set select = sqlrec.chosen(of_places, named + (['rank'] if not plan.k else []) + (['place'] if plan.truth_duplicates == 'lines' else [])) %}
{% set gathered = places == 'listed' and sqlrec.gathered_places(plan) | trim %}
{# Judgements that are all alike need not be looked up: an entry above that reads more of them has them joined. #}
{% set alike = gathered and sqlrec.is_ungraded(plan) and sqlrec.read_of('relevant', select) == ['is_relevant'] %}
        select {{ sqlrec.taken(keys, 'listed') }}
        {{- select | indent(4) }}
        from {{ sqlrec.spread_places() ~ ' as ' if gathered else places ~ ' as ' if places != 'listed' }}listed
        {% if alike %}
        cross join (select {{ sqlrec.double(1) }} as is_relevant) as relevant
        {% else %}
        join {{ sqlrec.relevant_once(plan) }} on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
        {% endif %}
        {%- call sqlrec.kept_joins(sqlrec.identifiers(select)) %}
        left join best on best.user_id = listed.user_id and best.rank = listed.rank
        left join best_ends on best_ends.user_id = listed.user_id
        {%- endcall %}
        {% if plan.k and not sqlrec.is_all(plan) %}
        where {{ sqlrec.reaches(plan, 'listed', '') }}
        {% elif ends_here %}
        where listed.rank <= {{ last_place }}
        {% endif %}
{% endmacro %}

-- A place is within the cutoff, or shares what places within are worth: a condition.
{% macro reaches(plan, table, cutoffs) -%}
{%- set within = sqlrec.within(plan, table ~ ('.place' if plan.truth_duplicates == 'lines' else '.rank'), cutoffs) -%}
{{ '(' ~ within ~ ' or ' ~ sqlrec.at_cutoff(plan, 'shared', table, cutoffs ~ '.k') ~ ' > 0)' if sqlrec.shares_places(plan) else within }}
{%- endmacro %}

-- By how much the precision at a hit exceeds that at every later one: an expression over evaluated users
-- and their hits.
{% macro precision_lead(plan, row) -%}
{%- set precision = 'item.hit * item.hits_so_far / item.rank' -%}
{%- set later = 'max(' ~ precision ~ ') over (partition by ' ~ sqlrec.picked(row, sqlrec.with_cutoff(plan, plan.list_keys)) | join(', ') ~ ' order by item.rank desc rows between unbounded preceding and 1 preceding)' -%}
coalesce({{ sqlrec.greatest(precision ~ ' - coalesce(' ~ later ~ ', 0)', 0) }}, 0)
{%- endmacro %}

-- The cutoff; of whole lists, which have none, the places of the list: an expression over evaluated users.
{% macro asked_length(plan, row) -%}
{%- if plan.k -%}
{{ row.list_length if plan.k == plan.whole_list else plan.k }}
{%- else -%}
case when {{ row.k }} < {{ plan.whole_list }} then {{ row.k }} else {{ row.list_length }} end
{%- endif -%}
{%- endmacro %}

-- The columns that are the same in all rows of a user and cutoff.
{% macro hits_keys(plan, used) %}
{{ return(sqlrec.hits_constants(plan, used) + ['asked_length', 'catalog_items'] | select('in', used) | list) }}
{% endmacro %}
{% macro hits_constants(plan, used) %}
{{ return(
    sqlrec.user_groups(plan, used) + ['relevant_items', 'judged_items', 'nonrelevant_items', 'gain_levels', 'goes_past'] | select('in', used) | list
    + sqlrec.ideal_names(used)
) }}
{% endmacro %}

{% macro hits_population(plan) %}{{ plan.population }}{% endmacro %}
