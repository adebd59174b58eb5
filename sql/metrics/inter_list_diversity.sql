-- Inter-list diversity: how much the lists of two users differ, over all pairs of users, from 0 to
-- 1.
--
--                        common items within k
--     mean of   1 - --------------------------------- ,   n = ranks of each of the two lists within k
--                        sqrt(n(a)) * sqrt(n(b))
--
-- This is the mean cosine distance of all pairs of lists. No pairs are formed: with N users, and
-- m(i) as the sum of 1 / sqrt(n(u)) over the users u to whom item i is shown, it is
--
--     1 - (sum of m(i)^2 - N) / (N * (N - 1)).
--
-- With divide_by=k the common items are divided by k, so a short list has little in common with any
-- list. Each list then counts k items in common with itself, so the value exceeds 1 if short lists
-- have little in common.
--
-- Source    Zhou et al. 2010, doi.org/10.1073/pnas.1000488107, as personalization of lists of k
--           items
-- Agrees    Jurity InterListDiversity with user_sample_size=None, and by default on up to 10,000
--           users; recmetrics personalization; Evidently Personalization with divide_by=k
-- Differs   Jurity InterListDiversity by default for more users, because it draws a sample of them
-- Params    divide_by = lengths | k: the square root of the product of the two lists' lengths; or
--           the cutoff
-- Undefined if fewer than two users have a list
-- Aliases   personalization, personalisation
-- Better    higher
-- Family    diversity
-- Cutoff    optional
-- Inputs    recs
{% macro item_exposure__inter_list_diversity(divide_by='lengths') %}
{% set common = 'sum(mass * mass)' if divide_by == 'lengths' else 'coalesce(sum(lists * lists), 0) / cast(k as double)' %}
{% set alike, pairs = common ~ ' - users_evaluated', 'cast(users_evaluated as double) * (users_evaluated - 1)' %}
{% set alike = sqlrec.greatest(sqlrec.least(alike, pairs), 0) if divide_by == 'lengths' else '(' ~ alike ~ ')' %}
1 - {{ alike }} / nullif({{ pairs }}, 0)
{% endmacro %}
