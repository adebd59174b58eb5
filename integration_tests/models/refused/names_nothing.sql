{{ sqlrec.evaluate('ndcg@2', ref('recs'), ref('truth'), columns={'truth.relevance': 'stars'}) }}
