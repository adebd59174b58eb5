{{ sqlrec.evaluate('ndcg@2', ref('recs'), ref('truth'), by='country') }}
