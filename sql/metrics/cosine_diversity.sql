-- Cosine diversity: 1 less the cosine of two items' vectors, on average over the pairs of the list,
-- from 0 to 2, and to 1 where no value is below 0.
--
--           sum over features of  (sum of values)^2 - (sum of their squares)
--     1 -  ------------------------------------------------------------------
--                           n * (n - 1),  n places within k
--
-- of vectors that are scaled to length 1. A row of items gives the value of one feature; where a
-- feature has several rows their mean counts, and where it has none, or no value, it is 0. An item of
-- zeros is at distance 1 from every other. Linear in the length of a list: no pairs are formed.
--
-- Source    Jurity 2.1, github.com/fidelity/jurity
-- Agrees    Jurity IntraListDiversity, with user_sample_size=None, and recommenders diversity: pairs=items
-- Params    pairs = places | items: of all places, or of those that have different items, where a list
--           may repeat an item
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
