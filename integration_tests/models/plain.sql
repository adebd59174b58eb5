{{ sqlrec.evaluate('ndcg@2 hit_rate@1', ref('recs'), ref('truth'), form='plain') }}
