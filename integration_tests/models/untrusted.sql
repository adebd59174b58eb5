{{ sqlrec.evaluate('ndcg@2 hit_rate@1', ref('repeated'), ref('truth'), interval='normal', summaries='median') }}
