-- Hit rate: the share of users with at least one relevant item within k, from 0 to 1.
--
--     1 if some rank within k has a relevant item, else 0
--
-- Source    Deshpande & Karypis 2004, doi.org/10.1145/963770.963776
-- Agrees    trec_eval success; ir_measures Success; ranx hit_rate; RecTools HitRate; RePlay HitRate
-- Params    unjudged = miss | hit: whether a shown item without a judgment is a miss or a hit; miss
--           gives the smallest possible hit rate, hit the largest
-- Undefined never; without a list or a relevant item, the value is 0
-- Ties      expected, in closed form, except unjudged=hit
-- Aliases   hit, hr, hitrate, hit_ratio, success, top_k_accuracy
-- Better    higher
-- Family    ranking
-- Cutoff    a number, or all
-- Inputs    recs, truth
{% macro hits__hit_rate(unjudged='miss') %}
{{ sqlrec.indicator(sqlrec.possible_hits() ~ ' > 0') if unjudged == 'hit' else 'max(hit)' }}
{% endmacro %}

{% macro expected__hit_rate(unjudged='miss') %}
{{ sqlrec.at_most('sum(first_hit)', 1) }}
{% endmacro %}
