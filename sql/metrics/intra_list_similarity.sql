-- Intra-list similarity: the cosine similarity of two items' vectors, averaged over the pairs of
-- the list, from -1 to 1, and at least 0 if no value is negative.
--
--      sum over features of  (sum of values)^2 - (sum of their squares)
--     ------------------------------------------------------------------
--                      n * (n - 1),  n ranks within k
--
-- It is 1 - cosine_diversity, so lower is better. A row of items gives the value of one feature;
-- several rows of a feature are averaged, and a missing feature or value is 0.
--
-- Source    Ziegler et al. 2005, doi.org/10.1145/1060745.1060754, who add up the pairs
-- Agrees    recmetrics intra_list_similarity
-- Undefined for a list with fewer than two items within k, which is excluded
-- Aliases   ils
-- Better    lower
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(feature, value)
{% macro list_features__intra_list_similarity() %}
1 - ({{ sqlrec.list_features__cosine_diversity() | trim }})
{% endmacro %}
