-- Intra-list diversity: the mean distance of two items of the list, by distances that you give, from
-- 0 up.
--
--      sum of the distances of pairs within k
--     ----------------------------------------
--               pairs with a distance
--
-- A row of items gives the distance of item_id and other_item_id, which is the same both ways. Where
-- a pair has several rows their mean counts. A pair without any is left out, as is a missing
-- distance. Pairs are quadratic in the length of lists; where the distance comes of categories or
-- features, hamming_diversity and cosine_diversity need none.
--
-- Source    Ziegler et al. 2005, doi.org/10.1145/1060745.1060754, who add up similarities
-- Agrees    RecTools 0.19 IntraListDiversity, over lists of two items and more
-- Differs   RecTools, which counts 0 for a list of one item
-- Undefined for a list with no pair within k whose distance is known, which is left out
-- Aliases   ild
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(other_item_id, distance)
{% macro paired__intra_list_diversity() %}
sum(distance_above) / nullif(sum(known_above), 0)
{% endmacro %}
