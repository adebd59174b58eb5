-- Made by docs/update.py from the profiles in sql/conventions.

-- What libraries have: for each the parameters and rules of its metrics, as far as they are
-- not the defaults.
{% macro conventions() %}
{{ return({
    'lenskit': {
        'ndcg': {
            'params': {
                'gain': 'binary',
                'ideal': 'relevant',
            },
            'rules': {
                'population': 'truth_and_recs',
                'ties': 'item_desc',
            },
        },
    },
}) }}
{% endmacro %}
