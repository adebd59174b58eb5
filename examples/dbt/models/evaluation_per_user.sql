{{ sqlrec.per_user(
    'ndcg@10 recall@10',
    recs=source('shop', 'recs'),
    truth=source('shop', 'clicks'),
    by=['campaign', 'day'],
    columns={'model': 'model', 'rank': 'rank'}
) }}
