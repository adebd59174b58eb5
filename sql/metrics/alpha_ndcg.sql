-- Alpha-NDCG: how near a list is to the best list where a hit counts less, the more hits above share
-- its aspects, from 0 to 1.
--
--      sum of  gain / log2(place + 1)  over the hits within k
--     --------------------------------------------------------
--              the same sum for the best list
--
--     gain = sum over the item's aspects of  (1 - alpha)^(hits above with the aspect)
--
-- The best list takes, place by place, the relevant item with the largest gain; of equal gains, the
-- one with the largest id. The paper and ndeval do the same, because the true best list is too hard
-- to find; a list that happens to be it is slightly above 1. Where a recursive query may not rank its
-- rows, each place is a query of its own, so a deep cutoff makes a long statement: SQLite runs it to
-- 35. An item without an aspect gains nothing.
--
-- form=rs_metrics is what that library computes, which is neither the paper's nor bound by 1: an aspect pays
-- less after each item above that has it, hit or not; and the best list, as long as the user's and whatever
-- they want, gains 1 in each place of whole rounds of all aspects, and below (1 - alpha)^rounds. With
-- alpha=0 a hit counts once for each aspect of the list, its own or not.
--
-- Source    Clarke et al. 2008, doi.org/10.1145/1390334.1390446
-- Agrees    pyndeval alpha-nDCG; ir_measures alpha_nDCG, where all users have a list; with
--           form=rs_metrics rs_metrics a_ndcg
-- Params    alpha = 0.5 from 0 to 1: how much a further hit of an aspect loses
--           form = clarke | rs_metrics: the paper's, or as above
-- Undefined for a user without a relevant item that has an aspect; with form=rs_metrics for a user
--           without a list, and where no item has an aspect
-- Aliases   a_ndcg
-- Better    higher
-- Family    diversity
-- Cutoff    a number up to 100
-- Inputs    recs, truth, items(aspect)
{% macro aspected__alpha_ndcg(alpha=0.5, form='clarke') %}
{% if form == 'clarke' %}
sum({{ sqlrec.fading(1 - alpha, 'earlier_hits', 100) }} * discount) / {{ sqlrec.ideal_alpha_dcg(alpha) }}
{% elif alpha == 0 %}
sum(hit * place_discount) * sum(is_new) / nullif(sum(case when all_aspects > 0 then place_discount end), 0)
{% else %}
{% set rounds = 'floor(list_length / nullif(all_aspects, 0))' %}
sum({{ sqlrec.fading(1 - alpha, 'earlier_places', 100) }} * discount)
/ nullif(
    sum(
        case
            when rank <= {{ rounds }} * all_aspects then place_discount
            else place_discount * {{ sqlrec.fading(1 - alpha, rounds, 100) }}
        end
    ),
    0
)
{% endif %}
{% endmacro %}
