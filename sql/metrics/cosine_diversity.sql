-- Cosine diversity: 1 minus the cosine similarity of two items' vectors, averaged over the pairs of
-- the list, from 0 to 2, and at most 1 where no value is negative.
--
--           sum over features of  (sum of values)^2 - (sum of their squares)
--     1 -  ------------------------------------------------------------------
--                           n * (n - 1),  n places within k
--
-- Vectors are first scaled to length 1. A row of items gives the value of one feature; several rows
-- of a feature are averaged, and a missing feature or value is 0. A vector of zeros is at distance
-- 1 from every other. The cost is linear in the length of a list, since no pairs are formed.
--
-- Source    Jurity 2.1, github.com/fidelity/jurity
-- Agrees    Jurity IntraListDiversity, with user_sample_size=None, and recommenders diversity:
--           pairs=items
-- Params    pairs = places | items: all pairs of places, or only those of different items, where a
--           list may repeat an item
-- Undefined for a list with fewer than two places, or items, within k, which is left out
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(feature, value)
{% macro featured__cosine_diversity(pairs='places') %}
{% set places = sqlrec.double('list_length') ~ ' * (list_length - 1)' %}
{% if pairs == 'places' %}
1 - sum(feature_sum * feature_sum - feature_squares)
/ nullif({{ places }}, 0)
{% else %}
1 - sum(feature_sum * feature_sum - feature_of_items)
/ nullif({{ places }} - 2 * repeated_pairs, 0)
{% endif %}
{% endmacro %}
