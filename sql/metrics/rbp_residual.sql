-- RBP residual: how much higher RBP would be if all that was not judged were relevant, from 0 to 1.
--
--     1 - (1 - p) * sum over the judged places within k of  p^(place - 1)
--
-- Not judged are also all places past k, and past the end of the list.
--
-- Source    Moffat & Zobel 2008, doi.org/10.1145/1416950.1416952
-- Agrees    trec_eval 10 rbp_resid, whose p is 0.9, where some place of the list is not judged
-- Differs   trec_eval 10, which says 0 where all places are judged, whatever is past the end
-- Params    p = 0.8 above 0 below 1: the chance to read on, as in rbp
-- Undefined never; without list it is 1
-- Aliases   rbp_resid
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro judged__rbp_residual(p=0.8) %}
1 - {{ sqlrec.double(1 - p) }} * sum(is_judged * {{ sqlrec.fading(p, sqlrec.double('rank - 1')) }})
{% endmacro %}
