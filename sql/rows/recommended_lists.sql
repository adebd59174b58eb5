-- Recommended lists: one row per list and cutoff at which the list is not empty. Lists of users who
-- are not in the truth have rows too.
--
--   model          the model of the list, if there are several
--   user_id        the user
--   <segment>      a column of `by`, with one value for each user
--   k              the cutoff
--   list_length    the length of the list, at most k; never 0
--   tied           1 if ranks k and k + 1 have the same score; only in lists ordered by score
--   is_short       1 if the list ends before k, else 0; whole lists are not short
--
-- Ranks within the cutoff: one row per rank of such a list within k, with the columns above, the
-- columns of the query of ranks, and
--
--   first_of_list  1 for the first row of a list and cutoff, else 0

{% macro recommended_lists(plan) %}
{% if plan.has_one_group %}
-- The users with a list, and its length.
recommended_lists as (
    select model, user_id, cast({{ plan.k }} as bigint) as k,
        {{ 'cast(count(*) as bigint)' if adapter.type() == 'clickhouse' else 'count(*)' }} as list_length,
        case when count(*) < {{ plan.k }} then 1 else 0 end as is_short,
        0 as tied
    from listed
    where rank <= {{ plan.k }}
    group by model, user_id
),
{% else %}
-- The lists that reach the cutoff{{ 's' if not plan.k }}.
{% set length = sqlrec.at_cutoff(plan, 'ranks', 'list_lengths') %}
recommended_lists as (
    select list_lengths.model, list_lengths.user_id, cutoffs.k,
        {% for segment in plan.by if segment.table != 'draws' %}{{ segment.table }}_segments.{{ segment.name }}, {% endfor %}
        {{ length }} as list_length,
        case when {{ length }} < cutoffs.k and cutoffs.k < {{ plan.whole_list }} then 1 else 0 end as is_short,
        {{ sqlrec.at_cutoff(plan, 'tied', 'list_lengths') }} as tied
    from list_lengths
    cross join cutoffs
    {{- sqlrec.account_joins(plan, 'list_lengths') }}
    where {{ length }} > 0
),
{% endif %}
{% endmacro %}

-- The rows of a query of ranks, within each cutoff. With one group, or without reads_lists, the
-- left join with lists is removed if it is not read. With several groups, an inner join is faster.
{% macro ranks_within_cutoff(plan, kind, name, ranks, reads_lists=true) %}
{% set k = 'cutoffs.k' if plan.has_one_group or not reads_lists else 'recommended_lists.k' %}
-- The ranks of each list within the cutoff.
{{ name }} as (
    select {{ ranks }}.*, {{ k }},
        {% for segment in plan.by if segment.table != 'draws' %}recommended_lists.{{ segment.name }}, {% endfor %}
        recommended_lists.list_length,
        recommended_lists.is_short,
        recommended_lists.tied,
        case
            when row_number() over (
                partition by {{ ranks }}.model, {{ ranks }}.user_id, {{ k }} order by {{ ranks }}.rank asc
            ) = 1 then 1
            else 0
        end as first_of_list
    {% if k == 'cutoffs.k' %}
    from {{ ranks }}
    cross join cutoffs
    left join recommended_lists
        on recommended_lists.model = {{ ranks }}.model and recommended_lists.user_id = {{ ranks }}.user_id
        and recommended_lists.k = cutoffs.k
    {% else %}
    from recommended_lists
    join {{ ranks }} on {{ ranks }}.model = recommended_lists.model and {{ ranks }}.user_id = recommended_lists.user_id
    {% endif %}
    where {{ ranks }}.rank <= {{ k }}
),
{% endmacro %}

{% macro repeated_pairs(plan) %}
-- Each rank, with the number of ranks above with the same item.
ranks_again as (
    select model, user_id, item_id, rank,
        cast(row_number() over (partition by model, user_id, item_id order by rank asc) - 1 as double) as ranks_above
    from listed
),
-- The number of pairs of ranks of a list with the same item.
repeated_pairs as (
    select recommended_lists.model, recommended_lists.user_id, recommended_lists.k,
        sum(ranks_again.ranks_above) as repeated_pairs
    from recommended_lists
    join ranks_again
        on ranks_again.model = recommended_lists.model and ranks_again.user_id = recommended_lists.user_id
        and ranks_again.rank <= recommended_lists.k
    group by recommended_lists.model, recommended_lists.user_id, recommended_lists.k
),
{% endmacro %}
