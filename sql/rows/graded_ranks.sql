-- Graded ranks: one row per rank of a list down to some rank, with the grade of its item, for
-- strings of grades as trec_eval prints them.
--
--   user_id   the user
--   rank      the rank, from 1
--   grade     the item's grade as in the truth; null if the truth does not have the item
--   violations    broken rules, in all inputs

{% macro graded_ranks(plan) %}
{% set ranks %}
select listed.user_id as user_id, listed.rank as rank, relevant.grade as grade, violation_counts.violations as violations
from listed
left join relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
cross join violation_counts
where listed.rank <= {{ plan.last }}
{% endset %}
{% set violation_counts = sqlrec.violation_counts(plan) %}
with
{{ sqlrec.queries_read(plan, ranks ~ violation_counts) }}
{{ violation_counts | trim | trim(',') }}
{{ ranks }}
{{ sqlrec.ending() }}
{% endmacro %}
