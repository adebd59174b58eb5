{{ sqlrec.evaluate(
    'ndcg@10 recall@5 recall@10 map@10',
    recs=source('shop', 'recs'),
    truth=source('shop', 'clicks'),
    by='campaign',
    columns={'model': 'model', 'rank': 'rank'}
) }}
