-- R-precision: the precision within the first R ranks, where R is the number of the user's
-- relevant items, from 0 to 1.
--
--      hits within R
--     ---------------   where R = the user's relevant items, but at most k
--            R
--
-- Without a cutoff, R is the number of the user's relevant items.
--
-- Source    Buckley & Voorhees 2000, doi.org/10.1145/345508.345543
-- Agrees    trec_eval Rprec, and Rprec_mult with multiple; ir_measures Rprec; ranx r-precision
-- Differs   recommenders, which excludes users without a hit; RecTools
--           Precision(r_precision=True), which is recall with divide_by=achievable
-- Params    divide_by = achievable | relevant: R, or all of the user's relevant items even if
--           there are more than k
--           average = users | users_with_hit: the mean over all users, or over users with a hit
--           within R; 0 if no user has a hit within k
--           multiple = 1 above 0 to 1000000: R = floor(multiple * relevant items + 0.9)
-- Undefined for users with an R of 0, such as users without a relevant item; with
--           average=users_with_hit, also for users without a hit within R
-- Aliases   rprec
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__r_precision(divide_by='achievable', average='users', multiple=1) %}
{% set items = 'relevant_items' if multiple == 1 else 'floor(' ~ sqlrec.double(multiple) ~ ' * relevant_items + 0.9e0)' %}
{% set end = sqlrec.least('k', items) %}
{% set hits = 'sum(case when rank <= ' ~ end ~ ' then hit else 0 end)' %}
{{ 'nullif(' ~ hits ~ ', 0)' if average == 'users_with_hit' else hits }}
/ nullif({{ end if divide_by == 'achievable' else items }}, 0)
{% endmacro %}

{% macro hits__r_precision__hits(divide_by='achievable', average='users', multiple=1) %}
sum(hit)
{% endmacro %}

{% macro hits__r_precision__summary(column, divide_by='achievable', average='users', multiple=1) %}
case when sum({{ column }}_hits) > 0 then {{ sqlrec.mean(column) }} else 0 end
{% endmacro %}
