{{ sqlrec.evaluate('hit_rate@1 mrr@2', ref('recs'), ref('truth'), columns={'model': 'model', 'relevance': 'relevance'}) }}
