-- History distance: 1 minus the mean cosine similarity of the list's items and the items of the
-- user's history, from 0 to 2, and at most 1 if no value is negative.
--
--      sum over the ranks within k of  1 - mean cosine with the items of the user's history
--     ---------------------------------------------------------------------------------------
--                                 length of the list within k
--
-- With of=relevant, only hits count. The value then measures serendipity: items that are unexpected
-- and relevant. With of=hits, it is 1 minus the sum of the hits' mean cosines, which is below 0 if
-- the list has many hits. A row of items gives the value of one feature; several rows of a feature
-- are averaged, and a missing feature or value is 0. To treat items as similar if the same users
-- had them, use the users as features with value 1.
--
-- Source    Zhang et al. 2012, doi.org/10.1145/2124295.2124300, as unserendipity
-- Agrees    recommenders serendipity, with the history as items, user_id as feature and 1 as value;
--           of=relevant with its col_relevance; Evidently Serendipity with of=hits
-- Differs   serendipity, which follows RecTools; baseline_serendipity, which compares with another
--           model's lists
-- Params    of = all | relevant | hits: the ranks that count, or 1 minus a sum over the hits
-- Undefined for a user without a list or without history, who is excluded; with of=hits, also for a
--           user without a hit
-- Better    neither
-- Family    novelty
-- Cutoff    a number, or all
-- Inputs    recs, history, items(feature, value), truth if of=relevant|hits
{% macro recommended_items__history_distance(of='all') %}
{% if of == 'hits' %}
case when sum(hit) > 0 then 1 - sum(hit * likeness) end
{% else %}
sum({{ 'hit * (1 - likeness)' if of == 'relevant' else '1 - likeness' }}) / list_length
{% endif %}
{% endmacro %}
