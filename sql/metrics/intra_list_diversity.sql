-- Intra-list diversity: the mean distance of two items of the list, with the distances in the input
-- items, at least 0.
--
--      sum of the distances of pairs within k
--     ----------------------------------------
--               pairs with a distance
--
-- A row of items gives the distance between item_id and other_item_id, which is the same in both
-- directions. Several rows of a pair are averaged. A pair without a row, or with a missing
-- distance, is excluded; a distance below 0 is rejected. The number of pairs is quadratic in the
-- length of a list. For distances by categories or features, use hamming_diversity or
-- cosine_diversity, which need no pairs.
--
-- Source    Ziegler et al. 2005, doi.org/10.1145/1060745.1060754, who add up similarities
-- Agrees    RecTools 0.19 IntraListDiversity, for lists of at least two items
-- Differs   RecTools, which counts a list of one item as 0
-- Undefined for a list without a pair of known distance within k, which is excluded
-- Aliases   ild
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(other_item_id, distance)
{% macro paired__intra_list_diversity() %}
sum(distance_above) / nullif(sum(known_above), 0)
{% endmacro %}
