-- RBP: the rank-biased precision, which is the expected gain per rank seen by a user who continues
-- from each rank to the next with probability p, from 0 to 1.
--
--     (1 - p) * sum over the ranks within k of  gain * p^(rank - 1)
--
-- With gain=linear, it can exceed 1 unless the grades are between 0 and 1.
--
-- Source    Moffat & Zobel 2008, doi.org/10.1145/1416950.1416952
-- Agrees    trec_eval 10 rbp with gain=normalized and p=0.9; ir_measures RBP(rel=1); ranx rbp
--           with gain=linear; LensKit RBP with p=0.85, and with ideal=achievable_in_list its
--           normalize=True
-- Differs   ranx, which multiplies by the grade, although its documentation says 0 or 1
-- Params    p = 0.8 above 0 below 1: the probability of continuing; the paper uses 0.5, 0.8 and
--           0.95
--           gain = binary | linear | normalized: 1 for a relevant item, the relevance, or the
--           relevance divided by the largest relevance of the user's items if that is above 1
--           ideal = endless | achievable_in_list: the list that has the value 1: an endless list of
--           relevant items, or a list of the user's relevant items, at most the number that was
--           shown
-- Undefined never; without a list or a relevant item, the value is 0
-- Aliases   rank_biased_precision
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__rbp(p=0.8, gain='binary', ideal='endless') %}
{% set normalized = 'relevance / case when best_relevance > 1 then best_relevance else 1 end' %}
{% set worth = normalized if gain == 'normalized' else sqlrec.gain(gain) | trim %}
{% set value = '(1 - ' ~ sqlrec.double(p | float) ~ ') * sum(' ~ worth ~ ' * ' ~ sqlrec.power_of_fraction(p, 'rank - 1') ~ ')' %}
{% set ranks = sqlrec.power_of_fraction(p, sqlrec.least('list_length', 'relevant_items')) %}
{% if ideal == 'endless' %}
{{ value if gain == 'linear' else sqlrec.at_most(value, 1) }}
{% elif gain == 'linear' %}
coalesce({{ value }} / nullif(1 - {{ ranks }}, 0), 0)
{% else %}
coalesce({{ sqlrec.share_of(value, '(1 - ' ~ ranks ~ ')', true) }}, 0)
{% endif %}
{% endmacro %}
