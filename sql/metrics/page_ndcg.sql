-- Page NDCG: the NDCG of a page of several rows, such as carousels, in which items further down and
-- items further to the right count less, from 0 to 1.
--
--      sum of  gain / log2(row + column)  over the ranks of the page
--     ----------------------------------------------------------------
--      the same sum for the user's items, the best at the best ranks
--
-- Number the ranks by row + column, then by row, and use this number as the rank: 1 for row 1 and
-- column 1, 2 for row 1 and column 2, 3 for row 2 and column 1. Ranks without an item are excluded.
-- Ranks past the end of the page count as 0, and a cutoff counts the first k ranks. With
-- duplicates=best, an item that is in several rows counts once, at its best rank. With one row, it
-- is NDCG.
--
-- Source    Felicioni, Ferrari Dacrema, Perez Maurera & Cremonesi 2021, ceur-ws.org/Vol-2947;
--           Ferrari Dacrema, Felicioni & Cremonesi 2022, doi.org/10.3389/fdata.2022.910030, both
--           with equal weights for rows and columns, and without swipes
-- Agrees    the authors' NDCG_2D, with gain=exponential
-- Params    rows = 3 from 1 to 50 by 1: how many rows the page has
--           columns = 5 from 1 to 50 by 1: how many ranks each row has
--           gain = linear | binary | exponential: the relevance, 1 for a relevant item, or
--           2^relevance - 1
-- Undefined for a user without a gain on the best page
-- Aliases   ndcg_2d, n2dcg
-- Better    higher
-- Family    ranking
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__page_ndcg(rows=3, columns=5, gain='linear') %}
{% set page = 'page_' ~ (rows | int) ~ '_' ~ (columns | int) %}
{% set dcg = 'coalesce(sum(' ~ sqlrec.discount(page, 'rank', sqlrec.gain(gain) | trim) ~ '), 0)' %}
{{ sqlrec.share_of(dcg, 'ideal_' ~ page ~ '_' ~ gain) }}
{% endmacro %}
