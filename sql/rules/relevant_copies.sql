-- duplicates: outer, outer_in_k, crossed. An item that a list repeats counts as several relevant
-- items.
--
-- Relevant copies: one row per model, user, cutoff and row of the truth (relevant, or with a
-- relevance above 0), for each rank of its item in the list, or one row if the list lacks the item.
-- `outer` counts all ranks of the list, and `outer_in_k` counts the ranks within the cutoff. With
-- `crossed`, an item with m ranks and n rows of the truth counts m * n times, because some
-- libraries join lists and truth without removing repeated rows.
--
-- Relevant copy counts: relevant_items and ideal_items, the numbers of these rows by model and
-- user, and with `outer_in_k` by cutoff too.

-- The ranks of items of the truth, joined with themselves: an item at m ranks has m * m rows per
-- judgment.
{% macro crossed_ranks(plan) %}
crossed as (
    select listed.model, listed.user_id, listed.item_id, listed.rank, listed.rank as counted_rank
    from listed
    join listed as twin on twin.model = listed.model and twin.user_id = listed.user_id and twin.item_id = listed.item_id
    join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),
{% endmacro %}

-- outer: rows do not depend on the cutoff, because all ranks of a list count.
{% macro relevant_copies__outer(plan) %}
-- Each user's relevant items: a row per rank in the list, or one row without a rank.
relevant_copies as (
    select models.model, relevant.user_id, relevant.item_id, relevant.relevance, relevant.is_relevant
    from relevant
    cross join models
    left join listed on listed.user_id = relevant.user_id and listed.model = models.model and listed.item_id = relevant.item_id
    where relevant.relevance > 0 or relevant.is_relevant > 0
),
-- The numbers of these rows by model and user.
relevant_copy_counts as (
    select model, user_id, cast(sum(is_relevant) as bigint) as relevant_items, count(*) as ideal_items
    from relevant_copies
    group by model, user_id
),
{% endmacro %}

{% macro relevant_copies__outer_in_k(plan) %}
-- Each user's relevant items: a row for each rank of the list within the cutoff with the item, at least one.
relevant_copies as (
    select models.model, relevant.user_id, cutoffs.k, relevant.item_id, relevant.relevance, relevant.is_relevant
    from relevant
    cross join models
    cross join cutoffs
    left join {{ 'crossed as listed' if 'crosses_ranks' in plan.properties.duplicates else 'listed' }} on listed.user_id = relevant.user_id and listed.model = models.model and listed.item_id = relevant.item_id and listed.rank <= cutoffs.k
    where relevant.relevance > 0 or relevant.is_relevant > 0
),
-- The numbers of these rows by user.
relevant_copy_counts as (
    select model, user_id, k, cast(sum(is_relevant) as bigint) as relevant_items, count(*) as ideal_items
    from relevant_copies
    group by model, user_id, k
),
{% endmacro %}

{% macro relevant_copies__crossed(plan) %}{{ sqlrec.relevant_copies__outer_in_k(plan) }}{% endmacro %}

-- The keys of the counts. With outer, the counts are equal at each cutoff.
{% macro relevant_copy_keys(plan) %}{{ return(['model', 'user_id'] if 'same_for_cutoffs' in plan.properties.duplicates else ['model', 'user_id', 'k']) }}{% endmacro %}
