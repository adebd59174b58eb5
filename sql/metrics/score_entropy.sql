-- Score entropy: how evenly the softmax of the scores spreads over all places within k, in nats, from 0
-- up to the logarithm of the number of places. It is that where all scores are equal.
--
--      sum of  -p * ln p,     p = e^score / (sum of e^score over the places within k of all lists)
--
-- The places of all users are taken together, so it grows with their number: only models with as many
-- places, and scores of the same unit, can be compared, and a bootstrap interval is wide, since the number
-- of users drawn differs. It does not know which items are shown; shannon_entropy does.
--
-- Source    Evidently 0.7, github.com/evidentlyai/evidently
-- Agrees    Evidently ScoreDistribution where no scores are equal; of equal ones it gives each the mean of
--           their places, and takes those up to k
-- Undefined where no list has a score; a place without one does not count
-- Better    neither
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score)
{% macro spread__score_entropy() %}
{#- What is further below the highest weighs nothing beside it, and PostgreSQL refuses its exponential. #}
{% set weight = 'case when below_highest > -600 then exp(below_highest) end' %}
{{ sqlrec.ln('sum(' ~ weight ~ ')') }}
- sum(below_highest * {{ weight }}) / sum({{ weight }})
{% endmacro %}
