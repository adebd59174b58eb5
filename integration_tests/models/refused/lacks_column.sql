{{ sqlrec.evaluate('ndcg@2', ref('users'), ref('truth')) }}
