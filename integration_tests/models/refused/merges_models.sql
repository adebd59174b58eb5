{{ sqlrec.evaluate('ndcg@2', {'als': ref('recs')}, ref('truth')) }}
