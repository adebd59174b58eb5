-- Log loss: the mean negative log-likelihood of relevance, with scores as probabilities, at least
-- 0.
--
--      sum of  -log(p)  over the rated items
--     ---------------------------------------
--                   rated items
--
--     p = score of a relevant item, and 1 - score of an irrelevant item
--
-- Rated items are in the user's list within k and in the truth. Scores are probabilities, from 0 to
-- 1. A p below 1e-15 counts as 1e-15, and a p above 1 - 1e-15 as 1 - 1e-15. Logarithms are
-- natural.
--
-- Source    Good 1952, doi.org/10.1111/j.2517-6161.1952.tb00104.x
-- Agrees    RecBole LogLoss; WarpRec LogLoss with of=logits and average=users; scikit-learn
--           log_loss, except for scores of 0 and 1
-- Params    of = probabilities | logits: scores are probabilities, or log odds of any size, with
--           the probability 1 / (1 + exp(-score))
--           average = pooled | users: over the rated items of all users, or the mean of per-user
--           values
-- Undefined for a user without a rated item, who is excluded; an item without a score is not rated
-- Aliases   logloss, logarithmic_loss, cross_entropy
-- Better    lower
-- Family    ratings
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro rated__log_loss(of='probabilities', average='pooled') %}
{% if of == 'logits' %}
{#- For either sign, the exponent is at most 0, so it cannot overflow. #}
{{ sqlrec.mean('case when relevant > 0 and predicted < 0 then -predicted when relevant = 0 and predicted > 0 then predicted else 0 end + ' ~ sqlrec.ln('1 + exp(' ~ sqlrec.greatest('-abs(predicted)', -170) ~ ')')) }}
{% else %}
{% set least = '1e-15' %}
{% set chance = 'case when relevant > 0 then predicted else 1 - predicted end' %}
{{ sqlrec.mean('-' ~ sqlrec.ln('case when (' ~ chance ~ ') > ' ~ least ~ ' then case when (' ~ chance ~ ') < 1 - ' ~ least ~ ' then ' ~ chance ~ ' else 1 - ' ~ least ~ ' end else ' ~ least ~ ' end')) }}
{% endif %}
{% endmacro %}

{% macro rated__log_loss__weight(of='probabilities', average='pooled') %}
cast(count(*) as double)
{% endmacro %}
