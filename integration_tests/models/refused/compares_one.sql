{{ sqlrec.compare('ndcg@2', '(select user_id, item_id, score from ' ~ ref('recs') ~ ') as lists', ref('truth'), baseline='pop') }}
