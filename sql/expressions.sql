-- What several metrics are made of: expressions over a row, and numbers in names.

-- The weight of a place in a DCG, or what a gain is worth there.
{% macro discount(form, place, gain=none) -%}
{%- if form == 'dcg' -%}
{{ gain ~ ' * (' if gain }}1 / {{ sqlrec.log2(place ~ ' + 1') }}{{ ')' if gain }}
{%- elif form == 'rank_dcg' -%}
{{ gain ~ ' * ' if gain }}{{ sqlrec.double(1) }} / {{ place }}
{%- elif form[:5] == 'page_' -%}
{{ gain or 1 }} / {{ sqlrec.log2(sqlrec.row_and_column(form.split('_')[1] | int, form.split('_')[2] | int, place)) }}
{%- else -%}
{{ gain ~ ' * ' if gain }}case when {{ place }} > 2 then 1 / {{ sqlrec.log2(place) }} when {{ place }} > 0 then {{ sqlrec.double(1) }} end
{%- endif -%}
{%- endmacro %}

-- Row + column of a place of a page, whose places are numbered in this order; null past its end.
{% macro row_and_column(rows, columns, place) -%}
{%- set places = [0] -%}
case
{%- for number in range(2, rows + columns + 1) %}
{%- set _ = places.append(places[-1] + ([number - 1, rows, columns, rows + columns - number + 1] | min)) %} when {{ place }} <= {{ places[-1] }} then {{ number }}
{%- endfor %} end
{%- endmacro %}

-- A value, kept at the most that it can be: the same numbers, added up in another order, may be more in the last
-- digit. Neither is null. Under rules by which a list counts an item more than once nothing is kept: see over_rows.
{% macro at_most(value, most) %}{{ adapter.dispatch('at_most', 'sqlrec')(value, most) }}{% endmacro %}

-- A part as a share of the whole that it is at most. It is null where the whole is, or is 0 and may be so.
{% macro share_of(part, whole, may_be_zero=false) -%}
{{ sqlrec.at_most(part, whole) }} / {{ 'nullif(' ~ whole ~ ', 0)' if may_be_zero else whole }}
{%- endmacro %}

-- 1 where a condition holds, else 0.
{% macro indicator(condition) -%}
{{ sqlrec.double('case when ' ~ condition ~ ' then 1 else 0 end') }}
{%- endmacro %}

-- Hits, and shown items that the truth does not judge: the most hits that a list can have.
{% macro possible_hits() -%}
(sum(hit) + list_length - sum(is_judged))
{%- endmacro %}

-- One and so many times a column, in the arithmetic of a column and so many times another, so that it is no more.
{% macro one_and_times(number, column) -%}
{{ sqlrec.literal(1 + number) ~ ' * ' ~ column if number == number | int else '(' ~ sqlrec.times(number, column) ~ ' + ' ~ column ~ ')' }}
{%- endmacro %}

-- So many times a column: the column itself for once.
{% macro times(number, column) %}{{ column if number == 1 else sqlrec.literal(number) ~ ' * ' ~ column }}{% endmacro %}

-- What an item is worth: an expression over a row. Of gains that are kept, only those of relevant items are.
{% macro gain(gain) -%}
{%- if gain == 'binary' -%} hit
{%- elif gain == 'linear' -%} relevance
{%- elif gain[:5] == 'kept_' -%} hit * {{ sqlrec.gain(gain[5:]) | trim }}
{%- else -%} (power({{ sqlrec.two() }}, relevance) - 1)
{%- endif -%}
{%- endmacro %}

-- What a shown item counts by its relevance, as a factor; nothing where relevance is ignored.
{% macro worth_of_place(relevance) -%}
{{ {'binary': 'hit * ', 'exponential': sqlrec.gain('kept_exponential') | trim ~ ' * ', 'ignored': ''}[relevance] }}
{%- endmacro %}

-- The gain of a place, discounted: an expression over a row.
{% macro discounted(gain, discount) -%}
{{ gain }} {{ {'standard': '* discount', 'late': '* late_discount', 'reciprocal': '/ rank'}[discount] }}
{%- endmacro %}

-- Which ideal DCG has a discount.
{% macro dcg_form(discount) -%}
{{ {'standard': 'dcg', 'late': 'late_dcg', 'reciprocal': 'rank_dcg'}[discount] }}
{%- endmacro %}

-- The DCG of the best list, whose items gain as much as they are told to where it is any k items.
{% macro scaled_ideal(gain, ideal, ideal_gain, discount) -%}
{% set scale = sqlrec.double(ideal_gain | float) ~ ' * ' if ideal == 'k' and ideal_gain != 1 else '' -%}
{{ '(' if scale }}{{ scale }}{{ sqlrec.ideal_dcg(sqlrec.dcg_form(discount), gain, ideal) }}{{ ')' if scale }}
{%- endmacro %}

-- What precision divides by where that is not k. What is asked for is k, or of whole lists their places.
{% macro precision_places(divide_by) -%}
{%- set known = sqlrec.least(sqlrec.double('k'), sqlrec.double('list_length + relevant_items - sum(hit)')) -%}
{%- if divide_by == 'known' -%}
{{ known }}
{%- elif divide_by == 'k_or_known' -%}
{{ sqlrec.greatest(sqlrec.double('asked_length'), known) }}
{%- else -%}
{{ 'asked_length' if divide_by == 'k_or_length' else 'list_length' }}
{%- endif -%}
{%- endmacro %}

-- How many users or events an item had, or something else for an item without history.
{% macro had_or(had, other) -%}
case when {{ had }} > 0 then {{ had }} else {{ other }} end
{%- endmacro %}

-- What a sum over places is divided by: of the places of a list, those whose item is in the history where
-- others are left out.
{% macro places_counted(divide_by, without_history) -%}
{%- if without_history == 'omit' and divide_by == 'list_length' -%}
nullif(sum(case when item_users > 0 then 1 else 0 end), 0)
{%- else -%}
{{ divide_by }}
{%- endif -%}
{%- endmacro %}

-- What a graded item is worth to who loses patience: half as many as before come each half-life - 1
-- places further down.
{% macro utility(half_life, neutral, rank='rank') -%}
{%- set patience = sqlrec.double((half_life - 1) | float) -%}
case
    when relevance > {{ sqlrec.literal(neutral) }} and ({{ rank }} - 1) / {{ patience }} < 800
    then {{ '(relevance - ' ~ sqlrec.literal(neutral) ~ ')' if neutral else 'relevance' }} * power({{ sqlrec.two() }}, (1 - {{ rank }}) / {{ patience }})
    else 0
end
{%- endmacro %}

-- The weight of a logged decision, which shrinks towards 0 where it is large (Su et al. 2020).
{% macro shrunk_weight(shrinkage) -%}
{{ sqlrec.double(shrinkage) }} * weight / ({{ sqlrec.product('weight', 'weight') }} + {{ sqlrec.double(shrinkage) }})
{%- endmacro %}

-- The same, below 1 / shrinkage (Metelli et al. 2021).
{% macro sub_gaussian_weight(shrinkage) -%}
weight / ({{ sqlrec.double(1 - shrinkage) }} + {{ sqlrec.double(shrinkage) }} * weight)
{%- endmacro %}

-- The chance that an item is enough for somebody who gets there: an expression over its grade.
{% macro enough(max_grade, relevance) -%}
{%- set highest = (max_grade | int) if max_grade == max_grade | int else sqlrec.double(max_grade) -%}
(power({{ sqlrec.two() }}, {{ sqlrec.least(relevance, highest) }}) - 1) / {{ 2 ** highest if highest is integer and highest < 31 else sqlrec.double(2.0 ** max_grade) }}
{%- endmacro %}

-- The same on the scale of the user's own grades: in floating point, which 2^1000 fits in.
{% macro enough_on_own_scale(relevance, user) -%}
(power({{ sqlrec.two() }}, {{ sqlrec.least(relevance, 1000) }}) - 1) / power({{ sqlrec.two() }}, max({{ sqlrec.least(relevance, 1000) }}) over (partition by {{ user }}))
{%- endmacro %}

-- The column of the chance to stop, on a scale that is given or that of the user's own grades.
{% macro stop_column(max_grade, scale) -%}
stop_{{ 'own' if scale == 'own' else sqlrec.in_name(max_grade) }}
{%- endmacro %}

-- The chance that somebody who reads a list from the top stops at an item: an expression over the chances that
-- its items are enough, and their order.
{% macro stop(enough, order) -%}
{{ enough }} * {{ sqlrec.going_on(enough, order ~ ' rows between unbounded preceding and 1 preceding') }}
{%- endmacro %}

-- The chance that nothing above was enough: an expression over the chances, and the window of what is above. No
-- chance to go on is 0, not even after rounding.
{% macro going_on(enough, above) -%}
{{ sqlrec.chance('sum(' ~ sqlrec.ln('1 - ' ~ enough ~ ' + ' ~ sqlrec.double(1e-300)) ~ ') over (' ~ above ~ ')') }}
{%- endmacro %}

-- A chance by its logarithm, which is null where it is sure. One below 1e-73 stays there: engines refuse to compute
-- what is smaller than any number.
{% macro chance(logarithm) -%}
exp({{ sqlrec.greatest('coalesce(' ~ logarithm ~ ', 0)', -170) }})
{%- endmacro %}

-- A value, rounded to so many decimals if asked for. Beside 2^52 a double has no room for a fraction, so
-- the sum is whole, and of two that are as near the even one: engines' own round differs in that.
{% macro rounded(value, digits) -%}
{%- set whole = sqlrec.double(2.0 ** 52) -%}
{%- set units = {'two': 100, 'four': 10000, 'five': 100000}[digits] if digits != 'all' else none -%}
{{ '((' ~ value ~ ' * ' ~ units ~ ' + ' ~ whole ~ ') - ' ~ whole ~ ') / ' ~ units if units else value }}
{%- endmacro %}

-- A number as part of a name, and back.
{% macro in_name(number) -%}
{{ number | string | replace('.', 'p') | replace('-', 'm') }}
{%- endmacro %}
{% macro from_name(text) -%}
{{ text | replace('p', '.') | replace('m', '-') }}
{%- endmacro %}

-- A value where the catalog has room for what is shown or relevant. Expected hits are not quite whole.
{% macro where_all_in_catalog(value) %}
case
    when catalog_items > list_length + relevant_items - sum(hit) - {{ sqlrec.double(0.5) }} then {{ value | trim }}
end
{% endmacro %}
