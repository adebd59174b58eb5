-- Made by docs/update.py from the headers of the metrics, sqlrec/plan.py and sqlrec/names.py.

-- The metrics. Of a parameter's values the first is the default; a number means any
-- number within its limits.
{% macro catalogue() %}
{{ return({
    'accuracy': {
        'rows': 'judged',
        'params': {
            'shown': ['list_length', 'k'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'catalog', 'columns': [], 'when': ''}],
    },
    'alpha_ndcg': {
        'rows': 'aspected',
        'params': {
            'alpha': [0.5],
        },
        'limits': {
            'alpha': 'from 0 to 1',
        },
        'aliases': ['a_ndcg'],
        'cutoff': 'a number up to 100',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['aspect'], 'when': ''}],
    },
    'auc': {
        'rows': 'pooled',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'average_overlap': {
        'rows': 'overlapped',
        'params': {
            'divide_by': ['longer', 'k'],
        },
        'limits': {},
        'aliases': ['ao'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'average_precision': {
        'rows': 'judged',
        'params': {
            'divide_by': ['relevant', 'achievable', 'hits', 'k', 'list_length', 'achievable_in_list'],
        },
        'limits': {},
        'aliases': ['ap', 'map'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'average_recall': {
        'rows': 'judged',
        'params': {
            'divide_by': ['hits', 'list_length'],
        },
        'limits': {},
        'aliases': ['ar', 'mar'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'baseline_serendipity': {
        'rows': 'shown',
        'params': {
            'divide_by': ['list_length', 'k', 'unexpected'],
        },
        'limits': {},
        'aliases': ['srdp', 'unexpected_relevance'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'bpref': {
        'rows': 'judged',
        'params': {
            'without_nonrelevant': ['recall', 'undefined'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'calibration_js': {
        'rows': 'calibrated',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['category'], 'when': ''}],
    },
    'calibration_kl': {
        'rows': 'calibrated',
        'params': {
            'alpha': [0.01],
            'unit': ['bits', 'nats'],
        },
        'limits': {
            'alpha': 'above 0 below 1',
        },
        'aliases': ['miscalibration'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['category'], 'when': ''}],
    },
    'catalog_coverage': {
        'rows': 'exposed',
        'params': {
            'items': ['catalog', 'history'],
            'outside': ['ignored', 'counted'],
            'padding': [0],
        },
        'limits': {
            'padding': 'from 0 to 1000000 by 1',
        },
        'aliases': ['coverage', 'catalogue_coverage', 'item_coverage'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'catalog', 'columns': [], 'when': 'items=catalog'}, {'table': 'history', 'columns': [], 'when': 'items=history'}],
    },
    'category_coverage': {
        'rows': 'categorized',
        'params': {
            'divide_by': ['k', 'list_length', 'categories'],
        },
        'limits': {},
        'aliases': ['categorical_diversity'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['category'], 'when': ''}],
    },
    'category_entropy': {
        'rows': 'categorized',
        'params': {
            'smoothing': [0],
        },
        'limits': {
            'smoothing': 'from 0 to 1000000',
        },
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['category'], 'when': ''}],
    },
    'churn': {
        'rows': 'shown',
        'params': {
            'divide_by': ['places', 'k'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'clipped_ips': {
        'rows': 'logged',
        'params': {
            'clip': [10],
        },
        'limits': {
            'clip': 'above 0 to 1000000000',
        },
        'aliases': ['clipped_ipw', 'cips'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': ['reward', 'propensity'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'cosine_diversity': {
        'rows': 'featured',
        'params': {
            'pairs': ['places', 'items'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['feature', 'value'], 'when': ''}],
    },
    'ctr': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['click_through_rate', 'replay'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'logs', 'columns': ['reward'], 'when': ''}],
    },
    'cumulative_gain': {
        'rows': 'judged',
        'params': {
            'gain': ['linear', 'binary', 'exponential'],
        },
        'limits': {},
        'aliases': ['cg'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'dcg': {
        'rows': 'judged',
        'params': {
            'gain': ['linear', 'binary', 'exponential'],
            'discount': ['standard', 'late'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'direct_method': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['dm'],
        'cutoff': 'none',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': ['expected_reward'], 'when': ''}],
    },
    'doubly_robust': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['dr'],
        'cutoff': 'none',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': ['reward', 'propensity', 'predicted_reward', 'expected_reward'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'efd': {
        'rows': 'shown',
        'params': {
            'relevance': ['binary', 'ignored'],
            'discount': ['logarithmic', 'geometric', 'none'],
            'patience': [0.85],
        },
        'limits': {
            'patience': 'above 0 below 1',
        },
        'aliases': ['expected_free_discovery'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': 'relevance=binary'}],
    },
    'effective_sample_size': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['ess'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': ['propensity'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'eleven_point_average_precision': {
        'rows': 'judged',
        'params': {
            'rounding': ['nearest', 'up', 'tenth'],
        },
        'limits': {},
        'aliases': ['eleven_point_ap', '11pt', '11pt_avg'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'epc': {
        'rows': 'shown',
        'params': {
            'relevance': ['binary', 'ignored'],
            'discount': ['logarithmic', 'geometric', 'none'],
            'patience': [0.85],
        },
        'limits': {
            'patience': 'above 0 below 1',
        },
        'aliases': ['expected_popularity_complement'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': 'relevance=binary'}],
    },
    'err': {
        'rows': 'judged',
        'params': {
            'max_grade': [4],
            'digits': ['all', 'five'],
        },
        'limits': {
            'max_grade': 'above 0 to 100',
        },
        'aliases': ['expected_reciprocal_rank'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'expected_exposure_disparity': {
        'rows': 'attended',
        'params': {
            'patience': [0.5],
        },
        'limits': {
            'patience': 'above 0 below 1',
        },
        'aliases': ['eed', 'ee_d'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'expected_exposure_loss': {
        'rows': 'attended',
        'params': {
            'patience': [0.5],
            'grades': ['given', 'binary'],
        },
        'limits': {
            'patience': 'above 0 below 1',
        },
        'aliases': ['eel', 'ee_l'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'expected_exposure_relevance': {
        'rows': 'attended',
        'params': {
            'patience': [0.5],
            'grades': ['given', 'binary'],
        },
        'limits': {
            'patience': 'above 0 below 1',
        },
        'aliases': ['eer', 'ee_r'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'exposure_share': {
        'rows': 'grouped',
        'params': {
            'group': ['text'],
            'weight': ['rank', 'plain'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['item_group'], 'when': ''}],
    },
    'f_beta': {
        'rows': 'judged',
        'params': {
            'beta': [1],
            'of': ['users', 'means'],
            'divide_by': ['k', 'list_length', 'k_or_length'],
        },
        'limits': {
            'beta': 'above 0 to 1000000',
        },
        'aliases': ['f1', 'f'],
        'cutoff': 'a number, or all',
        'parts': ['precision', 'recall', 'summary'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'fcp': {
        'rows': 'agreed',
        'params': {
            'average': ['pooled', 'users', 'means'],
            'ties': ['left_out', 'discordant'],
        },
        'limits': {},
        'aliases': ['fraction_of_concordant_pairs'],
        'cutoff': 'optional',
        'parts': ['concordant', 'discordant', 'summary'],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'gauc': {
        'rows': 'rated',
        'params': {
            'weight': ['none', 'impressions', 'positives'],
        },
        'limits': {},
        'aliases': ['user_auc'],
        'cutoff': 'optional',
        'parts': ['weight'],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'geometric_bpref': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['gm_bpref'],
        'cutoff': 'optional',
        'parts': ['summary'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'geometric_map': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['gmap', 'gm_map'],
        'cutoff': 'optional',
        'parts': ['summary'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'gini': {
        'rows': 'exposed',
        'params': {
            'items': ['recommended', 'catalog'],
            'weight': ['plain', 'rank', 'geometric'],
            'patience': [0.85],
            'padding': [0],
        },
        'limits': {
            'patience': 'above 0 below 1',
            'padding': 'from 0 to 1000000 by 1',
        },
        'aliases': ['gini_index'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'catalog', 'columns': [], 'when': 'items=catalog'}],
    },
    'hamming_diversity': {
        'rows': 'categorized',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['category'], 'when': ''}],
    },
    'herfindahl': {
        'rows': 'exposed',
        'params': {
            'weight': ['plain', 'rank'],
        },
        'limits': {},
        'aliases': ['hhi', 'herfindahl_hirschman'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}],
    },
    'hit_rate': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['hr', 'hitrate', 'success', 'top_k_accuracy'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'inferred_average_precision': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['infap', 'inf_ap'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'inter_list_diversity': {
        'rows': 'exposed',
        'params': {},
        'limits': {},
        'aliases': ['personalization', 'personalisation'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}],
    },
    'interpolated_precision': {
        'rows': 'judged',
        'params': {
            'recall': [0.5],
            'rounding': ['nearest', 'up', 'tenth'],
        },
        'limits': {
            'recall': 'from 0 to 1',
        },
        'aliases': ['iprec', 'iprec_at_recall'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'intra_list_diversity': {
        'rows': 'paired',
        'params': {},
        'limits': {},
        'aliases': ['ild'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['other_item_id', 'distance'], 'when': ''}],
    },
    'ips': {
        'rows': 'logged',
        'params': {
            'divide_by': ['logged', 'recommended'],
        },
        'limits': {},
        'aliases': ['ipw', 'inverse_propensity'],
        'cutoff': 'optional',
        'parts': ['error'],
        'needs': [{'table': 'logs', 'columns': ['reward', 'propensity'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}, {'table': 'recs', 'columns': [], 'when': 'divide_by=recommended'}],
    },
    'item_count': {
        'rows': 'judged',
        'params': {
            'of': ['hits', 'retrieved', 'relevant', 'nonrelevant'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': ['summary'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'jaccard_diversity': {
        'rows': 'paired',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['category'], 'when': ''}],
    },
    'judged_share': {
        'rows': 'judged',
        'params': {
            'divide_by': ['list_length', 'k'],
        },
        'limits': {},
        'aliases': ['judged'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'kendall': {
        'rows': 'agreed',
        'params': {
            'variant': ['tau_b', 'tau_a'],
        },
        'limits': {},
        'aliases': ['kendall_tau'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'list_auc': {
        'rows': 'judged',
        'params': {
            'no_pairs': ['undefined', 'bounds'],
        },
        'limits': {},
        'aliases': ['roc_auc'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'list_jaccard': {
        'rows': 'shown',
        'params': {},
        'limits': {},
        'aliases': ['jaccard'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'mae': {
        'rows': 'rated',
        'params': {
            'average': ['pooled', 'users'],
        },
        'limits': {},
        'aliases': ['mean_absolute_error'],
        'cutoff': 'optional',
        'parts': ['weight'],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'matched_share': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['weight_overlap'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': [], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'max_weight': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['largest_weight'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': ['propensity'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'mcc': {
        'rows': 'judged',
        'params': {
            'shown': ['list_length', 'k'],
        },
        'limits': {},
        'aliases': ['matthews_correlation'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'catalog', 'columns': [], 'when': ''}],
    },
    'mse': {
        'rows': 'rated',
        'params': {
            'average': ['pooled', 'users'],
        },
        'limits': {},
        'aliases': ['mean_squared_error'],
        'cutoff': 'optional',
        'parts': ['weight'],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'ncis_precision': {
        'rows': 'shown',
        'params': {
            'clip': [10],
        },
        'limits': {
            'clip': 'above 1 to 1000000000',
        },
        'aliases': ['ncisprecision'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': ['score'], 'when': ''}],
    },
    'ndcg': {
        'rows': 'judged',
        'params': {
            'gain': ['linear', 'binary', 'exponential'],
            'ideal': ['achievable', 'relevant', 'list_length', 'k'],
            'discount': ['standard', 'late'],
            'digits': ['all', 'five'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'ndcg_at_gains': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['ndcg_rel'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'ndcg_at_grades': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['rndcg'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'ndpm': {
        'rows': 'agreed',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'nerr': {
        'rows': 'judged',
        'params': {
            'max_grade': [4],
        },
        'limits': {
            'max_grade': 'above 0 to 100',
        },
        'aliases': ['normalized_err'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'normalized_gain': {
        'rows': 'judged',
        'params': {
            'gain': ['linear', 'binary'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'novelty': {
        'rows': 'shown',
        'params': {
            'divide_by': ['list_length', 'k'],
            'users': ['recs', 'history'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': ['members', 'summary'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'partial_ap': {
        'rows': 'judged',
        'params': {
            'n': [10],
            'insufficient': ['ignore', 'exclude'],
        },
        'limits': {
            'n': 'from 1 to 1000000 by 1',
        },
        'aliases': ['pap'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'partial_auc': {
        'rows': 'judged',
        'params': {
            'misses': [10],
            'insufficient': ['ignore', 'exclude'],
        },
        'limits': {
            'misses': 'from 1 to 1000000 by 1',
        },
        'aliases': ['pauc'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'pearson': {
        'rows': 'rated',
        'params': {},
        'limits': {},
        'aliases': ['pearson_r'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'pop_reo': {
        'rows': 'exposed',
        'params': {
            'head': [0.8],
        },
        'limits': {
            'head': 'above 0 below 1',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'pop_rsp': {
        'rows': 'exposed',
        'params': {
            'head': [0.8],
        },
        'limits': {
            'head': 'above 0 below 1',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'popularity_count': {
        'rows': 'shown',
        'params': {
            'count': ['users', 'events'],
            'divide_by': ['list_length', 'k'],
        },
        'limits': {},
        'aliases': ['arp', 'average_popularity'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'popularity_rank': {
        'rows': 'shown',
        'params': {
            'unit': ['place', 'quantile'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'popularity_share': {
        'rows': 'shown',
        'params': {
            'count': ['users', 'events'],
            'divide_by': ['list_length', 'k'],
        },
        'limits': {},
        'aliases': ['popularity'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'precision': {
        'rows': 'judged',
        'params': {
            'divide_by': ['k', 'list_length', 'k_or_length'],
        },
        'limits': {},
        'aliases': ['p'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'r2': {
        'rows': 'pooled',
        'params': {
            'constant': ['undefined', 'zero'],
        },
        'limits': {},
        'aliases': ['r_squared'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'r_precision': {
        'rows': 'judged',
        'params': {
            'divide_by': ['achievable', 'relevant'],
            'average': ['users', 'users_with_hit'],
            'multiple': [1],
        },
        'limits': {
            'multiple': 'above 0 to 1000000',
        },
        'aliases': ['rprec'],
        'cutoff': 'optional',
        'parts': ['found', 'summary'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'r_score': {
        'rows': 'judged',
        'params': {
            'half_life': [5],
            'neutral': [0],
            'mean': ['weighted', 'plain'],
        },
        'limits': {
            'half_life': 'above 1 to 1000000',
            'neutral': 'from 0 to 1000000',
        },
        'aliases': ['half_life_utility'],
        'cutoff': 'optional',
        'parts': ['weight'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'rbo': {
        'rows': 'overlapped',
        'params': {
            'p': [0.9],
            'form': ['extrapolated', 'minimum', 'truncated', 'scaled'],
            'without_baseline': ['zero', 'undefined'],
        },
        'limits': {
            'p': 'above 0 below 1',
        },
        'aliases': ['rank_biased_overlap'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'rbo_residual': {
        'rows': 'overlapped',
        'params': {
            'p': [0.9],
        },
        'limits': {
            'p': 'above 0 below 1',
        },
        'aliases': ['rbo_res'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'rbo_weight': {
        'rows': 'overlapped',
        'params': {
            'p': [0.9],
        },
        'limits': {
            'p': 'above 0 below 1',
        },
        'aliases': ['top_weightedness'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'rbp': {
        'rows': 'judged',
        'params': {
            'p': [0.8],
            'gain': ['binary', 'linear', 'normalized'],
            'ideal': ['endless', 'achievable_in_list'],
        },
        'limits': {
            'p': 'above 0 below 1',
        },
        'aliases': ['rank_biased_precision'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'rbp_residual': {
        'rows': 'judged',
        'params': {
            'p': [0.8],
            'all_judged': ['past_list', 'zero'],
        },
        'limits': {
            'p': 'above 0 below 1',
        },
        'aliases': ['rbp_resid'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'recall': {
        'rows': 'judged',
        'params': {
            'divide_by': ['relevant', 'achievable', 'achievable_in_list'],
        },
        'limits': {},
        'aliases': ['r'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'reciprocal_rank': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['rr', 'mrr'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'reo': {
        'rows': 'grouped',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['item_group'], 'when': ''}],
    },
    'rmse': {
        'rows': 'rated',
        'params': {
            'average': ['pooled', 'users'],
        },
        'limits': {},
        'aliases': ['root_mean_squared_error'],
        'cutoff': 'optional',
        'parts': ['weight', 'summary'],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'rsp': {
        'rows': 'grouped',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'items', 'columns': ['item_group'], 'when': ''}, {'table': 'history', 'columns': [], 'when': 'given'}],
    },
    'serendipity': {
        'rows': 'shown',
        'params': {
            'items': ['history', 'catalog'],
            'divide_by': ['list_length', 'k', 'lines'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}, {'table': 'catalog', 'columns': [], 'when': 'items=catalog'}],
    },
    'set_average_precision': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': ['set_map', 'set_ap'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'set_f': {
        'rows': 'judged',
        'params': {
            'x': [1],
        },
        'limits': {
            'x': 'above 0 to 1000000',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'set_utility': {
        'rows': 'judged',
        'params': {
            'hit': [1],
            'noise': [-1],
            'miss': [0],
            'rest': [0],
            'collection': [0],
        },
        'limits': {
            'hit': 'from -1000000 to 1000000',
            'noise': 'from -1000000 to 1000000',
            'miss': 'from -1000000 to 1000000',
            'rest': 'from -1000000 to 1000000',
            'collection': 'from 0 to 1000000000000',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'shannon_entropy': {
        'rows': 'exposed',
        'params': {
            'weight': ['plain', 'rank'],
            'unit': ['bits', 'nats'],
            'of': ['items', 'item'],
        },
        'limits': {},
        'aliases': ['entropy', 'distributional_coverage'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}],
    },
    'sndr': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['self_normalized_doubly_robust'],
        'cutoff': 'none',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': ['reward', 'propensity', 'predicted_reward', 'expected_reward'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'snips': {
        'rows': 'logged',
        'params': {},
        'limits': {},
        'aliases': ['snipw'],
        'cutoff': 'optional',
        'parts': ['error'],
        'needs': [{'table': 'logs', 'columns': ['reward', 'propensity'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'spearman': {
        'rows': 'rated',
        'params': {},
        'limits': {},
        'aliases': ['spearman_rho'],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'stratified_recall': {
        'rows': 'wanted',
        'params': {
            'exponent': [0.5],
            'average': ['users', 'pooled'],
        },
        'limits': {
            'exponent': 'from 0 to 10',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': ['weight'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'surprisal': {
        'rows': 'shown',
        'params': {
            'unit': ['bits', 'share'],
            'divide_by': ['list_length', 'k'],
            'count': ['users', 'events'],
            'without_history': ['once', 'zero'],
            'average': ['users', 'pooled'],
        },
        'limits': {},
        'aliases': ['miuf', 'mean_inverse_user_frequency', 'self_information'],
        'cutoff': 'a number, or all',
        'parts': ['weight'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'switch_dr': {
        'rows': 'logged',
        'params': {
            'tau': [10],
        },
        'limits': {
            'tau': 'from 0 to 1000000000',
        },
        'aliases': ['switch_doubly_robust'],
        'cutoff': 'none',
        'parts': [],
        'needs': [{'table': 'logs', 'columns': ['reward', 'propensity', 'predicted_reward', 'expected_reward'], 'when': ''}, {'table': 'recs', 'columns': [], 'when': 'given'}],
    },
    'tail_share': {
        'rows': 'shown',
        'params': {
            'head': [0.8],
            'of': ['interactions', 'items'],
            'divide_by': ['list_length', 'k'],
        },
        'limits': {
            'head': 'above 0 below 1',
        },
        'aliases': ['aplt', 'long_tail_share'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'history', 'columns': [], 'when': ''}],
    },
    'threshold_f1': {
        'rows': 'graded',
        'params': {
            'threshold': [3.5],
            'of': ['users', 'means'],
        },
        'limits': {
            'threshold': 'from -1000000 to 1000000',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': ['precision', 'recall', 'summary'],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'threshold_precision': {
        'rows': 'graded',
        'params': {
            'threshold': [3.5],
        },
        'limits': {
            'threshold': 'from -1000000 to 1000000',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'threshold_recall': {
        'rows': 'graded',
        'params': {
            'threshold': [3.5],
        },
        'limits': {
            'threshold': 'from -1000000 to 1000000',
        },
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': ['score'], 'when': ''}, {'table': 'truth', 'columns': ['relevance'], 'when': ''}],
    },
    'unexpectedness': {
        'rows': 'shown',
        'params': {
            'divide_by': ['list_length', 'k'],
            'without_baseline': ['unexpected', 'expected', 'undefined'],
            'users': ['recs', 'baseline'],
        },
        'limits': {},
        'aliases': [],
        'cutoff': 'a number, or all',
        'parts': ['members', 'summary'],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'baseline', 'columns': [], 'when': ''}],
    },
    'unjudged_share': {
        'rows': 'judged',
        'params': {
            'divide_by': ['list_length', 'k'],
        },
        'limits': {},
        'aliases': ['unjudged', 'unj'],
        'cutoff': 'a number, or all',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
    'user_coverage': {
        'rows': 'judged',
        'params': {},
        'limits': {},
        'aliases': [],
        'cutoff': 'optional',
        'parts': [],
        'needs': [{'table': 'recs', 'columns': [], 'when': ''}, {'table': 'truth', 'columns': [], 'when': ''}],
    },
}) }}
{% endmacro %}

-- The inputs: the columns that each always has, and those that it may have.
{% macro tables() %}
{{ return({
    'recs': {
        'always': ['user_id', 'item_id'],
        'sometimes': ['score', 'rank', 'model'],
    },
    'truth': {
        'always': ['user_id', 'item_id'],
        'sometimes': ['relevance'],
    },
    'history': {
        'always': ['user_id', 'item_id'],
        'sometimes': [],
    },
    'catalog': {
        'always': ['item_id'],
        'sometimes': [],
    },
    'items': {
        'always': ['item_id'],
        'sometimes': [],
    },
    'users': {
        'always': ['user_id'],
        'sometimes': [],
    },
    'baseline': {
        'always': ['user_id', 'item_id'],
        'sometimes': ['score', 'rank'],
    },
    'logs': {
        'always': [],
        'sometimes': ['user_id', 'item_id', 'position', 'target_probability'],
    },
}) }}
{% endmacro %}

-- The rules that can be switched, the default first.
{% macro rules() %}
{{ return({
    'population': ['truth', 'truth_and_recs', 'judged', 'judged_and_recs', 'recs', 'all'],
    'order': [none, 'score', 'rank'],
    'ties': ['item_asc', 'item_desc', 'first', 'expected', 'best', 'worst'],
    'duplicates': ['error', 'best'],
    'null_scores': ['error', 'last', 'drop'],
}) }}
{% endmacro %}

-- Numbers and names with a meaning.
{% macro limits() %}
{{ return({
    'whole_list': 2147483646,
    'past_every_cutoff': 2147483647,
    'largest_relevance': 1e+100,
    'largest_exponent': 1000,
    'taken': ['model', 'user_id', 'metric', 'k', 'value', 'users', 'population', 'users_evaluated', 'users_without_list', 'short_lists', 'ties_at_cutoff', 'unjudged_lists', 'repeated_rows', 'effective_decisions', 'largest_weight', 'faults'],
    'whole_kinds': ['exposed', 'grouped', 'pooled', 'logged'],
    'longest_column': 45,
    'numbers': ['distance', 'expected_reward', 'position', 'predicted_reward', 'propensity', 'rank', 'relevance', 'reward', 'score', 'target_probability', 'value'],
    'any_text': 'text',
    'largest_depth': 1000000,
    'rules': {
        'population': 'truth',
        'order': none,
        'ties': 'item_asc',
        'duplicates': 'error',
        'null_scores': 'error',
        'relevance_threshold': none,
        'truth_duplicates': none,
        'scores': 'any',
        'listed': 'all',
        'unlisted': 'absent',
        'without_list': 'value',
        'undefined': 'omit',
    },
    'ranking': ['order', 'check_order', 'ties', 'duplicates', 'null_scores', 'scores', 'listed'],
    'without_rows': [['ties', 'first', 'item_asc'], ['duplicates', 'last', 'best'], ['truth_duplicates', 'last', 'best']],
    'by_relevance': ['expected', 'best', 'worst'],
    'with_relevance': [['duplicates', 'once', 'places'], ['duplicates', 'outer', 'places'], ['duplicates', 'outer_in_k', 'places'], ['duplicates', 'crossed', 'places'], ['truth_duplicates', 'joined', 'rows'], ['truth_duplicates', 'summed', 'rows'], ['truth_duplicates', 'lines', 'rows']],
    'expected': {
        'average_precision': {
            'divide_by': 'hits',
        },
        'cumulative_gain': {},
        'dcg': {},
        'hit_rate': {},
        'ndcg': {
            'digits': 'five',
        },
        'precision': {},
        'recall': {},
        'reciprocal_rank': {},
    },
}) }}
{% endmacro %}

-- What some dialect takes for a word of its own.
{% macro reserved_words() %}
abort add aes128 aes256 after aggregate all allowoverwrite alter always analyse analyze and anti any
append array as asc asof assert assert_rows_modified asymmetric at attach authorization
autoincrement az64 bearer bearer_token before begin between binary blanksasnull both by bytedict
cascade case cast check clone collate collation column commit commutator comprows compupdate
concurrently conflict connect connection constraint contains corresponding create credentials cross
cube current current_catalog current_date current_path current_role current_schema current_time
current_timestamp current_user current_user_id database datetime deallocate declare default
deferrable deferred define defrag delete delimiters delta delta32k desc describe detach disable
distinct do drop each else elseif emptyasnull enable encode encrypt encryption end enum escape
except exclude exclusive execute exists explain explicit explicit_ids extend extract fail false
fetch fillrecord filter final first following for foreign format freeze from full function generated
glob globaldict256 globaldict64k grant group grouping groups gscluster hash hashes having hybrid
identity if ignore ignoreblanklines ignoreheader ilike immediate in include increment index indexed
initially inner insert insert_only instead intersect interval into is isnull join json_array
json_exists json_object json_query json_table json_value lambda lateral leading left like limit
listagg localtime localtimestamp lookup lun luns lzo match_condition match_recognize materialized
merge merges minus mostly16 mostly32 mostly8 natural negator new no normalize not nothing notnull
null null_if nulls of off offline offset oid old on only open or order others outer over overlaps
parallel partition percent permissions pivot pivot_longer pivot_wider placing plan pragma preceding
prepare prewhere primary proto qualify query raise range raw readratio recover recursive references
regexp regr reindex reject rejectlog release rename replace resort respect restore restrict
returning revoke right rightarg rlike rollback rollup row rows runlength sample savepoint select
semi session_user set settings show similar skip snapshot some start strict struct summarize
symmetric sysdate system system_user table tablesample tag tdes temp temporary text255 text32k then
timestamp to top trailing transaction treat trigger trim true truncatecolumns try_cast uescape
unbounded union unique unknown unnest unpivot update user using vacuum values variadic verbose view
when whenever where window with within without
{% endmacro %}
