-- pFound: the probability that an item within k satisfies a user who reads from the top and may give up
-- after each rank, from 0 to 1.
--
--     sum over the ranks i within k of  (1 - p_break)^(i - 1) * R_i * product over j above i of (1 - R_j)
--
--             2^grade - 1
--     R_i  =  -----------
--             2^max_grade
--
-- R is the probability of being satisfied, as in err, and p_break the probability of giving up
-- after a rank. ERR uses 1 / i instead of this factor. The relevance threshold is ignored.
--
-- Source    Segalovich 2010, as cited in Chapelle & Chang 2011, proceedings.mlr.press/v14/chapelle11a;
--           Chapelle et al. 2009, section 7.2, doi.org/10.1145/1645953.1646033
-- Agrees    RankEval Pfound with scale=own and p_break=0.85, as it goes on with a chance of 0.15
-- Differs   CatBoost PFound, which reads labels as the probabilities R
-- Params    p_break = 0.15 from 0 below 1: the probability of giving up after a rank
--           max_grade = 4 above 0 to 100: the highest grade of the scale, as in err
--           scale = given | own: the highest grade of the scale is max_grade, or the highest that the
--           user's items have
-- Undefined never; without a list or graded item it is 0
-- Aliases   p_found
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__pfound(p_break=0.15, max_grade=4, scale='given') %}
{{ sqlrec.at_most('sum(' ~ sqlrec.stop_column(max_grade, scale) ~ ' * ' ~ sqlrec.power_of_fraction(1 - p_break, 'rank - 1') ~ ')', 1) }}
{% endmacro %}
