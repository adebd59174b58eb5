-- The columns relevance and model are found by their names.
{{ sqlrec.evaluate('ndcg@2 hit_rate@1', ref('recs'), ref('truth')) }}
