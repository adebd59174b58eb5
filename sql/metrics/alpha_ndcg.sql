-- Alpha-NDCG: the NDCG of a list in which a hit gains less for each higher hit with the same
-- aspect, from 0 to 1.
--
--      sum of  gain / log2(rank + 1)  over the hits within k
--     --------------------------------------------------------
--              the same sum for the best list
--
--     gain = sum over the item's aspects of  (1 - alpha)^(hits above with the aspect)
--
-- The best list is built greedily: each rank has the relevant item with the largest gain, and if
-- gains are equal, the item with the largest id. The paper and ndeval are greedy too, because the
-- true best list is too expensive to find; a list that is better than the greedy one has a value
-- slightly above 1. In dialects that do not allow ranks in recursive queries, each rank of the best
-- list is a separate query, so a deep cutoff makes the statement long; SQLite runs it up to a
-- cutoff of 35. An item without an aspect gains nothing.
--
-- form=rs_metrics is the definition of that library. It differs from the paper and can exceed 1. An
-- item gains less for an aspect for each higher item with that aspect, even if the higher item is
-- not a hit. The best list is as long as the user's list, even with fewer relevant items. The
-- best list takes the aspects in turn, and a round takes each aspect once. A rank in a complete
-- round gains 1, and a later rank gains (1 - alpha)^(number of complete rounds). With alpha=0, a
-- hit counts once for each aspect in the list, even for aspects that the hit does not have.
--
-- Source    Clarke et al. 2008, doi.org/10.1145/1390334.1390446
-- Agrees    pyndeval alpha-nDCG; ir_measures alpha_nDCG, if all users have a list; rs_metrics
--           a_ndcg with form=rs_metrics
-- Params    alpha = 0.5 from 0 to 1: the share of an aspect's gain that is lost for each higher hit
--           with that aspect
--           form = clarke | rs_metrics: the definition of the paper, or of rs_metrics
-- Undefined for a user without a relevant item that has an aspect; with form=rs_metrics for a user
--           without a list, and if no item has an aspect
-- Aliases   a_ndcg
-- Better    higher
-- Family    diversity
-- Cutoff    a number up to 100
-- Inputs    recs, truth, items(aspect)
{% macro aspect_hits__alpha_ndcg(alpha=0.5, form='clarke') %}
{% if form == 'clarke' %}
{#- A list may be better than the greedy one. Differences in the last digits are rounding errors. #}
{% set dcg, ideal = 'sum(' ~ sqlrec.power_of_fraction(1 - alpha, 'earlier_hits', 100) ~ ' * discount)', sqlrec.ideal_alpha_dcg(alpha) %}
case when {{ dcg }} >= {{ ideal }} and {{ dcg }} < 1.000000000001e0 * {{ ideal }} then 1 else {{ dcg }} / {{ ideal }} end
{% elif alpha == 0 %}
sum(hit * rank_discount) * sum(is_new) / nullif(sum(case when all_aspects > 0 then rank_discount end), 0)
{% else %}
{% set rounds = 'floor(list_length / nullif(all_aspects, 0))' %}
sum({{ sqlrec.power_of_fraction(1 - alpha, 'earlier_ranks', 100) }} * discount)
/ nullif(
    sum(
        case
            when rank <= {{ rounds }} * all_aspects then rank_discount
            else rank_discount * {{ sqlrec.power_of_fraction(1 - alpha, rounds, 100) }}
        end
    ),
    0
)
{% endif %}
{% endmacro %}
