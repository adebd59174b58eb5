-- Subtopic recall: the share of the aspects of a user's relevant items that at least one hit within
-- k has, from 0 to 1.
--
--      aspects of the hits within k
--     ------------------------------
--      aspects of the relevant items
--
-- With divide_by=all, it is the share of all aspects in items.
--
-- Source    Zhai, Cohen & Lafferty 2003, doi.org/10.1145/860435.860440
-- Agrees    pyndeval strec; ir_measures StRecall, if all users have a list; Elliot SRecall with
--           divide_by=all, for users with a relevant item
-- Params    divide_by = relevant | all: the aspects of the user's relevant items, or of all items
-- Undefined with divide_by=relevant for a user without a relevant item that has an aspect
-- Aliases   st_recall, strec, aspect_recall
-- Better    higher
-- Family    diversity
-- Cutoff    a number, or all
-- Inputs    recs, truth, items(aspect)
{% macro aspect_hits__subtopic_recall(divide_by='relevant') %}
sum(case when earlier_hits = 0 then hit_with_aspect else 0 end) / {{ 'user_aspects' if divide_by == 'relevant' else 'nullif(all_aspects, 0)' }}
{% endmacro %}
