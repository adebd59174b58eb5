{{ sqlrec.per_user('ndcg@2', ref('recs'), ref('truth')) }}
