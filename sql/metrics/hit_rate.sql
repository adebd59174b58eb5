-- Hit rate: the share of users with at least one relevant item within k, from 0 to 1.
--
--     1 if some place within k holds a relevant item, else 0
--
-- Source    Deshpande & Karypis 2004, doi.org/10.1145/963770.963776
-- Agrees    trec_eval success; ir_measures Success; ranx hit_rate; RecTools HitRate; RePlay HitRate
-- Params    unjudged = miss | hit: what a shown item counts as that the truth does not judge; miss
--           is the least that the hit rate can be, hit the most
-- Undefined never; without a list or a relevant item it is 0
-- Ties      expected, in closed form, but for unjudged=hit
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
