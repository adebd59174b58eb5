-- Judged: one row per model, user, cutoff and judged item of the list within k. A user with none has
-- one row all the same, without hit and past every cutoff.
--
-- The same in all rows of a user and cutoff:
--
--   k               the cutoff
--   list_length     the places of the list, at most k
--   asked_length    the cutoff; of whole lists, which have none, the places of the list
--   relevant_items  how many items are relevant to the user
--   judged_items    how many items the truth judges for the user
--   nonrelevant_items  how many of them are judged and not relevant
--   catalog_items   how many items the catalog has
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--   ideal_...       what the user's best list is worth (see rows/ideal.sql)
--
-- Row by row:
--
--   rank            the item's place, from 1
--   hit             1 where the item is relevant, else 0
--   hits_so_far     hits at this place and above
--   misses_so_far   places down to this one without hit, judged or not
--   relevance       the item's grade, at least 0; 1 where the truth does not grade
--   discount        the weight of the place: 1 / log2(rank + 1)
--   late_discount   the same of the paper of 2002: 1 / log2(rank), and 1 for the first two places
--   gain_so_far, dcg_so_far   the sum of grades, and of grades by discounts, at this place and above
--   best_...        what the user's best list has down to this place, and as a whole (see rows/best.sql)
--   is_judged       1 where the item is judged. A grade below 0 says that it was to be judged and was
--                   not, unless it counts as relevant
--   judged_so_far   judged items at this place and above
--   named_so_far    the same with those that were to be judged
--   stop_<max_grade>  the chance that somebody who reads from the top stops here, which at grade g is
--                   (2^g - 1) / 2^max_grade for who gets here

{% macro judged(plan, kind, used) %}
{% set keys = plan['keys'] %}
{% set stops = sqlrec.words(used, 'stop_').split() %}
{# Ranks as they are given may leave places out, which hold no item. #}
{% set gaps = plan.order == 'rank' and 'misses_so_far' in used %}
{% set is_judged %}case when relevant.grade < 0 and relevant.relevant = 0 then {{ sqlrec.double(0) }} else {{ sqlrec.double(1) }} end{% endset %}
{% set so_far %}over (
            partition by {{ sqlrec.names(keys, 'listed') }} order by listed.rank asc
            rows between unbounded preceding and current row
        ){% endset %}
{# A repeated item is a hit at its first place alone, or at each. #}
{% set once = plan.duplicates == 'once' %}
{% set hit = 'case when listed.rank = listed.first_rank then relevant.relevant else 0 end' if once else 'relevant.relevant' %}
{% set relevance = 'case when listed.rank = listed.first_rank then relevant.relevance else 0 end' if once else 'relevant.relevance' %}
{% set carried = ['relevance', 'hit']
    + (['hits_so_far'] if 'hits_so_far' in used or 'misses_so_far' in used else [])
    + (['place'] if gaps else [])
    + sqlrec.mentioned('discount late_discount', used).split()
    + (['is_judged'] if 'is_judged' in used else [])
    + (['judged_so_far'] if 'judged_so_far' in used else [])
    + (['named_so_far'] if 'named_so_far' in used else []) %}
{% set beside = sqlrec.words(used, 'best_').split() %}
{% set carried = carried + sqlrec.mentioned('gain_so_far dcg_so_far', used).split() + beside %}
{% set shared = plan.ties == 'shared' and plan.order == 'score' and 'discount' in carried %}
{% set below = plan.unlisted != 'absent' %}
{% set in_lines = plan.truth_duplicates == 'lines' %}
{% set places = 'with_unlisted' if below else 'crossed' if plan.duplicates == 'crossed' else 'lines' if in_lines else 'listed_in_places' if gaps or once else 'listed' %}
{% if gaps or once %}
listed_in_places as (
    select
        {{ sqlrec.names(keys) }},
        item_id,
        {%- if once %}
        min(rank) over (partition by {{ sqlrec.names(keys) }}, item_id) as first_rank,
        {%- endif %}
        {%- if gaps %}
        row_number() over (partition by {{ sqlrec.names(keys) }} order by rank asc, {{ sqlrec.by_item('asc') }}) as place,
        {%- endif %}
        {%- if shared %}
        {%- for k in plan.cutoffs %}
        {{ sqlrec.column_at(plan, 'shared', k) }},
        {%- endfor %}
        {%- endif %}
        rank
    from listed
),
{% endif %}
{% if below %}
{{ sqlrec.unlisted(plan, shared) }}
{% endif %}
{% if beside %}
{{ sqlrec.best(plan) }}
{% endif %}
-- What the lists and the truth have in common.
hits as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.rank as rank,
        {{ relevance }} as relevance,
        {{ hit }} as hit
        {%- if shared %}
        {%- for k in plan.cutoffs %},
        listed.{{ sqlrec.column_at(plan, 'shared', k) }} as {{ sqlrec.column_at(plan, 'shared', k) }}
        {%- endfor %}
        {%- elif 'discount' in carried %},
        {{ sqlrec.discount('dcg', 'listed.rank') }} as discount
        {%- endif %}
        {%- if 'late_discount' in carried %},
        {{ sqlrec.discount('late_dcg', 'listed.rank') }} as late_discount
        {%- endif %}
        {%- if 'hits_so_far' in carried %},
        sum({{ 'relevant.relevant_rows' if plan.truth_duplicates == 'summed' else hit }}) {{ so_far }} as hits_so_far
        {%- endif %}
        {%- if gaps or in_lines %},
        listed.place as place
        {%- endif %}
        {%- if 'is_judged' in used %},
        {{ is_judged }} as is_judged
        {%- endif %}
        {%- if 'judged_so_far' in used %},
        sum({{ is_judged }}) {{ so_far }} as judged_so_far
        {%- endif %}
        {%- if 'named_so_far' in used %},
        sum({{ sqlrec.double(1) }}) {{ so_far }} as named_so_far
        {%- endif %}
        {%- if 'gain_so_far' in used %},
        sum({{ relevance }}) {{ so_far }} as gain_so_far
        {%- endif %}
        {%- if 'dcg_so_far' in used %},
        sum({{ relevance }} * {{ sqlrec.discount('dcg', 'listed.rank') }}) {{ so_far }} as dcg_so_far
        {%- endif %}
        {%- for column in beside %},
        {{ sqlrec.best_at(column) }} as {{ column }}
        {%- endfor %}
        {%- for column in stops %},
        sum({{ sqlrec.log_of_going_on(sqlrec.from_name(column[5:]) | float, 'relevant.relevance') }}) {{ so_far }} as gone_on_{{ column[5:] }}
        {%- endfor %}
    from {{ places ~ ' as ' if places != 'listed' }}listed
    join {{ 'met as ' if plan.truth_duplicates in ['rows', 'summed', 'lines'] }}relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
    {%- if beside %}
    left join best on best.user_id = listed.user_id and best.rank = listed.rank
    left join best_ends on best_ends.user_id = listed.user_id
    {%- endif %}
),
reached as (
    {%- if shared %}
    {#- Items below the cutoff whose score reaches into it are among the rows, for a DCG. #}
    select {{ sqlrec.names(keys) }}, k, rank, {{ sqlrec.names(carried | reject('equalto', 'discount')) }},
        {{ sqlrec.at_cutoff(plan, 'shared', 'hits', 'k') }} as discount
    {%- else %}
    select {{ sqlrec.names(keys) }}, k, rank, {{ sqlrec.names(carried) }}
    {%- endif %}
        {%- for column in stops %},
        {{ sqlrec.stop(sqlrec.from_name(column[5:]) | float, 'gone_on_' ~ column[5:]) }} as {{ column }}
        {%- endfor %}
    from hits
    cross join cutoffs
    where {{ 'place' if in_lines else 'rank' }} <= k{{ ' or ' ~ sqlrec.at_cutoff(plan, 'shared', 'hits', 'k') ~ ' > 0' if shared }}
),
judged as (
    select
        {{ sqlrec.taken(sqlrec.judged_keys(plan, used | replace('catalog_items', '') | replace('asked_length', '')).split(), 'evaluated') }},
        {%- if 'asked_length' in used %}
        case when evaluated.k < {{ plan.whole_list }} then evaluated.k else evaluated.list_length end as asked_length,
        {%- endif %}
        {%- if 'catalog_items' in used %}
        {{ sqlrec.double('catalog_counts.catalog_items') }} as catalog_items,
        {%- endif %}
        case when reached.rank > 0 then reached.rank else {{ plan.past_every_cutoff }} end as rank,
        coalesce(reached.hit, 0) as hit,
        {%- for column in carried[2:] + stops if column != 'place' %}
        coalesce(reached.{{ column }}, {{ sqlrec.double(0) }}) as {{ column }},
        {%- endfor %}
        {%- if 'misses_so_far' in used %}
        coalesce(reached.{{ 'place' if gaps else 'rank' }} - reached.hits_so_far, 0) as misses_so_far,
        {%- endif %}
        coalesce(reached.relevance, 0) as relevance
    from evaluated
    left join reached
        on {{ sqlrec.same(keys, 'reached', 'evaluated') }}
        and reached.k = evaluated.k
    {%- if 'catalog_items' in used %}
    cross join catalog_counts
    {%- endif %}
),
{% endmacro %}

-- The columns that are the same in all rows of a user and cutoff.
{% macro judged_keys(plan, used) -%}
{{ sqlrec.user_groups(plan) }} relevant_items {{ 'judged_items ' if 'judged_items' in used }}{{ 'nonrelevant_items ' if 'nonrelevant_items' in used }}{{ 'asked_length ' if 'asked_length' in used }}{{ 'catalog_items ' if 'catalog_items' in used }}{{ sqlrec.ideal_names(used) }}
{%- endmacro %}

{% macro judged_population(plan) %}{{ plan.population }}{% endmacro %}

-- What an item is worth: an expression over a row.
{% macro gain(gain) -%}
{%- if gain == 'binary' -%} hit
{%- elif gain == 'linear' -%} relevance
{%- else -%} (power({{ sqlrec.double(2) }}, relevance) - 1)
{%- endif -%}
{%- endmacro %}

-- What a graded item is worth to who loses patience: half as many as before come each half-life - 1
-- places further down.
{% macro utility(half_life, neutral) -%}
case
    when relevance > {{ sqlrec.double(neutral) }} and (rank - 1) / {{ sqlrec.double(half_life - 1) }} < 800
    then (relevance - {{ sqlrec.double(neutral) }}) * power({{ sqlrec.double(2) }}, (1 - rank) / {{ sqlrec.double(half_life - 1) }})
    else {{ sqlrec.double(0) }}
end
{%- endmacro %}

-- 2^max_grade times the chance that an item of this grade is not enough. It is never 0, not even after
-- rounding.
{% macro going_on(max_grade, relevance) -%}
case
    when {{ relevance }} < {{ sqlrec.double(max_grade) }}
    then {{ sqlrec.double(2.0 ** max_grade) }} - power({{ sqlrec.double(2) }}, {{ sqlrec.least(relevance, sqlrec.double(max_grade)) }}) + 1
    else {{ sqlrec.double(1) }}
end
{%- endmacro %}
{% macro log_of_going_on(max_grade, relevance='relevance') -%}
ln(({{ sqlrec.going_on(max_grade, relevance) }}) / {{ sqlrec.double(2.0 ** max_grade) }})
{%- endmacro %}

-- The chance to stop at an item, of the logarithm of the chance to go on past it and all above. What is
-- next to nothing is 0: engines refuse to compute it.
{% macro stop(max_grade, gone_on) -%}
case
    when {{ gone_on }} > -600
    then exp({{ gone_on }})
        * (power({{ sqlrec.double(2) }}, {{ sqlrec.least('relevance', sqlrec.double(max_grade)) }}) - 1)
        / ({{ sqlrec.going_on(max_grade, 'relevance') }})
    else {{ sqlrec.double(0) }}
end
{%- endmacro %}

-- The best precision from where on a share of the relevant items is found. The share is brought to
-- whole items: to the nearest number, up, or up from a tenth on as programs have it that add 0.9.
{% macro precision_from(recall, rounding) -%}
max(
    case
        when hits_so_far >= {% if rounding == 'nearest' -%}
            floor({{ sqlrec.double(recall) }} * relevant_items + {{ sqlrec.double(0.5) }})
            {%- elif rounding == 'tenth' -%}
            floor({{ sqlrec.double(recall) }} * relevant_items + {{ sqlrec.double(0.9) }})
            {%- else -%}
            {{ sqlrec.double(recall) }} * relevant_items - {{ sqlrec.double(0.000000001) }}
            {%- endif %}
        then hit * hits_so_far / rank
        else {{ sqlrec.double(0) }}
    end
)
{%- endmacro %}

-- A value, rounded to five decimals if asked for. Beside 2^52 a double has no room for a fraction, so
-- the sum is whole, and of two that are as near the even one: engines' own round differs in that.
{% macro rounded(value, digits) -%}
{%- set whole = sqlrec.double(2.0 ** 52) -%}
{{ '((' ~ value ~ ' * 100000 + ' ~ whole ~ ') - ' ~ whole ~ ') / 100000' if digits == 'five' else value }}
{%- endmacro %}

-- A number as part of a name, and back.
{% macro in_name(number) -%}
{{ number | string | replace('.', 'p') | replace('-', 'm') }}
{%- endmacro %}
{% macro from_name(text) -%}
{{ text | replace('p', '.') | replace('m', '-') }}
{%- endmacro %}
