{{ sqlrec.compare('ndcg@2', ref('repeated'), ref('truth'), baseline='pop') }}
