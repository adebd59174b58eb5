{{ sqlrec.evaluate(
    'ndcg@2 hit_rate@1',
    ref('recs'),
    ref('truth'),
    users=ref('users'),
    by='country',
    groupings='each',
    interval='normal',
    summaries='median p90 zero_share'
) }}
