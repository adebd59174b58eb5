-- Normalized gain: the gains of a list, each discounted by how far the list is behind the best list
-- at its rank, from 0 to 1.
--
--      sum over the ranks within k of  gain / log2(2 + behind)
--     ----------------------------------------------------------
--               sum of the gains of the user's items
--
-- `behind` is the sum of the best list's gains down to the rank (a gain below 1 or an empty rank
-- counts as 1), minus the gains of the list so far. With gain=binary, it is the number of items
-- down to the hit that are not hits, including ranks that the list skips.
--
-- Source    trec_eval 10, github.com/usnistgov/trec_eval, where it is called experimental
-- Agrees    trec_eval G, and binG with gain=binary
-- Params    gain = linear | binary: the relevance, or 1 for a relevant item
-- Undefined for a user without an item that has a gain
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__normalized_gain(gain='linear') %}
{% if gain == 'binary' %}
sum(hit / log2(cast(rank as double) + 2 - hits_so_far)) / nullif(relevant_items, 0)
{% else %}
case
    when ideal_dcg_relevant > 0
    then coalesce(
        {#- Rounded, a sum of large gains may be above the sum of the best list. #}
        {%- set behind = 'best_gain - ' ~ sqlrec.least('gain_so_far', 'best_gain') %}
        {{ sqlrec.share_of('sum(relevance / ' ~ sqlrec.log2('2 + (' ~ behind ~ ')') ~ ')', 'max(best_total)', true) }},
        0
    )
end
{% endif %}
{% endmacro %}
