-- Cosine diversity: 1 minus the cosine similarity of two items' vectors, averaged over the pairs of
-- the list, from 0 to 2, and at most 1 if no value is negative.
--
--           sum over features of  (sum of values)^2 - (sum of their squares)
--     1 -  ------------------------------------------------------------------
--                           n * (n - 1),  n ranks within k
--
-- Vectors are first scaled to length 1. A row of items gives the value of one feature; several rows
-- of a feature are averaged, and a missing feature or value is 0. A vector of zeros is at distance
-- 1 from every other vector. The cost is linear in the length of a list, since no pairs are formed.
--
-- Source    Jurity 2.1, github.com/fidelity/jurity
-- Agrees    Jurity IntraListDiversity, with user_sample_size=None, and recommenders diversity:
--           pairs=items; Evidently Diversity with divide_by=ranks
-- Params    pairs = ranks | items: all pairs of ranks, or only pairs of different items, if a
--           list repeats an item
--           divide_by = pairs | ranks: the pairs, which gives the mean distance, or the ranks,
--           which gives (n - 1) / 2 times the mean distance
-- Undefined for a list with fewer than two items within k, or with pairs=items fewer than two
--           different items; such a list is excluded. With divide_by=ranks, the value of a list
--           with one item is 0
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, items(feature, value)
{% macro list_features__cosine_diversity(pairs='ranks', divide_by='pairs') %}
{% set ranks = 'cast(list_length as double) * (list_length - 1)' %}
{% if divide_by == 'ranks' %}
(list_length - 1{{ ' - 2 * repeated_pairs / cast(list_length as double)' if pairs == 'items' }}
- sum(feature_sum * feature_sum - {{ 'feature_squares' if pairs == 'ranks' else 'feature_of_items' }}) / list_length) / 2
{% else %}
{% set alike = 'sum(feature_sum * feature_sum - ' ~ ('feature_squares' if pairs == 'ranks' else 'feature_of_items') ~ ')' %}
{% set pairs = '(' ~ ranks ~ (' - 2 * repeated_pairs' if pairs == 'items') ~ ')' %}
1 - {{ sqlrec.greatest(sqlrec.least(alike, pairs), '-' ~ pairs) }} / nullif({{ pairs }}, 0)
{% endif %}
{% endmacro %}
