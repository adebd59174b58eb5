-- Examined: one row per model, user, cutoff and rank that the user may reach: from 1 to the cutoff,
-- even below the end of the list, where the gain is 0. For whole lists, these are the first 1000
-- ranks.
--
--   model            the model of the list, if there are several
--   user_id          the user
--   <segment>        a column of `by`, with one value for each user
--   k                the cutoff
--   list_length      the length of the list, at most k; 0 for a user without a list
--   tied             1 if ranks k and k + 1 have the same score; only in lists ordered by score
--
-- By row:
--
--   rank             the rank, from 1
--   gain_<max_grade>   the item's grade, at most max_grade, divided by max_grade; 0 for an item without a grade
--   gain_above_<max_grade>   the sum of the gains of the ranks above
--   hits_so_far      the relevant items at this rank and above
--   going_on_<max_grade>     the product of 1 - gain over the ranks above: the probability that a
--                    user who stops at a rank with a probability equal to its gain has not stopped
--   inst_<max_grade>_<goal>  the probability that a user with this goal reaches the rank in the model of INST: the
--                    product over the ranks above of ((a - 1) / a)^2, where a = rank + 2 * goal - (the gain down to
--                    this rank)

{% macro examined(plan, kind, used) %}
{% set above = 'partition by model, user_id, k order by rank asc rows between unbounded preceding and 1 preceding' %}
{% set grades = modules.re.findall('\\b(?:going_on|gain_above|gain|inst)_([0-9pm]+)', used | join(' ')) | unique | list %}
-- The ranks that a user may reach, with the gain of each rank and the gains above.
examined_ranks as (
    select evaluated_users.*,
        cast(numbers.number as double) as rank,
        {% for name in grades %}
        {% set grade = sqlrec.from_name(name) | float %}
        {% set grade = (grade | int) if grade == grade | int else sqlrec.double(grade) %}
        {% set divided = ' / ' ~ grade if grade != 1 else '' %}
        least(coalesce(relevant.relevance, 0), {{ grade }}){{ divided }} as gain_{{ name }},
        coalesce(
            sum(least(coalesce(relevant.relevance, 0), {{ grade }})) over (
                partition by evaluated_users.model, evaluated_users.user_id, evaluated_users.k order by numbers.number asc rows between unbounded preceding and 1 preceding
            ),
            0
        ){{ divided }} as gain_above_{{ name }},
        {% endfor %}
        coalesce(
            sum(relevant.is_relevant) over (
                partition by evaluated_users.model, evaluated_users.user_id, evaluated_users.k order by numbers.number asc rows between unbounded preceding and current row
            ),
            0
        ) as hits_so_far
    from evaluated_users
    join ({{ sqlrec.integers_to((kind.cutoffs | reject('equalto', plan.whole_list) | list + [1000 if plan.whole_list in kind.cutoffs else 1]) | max) }}) as numbers
        on numbers.number <= {{ 'case evaluated_users.k when ' ~ plan.whole_list ~ ' then 1000 else evaluated_users.k end' if plan.whole_list in plan.cutoffs else 'evaluated_users.k' }}
    left join listed
        on listed.model = evaluated_users.model and listed.user_id = evaluated_users.user_id and listed.rank = numbers.number
    left join first_judgments as relevant on relevant.user_id = listed.user_id and relevant.item_id = listed.item_id
),
-- These ranks, with the probability that a user reaches each rank.
examined as (
    select examined_ranks.*
        {%- for name in grades %},
        {{ sqlrec.continue_probability('gain_' ~ name, above) }} as going_on_{{ name }}
        {%- endfor %}
        {%- for name in sqlrec.name_suffixes(used, 'inst_') %},
        {%- set grade, goal = name.split('_') %}
        {%- set a = 'rank + ' ~ sqlrec.double(2 * sqlrec.from_name(goal) | float) ~ ' - gain_above_' ~ grade ~ ' - gain_' ~ grade %}
        {{ sqlrec.exp_probability('2 * sum(' ~ sqlrec.ln('1 - 1 / (' ~ a ~ ')') ~ ') over (' ~ above ~ ')') }} as inst_{{ name }}
        {%- endfor %}

    from examined_ranks
),
{% endmacro %}
