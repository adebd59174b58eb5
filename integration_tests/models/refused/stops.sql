{{ sqlrec.evaluate('ndcg@2', ref('repeated'), ref('truth'), on_violation='fail') }}
