-- Score entropy: how evenly the softmax of the scores spreads over all ranks within k, in nats,
-- at least 0. If all scores are equal, it is the logarithm of the number of items, its maximum.
--
--      sum of  -p * ln p,     p = e^score / (sum of e^score over the ranks within k of all lists)
--
-- The ranks of all users are pooled, so it grows with their number: only models with the same
-- number of items and scores in the same unit can be compared. A bootstrap interval is wide,
-- because the number of different users differs between samples. It does not depend on which items
-- are shown; shannon_entropy does.
--
-- Source    Evidently 0.7, github.com/evidentlyai/evidently
-- Agrees    Evidently ScoreDistribution if no scores are equal; it gives items with equal scores
--           the mean of their ranks, and keeps ranks up to k
-- Undefined if no list has a score; a rank without a score does not count
-- Better    neither
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score)
{% macro score_distribution__score_entropy() %}
{#- Lower scores have no weight next to the highest, and PostgreSQL cannot compute their
exponential. #} {% set weight = 'case when below_highest > -600 then exp(below_highest) end' %}
{{ sqlrec.ln('sum(' ~ weight ~ ')') }}
- sum(below_highest * {{ weight }}) / sum({{ weight }})
{% endmacro %}
