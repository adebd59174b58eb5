-- Rules that depend on the order of rows use a column.
{{ sqlrec.evaluate(
    'ndcg@1 ndcg(convention=lenskit)@2',
    '(select model, user_id, item_id, 1.0 as score, score as number from ' ~ ref('recs') ~ ') as lists',
    ref('truth'),
    ties='first',
    order_by='number'
) }}
