{{ sqlrec.evaluate('ndcg@2', ref('truth'), ref('truth')) }}
