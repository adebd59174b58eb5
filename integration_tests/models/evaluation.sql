-- Nothing names relevance or model: they are found.
{{ sqlrec.evaluate('ndcg@2 hit_rate@1', ref('recs'), ref('truth')) }}
