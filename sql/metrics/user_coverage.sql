-- User coverage: the share of the users who have a list, from 0 to 1.
--
--      users with an item within k
--     -----------------------------
--                users
--
-- The users are the population: by default the users with a relevant item. If the population
-- consists of the users with a list, the value is 1.
--
-- Source    Ge et al. 2010, doi.org/10.1145/1864708.1864761, as coverage of users
-- Agrees    Elliot UserCoverage / users, if all users of the truth are evaluated
-- Differs   Elliot UserCoverage, which is a count
-- Undefined never
-- Better    higher
-- Family    coverage
-- Cutoff    optional
-- Inputs    recs, truth
{% macro hits__user_coverage() %}
cast(case when list_length > 0 then 1 else 0 end as double)
{% endmacro %}
