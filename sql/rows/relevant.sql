-- Relevant: one row per item that the truth judges for a user; where no column asks for the others, those
-- alone that are relevant.
--
--   user_id         the user
--   item_id         the item
--   relevance       how relevant it is, a double: its grade; 1 without grades, 0 for a grade below 0
--   is_relevant     1 where the item counts as relevant, else 0: a double, by which others are divided
--   is_top          1 where no item of the user has a higher grade, else 0
--   grade           its grade as it is given, also below 0; 1 without grades
--   propensity      the probability that the item was shown to the user, if the truth has the column
--   best_rank       its place in the best list of the user's items
--   enough_<max_grade>  the probability that the item satisfies a user who gets there, (2^g - 1) / 2^max_grade
--   enough_own      the same, with the highest grade of the user's items
--   best_stop_<max_grade>  the probability that a user who reads the best list stops at its place
--   misgraded       1 where the grade is missing, or too large to be added up; else 0
--   improbable      1 where the propensity is not a probability, or one too small to be divided by; else 0
--   again           1 where the row before has the same user and item
--
-- Where the truth may name an item more than once, its rows stay; `first_judgments` has each item once then.
--
-- Truth users: one row per user of the truth.
--
--   judged_items    how many items are judged
--   relevant_items  how many items are relevant
--   gained          how many items have a gain, a relevance above 0
--   gain_levels     how many different gains they have
--   ideal_items     how many a best list could hold: relevant, or with a relevance above 0
--   nonrelevant_items  how many are judged and not relevant; a grade below 0 is not a judgement
--   ideal_...       what the user's best list is worth (see rows/ideal.sql)
--   violations      broken rules: no user, no item, no grade or too large a one, an item twice

{% macro relevant(plan, used) %}
{% set truth = plan.truth %}
{% set source = sqlrec.judgements(plan, used) %}
{% set user, item, grade = source.user, source.item, source.grade %}
{{ source.queries }}
{% set alone = sqlrec.relevant_alone(plan, used) %}
{% set least = plan.relevance_threshold %}
{% set threshold = '> 0' if least is none else '>= ' ~ sqlrec.double(least) %}
{% set below_all = least is not none and least < -plan.largest_relevance %}
{% set all_relevant = alone or below_all or (least is none and not truth.columns.relevance) %}
{% set best_first = 'partition by ' ~ user ~ ' order by ' ~ (source.graded ~ ' desc, ' if truth.columns.relevance) ~ item ~ ' asc' %}
{% set relevance = grade if alone or not truth.columns.relevance else 'case when ' ~ source.graded ~ ' > 0 then ' ~ grade ~ ' else 0 end' %}
{% set again = sqlrec.follows_itself(plan, ['user_id']) | trim if 'again' in used and plan.truth_duplicates == 'error' else '' %}
{% set most = sqlrec.double(plan.largest_relevance) %}
{% set columns %}
    {{ relevance }} as relevance,
    {{ sqlrec.double(1) if all_relevant else sqlrec.indicator(source.graded ~ ' ' ~ threshold) }} as is_relevant,
    {{ sqlrec.indicator(grade ~ ' >= max(' ~ grade ~ ') over (partition by ' ~ user ~ ')') }} as is_top,
    {{ grade }} as grade,
    {% if source.propensity %}
    {{ source.propensity }} as propensity,
    case when {{ source.propensity }} = 0 or {{ source.propensity }} between {{ sqlrec.double(1e-100) }} and 1 or {{ source.propensity }} is null then 0 else 1 end as improbable,
    {% endif %}
    case when {{ grade }} between -{{ most }} and {{ most }} then 0 else 1 end as misgraded,
    row_number() over ({{ best_first }}) as best_rank,
    {% if again %}
    {{ again }} as again,
    {% endif %}
    {% for grade in sqlrec.rests(used, 'enough_') %}
    {{ sqlrec.enough_on_own_scale(relevance, user) if grade == 'own' else sqlrec.enough(sqlrec.from_name(grade) | float, relevance) }} as enough_{{ grade }},
    {% endfor %}
    {% for grade in sqlrec.rests(used, 'best_stop_') %}
    {{ sqlrec.stop('(' ~ sqlrec.enough(sqlrec.from_name(grade) | float, relevance) ~ ')', best_first) }} as best_stop_{{ grade }},
    {% endfor %}
{% endset %}
-- {{ "Each user's relevant items" if all_relevant else "Each user's judged items" }}{{ ', numbered as the best list shows them' if 'best_rank' in used }}.
relevant as (
    select {{ sqlrec.named(user, 'user_id') }}, {{ sqlrec.named(item, 'item_id') }}
        {{- sqlrec.chosen(columns, used) }}
    from {{ '(select * from ' ~ source.relation ~ ' order by ' ~ user ~ ', ' ~ item ~ ') as in_order' if again else source.relation }}
    {{ 'where ' ~ source.graded ~ ' ' ~ threshold if alone and truth.columns.relevance }}
),
{% endmacro %}

-- What the truth is read of. One table of rows that are not checked needs no query of its own.
{% macro judgements(plan, used) %}
{% set truth = plan.truth %}
{% set columns = truth.columns %}
{% set grade = sqlrec.double(columns.relevance or 1) %}
{% if plan.audit and truth.floating.relevance %}{% set grade = sqlrec.number(grade) %}{% endif %}
{% set propensity = sqlrec.double(columns.propensity) if columns.propensity else none %}
{% if plan.audit and truth.floating.propensity %}{% set propensity = sqlrec.number(propensity) %}{% endif %}
{% set once = plan.truth_duplicates in ['best', 'first', 'last'] %}
{% if not once and not truth.unnest and not (plan.audit and columns.relevance) %}
{{ return({'queries': '', 'relation': truth.relation, 'user': columns.user_id, 'item': columns.item_id, 'grade': grade, 'graded': sqlrec.numbers_of(columns.relevance) if columns.relevance else grade, 'propensity': propensity}) }}
{% endif %}
{% set queries %}
-- Every judgement.
judgements as (
    {%- set user = sqlrec.named(columns.user_id, 'user_id') %}
    {%- set likely = ',\n        ' ~ propensity ~ ' as propensity' if propensity and sqlrec.some_of(['propensity', 'improbable'], used) else '' %}
    {%- if truth.unnest %}
    {{ sqlrec.unnested(user ~ ',\n        ' ~ grade ~ ' as grade' ~ likely, columns.item_id, 'listed_at', truth.relation) | trim }}
    {%- else %}
    select {{ user }}, {{ sqlrec.named(columns.item_id, 'item_id') }},
        {{ grade }} as grade
        {{- likely }}
        {{- sqlrec.number_of_judgement(plan, grade) | trim }}
    from {{ truth.relation }}
    {%- endif %}
),
{{ sqlrec.distinct_judgements(plan, used) if once }}
{% endset %}
{% set grade = 'best_grade' if once else 'grade' %}
{{ return({'queries': queries, 'relation': 'distinct_judgements' if once else 'judgements', 'user': 'user_id', 'item': 'item_id', 'grade': grade, 'graded': grade, 'propensity': 'propensity' if propensity else none}) }}
{% endmacro %}

-- Whether items of the truth that are not relevant may be left out: nothing counts them. A column that does is
-- named here, with those that count them already.
{% macro relevant_alone(plan, used) %}
{% if plan.audit %}{{ return(false) }}{% endif %}
{% set least = plan.relevance_threshold %}
{% if least is not none and (least <= -plan.largest_relevance or sqlrec.lists_by_relevance(plan) or sqlrec.reads_grades(used)) %}{{ return(false) }}{% endif %}
{% if not plan.truth.columns.relevance %}{{ return(true) }}{% endif %}
{% set counted = sqlrec.some_of(['grade', 'judged_items', 'nonrelevant_items', 'rated_items'], used) %}
{{ return(not counted and plan.unlisted == 'absent' and plan.population not in ['judged', 'judged_and_recs', 'all']) }}
{% endmacro %}

-- Whether the truth has its say in the order of lists.
{% macro lists_by_relevance(plan) %}
{{ return(plan.ties in ['best', 'worst'] and plan.truth and plan.recs) }}
{% endmacro %}

-- Whether something is made of grades, which also those below the threshold have.
{% macro reads_grades(used) %}
{{ return(sqlrec.some_of(['relevance', 'is_top'], used) or (sqlrec.starting(used, 'enough_') + sqlrec.starting(used, 'stop_') + sqlrec.starting(used, 'best_stop_')) | length > 0) }}
{% endmacro %}

-- The same for one kind of rows, beside which others may ask for the rest, or the name of a segment.
{% macro reads_relevant_alone(plan, used) %}
{{ return(
    plan.relevance_threshold is none
    and (not plan.audit and not plan.truth.columns.relevance or plan.kinds | length == 1 and not plan.by and sqlrec.relevant_alone(plan, used))
) }}
{% endmacro %}

-- Whether something is divided by the truth's propensities. One that is missing or 0 is divided by nowhere.
{% macro checks_propensity(plan) %}
{{ return(plan.truth.columns.propensity and ('propensity' in plan.truth.needed or plan.kinds | selectattr('name', 'equalto', 'observed') | list)) }}
{% endmacro %}

-- The columns of truth users, as far as they do not depend on lists.
{% macro truth_user_columns(plan, used, alone) %}
{% set columns %}
    count(*) as judged_items,
    {% if alone %}
    count(*) as relevant_items,
    count(*) as gained,
    count(distinct relevance) as gain_levels,
    {% else %}
    cast(sum(is_relevant) as bigint) as relevant_items,
    count(case when relevance > 0 then 1 end) as gained,
    count(distinct case when relevance > 0 then relevance end) as gain_levels,
    {% endif %}
    cast(sum(case when relevance > 0 or is_relevant > 0 then 1 else 0 end) as bigint) as ideal_items,
    cast(sum(case when grade >= 0 and is_relevant = 0 then 1 else 0 end) as bigint) as nonrelevant_items,
{% endset %}
{% set violations %}
    case when user_id is null then 1 else 0 end
        + sum(case when item_id is null then 1 else 0 end)
        {{ '+ ' ~ sqlrec.repeated_items(plan, ['user_id']) if plan.truth_duplicates == 'error' }}
        {{ '+ sum(misgraded)' if plan.truth.columns.relevance }}
        {{ '+ sum(improbable)' if sqlrec.checks_propensity(plan) }} as violations,
{% endset %}
{% set columns = sqlrec.columns(columns) %}
{% set _ = columns.update(sqlrec.ideal_sums_of_users(plan, used, alone)) %}
{% set _ = columns.update(sqlrec.columns(violations)) %}
{{ return(columns) }}
{% endmacro %}
