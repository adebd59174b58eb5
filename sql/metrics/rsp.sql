-- RSP, ranking-based statistical parity: how unequal the probability of being shown is for groups
-- of items, at least 0. At 0, items of all groups are equally likely to be shown.
--
--      standard deviation of  shown(g)  over the groups g
--     ---------------------------------------------------- ,
--                   mean of  shown(g)
--
--                 ranks within k that have an item of g, of all users
--     shown(g) = ------------------------------------------------------
--                 items of g that the user has not had, of all users
--
-- Users without a list do not count; without the input history, every item counts as new to users.
-- A group is excluded if each user with a list has had all of its items. The standard deviation is
-- the population standard deviation, which divides by the number of groups.
--
-- Source    Zhu et al. 2020, doi.org/10.1145/3397271.3401177
-- Agrees    Elliot RSP
-- Undefined if no list shows an item of any group that counts
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, items(item_group), history if given
{% macro group_exposure__rsp() %}
sqrt(favg((shown_rate - mean_shown) * (shown_rate - mean_shown)))
/ nullif(max(mean_shown), 0)
{% endmacro %}
