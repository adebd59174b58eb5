-- FCP: the fraction of pairs of items in the same order by score and by grade,
-- from 0 to 1.
--
--            concordant pairs
--     -------------------------------
--      concordant + discordant pairs
--
-- A pair is two rated items of one user with different grades; rated items are in the list within k
-- and in the truth. Definitions differ. The paper pools the pairs of all users and does not mention
-- equal scores. Surprise takes the mean number of concordant pairs over the users who have any, and
-- the mean number of discordant pairs, divides the first by the sum of both, and counts equal
-- scores as discordant: average=means, ties=discordant.
--
-- Source    Koren & Sill 2011, doi.org/10.1145/2043932.2043956
-- Agrees    Surprise fcp with average=means, ties=discordant
-- Params    average = pooled | users | means: pool the pairs of all users, average per-user values,
--           or compute it from the mean numbers of both kinds of pairs, as Surprise does
--           ties = left_out | discordant: a pair with equal scores is excluded, or counts as
--           discordant
-- Undefined for a user without a concordant or discordant pair, who is excluded
-- Aliases   fraction_of_concordant_pairs
-- Better    higher
-- Family    agreement
-- Cutoff    optional
-- Inputs    recs(score), truth(relevance)
{% macro pair_counts__fcp(average='pooled', ties='left_out') %}
sum(concordant) / nullif(sum(concordant + discordant{{ ' + tied_predicted' if ties == 'discordant' }}), 0)
{% endmacro %}

{% macro pair_counts__fcp__concordant(average='pooled', ties='left_out') %}
sum(concordant)
{% endmacro %}

{% macro pair_counts__fcp__discordant(average='pooled', ties='left_out') %}
sum(discordant{{ ' + tied_predicted' if ties == 'discordant' }})
{% endmacro %}

{% macro pair_counts__fcp__summary(column, average='pooled', ties='left_out') %}
{% if average == 'pooled' %}
{{ sqlrec.pooled_share(column ~ '_concordant', column ~ '_discordant') }}
{% else %}
{#- If no user has such a pair, the mean is 0. #}
coalesce({{ sqlrec.mean('nullif(' ~ column ~ '_concordant, 0)') }}, 0)
/ nullif(
    coalesce({{ sqlrec.mean('nullif(' ~ column ~ '_concordant, 0)') }}, 0)
    + coalesce({{ sqlrec.mean('nullif(' ~ column ~ '_discordant, 0)') }}, 0),
    0
)
{% endif %}
{% endmacro %}
