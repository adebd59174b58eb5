{{ sqlrec.compare('ndcg@2', ref('recs'), ref('truth'), baseline='pop', level=0.95, form='plain') }}
