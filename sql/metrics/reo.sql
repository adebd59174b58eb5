-- REO, ranking-based equal opportunity: how unequal recall is for groups of items, at least 0. At
-- 0, relevant items of all groups are equally likely to be shown.
--
--      standard deviation of  found(g)  over the groups g
--     ---------------------------------------------------- ,
--                   mean of  found(g)
--
--                 hits within k that are in g, of all users
--     found(g) = -------------------------------------------
--                 relevant items that are in g, of all users
--
-- Users without a list do not count. Groups without a relevant item are excluded. The standard
-- deviation is the population standard deviation, which divides by the number of groups.
--
-- Source    Zhu et al. 2020, doi.org/10.1145/3397271.3401177
-- Agrees    Elliot REO, if no relevant item is in the user's history
-- Undefined if no relevant item is found, or no group has one
-- Better    lower
-- Family    fairness
-- Cutoff    optional
-- Inputs    recs, truth, items(item_group)
{% macro group_exposure__reo() %}
sqrt(favg((found_rate - mean_found) * (found_rate - mean_found)))
/ nullif(max(mean_found), 0)
{% endmacro %}
