{% set lists = '(select row_of as who, item_id, score, model from ' ~ ref('recs') ~ ' as row_of) as lists' %}
{{ sqlrec.evaluate('ndcg@2 hit_rate@1', lists, ref('truth'), columns={'recs.user_id': 'who.user_id'}) }}
