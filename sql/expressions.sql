-- Expressions that several metrics share, and numbers in names.

-- The weight of a rank in a DCG, or a discounted gain.
{% macro discount(form, rank, gain=none) -%}
{%- if form == 'dcg' -%}
{{ gain ~ ' * (' if gain }}1 / {{ sqlrec.log2(rank ~ ' + 1') }}{{ ')' if gain }}
{%- elif form == 'rank_dcg' -%}
{{ gain ~ ' * ' if gain }}cast(1 as double) / {{ rank }}
{%- elif form[:5] == 'page_' -%}
{{ gain or 1 }} / {{ sqlrec.log2(sqlrec.row_and_column(form.split('_')[1] | int, form.split('_')[2] | int, rank)) }}
{%- else -%}
{{ gain ~ ' * ' if gain }}case when {{ rank }} > 2 then 1 / {{ sqlrec.log2(rank) }} when {{ rank }} > 0 then cast(1 as double) end
{%- endif -%}
{%- endmacro %}

-- The row number plus the column number of a rank on a page; ranks fill the page row by row. Null
-- below the end of the page.
{% macro row_and_column(rows, columns, rank) -%}
{%- set ranks = [0] -%}
case
{%- for number in range(2, rows + columns + 1) %}
{%- set _ = ranks.append(ranks[-1] + ([number - 1, rows, columns, rows + columns - number + 1] | min)) %} when {{ rank }} <= {{ ranks[-1] }} then {{ number }}
{%- endfor %} end
{%- endmacro %}

-- A value, limited to its upper bound, because rounding errors of sums may exceed the bound in the
-- last digit. Value and bound are not null. If rules count an item of a list more than once,
-- metric_columns removes the limit.
{% macro at_most(value, most) -%}
{#- ClickHouse does not compare counts with doubles. #}
{%- set is_double = adapter.type() == 'clickhouse' -%}
at_most({{ sqlrec.double(value) if is_double else value }}, {{ sqlrec.double(most) if is_double else most }})
{%- endmacro %}

-- A part as a share of a whole, at most 1. Null if the whole is null. With may_be_zero, also null
-- if the whole is 0; otherwise, the whole must not be 0.
{% macro share_of(part, whole, may_be_zero=false) -%}
{{ sqlrec.at_most(part, whole) }} / {{ 'nullif(' ~ whole ~ ', 0)' if may_be_zero else whole }}
{%- endmacro %}

-- 1 if a condition is true, else 0.
{% macro indicator(condition) -%}
{{ sqlrec.double('case when ' ~ condition ~ ' then 1 else 0 end') }}
{%- endmacro %}

-- Hits plus shown items without a judgment: the largest possible number of hits.
{% macro possible_hits() -%}
(sum(hit) + list_length - sum(is_judged))
{%- endmacro %}

-- (1 + number) times a column, computed in the same way as `number * other + column`, so rounding
-- cannot make the product larger than this sum.
{% macro one_and_times(number, column) -%}
{{ sqlrec.literal(1 + number) ~ ' * ' ~ column if number == number | int else '(' ~ sqlrec.times(number, column) ~ ' + ' ~ column ~ ')' }}
{%- endmacro %}

-- A multiple of a column; the column itself for 1.
{% macro times(number, column) %}{{ column if number == 1 else sqlrec.literal(number) ~ ' * ' ~ column }}{% endmacro %}

-- The gain of an item: an expression over a row. The gains kept_... are 0 for irrelevant items.
{% macro gain(gain) -%}
{%- if gain == 'binary' -%} hit
{%- elif gain == 'linear' -%} relevance
{%- elif gain[:5] == 'kept_' -%} hit * {{ sqlrec.gain(gain[5:]) | trim }}
{%- else -%} (power(2, relevance) - 1)
{%- endif -%}
{%- endmacro %}

-- The relevance of a shown item as a factor; empty if the metric ignores relevance.
{% macro relevance_factor(relevance) -%}
{{ {'binary': 'hit * ', 'exponential': sqlrec.gain('kept_exponential') | trim ~ ' * ', 'ignored': ''}[relevance] }}
{%- endmacro %}

-- The discounted gain of a rank: an expression over a row.
{% macro discounted(gain, discount) -%}
{{ gain }} {{ {'standard': '* discount', 'late': '* late_discount', 'reciprocal': '/ rank'}[discount] }}
{%- endmacro %}

-- The DCG of the best list; with ideal=k, its items have the gain ideal_gain.
{% macro scaled_ideal(gain, ideal, ideal_gain, discount) -%}
{%- set form = {'standard': 'dcg', 'late': 'late_dcg', 'reciprocal': 'rank_dcg'}[discount] -%}
{%- set name = 'ideal_' ~ form ~ ('_' ~ gain if gain != 'linear' else '') ~ ('_' ~ ideal if ideal != 'achievable' else '') -%}
{{ '(' ~ sqlrec.double(ideal_gain | float) ~ ' * ' ~ name ~ ')' if ideal == 'k' and ideal_gain != 1 else name }}
{%- endmacro %}

-- The divisor of precision if it is not k. requested_length is k, or the list's length if whole
-- lists are requested.
{% macro precision_ranks(divide_by) -%}
{%- set known = sqlrec.least('cast(k as double)', 'cast(list_length + relevant_items - sum(hit) as double)') -%}
{%- if divide_by == 'known' -%}
{{ known }}
{%- elif divide_by == 'k_or_known' -%}
{{ sqlrec.greatest('cast(requested_length as double)', known) }}
{%- else -%}
{{ 'requested_length' if divide_by == 'k_or_length' else 'list_length' }}
{%- endif -%}
{%- endmacro %}

-- The number of users or events of an item, or another value for an item without history.
{% macro history_count(had, other) -%}
case when {{ had }} > 0 then {{ had }} else {{ other }} end
{%- endmacro %}

-- The divisor of a sum over ranks. With without_history=omit, only ranks with an item of the
-- history count.
{% macro ranks_counted(divide_by, without_history) -%}
{%- if without_history == 'omit' and divide_by == 'list_length' -%}
nullif(sum(case when item_users > 0 then 1 else 0 end), 0)
{%- else -%}
{{ divide_by }}
{%- endif -%}
{%- endmacro %}

-- The utility of a graded item for an impatient user: half of the users who see a rank also see the
-- rank that is half_life - 1 ranks below.
{% macro utility(half_life, neutral, rank='rank') -%}
{%- set patience = sqlrec.double((half_life - 1) | float) -%}
case
    when relevance > {{ sqlrec.literal(neutral) }} and ({{ rank }} - 1) / {{ patience }} < 800
    then {{ '(relevance - ' ~ sqlrec.literal(neutral) ~ ')' if neutral else 'relevance' }} * power(2, (1 - {{ rank }}) / {{ patience }})
    else 0
end
{%- endmacro %}

-- The weight of a logged decision; large weights shrink toward 0 (Su et al. 2020).
{% macro shrunk_weight(shrinkage) -%}
{{ sqlrec.double(shrinkage) }} * weight / ({{ sqlrec.product('weight', 'weight') }} + {{ sqlrec.double(shrinkage) }})
{%- endmacro %}

-- The weight of a logged decision, kept below 1 / shrinkage (Metelli et al. 2021).
{% macro sub_gaussian_weight(shrinkage) -%}
weight / ({{ sqlrec.double(1 - shrinkage) }} + {{ sqlrec.double(shrinkage) }} * weight)
{%- endmacro %}

-- The probability that an item satisfies a user who sees it: an expression over its grade.
{% macro satisfaction(max_grade, relevance) -%}
{%- set highest = (max_grade | int) if max_grade == max_grade | int else sqlrec.double(max_grade) -%}
(power(2, {{ sqlrec.least(relevance, highest) }}) - 1) / {{ 2 ** highest if highest is integer and highest < 31 else sqlrec.double(2.0 ** max_grade) }}
{%- endmacro %}

-- This probability on the scale of the user's own grades, in floating point, since 2^1000 exceeds
-- integers.
{% macro satisfaction_on_own_scale(relevance, user) -%}
(power(2, {{ sqlrec.least(relevance, 1000) }}) - 1) / power(2, max({{ sqlrec.least(relevance, 1000) }}) over (partition by {{ user }}))
{%- endmacro %}

-- The column with the probability of stopping, on a fixed scale or on the scale of the user's own
-- grades.
{% macro stop_column(max_grade, scale) -%}
stop_{{ 'own' if scale == 'own' else sqlrec.in_name(max_grade) }}
{%- endmacro %}

-- An expression: the probability that a user who reads a list from the top stops at an item, from
-- the probabilities that items satisfy the user and the order of the items.
{% macro stop_probability(enough, order) -%}
{{ enough }} * {{ sqlrec.continue_probability(enough, order ~ ' rows between unbounded preceding and 1 preceding') }}
{%- endmacro %}

-- An expression: the probability that no item above satisfied the user, from the probabilities of
-- items and the window of the items above. The result is never 0, because a certain stop adds the
-- logarithm of 1e-300.
{% macro continue_probability(enough, above) -%}
{{ sqlrec.exp_probability('sum(' ~ sqlrec.ln('1 - ' ~ enough ~ ' + 1e-300') ~ ') over (' ~ above ~ ')') }}
{%- endmacro %}

-- The probability for a logarithm; a null logarithm gives 1. The result is at least 1e-73, since some engines raise an
-- error on underflow.
{% macro exp_probability(logarithm) -%}
exp({{ sqlrec.greatest('coalesce(' ~ logarithm ~ ', 0)', -170) }})
{%- endmacro %}

-- A value, rounded to a number of decimals. A double of 2^52 or more has no fraction, so adding
-- 2^52 rounds to an integer, and rounds halves to the even integer. The engines' round functions
-- differ for halves.
{% macro rounded(value, digits) -%}
{%- set units, whole = {'two': 100, 'four': 10000, 'five': 100000}[digits], sqlrec.double(2.0 ** 52) -%}
(({{ value }} * {{ units }} + {{ whole }}) - {{ whole }}) / {{ units }}
{%- endmacro %}

-- Converts a number to a part of a name, and back.
{% macro in_name(number) -%}
{{ number | string | replace('.', 'p') | replace('-', 'm') }}
{%- endmacro %}
{% macro from_name(text) -%}
{{ text | replace('p', '.') | replace('m', '-') }}
{%- endmacro %}

-- A value, or null if the catalog has fewer items than are shown or relevant. Expected hits have
-- rounding errors.
{% macro where_all_in_catalog(value) %}
case
    when catalog_items > list_length + relevant_items - sum(hit) - 0.5e0 then {{ value | trim }}
end
{% endmacro %}
