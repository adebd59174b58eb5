-- Nearly ERR: the expected gain per rank seen by a user who stops at a rank with a probability
-- equal to its gain, and otherwise continues with a probability set by one of four equations, from
-- 0 to 1.
--
--      sum over the ranks i within k of  weight_i * gain_i
--     ------------------------------------------------------
--          sum over the ranks i within k of  weight_i
--
--     weight_i  =  w_i * product over j above i of (1 - gain_j)
--
--     equation     8    9        10             11
--     w_i          1    1 / i    p^(i - 1)    (2 * goal / (i + 2 * goal - 1))^2
--
-- The gain is the grade divided by max_grade, and at most 1. Unlike ERR it is a weighted precision.
-- The user continues with probability (1 - gain) times 1, i / (i + 1), p or ((i + 2 * goal - 1) /
-- (i + 2 * goal))^2. Ranks past the end of the list gain 0; with @all, k is 1000. The relevance
-- threshold is ignored.
--
-- Source    Azzopardi, Mackenzie & Moffat 2021, doi.org/10.1145/3471158.3472239: equations 8 to 11
-- Agrees    cwl_eval NERReq8 to NERReq11; ir_measures NERR8 to NERR11
-- Params    equation = 8 from 8 to 11 by 1: the equation for continuing
--           max_grade = 1 above 0 to 100: the highest grade of the scale
--           p = 0.9 above 0 below 1: with equation=10, the probability of continuing
--           goal = 1 above 0 to 100: with equation=11, the total gain that the user wants
-- Undefined never; without a list or graded item, the value is 0
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro examined__nearly_err(equation=8, max_grade=1, p=0.9, goal=1) %}
{% set grade = sqlrec.in_name(max_grade) %}
{% set weight = 'going_on_' ~ grade %}
{% if equation == 9 %}
{% set weight = weight ~ ' / rank' %}
{% elif equation == 10 %}
{% set weight = weight ~ ' * ' ~ sqlrec.power_of_fraction(p, 'rank - 1') %}
{% elif equation == 11 %}
{% set weight = weight ~ ' * power(rank + ' ~ sqlrec.double(2.0 * goal - 1) ~ ', -2)' %}
{% endif %}
sum(gain_{{ grade }} * {{ weight }}) / sum({{ weight }})
{% endmacro %}
