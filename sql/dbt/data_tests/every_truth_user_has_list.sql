-- Every user of the truth has a list, or a list from each model if model_column is set. Fails with
-- a row per user without a list.
{% test every_truth_user_has_list(model, truth, user_id='user_id', truth_user_id=none, model_column=none) %}
{{ adapter.dispatch('test_every_truth_user_has_list', 'sqlrec')(model, truth, user_id, truth_user_id, model_column) }}
{% endtest %}
{% macro default__test_every_truth_user_has_list(model, truth, user_id, truth_user_id, model_column) %}
with
lists as (
    select distinct {{ sqlrec.key(user_id) }} as user_id, {{ sqlrec.identifier(model_column) if model_column else 1 }} as model
    from {{ model }}
    {{ 'where ' ~ sqlrec.identifier(model_column) ~ ' is not null' if model_column }}
),
models as (
    select count(distinct model) as models from lists
),
users as (
    select distinct {{ sqlrec.key(truth_user_id or user_id) }} as user_id
    from {{ truth }}
),
counted as (
    select users.user_id, count(lists.user_id) as lists
    from users
    left join lists on lists.user_id = users.user_id
    group by users.user_id
)
select counted.user_id, counted.lists, models.models
from counted
cross join models
where counted.lists = 0 or counted.lists < models.models
{% endmacro %}
