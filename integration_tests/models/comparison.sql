{{ sqlrec.compare('ndcg@2', ref('recs'), ref('truth'), baseline='pop') }}
