-- BPM: the mean gain of the ranks seen by a user who stops after gaining enough, or at rank k,
-- from 0 to 1.
--
--      sum of the gains of the ranks within k above which less than the goal was gained
--     -----------------------------------------------------------------------------------
--                            the number of these ranks
--
-- The gain is the grade divided by max_grade, and at most 1. It is the static form of the Bejeweled
-- player model, in which neither the goal nor the limit depends on the items seen so far. Ranks
-- past the end of the list gain 0; with @all, k is 1000. The relevance threshold is ignored.
--
-- Source    Zhang et al. 2017, doi.org/10.1145/3077136.3080841
-- Agrees    cwl_eval BPM-Static; ir_measures BPM
-- Params    goal = 1 above 0 to 1000: the total gain that the user wants; T in cwl_eval
--           max_grade = 1 above 0 to 100: the highest grade of the scale
-- Undefined never; without a list or graded item, the value is 0
-- Aliases   bejeweled_player_model
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro examined__bpm(goal=1, max_grade=1) %}
{% set grade = sqlrec.in_name(max_grade) %}
avg(case when gain_above_{{ grade }} < {{ sqlrec.double(goal | float) }} then gain_{{ grade }} end)
{% endmacro %}
