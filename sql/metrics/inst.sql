-- INST: the expected gain per rank for a user who is more likely to continue the further the gain
-- so far is from the goal, from 0 to 1.
--
--      sum over the ranks i within k of  weight_i * gain_i
--     ------------------------------------------------------
--          sum over the ranks i within k of  weight_i
--
--     weight_i  =  product over j above i of  ((a_j - 1) / a_j)^2
--     a_j       =  j + 2 * goal - gain_1 - ... - gain_j
--
-- The gain is the grade divided by max_grade, and at most 1. Ranks past the end of the list gain 0;
-- with @all, k is 1000. The relevance threshold is ignored.
--
-- Source    Moffat, Bailey, Scholer & Thomas 2015, doi.org/10.1145/2838931.2838938
-- Agrees    cwl_eval INST; ir_measures INST
-- Params    goal = 1 above 0.5 to 100: the total gain that the user wants; T in the paper
--           max_grade = 1 above 0 to 100: the highest grade of the scale
-- Undefined never; without a list or graded item, the value is 0
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro examined__inst(goal=1, max_grade=1) %}
{% set grade = sqlrec.in_name(max_grade) %}
{% set weight = 'inst_' ~ grade ~ '_' ~ sqlrec.in_name(goal) %}
sum(gain_{{ grade }} * {{ weight }}) / sum({{ weight }})
{% endmacro %}
