-- Judged: one row per model, user, cutoff and judged item of the list within k. A user with none has
-- one row all the same, without hit and past every cutoff.
--
-- The same in all rows of a user and cutoff:
--
--   k               the cutoff
--   list_length     the places of the list, at most k
--   relevant_items  how many items are relevant to the user
--   judged_items    how many items the truth judges for the user
--   tied            1 where places k and k + 1 have the same score; only in lists ordered by score
--   ideal_dcg_...   the DCG of the user's best list (see rows/ideal.sql)
--
-- Row by row:
--
--   rank            the item's place, from 1
--   hit             1 where the item is relevant, else 0
--   hits_so_far     hits at this place and above
--   relevance       the item's grade, at least 0; 1 where the truth does not grade
--   discount        the weight of the place: 1 / log2(rank + 1)

{% macro judged(plan, kind, used) %}
{% set keys = plan['keys'] %}
-- What the lists and the truth have in common.
hits as (
    select
        {{ sqlrec.taken(keys, 'listed') }},
        listed.rank as rank,
        relevant.relevance as relevance,
        relevant.relevant as hit
        {%- if 'discount' in used %},
        1 / {{ sqlrec.log2('listed.rank + 1') }} as discount
        {%- endif %}
        {%- if 'hits_so_far' in used %},
        sum(relevant.relevant) over (
            partition by {{ sqlrec.names(keys, 'listed') }} order by listed.rank asc
            rows between unbounded preceding and current row
        ) as hits_so_far
        {%- endif %}
    from listed
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),
reached as (
    select {{ sqlrec.names(keys) }}, k, rank, relevance, hit{{ ', hits_so_far' if 'hits_so_far' in used }}{{ ', discount' if 'discount' in used }}
    from hits
    cross join cutoffs
    where rank <= k
),
judged as (
    select
        {{ sqlrec.taken(sqlrec.judged_keys(plan, used).split(), 'evaluated') }},
        case when reached.rank > 0 then reached.rank else {{ plan.past_every_cutoff }} end as rank,
        coalesce(reached.hit, 0) as hit,
        {%- if 'hits_so_far' in used %}
        coalesce(reached.hits_so_far, 0) as hits_so_far,
        {%- endif %}
        {%- if 'discount' in used %}
        coalesce(reached.discount, 0) as discount,
        {%- endif %}
        coalesce(reached.relevance, 0) as relevance
    from evaluated
    left join reached
        on {{ sqlrec.same(keys, 'reached', 'evaluated') }}
        and reached.k = evaluated.k
    {%- if plan.population in ['truth_and_recs', 'recs'] %}
    where evaluated.list_length > 0
    {%- endif %}
),
{% endmacro %}

-- The columns that are the same in all rows of a user and cutoff.
{% macro judged_keys(plan, used) -%}
{{ sqlrec.user_groups(plan) }} relevant_items {{ 'judged_items ' if 'judged_items' in used }}{{ sqlrec.ideal_names(used) }}
{%- endmacro %}

{% macro judged_population(plan) %}{{ plan.population }}{% endmacro %}

-- What an item is worth: an expression over a row.
{% macro gain(gain) -%}
{%- if gain == 'binary' -%} hit
{%- elif gain == 'linear' -%} relevance
{%- else -%} (power({{ sqlrec.double(2) }}, relevance) - 1)
{%- endif -%}
{%- endmacro %}
