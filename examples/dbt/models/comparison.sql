{{ sqlrec.compare(
    'ndcg@10 recall@10',
    baseline='random',
    recs=source('shop', 'recs'),
    truth=source('shop', 'clicks'),
    by='campaign'
) }}
