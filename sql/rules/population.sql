-- population: the users in the mean, at each cutoff. The macro `population__VALUE` is the query
-- `population` for this value.

-- Properties of each value (sqlrec/rules.py lists them).
{% macro population_properties() %}
{{ return({
    'truth': ['is_judged', 'is_relevant'],
    'truth_and_recs': ['is_judged', 'is_relevant', 'has_list'],
    'judged': ['is_judged'],
    'judged_and_recs': ['is_judged', 'has_list'],
    'recs': ['has_list'],
    'all': [],
}) }}
{% endmacro %}

-- truth: averages over users with a relevant item.
{% macro population__truth(plan) %}
-- The population: users with relevant items.
population as (
    select models.model, truth_users.user_id, cutoffs.k
    from truth_users
    cross join models
    cross join cutoffs
    where truth_users.relevant_items > 0
),
{% endmacro %}

-- truth_and_recs: averages over users with a relevant item who have a list.
{% macro population__truth_and_recs(plan) %}
-- The population: users with relevant items and a list.
population as (
    select models.model, truth_users.user_id, cutoffs.k
    from truth_users
    cross join models
    cross join cutoffs
    join list_lengths on list_lengths.model = models.model and list_lengths.user_id = truth_users.user_id
    where truth_users.relevant_items > 0 and {{ sqlrec.at_cutoff(plan, 'ranks', 'list_lengths') }} > 0
),
{% endmacro %}

-- judged: averages over all users of the truth.
{% macro population__judged(plan) %}
-- The population: users of the truth.
population as (
    select models.model, truth_users.user_id, cutoffs.k
    from truth_users
    cross join models
    cross join cutoffs
),
{% endmacro %}

-- judged_and_recs: averages over users of the truth who have a list.
{% macro population__judged_and_recs(plan) %}
-- The population: users of the truth with a list.
population as (
    select models.model, truth_users.user_id, cutoffs.k
    from truth_users
    cross join models
    cross join cutoffs
    join list_lengths on list_lengths.model = models.model and list_lengths.user_id = truth_users.user_id
    where {{ sqlrec.at_cutoff(plan, 'ranks', 'list_lengths') }} > 0
),
{% endmacro %}

-- recs: averages over users with a list.
{% macro population__recs(plan) %}
-- The population: users with a list.
population as (
    select list_lengths.model, list_lengths.user_id, cutoffs.k
    from list_lengths
    cross join cutoffs
    where {{ sqlrec.at_cutoff(plan, 'ranks', 'list_lengths') }} > 0
),
{% endmacro %}

-- all: averages over users who are in the truth or have a list.
{% macro population__all(plan) %}
-- The population: users of the truth, and users with a list within the cutoff.
population as (
    select models.model, truth_users.user_id, cutoffs.k
    from truth_users
    cross join models
    cross join cutoffs
    union all
    select list_lengths.model, list_lengths.user_id, cutoffs.k
    from list_lengths
    cross join cutoffs
    left join truth_users on truth_users.user_id = list_lengths.user_id
    where truth_users.user_id is null and {{ sqlrec.at_cutoff(plan, 'ranks', 'list_lengths') }} > 0
),
{% endmacro %}
