{{ sqlrec.per_user('ndcg@2', ref('repeated'), ref('truth')) }}
