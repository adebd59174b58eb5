-- INSQ: the expected gain per rank for a user who is more likely to continue at deeper ranks and
-- with a larger goal, from 0 to 1.
--
--      sum over the ranks i within k of  weight_i * gain_i
--     ------------------------------------------------------
--          sum over the ranks i within k of  weight_i
--
--     weight_i  =  1 / (i + 2 * goal - 1)^2
--
-- The gain is the grade divided by max_grade, and at most 1. The user continues from rank i with
-- probability ((i + 2 * goal - 1) / (i + 2 * goal))^2, regardless of the gain so far. Ranks past
-- the end of the list gain 0; with @all, k is 1000. The relevance threshold is ignored.
--
-- Source    Moffat, Scholer & Thomas 2012, doi.org/10.1145/2407085.2407092
-- Agrees    cwl_eval INSQ; ir_measures INSQ
-- Params    goal = 1 above 0 to 100: the total gain that the user wants; T in the paper
--           max_grade = 1 above 0 to 100: the highest grade of the scale
-- Undefined never; without a list or graded item, the value is 0
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro examined__insq(goal=1, max_grade=1) %}
{% set weight = 'power(rank + ' ~ sqlrec.double(2.0 * goal - 1) ~ ', -2)' %}
sum(gain_{{ sqlrec.in_name(max_grade) }} * {{ weight }}) / sum({{ weight }})
{% endmacro %}
