-- Made by docs/update.py from the headers of the metrics, sqlrec/plan and sqlrec/dialects.py.

-- The metrics.
{% macro catalogue() %}
{{ return({
    'accuracy': {
        'name': 'accuracy', 'rows': 'hits', 'defaults': {'shown': 'list_length'}, 'texts': [],
        'choices': {'shown': ['list_length', 'k']}, 'numbers': {}, 'cutoff': 'a number, or all',
        'most': 1000000, 'needs': {'recs': [], 'truth': [], 'catalog': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Accuracy: the share of the catalog that is shown and relevant, or neither, from 0 to 1.',
            'source': 'RecTools 0.19',
        },
    },
    'alpha_ndcg': {
        'name': 'alpha_ndcg', 'rows': 'aspected', 'defaults': {'alpha': 0.5, 'form': 'clarke'},
        'texts': [], 'choices': {'form': ['clarke', 'rs_metrics']},
        'numbers': {
            'alpha': {
                'words': 'from 0 to 1', 'above': -1e+300, 'least': 0, 'below': 1e+300, 'most': 1,
                'step': 0,
            },
        },
        'cutoff': 'a number', 'most': 100,
        'needs': {'recs': [], 'truth': [], 'items': ['aspect']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Alpha-NDCG: how near a list is to the best list where a hit counts for less the more hits above are of its aspects, from 0 to 1.',
            'source': 'Clarke et al. 2008',
        },
    },
    'auc': {
        'name': 'auc', 'rows': 'pooled', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'AUC: how often a relevant item has a higher score than one that is not relevant, of all users together, from 0 to 1.',
            'source': 'Hanley & McNeil 1982',
        },
    },
    'average_overlap': {
        'name': 'average_overlap', 'rows': 'overlapped', 'defaults': {'divide_by': 'longer'},
        'texts': [], 'choices': {'divide_by': ['longer', 'k']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'baseline': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Average overlap: the share of items that the first d places of two lists for the same user have in common, on average over all depths d, from 0 to 1.',
            'source': 'Fagin et al. 2003',
        },
    },
    'average_precision': {
        'name': 'average_precision', 'rows': 'hits', 'defaults': {'divide_by': 'relevant'},
        'texts': [],
        'choices': {
            'divide_by': ['relevant', 'achievable', 'hits', 'k', 'list_length', 'achievable_in_list'],
        },
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {'divide_by': 'hits'},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Average precision: the precision at each hit, summed and divided by the hits that were to be had, from 0 to 1. Its mean over users is known as MAP.',
            'source': 'Buckley & Voorhees 2000',
        },
    },
    'average_recall': {
        'name': 'average_recall', 'rows': 'hits', 'defaults': {'divide_by': 'hits'}, 'texts': [],
        'choices': {'divide_by': ['hits', 'list_length']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Average recall: the recall at each hit, averaged over the hits, from 0 to 1. Its mean over users is known as MAR.',
            'source': 'rs_metrics 0.4',
        },
    },
    'baseline_serendipity': {
        'name': 'baseline_serendipity', 'rows': 'shown', 'defaults': {'divide_by': 'list_length'},
        'texts': [], 'choices': {'divide_by': ['list_length', 'k', 'unexpected']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': [], 'baseline': []}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Baseline serendipity: the share of the list that is relevant and that the baseline's list within k does not have, from 0 to 1.",
            'source': 'Ge et al. 2010',
        },
    },
    'bpref': {
        'name': 'bpref', 'rows': 'hits', 'defaults': {'without_nonrelevant': 'recall'},
        'texts': [], 'choices': {'without_nonrelevant': ['recall', 'undefined']}, 'numbers': {},
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Bpref: how far relevant items stand above those judged not relevant, whatever else the list has, from 0 to 1.',
            'source': 'Buckley & Voorhees 2004',
        },
    },
    'calibration_js': {
        'name': 'calibration_js', 'rows': 'calibrated', 'defaults': {}, 'texts': [],
        'choices': {}, 'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': [], 'items': ['category']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': "Calibration JS: how far the list's mix of categories and that of the user's history are apart, by the Jensen-Shannon divergence in bits, from 0 to 1. It measures miscalibration, so 0 is the best.",
            'source': 'Lin 1991',
        },
    },
    'calibration_kl': {
        'name': 'calibration_kl', 'rows': 'calibrated',
        'defaults': {'alpha': 0.01, 'unit': 'bits'}, 'texts': [],
        'choices': {'unit': ['bits', 'nats']},
        'numbers': {
            'alpha': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': [], 'items': ['category']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': "Calibration KL: how far the list's mix of categories is from that of the user's history, from 0 up. It measures miscalibration, so 0 is the best.",
            'source': 'Steck 2018',
        },
    },
    'catalog_coverage': {
        'name': 'catalog_coverage', 'rows': 'exposed',
        'defaults': {'items': 'catalog', 'outside': 'ignored', 'padding': 0}, 'texts': [],
        'choices': {'items': ['catalog', 'history'], 'outside': ['ignored', 'counted']},
        'numbers': {
            'padding': {
                'words': 'from 0 to 1000000 by 1', 'above': -1e+300, 'least': 0, 'below': 1e+300,
                'most': 1000000, 'step': 1,
            },
        },
        'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': [], 'catalog': [], 'history': []}, 'if_given': [],
        'if_param': {'catalog': ['items', 'catalog'], 'history': ['items', 'history']},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Catalog coverage: the share of the catalog's items that some list shows, from 0 to 1.",
            'source': 'Herlocker et al. 2004',
        },
    },
    'category_coverage': {
        'name': 'category_coverage', 'rows': 'categorized', 'defaults': {'divide_by': 'k'},
        'texts': [], 'choices': {'divide_by': ['k', 'list_length', 'categories']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'items': ['category']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Category coverage: how many different categories the list shows, for each of its places or as a share of all there are, from 0 up.',
            'source': 'RePlay 0.22',
        },
    },
    'category_entropy': {
        'name': 'category_entropy', 'rows': 'categorized', 'defaults': {'smoothing': 0},
        'texts': [], 'choices': {},
        'numbers': {
            'smoothing': {
                'words': 'from 0 to 1000000', 'above': -1e+300, 'least': 0, 'below': 1e+300,
                'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'items': ['category']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Category entropy: how evenly the list is spread over categories, in bits, from 0 up.',
            'source': 'Shannon 1948',
        },
    },
    'churn': {
        'name': 'churn', 'rows': 'shown', 'defaults': {'divide_by': 'places'}, 'texts': [],
        'choices': {'divide_by': ['places', 'k']}, 'numbers': {}, 'cutoff': 'a number, or all',
        'most': 1000000, 'needs': {'recs': [], 'baseline': []}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Churn: the share of the places of two lists for the same user that changed, from 0 to 1.',
            'source': 'Sorensen 1948',
        },
    },
    'clipped_ips': {
        'name': 'clipped_ips', 'rows': 'logged', 'defaults': {'clip': 10}, 'texts': [],
        'choices': {},
        'numbers': {
            'clip': {
                'words': 'above 0 to 1000000000', 'above': 0, 'least': -1e+300, 'below': 1e+300,
                'most': 1000000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000,
        'needs': {'logs': ['reward', 'propensity'], 'recs': []}, 'if_given': ['recs'],
        'if_param': {}, 'weighed': true, 'unexpected': {},
        'planned': {
            'parts': ['part', 'whole'], 'better': 'higher',
            'title': 'Clipped IPS: IPS in which no weight is larger than a limit, of any size.',
            'source': 'Ionides 2008',
        },
    },
    'cosine_diversity': {
        'name': 'cosine_diversity', 'rows': 'featured', 'defaults': {'pairs': 'places'},
        'texts': [], 'choices': {'pairs': ['places', 'items']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'items': ['feature', 'value']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Cosine diversity: 1 less the cosine of two items' vectors, on average over the pairs of the list, from 0 to 2, and to 1 where no value is below 0.",
            'source': 'Jurity 2.1',
        },
    },
    'ctr': {
        'name': 'ctr', 'rows': 'logged', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': [], 'logs': ['reward']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['part', 'whole'], 'better': 'higher',
            'title': 'CTR: the mean reward of those logged decisions that the lists would have taken too, from 0 to 1 where a reward is a click.',
            'source': 'Li et al. 2011',
        },
    },
    'cumulative_gain': {
        'name': 'cumulative_gain', 'rows': 'hits', 'defaults': {'gain': 'linear'}, 'texts': [],
        'choices': {'gain': ['linear', 'binary', 'exponential']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Cumulative gain: what the items within k are worth together, from 0 up.',
            'source': 'Jarvelin & Kekalainen 2002',
        },
    },
    'dcg': {
        'name': 'dcg', 'rows': 'hits', 'defaults': {'gain': 'linear', 'discount': 'standard'},
        'texts': [],
        'choices': {'gain': ['linear', 'binary', 'exponential'], 'discount': ['standard', 'late']},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'DCG: what the items within k are worth together, less the further down they stand, from 0 up.',
            'source': 'Jarvelin & Kekalainen 2002',
        },
    },
    'direct_method': {
        'name': 'direct_method', 'rows': 'logged', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'none', 'most': 1000000, 'needs': {'logs': ['expected_reward']},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['part', 'whole'], 'better': 'higher',
            'title': 'Direct method: the mean reward that a model of rewards expects of another policy, of any size.',
            'source': 'Dudik et al. 2011',
        },
    },
    'doubly_robust': {
        'name': 'doubly_robust', 'rows': 'logged', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'none', 'most': 1000000,
        'needs': {
            'logs': ['reward', 'propensity', 'predicted_reward', 'expected_reward'], 'recs': [],
        },
        'if_given': ['recs'], 'if_param': {}, 'weighed': true, 'unexpected': {},
        'planned': {
            'parts': ['part', 'whole'], 'better': 'higher',
            'title': 'Doubly robust: the direct method, corrected by the weighted errors of the model, of any size.',
            'source': 'Dudik et al. 2011',
        },
    },
    'efd': {
        'name': 'efd', 'rows': 'shown',
        'defaults': {'relevance': 'binary', 'discount': 'logarithmic', 'patience': 0.85},
        'texts': [],
        'choices': {
            'relevance': ['binary', 'ignored'], 'discount': ['logarithmic', 'geometric', 'none'],
        },
        'numbers': {
            'patience': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': [], 'truth': []}, 'if_given': [],
        'if_param': {'truth': ['relevance', 'binary']}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'EFD: expected free discovery: how rare the relevant items of the list are in the history, in bits, the more the further up they stand, from 0 up.',
            'source': 'Vargas & Castells 2011',
        },
    },
    'effective_sample_size': {
        'name': 'effective_sample_size', 'rows': 'logged', 'defaults': {}, 'texts': [],
        'choices': {}, 'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'logs': ['propensity'], 'recs': []}, 'if_given': ['recs'], 'if_param': {},
        'weighed': true, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Effective sample size: how many decisions of equal weight say as much, from 1 to the number of logged decisions.',
            'source': 'Kish 1965',
        },
    },
    'eleven_point_average_precision': {
        'name': 'eleven_point_average_precision', 'rows': 'hits',
        'defaults': {'rounding': 'nearest'}, 'texts': [],
        'choices': {'rounding': ['nearest', 'up', 'tenth']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1, from 0 to 1.',
            'source': 'Manning et al. 2008',
        },
    },
    'epc': {
        'name': 'epc', 'rows': 'shown',
        'defaults': {'relevance': 'binary', 'discount': 'logarithmic', 'patience': 0.85},
        'texts': [],
        'choices': {
            'relevance': ['binary', 'ignored'], 'discount': ['logarithmic', 'geometric', 'none'],
        },
        'numbers': {
            'patience': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': [], 'truth': []}, 'if_given': [],
        'if_param': {'truth': ['relevance', 'binary']}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'EPC: expected popularity complement: how many of the users did not have the relevant items of the list, the more the further up they stand, from 0 to 1.',
            'source': 'Vargas & Castells 2011',
        },
    },
    'err': {
        'name': 'err', 'rows': 'hits', 'defaults': {'max_grade': 4, 'digits': 'all'}, 'texts': [],
        'choices': {'digits': ['all', 'five']},
        'numbers': {
            'max_grade': {
                'words': 'above 0 to 100', 'above': 0, 'least': -1e+300, 'below': 1e+300,
                'most': 100, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'ERR: expected reciprocal rank, of the place where a user who reads from the top is content and stops, from 0 to 1.',
            'source': 'Chapelle et al. 2009',
        },
    },
    'expected_exposure_disparity': {
        'name': 'expected_exposure_disparity', 'rows': 'attended', 'defaults': {'patience': 0.5},
        'texts': [], 'choices': {},
        'numbers': {
            'patience': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'Expected exposure disparity: how unequally a list gives attention to items, from 0 up.',
            'source': 'Diaz et al. 2020',
        },
    },
    'expected_exposure_loss': {
        'name': 'expected_exposure_loss', 'rows': 'attended',
        'defaults': {'patience': 0.5, 'grades': 'given'}, 'texts': [],
        'choices': {'grades': ['given', 'binary']},
        'numbers': {
            'patience': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'Expected exposure loss: how far the attention that items get is from what they deserve, from 0 up.',
            'source': 'Diaz et al. 2020',
        },
    },
    'expected_exposure_relevance': {
        'name': 'expected_exposure_relevance', 'rows': 'attended',
        'defaults': {'patience': 0.5, 'grades': 'given'}, 'texts': [],
        'choices': {'grades': ['given', 'binary']},
        'numbers': {
            'patience': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Expected exposure relevance: how much of its attention a list gives to items that deserve it, from 0 up.',
            'source': 'Diaz et al. 2020',
        },
    },
    'exposure_share': {
        'name': 'exposure_share', 'rows': 'grouped',
        'defaults': {'group': 'text', 'weight': 'rank'}, 'texts': ['group'],
        'choices': {'weight': ['rank', 'plain']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': [], 'items': ['item_group']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Exposure share: the share of the exposure in all lists that falls on the items of a group, from 0 to 1.',
            'source': 'Singh & Joachims 2018',
        },
    },
    'f_beta': {
        'name': 'f_beta', 'rows': 'hits',
        'defaults': {'beta': 1, 'of': 'users', 'divide_by': 'k'}, 'texts': [],
        'choices': {'of': ['users', 'means'], 'divide_by': ['k', 'list_length', 'k_or_length']},
        'numbers': {
            'beta': {
                'words': 'above 0 to 1000000', 'above': 0, 'least': -1e+300, 'below': 1e+300,
                'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['precision', 'recall', 'summary'], 'better': 'higher',
            'title': 'F-beta: precision and recall in one number, their weighted harmonic mean, from 0 to 1.',
            'source': 'van Rijsbergen 1979',
        },
    },
    'fcp': {
        'name': 'fcp', 'rows': 'agreed', 'defaults': {'average': 'pooled', 'ties': 'left_out'},
        'texts': [],
        'choices': {'average': ['pooled', 'users', 'means'], 'ties': ['left_out', 'discordant']},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['concordant', 'discordant', 'summary'], 'better': 'higher',
            'title': 'FCP: the fraction of concordant pairs, those that scores and grades put in the same order, from 0 to 1.',
            'source': 'Koren & Sill 2011',
        },
    },
    'gauc': {
        'name': 'gauc', 'rows': 'rated', 'defaults': {'weight': 'none'}, 'texts': [],
        'choices': {'weight': ['none', 'impressions', 'positives']}, 'numbers': {},
        'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'higher',
            'title': "GAUC: how often a relevant item of a user has a higher score than one of the user's that is not relevant, from 0 to 1.",
            'source': 'Zhu et al. 2017',
        },
    },
    'geometric_bpref': {
        'name': 'geometric_bpref', 'rows': 'hits', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['summary'], 'better': 'higher',
            'title': "Geometric bpref: the geometric mean of the users' bpref, which those who are served worst decide, from 0 to 1.",
            'source': 'trec_eval 10, github.com/usnistgov/trec_eval, after Robertson 2006',
        },
    },
    'geometric_map': {
        'name': 'geometric_map', 'rows': 'hits', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['summary'], 'better': 'higher',
            'title': "Geometric MAP: the geometric mean of the users' average precision, which those who are served worst decide, from 0 to 1.",
            'source': 'Robertson 2006',
        },
    },
    'gini': {
        'name': 'gini', 'rows': 'exposed',
        'defaults': {'items': 'recommended', 'weight': 'plain', 'patience': 0.85, 'padding': 0},
        'texts': [],
        'choices': {'items': ['recommended', 'catalog'], 'weight': ['plain', 'rank', 'geometric']},
        'numbers': {
            'patience': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
            'padding': {
                'words': 'from 0 to 1000000 by 1', 'above': -1e+300, 'least': 0, 'below': 1e+300,
                'most': 1000000, 'step': 1,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'catalog': []},
        'if_given': [], 'if_param': {'catalog': ['items', 'catalog']}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'Gini: how unequally the lists are shared out among the items, from 0 to 1. At 0 all items are shown alike, near 1 a few take everything.',
            'source': 'Gini 1912',
        },
    },
    'hamming_diversity': {
        'name': 'hamming_diversity', 'rows': 'categorized', 'defaults': {}, 'texts': [],
        'choices': {}, 'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'items': ['category']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Hamming diversity: in how many categories two items of the list differ, on average over its pairs, from 0 up.',
            'source': 'RecTools 0.19',
        },
    },
    'herfindahl': {
        'name': 'herfindahl', 'rows': 'exposed', 'defaults': {'weight': 'plain'}, 'texts': [],
        'choices': {'weight': ['plain', 'rank']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'Herfindahl index: how far a few items take all places of the lists, from 0 to 1. One divided by it is the number of items that, shown alike, would be as concentrated.',
            'source': 'Herfindahl 1950',
        },
    },
    'hit_rate': {
        'name': 'hit_rate', 'rows': 'hits', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Hit rate: the share of users with at least one relevant item within k, from 0 to 1.',
            'source': 'Deshpande & Karypis 2004',
        },
    },
    'inferred_average_precision': {
        'name': 'inferred_average_precision', 'rows': 'hits', 'defaults': {}, 'texts': [],
        'choices': {}, 'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Inferred average precision: AP where only a sample of the pool was judged, from 0 to 1.',
            'source': 'Yilmaz & Aslam 2006',
        },
    },
    'inter_list_diversity': {
        'name': 'inter_list_diversity', 'rows': 'exposed', 'defaults': {}, 'texts': [],
        'choices': {}, 'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': []}, 'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Inter-list diversity: how much the lists of two users differ, over all pairs of users, from 0 to 1.',
            'source': 'Zhou et al. 2010',
        },
    },
    'interpolated_precision': {
        'name': 'interpolated_precision', 'rows': 'hits',
        'defaults': {'recall': 0.5, 'rounding': 'nearest'}, 'texts': [],
        'choices': {'rounding': ['nearest', 'up', 'tenth']},
        'numbers': {
            'recall': {
                'words': 'from 0 to 1', 'above': -1e+300, 'least': 0, 'below': 1e+300, 'most': 1,
                'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Interpolated precision: the best precision of the list from where on it has a share of the user's relevant items, from 0 to 1.",
            'source': 'trec_eval 10, github.com/usnistgov/trec_eval; Manning et al. 2008',
        },
    },
    'intra_list_diversity': {
        'name': 'intra_list_diversity', 'rows': 'paired', 'defaults': {}, 'texts': [],
        'choices': {}, 'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'items': ['other_item_id', 'distance']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Intra-list diversity: how far apart two items of the list are, on average over its pairs, by distances that you give, from 0 up.',
            'source': 'Ziegler et al. 2005',
        },
    },
    'ips': {
        'name': 'ips', 'rows': 'logged', 'defaults': {'divide_by': 'logged'}, 'texts': [],
        'choices': {'divide_by': ['logged', 'recommended']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'logs': ['reward', 'propensity'], 'recs': []},
        'if_given': ['recs'], 'if_param': {'recs': ['divide_by', 'recommended']}, 'weighed': true,
        'unexpected': {},
        'planned': {
            'parts': ['error', 'part', 'whole'], 'better': 'higher',
            'title': 'IPS: the mean reward that another policy would have had, by inverse propensity scores, of any size.',
            'source': 'Horvitz & Thompson 1952',
        },
    },
    'item_count': {
        'name': 'item_count', 'rows': 'hits', 'defaults': {'of': 'hits'}, 'texts': [],
        'choices': {'of': ['hits', 'retrieved', 'relevant', 'nonrelevant']}, 'numbers': {},
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['summary'], 'better': 'neither',
            'title': 'Item count: how many items the lists hold, or the truth wants, or both, from 0 up.',
            'source': 'trec_eval 10',
        },
    },
    'jaccard_diversity': {
        'name': 'jaccard_diversity', 'rows': 'paired', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'items': ['category']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Jaccard diversity: how little two items of the list have in common, on average over its pairs, from 0 to 1.',
            'source': 'Jaccard 1912',
        },
    },
    'judged_share': {
        'name': 'judged_share', 'rows': 'hits', 'defaults': {'divide_by': 'list_length'},
        'texts': [], 'choices': {'divide_by': ['list_length', 'k']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Judged share: the share of the list that the truth judges, relevant or not, from 0 to 1.',
            'source': 'trec_eval 10',
        },
    },
    'kendall': {
        'name': 'kendall', 'rows': 'agreed', 'defaults': {'variant': 'tau_b'}, 'texts': [],
        'choices': {'variant': ['tau_b', 'tau_a']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Kendall's tau: how far scores and grades put a user's items in the same order, from -1 to 1.",
            'source': 'Kendall 1938',
        },
    },
    'list_auc': {
        'name': 'list_auc', 'rows': 'hits', 'defaults': {'no_pairs': 'undefined'}, 'texts': [],
        'choices': {'no_pairs': ['undefined', 'bounds']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'List AUC: how often a hit stands above a miss, of all pairs within the first k places, from 0 to 1.',
            'source': 'RePlay 0.22',
        },
    },
    'list_jaccard': {
        'name': 'list_jaccard', 'rows': 'shown', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'baseline': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'List Jaccard: how many of the items of two lists for the same user are in both, from 0 to 1.',
            'source': 'Jaccard 1912',
        },
    },
    'mae': {
        'name': 'mae', 'rows': 'rated', 'defaults': {'average': 'pooled'}, 'texts': [],
        'choices': {'average': ['pooled', 'users']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'lower',
            'title': 'MAE: the mean absolute error of the scores as predictions of the grades, from 0 up.',
            'source': 'Herlocker et al. 2004',
        },
    },
    'matched_share': {
        'name': 'matched_share', 'rows': 'logged', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000, 'needs': {'logs': [], 'recs': []},
        'if_given': ['recs'], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['part', 'whole'], 'better': 'neither',
            'title': 'Matched share: the share of the logged decisions that the other policy could have taken, from 0 to 1.',
            'source': 'none',
        },
    },
    'max_weight': {
        'name': 'max_weight', 'rows': 'logged', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'logs': ['propensity'], 'recs': []}, 'if_given': ['recs'], 'if_param': {},
        'weighed': true, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Maximum weight: how many decisions a single one stands for at most, from 0 up.',
            'source': 'Owen 2013',
        },
    },
    'mcc': {
        'name': 'mcc', 'rows': 'hits', 'defaults': {'shown': 'list_length'}, 'texts': [],
        'choices': {'shown': ['list_length', 'k']}, 'numbers': {}, 'cutoff': 'a number, or all',
        'most': 1000000, 'needs': {'recs': [], 'truth': [], 'catalog': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'MCC: the Matthews correlation of being shown within k and being relevant, over the catalog, from -1 to 1.',
            'source': 'Matthews 1975',
        },
    },
    'mse': {
        'name': 'mse', 'rows': 'rated', 'defaults': {'average': 'pooled'}, 'texts': [],
        'choices': {'average': ['pooled', 'users']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'lower',
            'title': 'MSE: the mean squared error of the scores as predictions of the grades, from 0 up.',
            'source': 'Herlocker et al. 2004',
        },
    },
    'ncis_precision': {
        'name': 'ncis_precision', 'rows': 'shown', 'defaults': {'clip': 10}, 'texts': [],
        'choices': {},
        'numbers': {
            'clip': {
                'words': 'above 1 to 1000000000', 'above': 1, 'least': -1e+300, 'below': 1e+300,
                'most': 1000000000, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': [], 'baseline': ['score']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'NCIS precision: the precision of a list that would have been shown in place of another, each place weighed by how much higher it scores than before, from 0 to 1.',
            'source': 'Gilotte et al. 2018',
        },
    },
    'ndcg': {
        'name': 'ndcg', 'rows': 'hits',
        'defaults': {'gain': 'linear', 'ideal': 'achievable', 'discount': 'standard', 'digits': 'all'},
        'texts': [],
        'choices': {
            'gain': ['linear', 'binary', 'exponential'],
            'ideal': ['achievable', 'relevant', 'list_length', 'k'],
            'discount': ['standard', 'late'], 'digits': ['all', 'five'],
        },
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {'digits': 'five'},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "NDCG: how near a list is to the best list of the user's own items, from 0 to 1.",
            'source': 'Jarvelin & Kekalainen 2002',
        },
    },
    'ndcg_at_gains': {
        'name': 'ndcg_at_gains', 'rows': 'hits', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "NDCG at gains: the mean NDCG at the places where the user's items with a gain stand, from 0 to 1. Of those that are not in the list it is the NDCG of the whole list.",
            'source': 'trec_eval 10',
        },
    },
    'ndcg_at_grades': {
        'name': 'ndcg_at_grades', 'rows': 'hits', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'NDCG at grades: the mean NDCG at the places where the best list goes over to a lower gain, as R-precision takes the precision at the one place where it ends, from 0 to 1.',
            'source': 'trec_eval 10',
        },
    },
    'ndpm': {
        'name': 'ndpm', 'rows': 'agreed', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'NDPM: how far the order of the scores is from the order of the grades, from 0 to 1; 0 is best.',
            'source': 'Yao 1995',
        },
    },
    'nerr': {
        'name': 'nerr', 'rows': 'hits', 'defaults': {'max_grade': 4}, 'texts': [], 'choices': {},
        'numbers': {
            'max_grade': {
                'words': 'above 0 to 100', 'above': 0, 'least': -1e+300, 'below': 1e+300,
                'most': 100, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "NERR: the ERR of a list by that of the best list of the user's own items, from 0 to 1.",
            'source': 'Clarke et al. 2011',
        },
    },
    'normalized_gain': {
        'name': 'normalized_gain', 'rows': 'hits', 'defaults': {'gain': 'linear'}, 'texts': [],
        'choices': {'gain': ['linear', 'binary']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Normalized gain: the gains of a list, each discounted by how far the list has fallen behind the best list down to its place, from 0 to 1.',
            'source': 'trec_eval 10',
        },
    },
    'novelty': {
        'name': 'novelty', 'rows': 'shown',
        'defaults': {'divide_by': 'list_length', 'users': 'recs'}, 'texts': [],
        'choices': {'divide_by': ['list_length', 'k'], 'users': ['recs', 'history']},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': ['members', 'absent'], 'better': 'higher',
            'title': "Novelty: the share of the list that the user's history does not have, from 0 to 1.",
            'source': 'RePlay 0.22',
        },
    },
    'partial_ap': {
        'name': 'partial_ap', 'rows': 'hits', 'defaults': {'n': 10, 'insufficient': 'ignore'},
        'texts': [], 'choices': {'insufficient': ['ignore', 'exclude']},
        'numbers': {
            'n': {
                'words': 'from 1 to 1000000 by 1', 'above': -1e+300, 'least': 1, 'below': 1e+300,
                'most': 1000000, 'step': 1,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Partial AP: the AUC of the first few hits and the first few misses of the list, which is pAp, partial AUC and precision in one, from 0 to 1.',
            'source': 'Budhiraja et al. 2020',
        },
    },
    'partial_auc': {
        'name': 'partial_auc', 'rows': 'hits',
        'defaults': {'misses': 10, 'insufficient': 'ignore'}, 'texts': [],
        'choices': {'insufficient': ['ignore', 'exclude']},
        'numbers': {
            'misses': {
                'words': 'from 1 to 1000000 by 1', 'above': -1e+300, 'least': 1, 'below': 1e+300,
                'most': 1000000, 'step': 1,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Partial AUC: the AUC of all relevant items and the first few misses of the list, from 0 to 1.',
            'source': 'Budhiraja et al. 2020',
        },
    },
    'pearson': {
        'name': 'pearson', 'rows': 'rated', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Pearson's r: how far a user's scores and grades go together on a line, from -1 to 1.",
            'source': 'Pearson 1895',
        },
    },
    'pop_reo': {
        'name': 'pop_reo', 'rows': 'exposed', 'defaults': {'head': 0.8}, 'texts': [],
        'choices': {},
        'numbers': {
            'head': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': [], 'history': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'PopREO, popularity-based ranking-based equal opportunity: how differently the lists find what is wanted of popular and of other items, from 0 to 1. At 0 a wanted item of both is as likely to be shown, at 1 only one of them is ever found.',
            'source': 'Zhu et al. 2020',
        },
    },
    'pop_rsp': {
        'name': 'pop_rsp', 'rows': 'exposed', 'defaults': {'head': 0.8}, 'texts': [],
        'choices': {},
        'numbers': {
            'head': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'history': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'PopRSP, popularity-based ranking-based statistical parity: how differently the lists show popular and other items, from 0 to 1. At 0 an item of both is as likely to be shown, at 1 only one of them ever is.',
            'source': 'Zhu et al. 2020',
        },
    },
    'popularity_count': {
        'name': 'popularity_count', 'rows': 'shown',
        'defaults': {'count': 'users', 'divide_by': 'list_length'}, 'texts': [],
        'choices': {'count': ['users', 'events'], 'divide_by': ['list_length', 'k']},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Popularity count: how many users of the history had an item, on average over the list, from 0 up. Known as ARP, average recommendation popularity.',
            'source': 'Yin et al. 2012',
        },
    },
    'popularity_rank': {
        'name': 'popularity_rank', 'rows': 'shown', 'defaults': {'unit': 'place'}, 'texts': [],
        'choices': {'unit': ['place', 'quantile']}, 'numbers': {}, 'cutoff': 'a number, or all',
        'most': 1000000, 'needs': {'recs': [], 'history': []}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Popularity rank: the rank of an item among all of the history, the most popular being the first, on average over the list, from 1 up.',
            'source': 'Celma & Herrera 2008',
        },
    },
    'popularity_share': {
        'name': 'popularity_share', 'rows': 'shown',
        'defaults': {'count': 'users', 'divide_by': 'list_length'}, 'texts': [],
        'choices': {'count': ['users', 'events'], 'divide_by': ['list_length', 'k']},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': "Popularity share: the share of the history's users who had an item, on average over the list, from 0 to 1.",
            'source': 'Zhou et al. 2010',
        },
    },
    'precision': {
        'name': 'precision', 'rows': 'hits', 'defaults': {'divide_by': 'k'}, 'texts': [],
        'choices': {'divide_by': ['k', 'list_length', 'k_or_length']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Precision: the share of the first k places that hold a relevant item, from 0 to 1.',
            'source': 'van Rijsbergen 1979',
        },
    },
    'r2': {
        'name': 'r2', 'rows': 'pooled', 'defaults': {'constant': 'undefined'}, 'texts': [],
        'choices': {'constant': ['undefined', 'zero']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'R2: how much of the variance of the grades the scores predict, of any size up to 1.',
            'source': 'Draper & Smith 1998',
        },
    },
    'r_precision': {
        'name': 'r_precision', 'rows': 'hits',
        'defaults': {'divide_by': 'achievable', 'average': 'users', 'multiple': 1}, 'texts': [],
        'choices': {'divide_by': ['achievable', 'relevant'], 'average': ['users', 'users_with_hit']},
        'numbers': {
            'multiple': {
                'words': 'above 0 to 1000000', 'above': 0, 'least': -1e+300, 'below': 1e+300,
                'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['found', 'summary'], 'better': 'higher',
            'title': 'R-precision: the precision at the place where a perfect list would end, from 0 to 1.',
            'source': 'Buckley & Voorhees 2000',
        },
    },
    'r_score': {
        'name': 'r_score', 'rows': 'hits',
        'defaults': {'half_life': 5, 'neutral': 0, 'mean': 'weighted'}, 'texts': [],
        'choices': {'mean': ['weighted', 'plain']},
        'numbers': {
            'half_life': {
                'words': 'above 1 to 1000000', 'above': 1, 'least': -1e+300, 'below': 1e+300,
                'most': 1000000, 'step': 0,
            },
            'neutral': {
                'words': 'from 0 to 1000000', 'above': -1e+300, 'least': 0, 'below': 1e+300,
                'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'higher',
            'title': 'R-Score: what a list is worth to users who lose patience, by what their best lists are worth, from 0 to 1.',
            'source': 'Breese et al. 1998',
        },
    },
    'rbo': {
        'name': 'rbo', 'rows': 'overlapped',
        'defaults': {'p': 0.9, 'form': 'extrapolated', 'without_baseline': 'zero'}, 'texts': [],
        'choices': {
            'form': ['extrapolated', 'minimum', 'truncated', 'scaled'],
            'without_baseline': ['zero', 'undefined'],
        },
        'numbers': {
            'p': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'baseline': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'RBO: rank-biased overlap: how much two lists for the same user agree, the more the further up they do, from 0 to 1.',
            'source': 'Webber, Moffat & Zobel 2010',
        },
    },
    'rbo_residual': {
        'name': 'rbo_residual', 'rows': 'overlapped', 'defaults': {'p': 0.9}, 'texts': [],
        'choices': {},
        'numbers': {
            'p': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'baseline': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': "RBO residual: how much the rank-biased overlap may still grow with what two lists don't show, from 0 to 1.",
            'source': 'Webber, Moffat & Zobel 2010',
        },
    },
    'rbo_weight': {
        'name': 'rbo_weight', 'rows': 'overlapped', 'defaults': {'p': 0.9}, 'texts': [],
        'choices': {},
        'numbers': {
            'p': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'baseline': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'RBO weight: the share of all weight of the rank-biased overlap that falls on the depths which both lists reach, from 0 to 1.',
            'source': 'Webber, Moffat & Zobel 2010',
        },
    },
    'rbp': {
        'name': 'rbp', 'rows': 'hits',
        'defaults': {'p': 0.8, 'gain': 'binary', 'ideal': 'endless'}, 'texts': [],
        'choices': {
            'gain': ['binary', 'linear', 'normalized'],
            'ideal': ['endless', 'achievable_in_list'],
        },
        'numbers': {
            'p': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'RBP: rank-biased precision, what a user gets who reads on from each place with the same chance p, from 0 to 1.',
            'source': 'Moffat & Zobel 2008',
        },
    },
    'rbp_residual': {
        'name': 'rbp_residual', 'rows': 'hits', 'defaults': {'p': 0.8, 'all_judged': 'past_list'},
        'texts': [], 'choices': {'all_judged': ['past_list', 'zero']},
        'numbers': {
            'p': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'RBP residual: how much higher RBP would be if all that was not judged were relevant, from 0 to 1.',
            'source': 'Moffat & Zobel 2008',
        },
    },
    'recall': {
        'name': 'recall', 'rows': 'hits', 'defaults': {'divide_by': 'relevant'}, 'texts': [],
        'choices': {'divide_by': ['relevant', 'achievable', 'achievable_in_list']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Recall: the share of the user's relevant items that stand within k, from 0 to 1.",
            'source': 'van Rijsbergen 1979',
        },
    },
    'reciprocal_rank': {
        'name': 'reciprocal_rank', 'rows': 'hits', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Reciprocal rank: how far up the first relevant item stands, from 0 to 1. Its mean over users is known as MRR.',
            'source': 'Voorhees 1999',
        },
    },
    'reo': {
        'name': 'reo', 'rows': 'grouped', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': [], 'truth': [], 'items': ['item_group']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'REO, ranking-based equal opportunity: how differently the lists find what is wanted in the groups of items, from 0 up. At 0 a wanted item of each group is as likely to be shown.',
            'source': 'Zhu et al. 2020',
        },
    },
    'rmse': {
        'name': 'rmse', 'rows': 'rated', 'defaults': {'average': 'pooled'}, 'texts': [],
        'choices': {'average': ['pooled', 'users']}, 'numbers': {}, 'cutoff': 'optional',
        'most': 1000000, 'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight', 'summary'], 'better': 'lower',
            'title': 'RMSE: the root of the mean squared error of the scores as predictions of the grades, from 0 up.',
            'source': 'Herlocker et al. 2004',
        },
    },
    'rsp': {
        'name': 'rsp', 'rows': 'grouped', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': [], 'items': ['item_group'], 'history': []}, 'if_given': ['history'],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'RSP, ranking-based statistical parity: how differently the lists show the groups of items, from 0 up. At 0 an item of each group is as likely to be shown.',
            'source': 'Zhu et al. 2020',
        },
    },
    'serendipity': {
        'name': 'serendipity', 'rows': 'shown',
        'defaults': {'items': 'history', 'divide_by': 'list_length'}, 'texts': [],
        'choices': {'items': ['history', 'catalog'], 'divide_by': ['list_length', 'k', 'lines']},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': [], 'history': [], 'catalog': []}, 'if_given': [],
        'if_param': {'catalog': ['items', 'catalog']}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Serendipity: the share of the list that is relevant, weighed by how much further up it stands than its popularity would put it, from 0 to 1.',
            'source': 'RecTools 0.19',
        },
    },
    'set_average_precision': {
        'name': 'set_average_precision', 'rows': 'hits', 'defaults': {}, 'texts': [],
        'choices': {}, 'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': [], 'truth': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Set average precision: what average precision would be if all places of the list had the same precision, from 0 to 1.',
            'source': 'trec_eval 10',
        },
    },
    'set_f': {
        'name': 'set_f', 'rows': 'hits', 'defaults': {'x': 1}, 'texts': [], 'choices': {},
        'numbers': {
            'x': {
                'words': 'above 0 to 1000000', 'above': 0, 'least': -1e+300, 'below': 1e+300,
                'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Set F: precision and recall of the whole list in one number, their weighted harmonic mean, from 0 to 1.',
            'source': 'trec_eval 10, github.com/usnistgov/trec_eval, after van Rijsbergen 1979',
        },
    },
    'set_utility': {
        'name': 'set_utility', 'rows': 'hits',
        'defaults': {'hit': 1, 'noise': -1, 'miss': 0, 'rest': 0, 'collection': 0}, 'texts': [],
        'choices': {},
        'numbers': {
            'hit': {
                'words': 'from -1000000 to 1000000', 'above': -1e+300, 'least': -1000000,
                'below': 1e+300, 'most': 1000000, 'step': 0,
            },
            'noise': {
                'words': 'from -1000000 to 1000000', 'above': -1e+300, 'least': -1000000,
                'below': 1e+300, 'most': 1000000, 'step': 0,
            },
            'miss': {
                'words': 'from -1000000 to 1000000', 'above': -1e+300, 'least': -1000000,
                'below': 1e+300, 'most': 1000000, 'step': 0,
            },
            'rest': {
                'words': 'from -1000000 to 1000000', 'above': -1e+300, 'least': -1000000,
                'below': 1e+300, 'most': 1000000, 'step': 0,
            },
            'collection': {
                'words': 'from 0 to 1000000000000', 'above': -1e+300, 'least': 0, 'below': 1e+300,
                'most': 1000000000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Set utility: what a list is worth where each item shown or missed has a price, of any size.',
            'source': 'trec_eval 10',
        },
    },
    'shannon_entropy': {
        'name': 'shannon_entropy', 'rows': 'exposed',
        'defaults': {'weight': 'plain', 'unit': 'bits', 'of': 'items'}, 'texts': [],
        'choices': {'weight': ['plain', 'rank'], 'unit': ['bits', 'nats'], 'of': ['items', 'item']},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Shannon entropy: how evenly the lists are shared out among the items, in bits, from 0 up. 2 to the power of it is the number of items that, shown alike, would share the lists as evenly.',
            'source': 'Shannon 1948',
        },
    },
    'sndr': {
        'name': 'sndr', 'rows': 'logged', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'none', 'most': 1000000,
        'needs': {
            'logs': ['reward', 'propensity', 'predicted_reward', 'expected_reward'], 'recs': [],
        },
        'if_given': ['recs'], 'if_param': {}, 'weighed': true, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'SNDR: self-normalised doubly robust, whose correction is divided by the weights, of any size.',
            'source': 'Thomas & Brunskill 2016',
        },
    },
    'snips': {
        'name': 'snips', 'rows': 'logged', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'logs': ['reward', 'propensity'], 'recs': []}, 'if_given': ['recs'],
        'if_param': {}, 'weighed': true, 'unexpected': {},
        'planned': {
            'parts': ['error', 'part', 'whole'], 'better': 'higher',
            'title': 'SNIPS: self-normalised IPS, the mean of the rewards by their weights, of any size.',
            'source': 'Swaminathan & Joachims 2015',
        },
    },
    'spearman': {
        'name': 'spearman', 'rows': 'rated', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Spearman's rho: how far the places of a user's items by score and by grade go together, from -1 to 1.",
            'source': 'Spearman 1904',
        },
    },
    'stratified_recall': {
        'name': 'stratified_recall', 'rows': 'targets',
        'defaults': {'exponent': 0.5, 'average': 'users'}, 'texts': [],
        'choices': {'average': ['users', 'pooled']},
        'numbers': {
            'exponent': {
                'words': 'from 0 to 10', 'above': -1e+300, 'least': 0, 'below': 1e+300,
                'most': 10, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': [], 'history': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'higher',
            'title': 'Popularity-stratified recall: the recall in which a relevant item counts the less, the more popular it is, from 0 to 1.',
            'source': 'Steck 2011',
        },
    },
    'surprisal': {
        'name': 'surprisal', 'rows': 'shown',
        'defaults': {
            'unit': 'bits', 'divide_by': 'list_length', 'count': 'users',
            'without_history': 'once', 'average': 'users',
        },
        'texts': [],
        'choices': {
            'unit': ['bits', 'share'], 'divide_by': ['list_length', 'k'],
            'count': ['users', 'events'], 'without_history': ['once', 'zero'],
            'average': ['users', 'pooled'],
        },
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'history': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'neither',
            'title': 'Surprisal: how rare the items are that a list shows, their mean self-information in bits, from 0 up.',
            'source': 'Zhou et al. 2010',
        },
    },
    'switch_dr': {
        'name': 'switch_dr', 'rows': 'logged', 'defaults': {'tau': 10}, 'texts': [],
        'choices': {},
        'numbers': {
            'tau': {
                'words': 'from 0 to 1000000000', 'above': -1e+300, 'least': 0, 'below': 1e+300,
                'most': 1000000000, 'step': 0,
            },
        },
        'cutoff': 'none', 'most': 1000000,
        'needs': {
            'logs': ['reward', 'propensity', 'predicted_reward', 'expected_reward'], 'recs': [],
        },
        'if_given': ['recs'], 'if_param': {}, 'weighed': true, 'unexpected': {},
        'planned': {
            'parts': ['part', 'whole'], 'better': 'higher',
            'title': 'Switch DR: doubly robust without the correction where a weight is too large, of any size.',
            'source': 'Wang et al. 2017',
        },
    },
    'tail_share': {
        'name': 'tail_share', 'rows': 'shown',
        'defaults': {'head': 0.8, 'of': 'interactions', 'divide_by': 'list_length'}, 'texts': [],
        'choices': {'of': ['interactions', 'items'], 'divide_by': ['list_length', 'k']},
        'numbers': {
            'head': {
                'words': 'above 0 below 1', 'above': 0, 'least': -1e+300, 'below': 1,
                'most': 1e+300, 'step': 0,
            },
        },
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'history': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Tail share: the share of the list that is of the long tail, from 0 to 1. Known as APLT, the average percentage of long tail items.',
            'source': 'Abdollahpouri et al. 2019',
        },
    },
    'threshold_f1': {
        'name': 'threshold_f1', 'rows': 'graded', 'defaults': {'threshold': 3.5, 'of': 'users'},
        'texts': [], 'choices': {'of': ['users', 'means']},
        'numbers': {
            'threshold': {
                'words': 'from -1000000 to 1000000', 'above': -1e+300, 'least': -1000000,
                'below': 1e+300, 'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['precision', 'recall', 'summary'], 'better': 'higher',
            'title': 'Threshold F1: threshold precision and threshold recall in one number, their harmonic mean, from 0 to 1.',
            'source': 'the harmonic mean of van Rijsbergen 1979',
        },
    },
    'threshold_precision': {
        'name': 'threshold_precision', 'rows': 'graded', 'defaults': {'threshold': 3.5},
        'texts': [], 'choices': {},
        'numbers': {
            'threshold': {
                'words': 'from -1000000 to 1000000', 'above': -1e+300, 'least': -1000000,
                'below': 1e+300, 'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Threshold precision: the share of items with a grade at or above the threshold among those with a score at or above it, from 0 to 1.',
            'source': 'Surprise 1.1.5',
        },
    },
    'threshold_recall': {
        'name': 'threshold_recall', 'rows': 'graded', 'defaults': {'threshold': 3.5}, 'texts': [],
        'choices': {},
        'numbers': {
            'threshold': {
                'words': 'from -1000000 to 1000000', 'above': -1e+300, 'least': -1000000,
                'below': 1e+300, 'most': 1000000, 'step': 0,
            },
        },
        'cutoff': 'optional', 'most': 1000000,
        'needs': {'recs': ['score'], 'truth': ['relevance']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Threshold recall: the share of items with a score at or above the threshold among those with a grade at or above it, from 0 to 1.',
            'source': 'Surprise 1.1.5',
        },
    },
    'unexpectedness': {
        'name': 'unexpectedness', 'rows': 'shown',
        'defaults': {'divide_by': 'list_length', 'without_baseline': 'unexpected', 'users': 'recs'},
        'texts': [],
        'choices': {
            'divide_by': ['list_length', 'k'],
            'without_baseline': ['unexpected', 'expected', 'undefined'],
            'users': ['recs', 'baseline'],
        },
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'baseline': []}, 'if_given': [], 'if_param': {}, 'weighed': false,
        'unexpected': {},
        'planned': {
            'parts': ['members', 'absent'], 'better': 'higher',
            'title': "Unexpectedness: the share of the list that the baseline's list within k does not have, from 0 to 1.",
            'source': 'Murakami et al. 2008',
        },
    },
    'unjudged_share': {
        'name': 'unjudged_share', 'rows': 'hits', 'defaults': {'divide_by': 'list_length'},
        'texts': [], 'choices': {'divide_by': ['list_length', 'k']}, 'numbers': {},
        'cutoff': 'a number, or all', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'lower',
            'title': 'Unjudged share: the share of the list that the truth does not judge, from 0 to 1.',
            'source': 'trec_eval 10',
        },
    },
    'user_coverage': {
        'name': 'user_coverage', 'rows': 'hits', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'optional', 'most': 1000000, 'needs': {'recs': [], 'truth': []},
        'if_given': [], 'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'User coverage: the share of the users who have a list, from 0 to 1.',
            'source': 'Ge et al. 2010',
        },
    },
    'value_found': {
        'name': 'value_found', 'rows': 'targets', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': [], 'items': ['price']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': 'Value found: the prices of the relevant items within k, added up, from 0 up: revenue at k, or profit where margins are given as prices.',
            'source': 'Jannach & Jugovac 2019',
        },
    },
    'value_ndcg': {
        'name': 'value_ndcg', 'rows': 'targets', 'defaults': {}, 'texts': [], 'choices': {},
        'numbers': {}, 'cutoff': 'a number, or all', 'most': 1000000,
        'needs': {'recs': [], 'truth': [], 'items': ['price']}, 'if_given': [], 'if_param': {},
        'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'higher',
            'title': "Value NDCG: how near a list is to the one that shows the user's relevant items from the dearest to the cheapest, from 0 to 1.",
            'source': 'Jarvelin & Kekalainen 2002',
        },
    },
    'value_precision': {
        'name': 'value_precision', 'rows': 'shown', 'defaults': {'average': 'users'}, 'texts': [],
        'choices': {'average': ['users', 'pooled']}, 'numbers': {}, 'cutoff': 'a number, or all',
        'most': 1000000, 'needs': {'recs': [], 'truth': [], 'items': ['price']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'higher',
            'title': 'Value precision: the share of what the items within k cost that is of relevant ones, from 0 to 1.',
            'source': 'scikit-learn',
        },
    },
    'value_recall': {
        'name': 'value_recall', 'rows': 'targets', 'defaults': {'average': 'users'}, 'texts': [],
        'choices': {'average': ['users', 'pooled']}, 'numbers': {}, 'cutoff': 'a number, or all',
        'most': 1000000, 'needs': {'recs': [], 'truth': [], 'items': ['price']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': ['weight'], 'better': 'higher',
            'title': "Value recall: the share of what the user's relevant items cost that stands within k, from 0 to 1.",
            'source': 'scikit-learn',
        },
    },
    'value_shown': {
        'name': 'value_shown', 'rows': 'shown', 'defaults': {'total': 'mean'}, 'texts': [],
        'choices': {'total': ['mean', 'sum']}, 'numbers': {}, 'cutoff': 'a number, or all',
        'most': 1000000, 'needs': {'recs': [], 'items': ['price']}, 'if_given': [],
        'if_param': {}, 'weighed': false, 'unexpected': {},
        'planned': {
            'parts': [], 'better': 'neither',
            'title': 'Value shown: what an item within k costs on average, or the list within k as a whole, from 0 up.',
            'source': 'Jannach & Jugovac 2019',
        },
    },
}) }}
{% endmacro %}

-- All names of metrics.
{% macro metric_names() %}
{{ return({
    'accuracy': 'accuracy', 'a_ndcg': 'alpha_ndcg', 'alpha_ndcg': 'alpha_ndcg', 'auc': 'auc',
    'ao': 'average_overlap', 'average_overlap': 'average_overlap', 'ap': 'average_precision',
    'map': 'average_precision', 'average_precision': 'average_precision', 'ar': 'average_recall',
    'mar': 'average_recall', 'average_recall': 'average_recall', 'srdp': 'baseline_serendipity',
    'unexpected_relevance': 'baseline_serendipity',
    'baseline_serendipity': 'baseline_serendipity', 'bpref': 'bpref',
    'calibration_js': 'calibration_js', 'miscalibration': 'calibration_kl',
    'calibration_kl': 'calibration_kl', 'coverage': 'catalog_coverage',
    'catalogue_coverage': 'catalog_coverage', 'item_coverage': 'catalog_coverage',
    'catalog_coverage': 'catalog_coverage', 'categorical_diversity': 'category_coverage',
    'category_coverage': 'category_coverage', 'category_entropy': 'category_entropy',
    'churn': 'churn', 'clipped_ipw': 'clipped_ips', 'cips': 'clipped_ips',
    'clipped_ips': 'clipped_ips', 'cosine_diversity': 'cosine_diversity',
    'click_through_rate': 'ctr', 'replay': 'ctr', 'ctr': 'ctr', 'cg': 'cumulative_gain',
    'cumulative_gain': 'cumulative_gain', 'dcg': 'dcg', 'dm': 'direct_method',
    'direct_method': 'direct_method', 'dr': 'doubly_robust', 'doubly_robust': 'doubly_robust',
    'expected_free_discovery': 'efd', 'efd': 'efd', 'ess': 'effective_sample_size',
    'effective_sample_size': 'effective_sample_size',
    'eleven_point_ap': 'eleven_point_average_precision', '11pt': 'eleven_point_average_precision',
    '11pt_avg': 'eleven_point_average_precision',
    'eleven_point_average_precision': 'eleven_point_average_precision',
    'expected_popularity_complement': 'epc', 'epc': 'epc', 'expected_reciprocal_rank': 'err',
    'err': 'err', 'eed': 'expected_exposure_disparity', 'ee_d': 'expected_exposure_disparity',
    'expected_exposure_disparity': 'expected_exposure_disparity', 'eel': 'expected_exposure_loss',
    'ee_l': 'expected_exposure_loss', 'expected_exposure_loss': 'expected_exposure_loss',
    'eer': 'expected_exposure_relevance', 'ee_r': 'expected_exposure_relevance',
    'expected_exposure_relevance': 'expected_exposure_relevance',
    'exposure_share': 'exposure_share', 'f1': 'f_beta', 'f': 'f_beta', 'f_beta': 'f_beta',
    'fraction_of_concordant_pairs': 'fcp', 'fcp': 'fcp', 'user_auc': 'gauc', 'gauc': 'gauc',
    'gm_bpref': 'geometric_bpref', 'geometric_bpref': 'geometric_bpref', 'gmap': 'geometric_map',
    'gm_map': 'geometric_map', 'geometric_map': 'geometric_map', 'gini_index': 'gini',
    'gini': 'gini', 'hamming_diversity': 'hamming_diversity', 'hhi': 'herfindahl',
    'herfindahl_hirschman': 'herfindahl', 'herfindahl': 'herfindahl', 'hit': 'hit_rate',
    'hr': 'hit_rate', 'hitrate': 'hit_rate', 'success': 'hit_rate', 'top_k_accuracy': 'hit_rate',
    'hit_rate': 'hit_rate', 'infap': 'inferred_average_precision',
    'inf_ap': 'inferred_average_precision',
    'inferred_average_precision': 'inferred_average_precision',
    'personalization': 'inter_list_diversity', 'personalisation': 'inter_list_diversity',
    'inter_list_diversity': 'inter_list_diversity', 'iprec': 'interpolated_precision',
    'iprec_at_recall': 'interpolated_precision',
    'interpolated_precision': 'interpolated_precision', 'ild': 'intra_list_diversity',
    'intra_list_diversity': 'intra_list_diversity', 'ipw': 'ips', 'inverse_propensity': 'ips',
    'ips': 'ips', 'item_count': 'item_count', 'jaccard_diversity': 'jaccard_diversity',
    'judged': 'judged_share', 'judged_share': 'judged_share', 'kendall_tau': 'kendall',
    'kendall': 'kendall', 'roc_auc': 'list_auc', 'list_auc': 'list_auc',
    'jaccard': 'list_jaccard', 'list_jaccard': 'list_jaccard', 'mean_absolute_error': 'mae',
    'mae': 'mae', 'weight_overlap': 'matched_share', 'matched_share': 'matched_share',
    'largest_weight': 'max_weight', 'max_weight': 'max_weight', 'matthews_correlation': 'mcc',
    'mcc': 'mcc', 'mean_squared_error': 'mse', 'mse': 'mse', 'ncisprecision': 'ncis_precision',
    'ncis_precision': 'ncis_precision', 'ndcg': 'ndcg', 'ndcg_rel': 'ndcg_at_gains',
    'ndcg_at_gains': 'ndcg_at_gains', 'rndcg': 'ndcg_at_grades',
    'ndcg_at_grades': 'ndcg_at_grades', 'ndpm': 'ndpm', 'normalized_err': 'nerr', 'nerr': 'nerr',
    'normalized_gain': 'normalized_gain', 'novelty': 'novelty', 'pap': 'partial_ap',
    'partial_ap': 'partial_ap', 'pauc': 'partial_auc', 'partial_auc': 'partial_auc',
    'pearson_r': 'pearson', 'pearson': 'pearson', 'pop_reo': 'pop_reo', 'pop_rsp': 'pop_rsp',
    'arp': 'popularity_count', 'average_popularity': 'popularity_count',
    'popularity_count': 'popularity_count', 'popularity_rank': 'popularity_rank',
    'popularity': 'popularity_share', 'popularity_share': 'popularity_share', 'p': 'precision',
    'precision': 'precision', 'r_squared': 'r2', 'r2': 'r2', 'rprec': 'r_precision',
    'r_precision': 'r_precision', 'half_life_utility': 'r_score', 'r_score': 'r_score',
    'rank_biased_overlap': 'rbo', 'rbo': 'rbo', 'rbo_res': 'rbo_residual',
    'rbo_residual': 'rbo_residual', 'top_weightedness': 'rbo_weight', 'rbo_weight': 'rbo_weight',
    'rank_biased_precision': 'rbp', 'rbp': 'rbp', 'rbp_resid': 'rbp_residual',
    'rbp_residual': 'rbp_residual', 'r': 'recall', 'recall': 'recall', 'rr': 'reciprocal_rank',
    'mrr': 'reciprocal_rank', 'reciprocal_rank': 'reciprocal_rank', 'reo': 'reo',
    'root_mean_squared_error': 'rmse', 'rmse': 'rmse', 'rsp': 'rsp', 'serendipity': 'serendipity',
    'set_map': 'set_average_precision', 'set_ap': 'set_average_precision',
    'set_average_precision': 'set_average_precision', 'set_f': 'set_f',
    'set_utility': 'set_utility', 'entropy': 'shannon_entropy',
    'distributional_coverage': 'shannon_entropy', 'shannon_entropy': 'shannon_entropy',
    'self_normalized_doubly_robust': 'sndr', 'sndr': 'sndr', 'snipw': 'snips', 'snips': 'snips',
    'spearman_rho': 'spearman', 'spearman': 'spearman', 'stratified_recall': 'stratified_recall',
    'miuf': 'surprisal', 'mean_inverse_user_frequency': 'surprisal',
    'self_information': 'surprisal', 'surprisal': 'surprisal',
    'switch_doubly_robust': 'switch_dr', 'switch_dr': 'switch_dr', 'aplt': 'tail_share',
    'long_tail_share': 'tail_share', 'tail_share': 'tail_share', 'threshold_f1': 'threshold_f1',
    'threshold_precision': 'threshold_precision', 'threshold_recall': 'threshold_recall',
    'unexpectedness': 'unexpectedness', 'unjudged': 'unjudged_share', 'unj': 'unjudged_share',
    'unjudged_share': 'unjudged_share', 'user_coverage': 'user_coverage',
    'value_found': 'value_found', 'value_ndcg': 'value_ndcg',
    'value_precision': 'value_precision', 'value_recall': 'value_recall',
    'value_shown': 'value_shown',
}) }}
{% endmacro %}

-- The inputs: the columns that each always has, and those that it may have.
{% macro tables() %}
{{ return({
    'recs': {
        'always': ['user_id', 'item_id'], 'sometimes': ['score', 'rank', 'model', 'order_by'],
    },
    'truth': {'always': ['user_id', 'item_id'], 'sometimes': ['relevance', 'order_by']},
    'history': {'always': ['user_id', 'item_id'], 'sometimes': []},
    'catalog': {'always': ['item_id'], 'sometimes': []},
    'items': {'always': ['item_id'], 'sometimes': []},
    'users': {'always': ['user_id'], 'sometimes': []},
    'baseline': {'always': ['user_id', 'item_id'], 'sometimes': ['score', 'rank', 'order_by']},
    'logs': {'always': [], 'sometimes': ['user_id', 'item_id', 'position', 'target_probability']},
}) }}
{% endmacro %}

-- The options, each with its default, and what it may be.
{% macro options() %}
{{ return({
    'by': {'default': [], 'choices': [], 'type': 'str', 'limits': []},
    'columns': {'default': {}, 'choices': [], 'type': 'str', 'limits': []},
    'convention': {'default': 'sqlrec', 'choices': [], 'type': 'str', 'limits': []},
    'population': {
        'default': 'truth',
        'choices': ['truth', 'truth_and_recs', 'judged', 'judged_and_recs', 'recs', 'all'],
        'type': 'str', 'limits': [],
    },
    'order': {'default': none, 'choices': [none, 'score', 'rank'], 'type': 'str', 'limits': []},
    'ties': {
        'default': 'item_asc',
        'choices': ['item_asc', 'item_desc', 'first', 'expected', 'best', 'worst'], 'type': 'str',
        'limits': [],
    },
    'duplicates': {
        'default': 'error', 'choices': ['error', 'best', 'first', 'last'], 'type': 'str',
        'limits': [],
    },
    'null_scores': {
        'default': 'error', 'choices': ['error', 'last', 'drop'], 'type': 'str', 'limits': [],
    },
    'relevance_threshold': {'default': none, 'choices': [], 'type': 'float', 'limits': [-1e+100, 1e+100]},
    'order_by': {'default': none, 'choices': [], 'type': 'str', 'limits': []},
    'depth': {'default': none, 'choices': [], 'type': 'int', 'limits': [1, 1000000]},
    'groupings': {'default': 'together', 'choices': ['together', 'each'], 'type': 'str', 'limits': []},
    'interval': {'default': none, 'choices': [none, 'normal'], 'type': 'str', 'limits': []},
    'level': {
        'default': 0.95, 'choices': [0.95, 0.5, 0.8, 0.9, 0.98, 0.99, 0.999], 'type': 'float',
        'limits': [],
    },
    'summaries': {'default': '', 'choices': [], 'type': 'str', 'limits': []},
    'form': {
        'default': 'audited', 'choices': ['audited', 'plain', 'check'], 'type': 'str',
        'limits': [],
    },
    'on_violation': {'default': 'null', 'choices': ['null', 'fail'], 'type': 'str', 'limits': []},
    'step': {'default': none, 'choices': [], 'type': 'str', 'limits': []},
    'steps': {'default': {}, 'choices': [], 'type': 'str', 'limits': []},
    'correction': {
        'default': 'holm', 'choices': ['holm', 'bonferroni', 'bh', 'none'], 'type': 'str',
        'limits': [],
    },
}) }}
{% endmacro %}

-- What is said of broken rules.
{% macro violation_messages() %}
{{ return({
    'recs_user': 'recs has {found} places without user_id: leave those rows out',
    'recs_model': 'recs has {found} places without model, as for user {user_id}: name their model',
    'recs_item': 'recs has {found} places without item_id, as for user {user_id}: leave them out',
    'recs_score': "recs: item {item_id} of user {user_id} has no score (null or NaN), one of {found}: give null_scores='last' to rank such items last, or 'drop' to leave them out",
    'recs_rank': 'recs: item {item_id} of user {user_id} has rank {rank}, one of {found} that are null or below 1: ranks start at 1',
    'recs_twice': "recs: user {user_id} has item {item_id} more than once, one of {found} such repeats: a list names an item once; give duplicates='best' to keep its best place",
    'recs_rank_twice': "recs: user {user_id} has rank {rank} more than once, one of {found} such repeats: a place holds one item; give each its own rank, or order='score' where there are scores",
    'recs_order': "recs: item {item_id} of user {user_id} has rank {rank} and no score, or a higher score than the place before, one of {found}: say which counts, order='rank' or order='score'",
    'recs_unscored': "recs: item {item_id} of user {user_id} has no score, or one beyond 1e+100, one of {found}: metrics of scores need numbers; give null_scores='drop' to leave missing ones out",
    'truth_user': 'truth has {found} rows without user_id: leave those rows out',
    'truth_item': 'truth has {found} rows without item_id, as for user {user_id}: leave them out',
    'truth_relevance': 'truth: item {item_id} of user {user_id} has no relevance (null or NaN), or one beyond {largest}, one of {found}: give it a number, 0 if it is not relevant',
    'truth_twice': "truth: user {user_id} has item {item_id} more than once, one of {found} such repeats: an item is judged once; give duplicates='best' to keep its best grade",
    'baseline_user': 'baseline has {found} places without user_id: leave those rows out',
    'baseline_model': 'baseline has {found} places without model, as for user {user_id}: name their model',
    'baseline_item': 'baseline has {found} places without item_id, as for user {user_id}: leave them out',
    'baseline_score': "baseline: item {item_id} of user {user_id} has no score (null or NaN), one of {found}: give null_scores='last' to rank such items last, or 'drop' to leave them out",
    'baseline_rank': 'baseline: item {item_id} of user {user_id} has rank {rank}, one of {found} that are null or below 1: ranks start at 1',
    'baseline_twice': "baseline: user {user_id} has item {item_id} more than once, one of {found} such repeats: a list names an item once; give duplicates='best' to keep its best place",
    'baseline_rank_twice': "baseline: user {user_id} has rank {rank} more than once, one of {found} such repeats: a place holds one item; give each its own rank, or order='score' where there are scores",
    'baseline_order': "baseline: item {item_id} of user {user_id} has rank {rank} and no score, or a higher score than the place before, one of {found}: say which counts, order='rank' or order='score'",
    'baseline_unscored': "baseline: item {item_id} of user {user_id} has no score, or one beyond 1e+100, one of {found}: metrics of scores need numbers; give null_scores='drop' to leave missing ones out",
    'history_user': 'history has {found} items without user_id: leave those rows out',
    'history_item': 'history has {found} users with rows without item_id, as user {user_id}: leave them out',
    'catalog_item': 'catalog has rows without item_id: leave them out',
    'items_item': 'items has {found} rows without item_id: leave them out',
    'items_value': "items: item {item_id} has a value or distance beyond 1e100, one of {found} such rows: larger ones can't be added up; give it in another unit, or leave it out",
    'items_price': 'items: the price of item {item_id} is null, NaN, below 0 or beyond 1e100, one of {found} such rows: give each item its price, 0 if it costs nothing',
    'items_twice': 'items: item {item_id} has more than one price, one of {found} such items: give each item a single price',
    'items_unpriced': 'item {item_id} has no price in items, one of {found} such rows of truth or recs: give items a price for each relevant or shown item',
    'logs_user_id': 'logs has {found} decisions without user_id: leave those rows out',
    'logs_item_id': 'logs has {found} decisions without item_id, as for user {user_id}: leave them out',
    'logs_position': 'logs has {found} decisions whose position is null or below 1, as for user {user_id}: positions start at 1',
    'logs_reward': 'logs has {found} decisions whose reward is null, NaN or beyond 1e+100: give each its reward, 0 where nothing came of it',
    'logs_propensity': 'logs has {found} decisions whose propensity is null, NaN, 0, below 1e-100 or above 1: it is how likely the logged action was; leave out where that is not known',
    'logs_target_probability': 'logs has {found} decisions whose target_probability is null, NaN, below 0 or above 1: it is how likely the evaluated policy takes the action, 0 where it never does',
    'logs_predicted_reward': 'logs has {found} decisions whose predicted_reward is null, NaN or beyond 1e+100: give each what the model of rewards says of the logged action',
    'logs_expected_reward': 'logs has {found} decisions whose expected_reward is null, NaN or beyond 1e+100: give each what the model of rewards says of the evaluated policy',
    'truth_segment': 'truth: user {user_id} has more than one value of {by}, one of {found} such users: a user belongs to one segment',
    'users_segment': 'users: user {user_id} has more than one value of {by}, one of {found} such users: a user belongs to one segment',
}) }}
{% endmacro %}

-- What plans, tables and kinds of rows have where nothing else is said.
{% macro blank() %}
{{ return({
    'plan': {
        'population': 'truth', 'order': none, 'ties': 'item_asc', 'duplicates': 'error',
        'null_scores': 'error', 'relevance_threshold': none, 'truth_duplicates': none,
        'scores': 'any', 'listed': 'all', 'unlisted': 'absent', 'without_list': 'value',
        'undefined': 'omit', 'complete': false, 'terms': false, 'pairs': [], 'row_order': none,
        'lists': none, 'parts': [], 'part_lists': [], 'name': none, 'words': none,
        'whole_list': 2147483646, 'past_every_cutoff': 2147483647, 'whole_ids': false, 'recs': [],
    },
    'table': {
        'unnest': false, 'floating': {}, 'model': none, 'models': [], 'needed': [],
        'target': none, 'order': none, 'check_order': false, 'scored': false,
    },
    'kind': {'metrics': [], 'cutoffs': [], 'truth': false, 'weighed': false},
}) }}
{% endmacro %}

-- How dialects write names and texts: the sign around names, what can't be in it, and
-- whether backslashes are doubled in texts; none where that depends on a setting.
{% macro spelling() %}
{{ return({
    'duckdb': {
        'quote': '"', 'unquotable': [], 'backslashes': false, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'cast({} as varchar)', 'concat': '||',
    },
    'postgres': {
        'quote': '"', 'unquotable': [], 'backslashes': none, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'cast({} as varchar)', 'concat': '||',
    },
    'spark': {
        'quote': '`', 'unquotable': [], 'backslashes': true, 'upper_case': false,
        'variables': true, 'reserved': [], 'text': 'cast({} as string)', 'concat': '||',
    },
    'databricks': {
        'quote': '`', 'unquotable': [], 'backslashes': true, 'upper_case': false,
        'variables': true, 'reserved': [], 'text': 'cast({} as string)', 'concat': '||',
    },
    'snowflake': {
        'quote': '"', 'unquotable': [], 'backslashes': true, 'upper_case': true,
        'variables': false, 'reserved': [], 'text': 'cast({} as varchar)', 'concat': '||',
    },
    'bigquery': {
        'quote': '`', 'unquotable': ['\\', '`', '.'], 'backslashes': true, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'cast({} as string)', 'concat': '||',
    },
    'redshift': {
        'quote': '"', 'unquotable': [], 'backslashes': none, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'cast({} as varchar)', 'concat': '||',
    },
    'trino': {
        'quote': '"', 'unquotable': [], 'backslashes': false, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'cast({} as varchar)', 'concat': '||',
    },
    'athena': {
        'quote': '"', 'unquotable': [], 'backslashes': false, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'cast({} as varchar)', 'concat': '||',
    },
    'fabric': {
        'quote': '"', 'unquotable': [], 'backslashes': false, 'upper_case': false,
        'variables': false, 'reserved': ['precision'], 'text': 'cast({} as varchar(8000))',
        'concat': '+',
    },
    'clickhouse': {
        'quote': '"', 'unquotable': ['\\'], 'backslashes': true, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'toString({})', 'concat': '||',
    },
    'sqlite': {
        'quote': '`', 'unquotable': [], 'backslashes': false, 'upper_case': false,
        'variables': false, 'reserved': [], 'text': 'cast({} as varchar)', 'concat': '||',
    },
}) }}
{% endmacro %}

-- Numbers and names with a meaning.
{% macro limits() %}
{{ return({
    'whole_list': 2147483646, 'largest_relevance': 1e+100, 'largest_exponent': 1000,
    'taken': ['model', 'user_id', 'metric', 'k', 'asked', 'value', 'users', 'convention', 'population', 'users_evaluated', 'users_without_list', 'short_lists', 'ties_at_cutoff', 'unjudged_lists', 'repeated_rows', 'effective_decisions', 'largest_weight', 'violations'],
    'comparison': ['value', 'baseline_value', 'difference', 'standard_error', 'baseline_error', 'covariance', 'low', 'high', 'better', 'wins', 'ties', 'losses', 'signs', 'signed_ranks', 'signed_ranks_error'],
    'compared': ['baseline', 'metric', 'k', 'asked', 'users', 'value', 'baseline_value', 'difference', 'standard_error', 'baseline_error', 'covariance', 'low', 'high', 'better', 'wins', 'ties', 'losses', 'signs', 'signed_ranks', 'signed_ranks_error', 'violations', 'user_value', 'user_baseline_value', 'user_difference', 'sum_users', 'added_part', 'added_whole', 'added_parts', 'added_wholes', 'baseline_added_part', 'baseline_added_whole', 'baseline_added_parts', 'baseline_added_wholes', 'distance', 'direction', 'mean_difference', 'mean_baseline', 'size_rank', 'more', 'fewer', 'user_models', 'model_number', 'models', 'method', 'clusters', 'degrees_of_freedom', 'relative_difference', 'p', 'p_adjusted', 'detectable', 'relative_low', 'relative_high', 'effect_size', 'effect_low', 'effect_high', 'win_share', 'win_share_low', 'win_share_high', 'significant', 'small', 'p_place', 'p_count', 'p_step'],
    'whole_kinds': ['exposed', 'grouped', 'pooled', 'logged'], 'longest_column': 45,
    'columns': ['user_id', 'item_id', 'score', 'rank', 'model', 'order_by', 'relevance', 'position', 'target_probability', 'aspect', 'category', 'reward', 'propensity', 'feature', 'value', 'expected_reward', 'predicted_reward', 'item_group', 'other_item_id', 'distance', 'price'],
    'numbers': ['click', 'distance', 'expected_reward', 'position', 'predicted_reward', 'price', 'propensity', 'rank', 'relevance', 'reward', 'score', 'target_probability', 'value'],
    'of_several': ['user_id', 'item_id', 'other_item_id'],
    'rules': {
        'population': 'truth', 'order': none, 'ties': 'item_asc', 'duplicates': 'error',
        'null_scores': 'error', 'relevance_threshold': none, 'truth_duplicates': none,
        'scores': 'any', 'listed': 'all', 'unlisted': 'absent', 'without_list': 'value',
        'undefined': 'omit',
    },
    'ranking': ['order', 'check_order', 'ties', 'duplicates', 'null_scores', 'scores', 'listed'],
    'presets': {
        'standard': ['ndcg', 'map', 'mrr', 'recall', 'precision', 'hit_rate'],
        'beyond-accuracy': ['catalog_coverage', 'gini', 'inter_list_diversity', 'surprisal', 'serendipity'],
    },
    'without_rows': [['ties', 'first', 'item_asc'], ['duplicates', 'first', 'best'], ['duplicates', 'last', 'best'], ['truth_duplicates', 'first', 'best'], ['truth_duplicates', 'last', 'best']],
    'by_relevance': ['expected', 'best', 'worst'],
    'with_relevance': [['duplicates', 'once', 'places'], ['duplicates', 'outer', 'places'], ['duplicates', 'outer_in_k', 'places'], ['duplicates', 'crossed', 'places'], ['truth_duplicates', 'joined', 'rows'], ['truth_duplicates', 'summed', 'rows'], ['truth_duplicates', 'lines', 'rows']],
    'accounts': ['population', 'users_evaluated', 'users_without_list', 'short_lists', 'ties_at_cutoff', 'unjudged_lists', 'repeated_rows'],
    'broken': ' rows break a rule, and no value can be trusted: sqlrec.no_violations lists the rules',
    'looks_like': {
        'models': '(model|algorithm|algo|recommender|system)([ _.-]?(name|id))?',
        'scores': 'ratings?|grades?|labels?|rel|relevanc[ey]|stars|judge?ments?|scores?|gains?',
    },
    'reach': {
        0.95: 1.9599639845400536, 0.5: 0.6744897501960817, 0.8: 1.2815515655446008,
        0.9: 1.6448536269514715, 0.98: 2.3263478740408408, 0.99: 2.5758293035489,
        0.999: 3.2905267314919255,
    },
    'expected': ['average_precision', 'cumulative_gain', 'dcg', 'hit_rate', 'ndcg', 'precision', 'recall', 'reciprocal_rank'],
}) }}
{% endmacro %}

-- What some dialect takes for a word of its own.
{% macro reserved_words() %}
{{ return([
'abort', 'add', 'aes128', 'aes256', 'after', 'aggregate', 'all', 'allowoverwrite', 'alter',
'always', 'analyse', 'analyze', 'and', 'anti', 'any', 'append', 'array', 'as', 'asc', 'asof',
'assert', 'assert_rows_modified', 'asymmetric', 'at', 'attach', 'authorization', 'autoincrement',
'az64', 'backup', 'bearer', 'bearer_token', 'before', 'begin', 'between', 'binary', 'blanksasnull',
'both', 'break', 'browse', 'bulk', 'by', 'bytedict', 'cascade', 'case', 'cast', 'check',
'checkpoint', 'clone', 'close', 'clustered', 'coalesce', 'collate', 'collation', 'column', 'commit',
'commutator', 'comprows', 'compupdate', 'compute', 'concurrently', 'conflict', 'connect',
'connection', 'constraint', 'contains', 'containstable', 'continue', 'convert', 'corresponding',
'create', 'credentials', 'cross', 'cube', 'current', 'current_catalog', 'current_date',
'current_path', 'current_role', 'current_schema', 'current_time', 'current_timestamp',
'current_user', 'current_user_id', 'cursor', 'database', 'datetime', 'dbcc', 'deallocate',
'declare', 'default', 'deferrable', 'deferred', 'define', 'definition', 'defrag', 'delete',
'delimiters', 'delta', 'delta32k', 'deny', 'desc', 'describe', 'detach', 'disable', 'disk',
'distinct', 'distributed', 'do', 'double', 'drop', 'dump', 'each', 'else', 'elseif', 'emptyasnull',
'enable', 'encode', 'encrypt', 'encryption', 'end', 'enum', 'errlvl', 'escape', 'except', 'exclude',
'exclusive', 'exec', 'execute', 'exists', 'exit', 'explain', 'explicit', 'explicit_ids', 'extend',
'external', 'extract', 'fail', 'false', 'fetch', 'file', 'fillfactor', 'fillrecord', 'filter',
'final', 'first', 'following', 'for', 'foreign', 'format', 'freetext', 'freetexttable', 'freeze',
'from', 'full', 'function', 'generated', 'glob', 'globaldict256', 'globaldict64k', 'go', 'goto',
'grant', 'group', 'grouping', 'groups', 'gscluster', 'hash', 'hashes', 'having', 'holdlock',
'hybrid', 'identity', 'identity_insert', 'identitycol', 'if', 'ignore', 'ignoreblanklines',
'ignoreheader', 'ilike', 'immediate', 'in', 'include', 'increment', 'index', 'indexed', 'initially',
'inner', 'insert', 'insert_only', 'instead', 'intersect', 'interval', 'into', 'is', 'isnull',
'join', 'json_array', 'json_exists', 'json_object', 'json_query', 'json_table', 'json_value', 'key',
'kill', 'lambda', 'lateral', 'leading', 'left', 'like', 'limit', 'lineno', 'listagg', 'load',
'localtime', 'localtimestamp', 'lookup', 'lun', 'luns', 'lzo', 'match_condition', 'match_recognize',
'materialized', 'merge', 'merges', 'minus', 'mostly16', 'mostly32', 'mostly8', 'national',
'natural', 'negator', 'new', 'no', 'nocheck', 'nonclustered', 'normalize', 'not', 'nothing',
'notnull', 'null', 'null_if', 'nullif', 'nulls', 'of', 'off', 'offline', 'offset', 'offsets', 'oid',
'old', 'on', 'only', 'open', 'opendatasource', 'openquery', 'openrowset', 'openxml', 'option', 'or',
'order', 'others', 'outer', 'over', 'overlaps', 'parallel', 'partition', 'percent', 'permissions',
'pivot', 'pivot_longer', 'pivot_wider', 'placing', 'plan', 'pragma', 'preceding', 'precision',
'prepare', 'prewhere', 'primary', 'print', 'proc', 'procedure', 'proto', 'public', 'qualify',
'query', 'raise', 'raiserror', 'range', 'raw', 'read', 'readratio', 'readtext', 'reconfigure',
'recover', 'recursive', 'references', 'regexp', 'regr', 'reindex', 'reject', 'rejectlog', 'release',
'rename', 'replace', 'replication', 'resort', 'respect', 'restore', 'restrict', 'return',
'returning', 'revert', 'revoke', 'right', 'rightarg', 'rlike', 'rollback', 'rollup', 'row',
'rowcount', 'rowguidcol', 'rows', 'rule', 'runlength', 'sample', 'save', 'savepoint', 'schema',
'securityaudit', 'select', 'semantickeyphrasetable', 'semanticsimilaritydetailstable',
'semanticsimilaritytable', 'semi', 'session_user', 'set', 'settings', 'setuser', 'show', 'shutdown',
'similar', 'skip', 'snapshot', 'some', 'start', 'statistics', 'strict', 'struct', 'summarize',
'symmetric', 'sysdate', 'system', 'system_user', 'table', 'tablesample', 'tag', 'tdes', 'temp',
'temporary', 'text255', 'text32k', 'textsize', 'then', 'timestamp', 'to', 'top', 'trailing', 'tran',
'transaction', 'treat', 'trigger', 'trim', 'true', 'truncate', 'truncatecolumns', 'try_cast',
'try_convert', 'tsequal', 'uescape', 'unbounded', 'union', 'unique', 'unknown', 'unnest', 'unpivot',
'update', 'updatetext', 'use', 'user', 'using', 'vacuum', 'values', 'variadic', 'varying',
'verbose', 'view', 'waitfor', 'when', 'whenever', 'where', 'while', 'window', 'with', 'within',
'without', 'writetext',
]) }}
{% endmacro %}
