{{ sqlrec.evaluate('ndcg@2 hit_rate@1', '(select * from ' ~ ref('recs') ~ ') as lists', ref('truth')) }}
