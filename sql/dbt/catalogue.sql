-- Made by docs/update.py from the headers of the metrics, sqlrec/plan and sqlrec/dialects.py.

-- The metrics by all of their names: an alias has the name alone, and what is usual
-- stands in `blank`.
{% macro catalogue() %}
{% set entries %}
{
    "accuracy": {
        "name": "accuracy", "rows": "hits", "defaults": {"shown": "list_length"},
        "choices": {"shown": ["list_length", "k"]},
        "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Accuracy: the share of the catalog's items that are both shown and relevant, or neither of these, from 0 to 1.",
            "source": "RecTools 0.19"
        }
    },
    "alpha_dcg": {
        "name": "alpha_dcg", "rows": "aspect_hits", "defaults": {"alpha": 0.5},
        "numbers": {"alpha": {"words": "from 0 to 1", "least": 0, "most": 1, "step": 0}},
        "cutoff": "a number", "most": 1000,
        "needs": {"recs": [], "truth": [], "items": ["aspect"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Alpha-DCG: the DCG of a list in which a hit gains less for each hit above with the same aspect, as a share of the gain of the best conceivable list, from 0 to 1.",
            "source": "Clarke et al. 2008"
        }
    },
    "alpha_ndcg": {
        "name": "alpha_ndcg", "rows": "aspect_hits", "defaults": {"alpha": 0.5, "form": "clarke"},
        "choices": {"form": ["clarke", "rs_metrics"]},
        "numbers": {"alpha": {"words": "from 0 to 1", "least": 0, "most": 1, "step": 0}},
        "cutoff": "a number", "most": 100,
        "needs": {"recs": [], "truth": [], "items": ["aspect"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Alpha-NDCG: the NDCG of a list in which a hit gains less for each hit above with the same aspect, from 0 to 1.",
            "source": "Clarke et al. 2008"
        }
    },
    "atkinson_index": {
        "name": "atkinson_index", "rows": "item_exposure",
        "defaults": {"items": "recommended", "weight": "plain", "aversion": 0.5},
        "choices": {"items": ["recommended", "catalog"], "weight": ["plain", "rank"]},
        "numbers": {
            "aversion": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "catalog": []},
        "if_param": {"catalog": ["items", ["catalog"]]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Atkinson's index: the share of all exposure that could be given up without loss of social welfare, if the remaining exposure were divided equally among the items, from 0 to 1. At 0 all items are shown equally often; near 1 a few items get everything.",
            "source": "Atkinson 1970"
        }
    },
    "auc": {
        "name": "auc", "rows": "pooled", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "AUC: the share of pairs of a relevant and an irrelevant item, over all users together, in which the relevant item has the higher score, from 0 to 1.",
            "source": "Hanley & McNeil 1982"
        }
    },
    "average_overlap": {
        "name": "average_overlap", "rows": "list_overlap", "defaults": {"divide_by": "longer"},
        "choices": {"divide_by": ["longer", "k"]}, "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Average overlap: the share of items that the first d ranks of two lists for the same user have in common, averaged over all depths d, from 0 to 1.",
            "source": "Fagin et al. 2003"
        }
    },
    "average_precision": {
        "name": "average_precision", "rows": "hits",
        "defaults": {"divide_by": "relevant", "without_hits": "zero"},
        "choices": {
            "divide_by": ["relevant", "achievable", "hits", "k", "list_length", "achievable_in_list"],
            "without_hits": ["zero", "one"]
        },
        "needs": {"recs": [], "truth": []},
        "no_expected_form": {"divide_by": ["hits"], "without_hits": ["one"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Average precision: the precision at each hit, summed and divided by the number of hits that were possible, from 0 to 1. Its mean over users is known as MAP.",
            "source": "Buckley & Voorhees 2000"
        }
    },
    "average_recall": {
        "name": "average_recall", "rows": "hits", "defaults": {"divide_by": "hits"},
        "choices": {"divide_by": ["hits", "list_length", "achievable", "k"]},
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Average recall: the recall at each hit, averaged over the hits, from 0 to 1. Its mean over users is known as MAR.",
            "source": "rs_metrics 0.4"
        }
    },
    "baseline_serendipity": {
        "name": "baseline_serendipity", "rows": "recommended_items",
        "defaults": {"divide_by": "list_length"},
        "choices": {"divide_by": ["list_length", "k", "unexpected"]},
        "needs": {"recs": [], "truth": [], "baseline": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Baseline serendipity: the share of the list that is relevant and not in the baseline's list, both within k, from 0 to 1.",
            "source": "Ge et al. 2010"
        }
    },
    "baseline_share": {
        "name": "baseline_share", "rows": "recommended_items", "defaults": {"baseline_k": 0},
        "numbers": {
            "baseline_k": {"words": "from 0 to 100000 by 1", "least": 0, "most": 100000, "step": 1}
        },
        "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Baseline share: the share of the list that the baseline's list has too, from 0 to 1.",
            "source": "RecTools 0.19"
        }
    },
    "bias_disparity": {
        "name": "bias_disparity", "rows": "group_exposure",
        "defaults": {"group": "text", "of": "change"}, "texts": ["group"],
        "choices": {"of": ["change", "recs", "history"]}, "cutoff": "optional",
        "needs": {"recs": [], "items": ["item_group"], "history": []},
        "if_param": {"history": ["of", ["change", "history"]]},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Bias disparity: the relative change of the bias towards a group of items, from the users' history to the lists, at least -1. At 0 the group has the same share of both.",
            "source": "Tsintzou, Pitoura & Tsaparas 2019"
        }
    },
    "bpm": {
        "name": "bpm", "rows": "examined", "defaults": {"goal": 1, "max_grade": 1},
        "numbers": {
            "goal": {"words": "above 0 to 1000", "least": 5e-324, "most": 1000, "step": 0},
            "max_grade": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "BPM: the mean gain of the ranks seen by a user who stops after gaining enough, or at rank k, from 0 to 1.",
            "source": "Zhang et al. 2017"
        }
    },
    "bpref": {
        "name": "bpref", "rows": "hits", "defaults": {"without_nonrelevant": "recall"},
        "choices": {"without_nonrelevant": ["recall", "undefined"]}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Bpref: how far relevant items rank above those judged not relevant, while items without a judgment are ignored, from 0 to 1.",
            "source": "Buckley & Voorhees 2004"
        }
    },
    "calibration_js": {
        "name": "calibration_js", "rows": "category_distributions", "defaults": {},
        "needs": {"recs": [], "history": [], "items": ["category"]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Calibration JS: the Jensen-Shannon divergence between the categories of the list and the categories of the user's history, in bits, from 0 to 1. It measures miscalibration, so 0 is best.",
            "source": "Lin 1991"
        }
    },
    "calibration_kl": {
        "name": "calibration_kl", "rows": "category_distributions",
        "defaults": {"alpha": 0.01, "unit": "bits"}, "choices": {"unit": ["bits", "nats"]},
        "numbers": {
            "alpha": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "history": [], "items": ["category"]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Calibration KL: the Kullback-Leibler divergence of the categories of the list from the categories of the user's history, at least 0. It measures miscalibration, so 0 is best.",
            "source": "Steck 2018"
        }
    },
    "cascade_dr": {
        "name": "cascade_dr", "rows": "logged", "defaults": {}, "cutoff": "none",
        "needs": {
            "logs": [
                "reward", "propensity", "slate_id", "position", "predicted_reward",
                "expected_reward"
            ],
            "recs": []
        },
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Cascade DR: the mean reward that the slates of another policy would have had, estimated doubly robustly for users who read from the top, unbounded.",
            "source": "Kiyohara et al. 2022"
        }
    },
    "catalog_auc": {
        "name": "catalog_auc", "rows": "hits",
        "defaults": {"weight": "none", "items": "catalog", "neither": "half", "padding": 0},
        "choices": {
            "weight": ["none", "positives"], "items": ["catalog", "list"],
            "neither": ["half", "nothing"]
        },
        "numbers": {
            "padding": {"words": "from 0 to 1000000 by 1", "least": 0, "most": 1000000, "step": 1}
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "catalog": []},
        "if_param": {"catalog": ["items", ["catalog"]]}, "no_expected_form": {"items": ["list"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "Catalog AUC: the share of pairs of a relevant and an irrelevant item of the catalog in which the list ranks the relevant one higher, from 0 to 1.",
            "source": "Rendle et al. 2009"
        }
    },
    "catalog_average_precision": {
        "name": "catalog_average_precision", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Catalog average precision: the share of relevant items among those ranked at or above a relevant item, averaged over the user's relevant items, from 0 to 1.",
            "source": "Tsoumakas et al. 2010"
        }
    },
    "catalog_coverage": {
        "name": "catalog_coverage", "rows": "item_exposure",
        "defaults": {"items": "catalog", "outside": "ignored", "unit": "share", "padding": 0},
        "choices": {
            "items": ["catalog", "history"], "outside": ["ignored", "counted"],
            "unit": ["share", "items", "percent"]
        },
        "numbers": {
            "padding": {"words": "from 0 to 1000000 by 1", "least": 0, "most": 1000000, "step": 1}
        },
        "cutoff": "optional", "needs": {"recs": [], "catalog": [], "history": []},
        "if_param": {"catalog": ["items", ["catalog"]], "history": ["items", ["history"]]},
        "unless": {
            "catalog": {"outside": "counted", "unit": "items"},
            "history": {"outside": "counted", "unit": "items"}
        },
        "planned": {
            "parts": [], "better": "higher",
            "title": "Catalog coverage: the share of the catalog's items that some list shows, from 0 to 1.",
            "source": "Herlocker et al. 2004"
        }
    },
    "category_coverage": {
        "name": "category_coverage", "rows": "list_categories",
        "defaults": {"divide_by": "k", "ranks": "items"},
        "choices": {
            "divide_by": ["k", "list_length", "categories"], "ranks": ["items", "categories"]
        },
        "needs": {"recs": [], "items": ["category"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Category coverage: how many different categories the list shows, per rank or as a share of all categories, at least 0.",
            "source": "RePlay 0.22"
        }
    },
    "category_entropy": {
        "name": "category_entropy", "rows": "list_categories", "defaults": {"smoothing": 0},
        "numbers": {
            "smoothing": {"words": "from 0 to 1000000", "least": 0, "most": 1000000, "step": 0}
        },
        "needs": {"recs": [], "items": ["category"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Category entropy: how evenly the list is spread over categories, in bits, at least 0.",
            "source": "Shannon 1948"
        }
    },
    "churn": {
        "name": "churn", "rows": "recommended_items", "defaults": {"divide_by": "ranks"},
        "choices": {"divide_by": ["ranks", "k"]}, "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Churn: the share of recommendations of two lists for the same user that changed, from 0 to 1.",
            "source": "Sorensen 1948"
        }
    },
    "clipped_ips": {
        "name": "clipped_ips", "rows": "logged", "defaults": {"clip": 10},
        "numbers": {
            "clip": {
                "words": "above 0 to 1000000000", "least": 5e-324, "most": 1000000000, "step": 0
            }
        },
        "cutoff": "optional", "needs": {"logs": ["reward", "propensity"], "recs": []},
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Clipped IPS: IPS with each weight cut at a limit, unbounded.",
            "source": "Ionides 2008"
        }
    },
    "cohen_kappa": {
        "name": "cohen_kappa", "rows": "pooled", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Cohen's kappa: how far a judge and people agree beyond chance, where disagreement is the squared difference of their grades, from -1 to 1. At 0 they agree as if the judge's grades were assigned at random.",
            "source": "Cohen 1968"
        }
    },
    "compatibility": {
        "name": "compatibility", "rows": "ideal_overlap",
        "defaults": {"p": 0.95, "divide_by": "best"},
        "choices": {"divide_by": ["best", "weights"]},
        "numbers": {
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Compatibility: the rank-biased overlap of a list with the best list of the user's items, divided by the overlap of the best list with itself, from 0 to 1.",
            "source": "Clarke, Vtyurina & Smucker 2021"
        }
    },
    "cosine_diversity": {
        "name": "cosine_diversity", "rows": "list_features",
        "defaults": {"pairs": "ranks", "divide_by": "pairs"},
        "choices": {"pairs": ["ranks", "items"], "divide_by": ["pairs", "ranks"]},
        "needs": {"recs": [], "items": ["feature", "value"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Cosine diversity: 1 minus the cosine similarity of two items' vectors, averaged over the pairs of the list, from 0 to 2, and at most 1 if no value is negative.",
            "source": "Jurity 2.1"
        }
    },
    "coverage_error": {
        "name": "coverage_error", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Coverage error: the number of items, from the top of the ranked catalog, that include all of the user's relevant items, at least 1.",
            "source": "Tsoumakas et al. 2010"
        }
    },
    "ctr": {
        "name": "ctr", "rows": "logged", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "logs": ["reward"]},
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "CTR: the mean reward of the logged decisions with an item in the user's list, from 0 to 1 if rewards are clicks.",
            "source": "Li et al. 2011"
        }
    },
    "cumulative_gain": {
        "name": "cumulative_gain", "rows": "hits", "defaults": {"gain": "linear"},
        "choices": {"gain": ["linear", "binary", "exponential"]},
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Cumulative gain: the sum of the gains of the items within k, at least 0.",
            "source": "Jarvelin & Kekalainen 2002"
        }
    },
    "dcg": {
        "name": "dcg", "rows": "hits", "defaults": {"gain": "linear", "discount": "standard"},
        "choices": {
            "gain": ["linear", "binary", "exponential"],
            "discount": ["standard", "late", "reciprocal"]
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "DCG: the sum of the gains of the items within k, discounted by rank, at least 0.",
            "source": "Jarvelin & Kekalainen 2002"
        }
    },
    "depth_precision": {
        "name": "depth_precision", "rows": "examined", "defaults": {}, "cutoff": "a number",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Depth precision: the precision of the first d ranks, averaged over all depths d down to k, from 0 to 1. A hit at a higher rank has more weight, even if no other item is relevant.",
            "source": "Elliot 0.3.1"
        }
    },
    "direct_method": {
        "name": "direct_method", "rows": "logged", "defaults": {}, "cutoff": "none",
        "needs": {"logs": ["expected_reward"]},
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Direct method: the mean reward that a reward model predicts for another policy, unbounded.",
            "source": "Dudik et al. 2011"
        }
    },
    "disparate_impact": {
        "name": "disparate_impact", "rows": "group_exposure", "defaults": {},
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "items": ["item_group"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Disparate impact: how evenly the relevant items of groups are found, from 0 to 1. At 1 relevant items of all groups are equally likely to be shown; at 0 the relevant items of one group are never shown.",
            "source": "Singh & Joachims 2018"
        }
    },
    "disparate_treatment": {
        "name": "disparate_treatment", "rows": "group_exposure",
        "defaults": {"merit": "relevant", "weight": "rank"},
        "choices": {"merit": ["relevant", "items"], "weight": ["rank", "plain"]},
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "items": ["item_group"]},
        "if_param": {"truth": ["merit", ["relevant"]]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Disparate treatment: how evenly groups of items are shown relative to their merit, from 0 to 1. At 1 all groups have the same exposure per relevant item; at 0 a group with relevant items has no exposure.",
            "source": "Singh & Joachims 2018"
        }
    },
    "doubly_robust": {
        "name": "doubly_robust", "rows": "logged", "defaults": {}, "cutoff": "none",
        "needs": {
            "logs": ["reward", "propensity", "predicted_reward", "expected_reward"], "recs": []
        },
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Doubly robust: the direct method, corrected by the weighted errors of the reward model, unbounded.",
            "source": "Dudik et al. 2011"
        }
    },
    "efd": {
        "name": "efd", "rows": "recommended_items",
        "defaults": {"relevance": "binary", "discount": "logarithmic", "patience": 0.85},
        "choices": {
            "relevance": ["binary", "exponential", "ignored"],
            "discount": ["logarithmic", "geometric", "none"]
        },
        "numbers": {
            "patience": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "history": [], "truth": []},
        "if_param": {"truth": ["relevance", ["binary", "exponential"]]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "EFD: expected free discovery: how rare the relevant items of the list are in the history, in bits, weighted by rank, at least 0.",
            "source": "Vargas & Castells 2011"
        }
    },
    "effective_sample_size": {
        "name": "effective_sample_size", "rows": "logged", "defaults": {}, "cutoff": "optional",
        "needs": {"logs": ["propensity"], "recs": []}, "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": [], "better": "neither",
            "title": "Effective sample size: the number of equally weighted decisions that would be as informative, from 1 to the number of logged decisions.",
            "source": "Kish 1965"
        }
    },
    "eleven_point_average_precision": {
        "name": "eleven_point_average_precision", "rows": "hits",
        "defaults": {"rounding": "nearest"}, "choices": {"rounding": ["nearest", "up", "tenth"]},
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1, from 0 to 1.",
            "source": "Manning et al. 2008"
        }
    },
    "epc": {
        "name": "epc", "rows": "recommended_items",
        "defaults": {
            "relevance": "binary", "discount": "logarithmic", "patience": 0.85,
            "without_history": "never"
        },
        "choices": {
            "relevance": ["binary", "exponential", "ignored"],
            "discount": ["logarithmic", "geometric", "none"],
            "without_history": ["never", "once"]
        },
        "numbers": {
            "patience": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "history": [], "truth": []},
        "if_param": {"truth": ["relevance", ["binary", "exponential"]]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "EPC: expected popularity complement: how little known the relevant items of the list are, as the share of users who have not had them, weighted by rank, from 0 to 1.",
            "source": "Vargas & Castells 2011"
        }
    },
    "equity_of_attention": {
        "name": "equity_of_attention", "rows": "item_exposure", "defaults": {"weight": "rank"},
        "choices": {"weight": ["rank", "plain"]}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Equity of attention: the difference of each item's shares of attention and of merit, added up over items, from 0 to 2. At 0 each item is shown in proportion to the number of users to whom it is relevant.",
            "source": "Biega, Gummadi & Weikum 2018"
        }
    },
    "err": {
        "name": "err", "rows": "hits",
        "defaults": {"max_grade": 4, "scale": "given", "digits": "all"},
        "choices": {"scale": ["given", "own"], "digits": ["all", "five"]},
        "numbers": {
            "max_grade": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "ERR: the expected reciprocal of the rank at which a user who reads from the top is satisfied and stops, from 0 to 1.",
            "source": "Chapelle et al. 2009"
        }
    },
    "expected_exposure_disparity": {
        "name": "expected_exposure_disparity", "rows": "list_attention",
        "defaults": {"patience": 0.5},
        "numbers": {
            "patience": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Expected exposure disparity: how unequally a list distributes exposure over items, at least 0.",
            "source": "Diaz et al. 2020"
        }
    },
    "expected_exposure_loss": {
        "name": "expected_exposure_loss", "rows": "list_attention",
        "defaults": {"patience": 0.5, "grades": "given"},
        "choices": {"grades": ["given", "binary"]},
        "numbers": {
            "patience": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Expected exposure loss: the squared distance between the exposure that items get and the exposure that they deserve, at least 0.",
            "source": "Diaz et al. 2020"
        }
    },
    "expected_exposure_relevance": {
        "name": "expected_exposure_relevance", "rows": "list_attention",
        "defaults": {"patience": 0.5, "grades": "given"},
        "choices": {"grades": ["given", "binary"]},
        "numbers": {
            "patience": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Expected exposure relevance: how much exposure a list gives to items that deserve it, at least 0.",
            "source": "Diaz et al. 2020"
        }
    },
    "exposure_share": {
        "name": "exposure_share", "rows": "group_exposure",
        "defaults": {"group": "text", "weight": "rank"}, "texts": ["group"],
        "choices": {"weight": ["rank", "plain"]}, "cutoff": "optional",
        "needs": {"recs": [], "items": ["item_group"]},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Exposure share: the share of the exposure in all lists that goes to the items of a group, from 0 to 1.",
            "source": "Singh & Joachims 2018"
        }
    },
    "f_beta": {
        "name": "f_beta", "rows": "hits",
        "defaults": {"beta": 1, "of": "users", "divide_by": "k"},
        "choices": {
            "of": ["users", "means"], "divide_by": ["k", "list_length", "k_or_length", "known"]
        },
        "numbers": {
            "beta": {"words": "above 0 to 1000000", "least": 5e-324, "most": 1000000, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": ["precision", "recall", "summary"], "better": "higher",
            "title": "F-beta: the weighted harmonic mean of precision and recall, from 0 to 1.",
            "source": "van Rijsbergen 1979"
        }
    },
    "fall_out": {
        "name": "fall_out", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Fall-out: the share of the catalog's irrelevant items that the list shows within k, from 0 to 1. It is the false positive rate.",
            "source": "van Rijsbergen 1979"
        }
    },
    "fcp": {
        "name": "fcp", "rows": "pair_counts",
        "defaults": {"average": "pooled", "ties": "left_out"},
        "choices": {"average": ["pooled", "users", "means"], "ties": ["left_out", "discordant"]},
        "cutoff": "optional", "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["concordant", "discordant", "summary"], "better": "higher",
            "title": "FCP: the fraction of pairs of items in the same order by score and by grade, from 0 to 1.",
            "source": "Koren & Sill 2011"
        }
    },
    "gauc": {
        "name": "gauc", "rows": "rated", "defaults": {"weight": "none"},
        "choices": {"weight": ["none", "impressions", "positives"]}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "GAUC: the share of a user's pairs of a relevant and an irrelevant item in which the relevant item has the higher score, from 0 to 1.",
            "source": "Zhu et al. 2017"
        }
    },
    "geometric_bpref": {
        "name": "geometric_bpref", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": ["summary"], "better": "higher",
            "title": "Geometric bpref: the geometric mean of per-user bpref, dominated by the users with the lowest values, from 0 to 1.",
            "source": "trec_eval 10, github.com/usnistgov/trec_eval, after Robertson 2006"
        }
    },
    "geometric_map": {
        "name": "geometric_map", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": ["summary"], "better": "higher",
            "title": "Geometric MAP: the geometric mean of per-user average precision, dominated by the users with the lowest values, from 0 to 1.",
            "source": "Robertson 2006"
        }
    },
    "gini": {
        "name": "gini", "rows": "item_exposure",
        "defaults": {
            "items": "recommended", "weight": "plain", "patience": 0.85, "padding": 0,
            "divide_by": "items"
        },
        "choices": {
            "items": ["recommended", "catalog"], "weight": ["plain", "rank", "geometric"],
            "divide_by": ["items", "others"]
        },
        "numbers": {
            "patience": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            },
            "padding": {"words": "from 0 to 1000000 by 1", "least": 0, "most": 1000000, "step": 1}
        },
        "cutoff": "optional", "needs": {"recs": [], "catalog": []},
        "if_param": {"catalog": ["items", ["catalog"]]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Gini: how unequally exposure is distributed over the items, from 0 to 1. At 0 all items are shown equally often; near 1 a few items get everything.",
            "source": "Gini 1912"
        }
    },
    "gini_diversity": {
        "name": "gini_diversity", "rows": "item_exposure", "defaults": {"weight": "plain"},
        "choices": {"weight": ["plain", "rank"]}, "cutoff": "optional",
        "needs": {"recs": [], "catalog": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Gini diversity: how evenly exposure is distributed over the catalog, from 0 to 1. At 1 all items are shown equally often; at 0 one item gets everything.",
            "source": "Vargas & Castells 2014"
        }
    },
    "hamming_diversity": {
        "name": "hamming_diversity", "rows": "list_categories", "defaults": {},
        "needs": {"recs": [], "items": ["category"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Hamming diversity: the number of categories in which two items of the list differ, averaged over its pairs, at least 0.",
            "source": "RecTools 0.19"
        }
    },
    "herfindahl": {
        "name": "herfindahl", "rows": "item_exposure", "defaults": {"weight": "plain"},
        "choices": {"weight": ["plain", "rank"]}, "cutoff": "optional", "needs": {"recs": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Herfindahl index: how much all recommendations are concentrated on few items, from 0 to 1. Its inverse is the number of equally shown items that would have the same value.",
            "source": "Herfindahl 1950"
        }
    },
    "history_distance": {
        "name": "history_distance", "rows": "recommended_items", "defaults": {"of": "all"},
        "choices": {"of": ["all", "relevant", "hits"]},
        "needs": {"recs": [], "history": [], "items": ["feature", "value"], "truth": []},
        "if_param": {"truth": ["of", ["relevant", "hits"]]},
        "planned": {
            "parts": [], "better": "neither",
            "title": "History distance: 1 minus the mean cosine similarity of the list's items and the items of the user's history, from 0 to 2, and at most 1 if no value is negative.",
            "source": "Zhang et al. 2012"
        }
    },
    "hit_rate": {
        "name": "hit_rate", "rows": "hits", "defaults": {"unjudged": "miss"},
        "choices": {"unjudged": ["miss", "hit"]}, "needs": {"recs": [], "truth": []},
        "no_expected_form": {"unjudged": ["hit"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Hit rate: the share of users with at least one relevant item within k, from 0 to 1.",
            "source": "Deshpande & Karypis 2004"
        }
    },
    "inferred_average_precision": {
        "name": "inferred_average_precision", "rows": "hits", "defaults": {},
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Inferred average precision: average precision if only a sample of the pool was judged, from 0 to 1.",
            "source": "Yilmaz & Aslam 2006"
        }
    },
    "insq": {
        "name": "insq", "rows": "examined", "defaults": {"goal": 1, "max_grade": 1},
        "numbers": {
            "goal": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0},
            "max_grade": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "INSQ: the expected gain per rank for a user who is more likely to continue at deeper ranks and with a larger goal, from 0 to 1.",
            "source": "Moffat, Scholer & Thomas 2012"
        }
    },
    "inst": {
        "name": "inst", "rows": "examined", "defaults": {"goal": 1, "max_grade": 1},
        "numbers": {
            "goal": {
                "words": "above 0.5 to 100", "least": 0.5000000000000001, "most": 100, "step": 0
            },
            "max_grade": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "INST: the expected gain per rank for a user who is more likely to continue the further the gain so far is from the goal, from 0 to 1.",
            "source": "Moffat, Bailey, Scholer & Thomas 2015"
        }
    },
    "intent_average_precision": {
        "name": "intent_average_precision", "rows": "aspect_hits", "defaults": {},
        "needs": {"recs": [], "truth": [], "items": ["aspect"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Intent-aware average precision: the average precision for each aspect of a user's relevant items, averaged over these aspects, from 0 to 1. Its mean over users is known as MAP-IA.",
            "source": "Agrawal et al. 2009"
        }
    },
    "intent_err": {
        "name": "intent_err", "rows": "aspect_hits", "defaults": {"alpha": 0.5},
        "numbers": {"alpha": {"words": "from 0 to 1", "least": 0, "most": 1, "step": 0}},
        "cutoff": "a number", "most": 1000,
        "needs": {"recs": [], "truth": [], "items": ["aspect"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Intent-aware ERR: the expected reciprocal rank for each aspect of a user's relevant items, averaged over these aspects, as a share of the value of the best conceivable list, from 0 to 1.",
            "source": "Chapelle et al. 2011"
        }
    },
    "intent_precision": {
        "name": "intent_precision", "rows": "aspect_hits", "defaults": {}, "cutoff": "a number",
        "needs": {"recs": [], "truth": [], "items": ["aspect"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Intent-aware precision: the precision at k for each aspect of a user's relevant items, averaged over these aspects, from 0 to 1.",
            "source": "Agrawal et al. 2009"
        }
    },
    "inter_list_diversity": {
        "name": "inter_list_diversity", "rows": "item_exposure",
        "defaults": {"divide_by": "lengths"}, "choices": {"divide_by": ["lengths", "k"]},
        "cutoff": "optional", "needs": {"recs": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Inter-list diversity: how much the lists of two users differ, over all pairs of users, from 0 to 1.",
            "source": "Zhou et al. 2010"
        }
    },
    "interpolated_precision": {
        "name": "interpolated_precision", "rows": "hits",
        "defaults": {"recall": 0.5, "rounding": "nearest"},
        "choices": {"rounding": ["nearest", "up", "tenth"]},
        "numbers": {"recall": {"words": "from 0 to 1", "least": 0, "most": 1, "step": 0}},
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Interpolated precision: the highest precision at the hit that reaches a given recall, or at any later hit, from 0 to 1.",
            "source": "trec_eval 10, github.com/usnistgov/trec_eval; Manning et al. 2008"
        }
    },
    "intra_list_diversity": {
        "name": "intra_list_diversity", "rows": "paired", "defaults": {},
        "needs": {"recs": [], "items": ["other_item_id", "distance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Intra-list diversity: the mean distance of two items of the list, with distances that you give, at least 0.",
            "source": "Ziegler et al. 2005"
        }
    },
    "intra_list_similarity": {
        "name": "intra_list_similarity", "rows": "list_features", "defaults": {},
        "needs": {"recs": [], "items": ["feature", "value"]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Intra-list similarity: the cosine similarity of two items' vectors, averaged over the pairs of the list, from -1 to 1, and at least 0 if no value is negative.",
            "source": "Ziegler et al. 2005"
        }
    },
    "ips": {
        "name": "ips", "rows": "logged", "defaults": {"divide_by": "logged"},
        "choices": {"divide_by": ["logged", "recommended"]}, "cutoff": "optional",
        "needs": {"logs": ["reward", "propensity"], "recs": []}, "if_given": ["recs"],
        "if_param": {"recs": ["divide_by", ["recommended"]]}, "weighed": true,
        "planned": {
            "parts": ["error", "numerator", "denominator"], "better": "higher",
            "title": "IPS: the mean reward that another policy would have had, estimated by inverse propensity scores, unbounded.",
            "source": "Horvitz & Thompson 1952"
        }
    },
    "item_count": {
        "name": "item_count", "rows": "hits", "defaults": {"of": "hits", "per": "all"},
        "choices": {
            "of": [
                "hits", "retrieved", "relevant", "nonrelevant", "counted_users", "full_lists"
            ],
            "per": ["all", "user"]
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": ["summary"], "better": "neither",
            "title": "Item count: how many items are in the lists, in the truth or in both, or how many users are counted, at least 0.",
            "source": "trec_eval 10"
        }
    },
    "item_mad": {
        "name": "item_mad", "rows": "group_gains",
        "defaults": {"gain": "linear", "ranks": "all", "shift": 0},
        "choices": {"gain": ["linear", "binary", "exponential"], "ranks": ["all", "hits"]},
        "numbers": {"shift": {"words": "from 0 to 10", "least": 0, "most": 10, "step": 0}},
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "items": ["item_group"]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Item MAD, mean absolute difference: how much the mean gains of groups of items differ, over the ranks where lists show them, at least 0. At 0 the mean gains of all groups are equal.",
            "source": "Deldjoo et al. 2021"
        }
    },
    "item_score_mad": {
        "name": "item_score_mad", "rows": "group_gains", "defaults": {"ranks": "all"},
        "choices": {"ranks": ["all", "hits"]}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": [], "items": ["item_group"]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Item score MAD: the mean absolute difference between the mean scores of groups of items, at least 0. At 0 the mean scores of all groups are equal.",
            "source": "Deldjoo et al. 2021"
        }
    },
    "jaccard_diversity": {
        "name": "jaccard_diversity", "rows": "paired", "defaults": {},
        "needs": {"recs": [], "items": ["category"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Jaccard diversity: 1 minus the Jaccard similarity of two items' categories, averaged over the pairs of the list, from 0 to 1.",
            "source": "Jaccard 1912"
        }
    },
    "jain_index": {
        "name": "jain_index", "rows": "item_exposure",
        "defaults": {"items": "recommended", "weight": "plain"},
        "choices": {"items": ["recommended", "catalog"], "weight": ["plain", "rank"]},
        "cutoff": "optional", "needs": {"recs": [], "catalog": []},
        "if_param": {"catalog": ["items", ["catalog"]]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Jain's index: how equally exposure is distributed over the items, from 0 to 1. At 1 all items are shown equally often. If m of n items are shown equally often and the other items never, the value is m/n.",
            "source": "Jain, Chiu & Hawe 1984"
        }
    },
    "judged_share": {
        "name": "judged_share", "rows": "hits", "defaults": {"divide_by": "list_length"},
        "choices": {"divide_by": ["list_length", "k"]}, "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Judged share: the share of the list that the truth judges, relevant or not, from 0 to 1.",
            "source": "trec_eval 10"
        }
    },
    "kendall": {
        "name": "kendall", "rows": "pair_counts", "defaults": {"variant": "tau_b"},
        "choices": {"variant": ["tau_b", "tau_a"]}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Kendall's tau: how well a user's scores and grades agree on the order of items, from -1 to 1.",
            "source": "Kendall 1938"
        }
    },
    "krippendorff_alpha": {
        "name": "krippendorff_alpha", "rows": "pooled", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Krippendorff's alpha: 1 minus the disagreement of a judge and people divided by the disagreement expected by chance, both as squared differences, from -1 to 1. At 0 the score and the grade of an item differ by as much as two randomly drawn scores or grades.",
            "source": "Krippendorff 2011"
        }
    },
    "label_ranking_loss": {
        "name": "label_ranking_loss", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Label ranking loss: the share of pairs of a relevant and an irrelevant item of the catalog in which the relevant one is not ranked higher, from 0 to 1.",
            "source": "Tsoumakas et al. 2010"
        }
    },
    "leak_share": {
        "name": "leak_share", "rows": "target_items", "defaults": {}, "cutoff": "none",
        "needs": {"recs": [], "truth": [], "history": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Leak share: the share of the user's relevant items that are already in the user's history, from 0 to 1.",
            "source": "Ji, Sun, Zhang & Li 2023"
        }
    },
    "limited_auc": {
        "name": "limited_auc", "rows": "hits", "defaults": {"padding": 0},
        "numbers": {
            "padding": {"words": "from 0 to 1000000 by 1", "least": 0, "most": 1000000, "step": 1}
        },
        "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Limited AUC: how far the relevant items within k rank above irrelevant items of the catalog, as a share of the best possible list, from 0 to 1. Known as LAUC.",
            "source": "Elliot 0.3.1"
        }
    },
    "list_auc": {
        "name": "list_auc", "rows": "hits", "defaults": {"no_pairs": "undefined"},
        "choices": {"no_pairs": ["undefined", "bounds"]}, "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "List AUC: the share of pairs of a hit and a miss within the first k ranks in which the hit is above, from 0 to 1.",
            "source": "RePlay 0.22"
        }
    },
    "list_ctr": {
        "name": "list_ctr", "rows": "observed_feedback", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "List CTR: the mean relevance of the recommendations in all lists with an item of the user's truth; from 0 to 1 if the relevance is a click.",
            "source": "Jurity 2.1.0"
        }
    },
    "list_doubly_robust": {
        "name": "list_doubly_robust", "rows": "observed_feedback", "defaults": {},
        "cutoff": "optional", "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "List doubly robust: the mean score over all recommendations, corrected by inverse propensities for items in the user's truth, unbounded.",
            "source": "Dudik et al. 2011"
        }
    },
    "list_fill": {
        "name": "list_fill", "rows": "recommended_items", "defaults": {"of": "lists"},
        "choices": {"of": ["lists", "ranks"]}, "cutoff": "a number", "needs": {"recs": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "List fill: the share of the lists that have k items, or the share of the k ranks that hold an item; from 0 to 1.",
            "source": "RecTools 0.19"
        }
    },
    "list_ips": {
        "name": "list_ips", "rows": "observed_feedback", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "List IPS: the mean reward over all recommendations, estimated by inverse propensity scores from the items in the truth, unbounded.",
            "source": "Dudik et al. 2011"
        }
    },
    "list_jaccard": {
        "name": "list_jaccard", "rows": "recommended_items", "defaults": {},
        "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "List Jaccard: the items that are in both of two lists for the same user, as a share of the items in either, from 0 to 1.",
            "source": "Jaccard 1912"
        }
    },
    "log_loss": {
        "name": "log_loss", "rows": "rated",
        "defaults": {"of": "probabilities", "average": "pooled"},
        "choices": {"of": ["probabilities", "logits"], "average": ["pooled", "users"]},
        "cutoff": "optional", "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight"], "better": "lower",
            "title": "Log loss: the mean negative log-likelihood of relevance, with scores as probabilities, at least 0.",
            "source": "Good 1952"
        }
    },
    "mae": {
        "name": "mae", "rows": "rated", "defaults": {"average": "pooled"},
        "choices": {"average": ["pooled", "users"]}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight"], "better": "lower",
            "title": "MAE: the mean absolute error of the scores as predictions of the grades, at least 0.",
            "source": "Herlocker et al. 2004"
        }
    },
    "matched_share": {
        "name": "matched_share", "rows": "logged", "defaults": {}, "cutoff": "optional",
        "needs": {"logs": [], "recs": []}, "if_given": ["recs"],
        "planned": {
            "parts": ["numerator", "denominator"], "better": "neither",
            "title": "Matched share: the share of the logged decisions that the evaluated policy could have made, from 0 to 1.",
            "source": "none"
        }
    },
    "max_weight": {
        "name": "max_weight", "rows": "logged", "defaults": {}, "cutoff": "optional",
        "needs": {"logs": ["propensity"], "recs": []}, "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": [], "better": "neither",
            "title": "Maximum weight: the largest importance weight of a logged decision, at least 0.",
            "source": "Owen 2013"
        }
    },
    "mcc": {
        "name": "mcc", "rows": "hits", "defaults": {"shown": "list_length"},
        "choices": {"shown": ["list_length", "k"]},
        "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "MCC: the Matthews correlation between being shown within k and being relevant, over the items of the catalog, from -1 to 1.",
            "source": "Matthews 1975"
        }
    },
    "mean_rank": {
        "name": "mean_rank", "rows": "hits", "defaults": {"average": "arithmetic"},
        "choices": {"average": ["arithmetic", "geometric"]}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Mean rank: the mean rank of the user's relevant items, at least 1. It is common in link prediction for knowledge graphs: each list ranks all candidates.",
            "source": "Bordes et al. 2013"
        }
    },
    "mean_score": {
        "name": "mean_score", "rows": "recommended_items", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": ["score"]},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Mean score: the mean of the scores within k, hit or miss, in the unit of the scores, unbounded.",
            "source": "Zhu, Hu & Caverlee 2018"
        }
    },
    "mse": {
        "name": "mse", "rows": "rated", "defaults": {"average": "pooled"},
        "choices": {"average": ["pooled", "users"]}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight"], "better": "lower",
            "title": "MSE: the mean squared error of the scores as predictions of the grades, at least 0.",
            "source": "Herlocker et al. 2004"
        }
    },
    "ncis_precision": {
        "name": "ncis_precision", "rows": "recommended_items", "defaults": {"clip": 10},
        "numbers": {
            "clip": {
                "words": "above 1 to 1000000000", "least": 1.0000000000000002, "most": 1000000000,
                "step": 0
            }
        },
        "needs": {"recs": ["score"], "truth": [], "baseline": ["score"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "NCIS precision: the precision of a list that replaces the baseline's, with each rank weighted by its score relative to the baseline's, from 0 to 1.",
            "source": "Gilotte et al. 2018"
        }
    },
    "ndcg": {
        "name": "ndcg", "rows": "hits",
        "defaults": {
            "gain": "linear", "gains": "all", "ideal": "achievable", "ideal_gain": 1,
            "discount": "standard", "shift": 0, "digits": "all"
        },
        "choices": {
            "gain": ["linear", "binary", "exponential"], "gains": ["all", "relevant"],
            "ideal": ["achievable", "relevant", "list_length", "k"],
            "discount": ["standard", "late", "reciprocal"], "digits": ["all", "five"]
        },
        "numbers": {
            "ideal_gain": {"words": "above 0 to 1000", "least": 5e-324, "most": 1000, "step": 0},
            "shift": {"words": "from 0 to 10", "least": 0, "most": 10, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "no_expected_form": {"digits": ["five"], "gains": ["relevant"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "NDCG: the DCG of a list divided by the DCG of the best list of the user's own items, from 0 to 1.",
            "source": "Jarvelin & Kekalainen 2002"
        }
    },
    "ndcg_at_gains": {
        "name": "ndcg_at_gains", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "NDCG at gains: the mean NDCG at the ranks of the user's items with a gain, from 0 to 1. An item that is not in the list counts the NDCG of the whole list.",
            "source": "trec_eval 10"
        }
    },
    "ndcg_at_grades": {
        "name": "ndcg_at_grades", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "NDCG at grades: the mean NDCG at the last ranks before the best list changes to a lower gain, from 0 to 1. It is R-precision for graded relevance.",
            "source": "trec_eval 10"
        }
    },
    "ndpm": {
        "name": "ndpm", "rows": "pair_counts", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "NDPM: how far the order of the scores is from the order of the grades, from 0 to 1; 0 is the best.",
            "source": "Yao 1995"
        }
    },
    "nearly_err": {
        "name": "nearly_err", "rows": "examined",
        "defaults": {"equation": 8, "max_grade": 1, "p": 0.9, "goal": 1},
        "numbers": {
            "equation": {"words": "from 8 to 11 by 1", "least": 8, "most": 11, "step": 1},
            "max_grade": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0},
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            },
            "goal": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Nearly ERR: the expected gain per rank seen by a user who stops at a rank with a probability equal to its gain, and otherwise continues with a probability set by one of four equations, from 0 to 1.",
            "source": "Azzopardi, Mackenzie & Moffat 2021"
        }
    },
    "nerr": {
        "name": "nerr", "rows": "hits", "defaults": {"max_grade": 4},
        "numbers": {
            "max_grade": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "NERR: the ERR of a list divided by the ERR of the best list of the user's own items, from 0 to 1.",
            "source": "Clarke et al. 2011"
        }
    },
    "normalized_gain": {
        "name": "normalized_gain", "rows": "hits", "defaults": {"gain": "linear"},
        "choices": {"gain": ["linear", "binary"]}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Normalized gain: the gains of a list, each discounted by how far the list is behind the best list at its rank, from 0 to 1.",
            "source": "trec_eval 10"
        }
    },
    "novelty": {
        "name": "novelty", "rows": "recommended_items",
        "defaults": {"divide_by": "list_length", "users": "recs"},
        "choices": {"divide_by": ["list_length", "k"], "users": ["recs", "history"]},
        "needs": {"recs": [], "history": []},
        "planned": {
            "parts": ["members", "absent"], "better": "higher",
            "title": "Novelty: the share of the list that is not in the user's history, from 0 to 1.",
            "source": "RePlay 0.22"
        }
    },
    "nrbp": {
        "name": "nrbp", "rows": "aspect_hits", "defaults": {"alpha": 0.5, "p": 0.5},
        "numbers": {
            "alpha": {"words": "from 0 to 1", "least": 0, "most": 1, "step": 0},
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "truth": [], "items": ["aspect"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "NRBP: novelty- and rank-biased precision: the RBP of a list in which a hit gains less for each hit above that has the same aspect, from 0 to 1.",
            "source": "Clarke, Kolla & Vechtomova 2009"
        }
    },
    "page_ndcg": {
        "name": "page_ndcg", "rows": "hits",
        "defaults": {"rows": 3, "columns": 5, "gain": "linear"},
        "choices": {"gain": ["linear", "binary", "exponential"]},
        "numbers": {
            "rows": {"words": "from 1 to 50 by 1", "least": 1, "most": 50, "step": 1},
            "columns": {"words": "from 1 to 50 by 1", "least": 1, "most": 50, "step": 1}
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Page NDCG: the NDCG of a page of several rows, such as carousels, in which items further down and items further to the right count less, from 0 to 1.",
            "source": "Felicioni, Ferrari Dacrema, Perez Maurera & Cremonesi 2021"
        }
    },
    "partial_ap": {
        "name": "partial_ap", "rows": "hits", "defaults": {"n": 10, "insufficient": "ignore"},
        "choices": {"insufficient": ["ignore", "exclude"]},
        "numbers": {"n": {"words": "from 1 to 1000000 by 1", "least": 1, "most": 1000000, "step": 1}},
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Partial AP: the AUC of the first n hits and the first n misses of the list, known as pAp, from 0 to 1.",
            "source": "Budhiraja et al. 2020"
        }
    },
    "partial_auc": {
        "name": "partial_auc", "rows": "hits",
        "defaults": {"misses": 10, "insufficient": "ignore"},
        "choices": {"insufficient": ["ignore", "exclude"]},
        "numbers": {
            "misses": {"words": "from 1 to 1000000 by 1", "least": 1, "most": 1000000, "step": 1}
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Partial AUC: the AUC of all relevant items and the first few misses of the list, from 0 to 1.",
            "source": "Budhiraja et al. 2020"
        }
    },
    "pearson": {
        "name": "pearson", "rows": "rated", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Pearson's r: the linear correlation of a user's scores and grades, from -1 to 1.",
            "source": "Pearson 1895"
        }
    },
    "percentile_rank": {
        "name": "percentile_rank", "rows": "hits",
        "defaults": {"average": "users", "unit": "share"},
        "choices": {"average": ["users", "pooled"], "unit": ["share", "percent"]},
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "catalog": []},
        "planned": {
            "parts": ["weight"], "better": "lower",
            "title": "Percentile rank: how far down the ranked catalog the user's relevant items are, as a share of the catalog, averaged over these items, from 0 to 1. 0 is the top of the list, and a random order has about 1/2.",
            "source": "Hu et al. 2008"
        }
    },
    "pfound": {
        "name": "pfound", "rows": "hits",
        "defaults": {"p_break": 0.15, "max_grade": 4, "scale": "given"},
        "choices": {"scale": ["given", "own"]},
        "numbers": {
            "p_break": {"words": "from 0 below 1", "least": 0, "most": 0.9999999999999999, "step": 0},
            "max_grade": {"words": "above 0 to 100", "least": 5e-324, "most": 100, "step": 0}
        },
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "pFound: the probability that an item within k satisfies a user who reads from the top and may give up after each rank, from 0 to 1.",
            "source": "Segalovich 2010"
        }
    },
    "pop_reo": {
        "name": "pop_reo", "rows": "item_exposure", "defaults": {"head": 0.8},
        "numbers": {
            "head": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "history": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "PopREO, popularity-based ranking-based equal opportunity: how unequal recall is for popular and other items, from 0 to 1. At 0 relevant items of both groups are equally likely to be shown; at 1 only one group is ever found.",
            "source": "Zhu et al. 2020"
        }
    },
    "pop_rsp": {
        "name": "pop_rsp", "rows": "item_exposure", "defaults": {"head": 0.8},
        "numbers": {
            "head": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "history": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "PopRSP, popularity-based ranking-based statistical parity: how unequally the lists show popular and other items, from 0 to 1. At 0 both are equally likely; at 1 only one is shown.",
            "source": "Zhu et al. 2020"
        }
    },
    "popularity_count": {
        "name": "popularity_count", "rows": "recommended_items",
        "defaults": {
            "count": "users", "unit": "users", "divide_by": "list_length",
            "without_history": "zero"
        },
        "choices": {
            "count": ["users", "events"], "unit": ["users", "most"],
            "divide_by": ["list_length", "k"], "without_history": ["zero", "once", "omit"]
        },
        "needs": {"recs": [], "history": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Popularity count: how many users of the history had an item, averaged over the list, at least 0. Known as ARP, average recommendation popularity.",
            "source": "Yin et al. 2012"
        }
    },
    "popularity_rank": {
        "name": "popularity_rank", "rows": "recommended_items", "defaults": {"unit": "rank"},
        "choices": {"unit": ["rank", "quantile"]}, "needs": {"recs": [], "history": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Popularity rank: the rank of an item by popularity in the history, 1 for the most popular, averaged over the list, at least 1.",
            "source": "Celma & Herrera 2008"
        }
    },
    "popularity_share": {
        "name": "popularity_share", "rows": "recommended_items",
        "defaults": {"count": "users", "divide_by": "list_length"},
        "choices": {"count": ["users", "events"], "divide_by": ["list_length", "k"]},
        "needs": {"recs": [], "history": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Popularity share: the share of the history's users who had an item, averaged over the list, from 0 to 1.",
            "source": "Zhou et al. 2010"
        }
    },
    "precision": {
        "name": "precision", "rows": "hits",
        "defaults": {"divide_by": "k", "digits": "all", "unjudged": "miss", "average": "users"},
        "choices": {
            "divide_by": ["k", "list_length", "k_or_length", "known", "k_or_known"],
            "digits": ["all", "four"], "unjudged": ["miss", "hit"],
            "average": ["users", "pooled"]
        },
        "needs": {"recs": [], "truth": []},
        "no_expected_form": {"divide_by": ["known", "k_or_known"], "digits": ["four"], "unjudged": ["hit"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "Precision: the share of the first k ranks that have a relevant item, from 0 to 1.",
            "source": "van Rijsbergen 1979"
        }
    },
    "propensity_hits": {
        "name": "propensity_hits", "rows": "target_items", "defaults": {"cap": 10000},
        "numbers": {
            "cap": {
                "words": "above 0 to 1000000000", "least": 5e-324, "most": 1000000000, "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "history": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Propensity hits: the number of hits, each weighted by the inverse of its item's share of the history, at least 0.",
            "source": "RecPack 0.3"
        }
    },
    "r2": {
        "name": "r2", "rows": "pooled", "defaults": {"constant": "undefined"},
        "choices": {"constant": ["undefined", "zero"]}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "R2: the share of the variance of the grades that the scores predict, unbounded below, at most 1.",
            "source": "Draper & Smith 1998"
        }
    },
    "r_precision": {
        "name": "r_precision", "rows": "hits",
        "defaults": {"divide_by": "achievable", "average": "users", "multiple": 1},
        "choices": {"divide_by": ["achievable", "relevant"], "average": ["users", "users_with_hit"]},
        "numbers": {
            "multiple": {"words": "above 0 to 1000000", "least": 5e-324, "most": 1000000, "step": 0}
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": ["hits", "summary"], "better": "higher",
            "title": "R-precision: the precision within the first R ranks, where R is the number of the user's relevant items, from 0 to 1.",
            "source": "Buckley & Voorhees 2000"
        }
    },
    "r_score": {
        "name": "r_score", "rows": "hits",
        "defaults": {"half_life": 5, "neutral": 0, "mean": "weighted"},
        "choices": {"mean": ["weighted", "plain"]},
        "numbers": {
            "half_life": {
                "words": "above 1 to 1000000", "least": 1.0000000000000002, "most": 1000000,
                "step": 0
            },
            "neutral": {"words": "from 0 to 1000000", "least": 0, "most": 1000000, "step": 0}
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "R-Score: the utility of the lists for users who look at lower ranks less and less often, divided by the utility of their best lists, from 0 to 1.",
            "source": "Breese et al. 1998"
        }
    },
    "rbo": {
        "name": "rbo", "rows": "list_overlap",
        "defaults": {"p": 0.9, "form": "extrapolated", "without_baseline": "zero"},
        "choices": {
            "form": ["extrapolated", "minimum", "truncated", "scaled"],
            "without_baseline": ["zero", "undefined"]
        },
        "numbers": {
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "RBO: rank-biased overlap: how similar two lists for the same user are, with more weight on the first ranks, from 0 to 1.",
            "source": "Webber, Moffat & Zobel 2010"
        }
    },
    "rbo_residual": {
        "name": "rbo_residual", "rows": "list_overlap", "defaults": {"p": 0.9},
        "numbers": {
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "RBO residual: how much the rank-biased overlap could still grow with items past the ends of the two lists, from 0 to 1.",
            "source": "Webber, Moffat & Zobel 2010"
        }
    },
    "rbo_weight": {
        "name": "rbo_weight", "rows": "list_overlap", "defaults": {"p": 0.9},
        "numbers": {
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "RBO weight: the share of the total weight of rank-biased overlap that is on the depths which both lists reach, from 0 to 1.",
            "source": "Webber, Moffat & Zobel 2010"
        }
    },
    "rbp": {
        "name": "rbp", "rows": "hits",
        "defaults": {"p": 0.8, "gain": "binary", "ideal": "endless"},
        "choices": {
            "gain": ["binary", "linear", "normalized"],
            "ideal": ["endless", "achievable_in_list"]
        },
        "numbers": {
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "RBP: rank-biased precision: the expected gain per rank seen by a user who continues from each rank to the next with probability p, from 0 to 1.",
            "source": "Moffat & Zobel 2008"
        }
    },
    "rbp_residual": {
        "name": "rbp_residual", "rows": "hits", "defaults": {"p": 0.8, "all_judged": "past_list"},
        "choices": {"all_judged": ["past_list", "zero"]},
        "numbers": {
            "p": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "RBP residual: how much higher RBP would be if all ranks that were not judged were relevant, from 0 to 1.",
            "source": "Moffat & Zobel 2008"
        }
    },
    "recall": {
        "name": "recall", "rows": "hits",
        "defaults": {"divide_by": "relevant", "digits": "all", "average": "users"},
        "choices": {
            "divide_by": ["relevant", "achievable", "achievable_in_list"],
            "digits": ["all", "four"], "average": ["users", "pooled"]
        },
        "needs": {"recs": [], "truth": []}, "no_expected_form": {"digits": ["four"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "Recall: the share of the user's relevant items that are within k, from 0 to 1.",
            "source": "van Rijsbergen 1979"
        }
    },
    "reciprocal_rank": {
        "name": "reciprocal_rank", "rows": "hits", "defaults": {"items": "first"},
        "choices": {"items": ["first", "all"]}, "needs": {"recs": [], "truth": []},
        "no_expected_form": {"items": ["all"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Reciprocal rank: one divided by the rank of the first relevant item, from 0 to 1. Its mean over users is known as MRR.",
            "source": "Voorhees 1999"
        }
    },
    "reo": {
        "name": "reo", "rows": "group_exposure", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": [], "items": ["item_group"]},
        "planned": {
            "parts": [], "better": "lower",
            "title": "REO, ranking-based equal opportunity: how unequal recall is for groups of items, at least 0. At 0 relevant items of all groups are equally likely to be shown.",
            "source": "Zhu et al. 2020"
        }
    },
    "rmse": {
        "name": "rmse", "rows": "rated", "defaults": {"average": "pooled"},
        "choices": {"average": ["pooled", "users", "sums"]}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["weight", "summary"], "better": "lower",
            "title": "RMSE: the root of the mean squared error of the scores as predictions of the grades, at least 0.",
            "source": "Herlocker et al. 2004"
        }
    },
    "rsp": {
        "name": "rsp", "rows": "group_exposure", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "items": ["item_group"], "history": []}, "if_given": ["history"],
        "planned": {
            "parts": [], "better": "lower",
            "title": "RSP, ranking-based statistical parity: how unequal the probability of being shown is for groups of items, at least 0. At 0 items of all groups are equally likely to be shown.",
            "source": "Zhu et al. 2020"
        }
    },
    "score_entropy": {
        "name": "score_entropy", "rows": "score_distribution", "defaults": {},
        "cutoff": "optional", "needs": {"recs": ["score"]},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Score entropy: how evenly the softmax of the scores spreads over all ranks within k, in nats, at least 0 to the logarithm of the number of items. It has this maximum if all scores are equal.",
            "source": "Evidently 0.7"
        }
    },
    "serendipity": {
        "name": "serendipity", "rows": "recommended_items",
        "defaults": {"items": "history", "divide_by": "list_length"},
        "choices": {"items": ["history", "catalog"], "divide_by": ["list_length", "k", "lines"]},
        "needs": {"recs": [], "truth": [], "history": [], "catalog": []},
        "if_param": {"catalog": ["items", ["catalog"]]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Serendipity: the share of the list that is relevant, with each hit weighted by how far above its popularity rank it is ranked, from 0 to 1.",
            "source": "RecTools 0.19"
        }
    },
    "set_average_precision": {
        "name": "set_average_precision", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Set average precision: precision times recall of the list, which is average precision with the precision of the whole list at each hit, from 0 to 1.",
            "source": "trec_eval 10"
        }
    },
    "set_f": {
        "name": "set_f", "rows": "hits", "defaults": {"x": 1},
        "numbers": {
            "x": {"words": "above 0 to 1000000", "least": 5e-324, "most": 1000000, "step": 0}
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Set F: the weighted harmonic mean of precision and recall of the whole list, from 0 to 1.",
            "source": "trec_eval 10, github.com/usnistgov/trec_eval, after van Rijsbergen 1979"
        }
    },
    "set_utility": {
        "name": "set_utility", "rows": "hits",
        "defaults": {"hit": 1, "noise": -1, "miss": 0, "rest": 0, "collection": 0},
        "numbers": {
            "hit": {
                "words": "from -1000000 to 1000000", "least": -1000000, "most": 1000000,
                "step": 0
            },
            "noise": {
                "words": "from -1000000 to 1000000", "least": -1000000, "most": 1000000,
                "step": 0
            },
            "miss": {
                "words": "from -1000000 to 1000000", "least": -1000000, "most": 1000000,
                "step": 0
            },
            "rest": {
                "words": "from -1000000 to 1000000", "least": -1000000, "most": 1000000,
                "step": 0
            },
            "collection": {
                "words": "from 0 to 1000000000000", "least": 0, "most": 1000000000000, "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Set utility: the sum of the prices of all items: one price each for shown and missing items, relevant or not, unbounded.",
            "source": "trec_eval 10"
        }
    },
    "shannon_entropy": {
        "name": "shannon_entropy", "rows": "item_exposure",
        "defaults": {"weight": "plain", "unit": "bits", "of": "items"},
        "choices": {"weight": ["plain", "rank"], "unit": ["bits", "nats"], "of": ["items", "item"]},
        "cutoff": "optional", "needs": {"recs": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Shannon entropy: how evenly exposure is distributed over the items, in bits, at least 0. 2 to the power of the entropy is the number of equally shown items that would have the same entropy.",
            "source": "Shannon 1948"
        }
    },
    "shrunk_dr": {
        "name": "shrunk_dr", "rows": "logged", "defaults": {"shrinkage": 10},
        "numbers": {
            "shrinkage": {
                "words": "above 0 to 1000000000", "least": 5e-324, "most": 1000000000, "step": 0
            }
        },
        "cutoff": "none",
        "needs": {
            "logs": ["reward", "propensity", "predicted_reward", "expected_reward"], "recs": []
        },
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Shrunk DR: doubly robust with large weights shrunk towards 0, unbounded.",
            "source": "Su et al. 2020"
        }
    },
    "slate_ips": {
        "name": "slate_ips", "rows": "logged",
        "defaults": {"behavior": "standard", "divide_by": "slates"},
        "choices": {
            "behavior": ["standard", "cascade", "independent"],
            "divide_by": ["slates", "weights"]
        },
        "cutoff": "optional",
        "needs": {"logs": ["reward", "propensity", "slate_id", "position"], "recs": []},
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Slate IPS: the mean reward that the slates of another policy would have had, estimated by inverse propensity scores, unbounded.",
            "source": "McInerney et al. 2020"
        }
    },
    "sndr": {
        "name": "sndr", "rows": "logged", "defaults": {}, "cutoff": "none",
        "needs": {
            "logs": ["reward", "propensity", "predicted_reward", "expected_reward"], "recs": []
        },
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "SNDR: self-normalized doubly robust: the correction is divided by the sum of the weights, unbounded.",
            "source": "Thomas & Brunskill 2016"
        }
    },
    "snips": {
        "name": "snips", "rows": "logged", "defaults": {}, "cutoff": "optional",
        "needs": {"logs": ["reward", "propensity"], "recs": []}, "if_given": ["recs"],
        "weighed": true,
        "planned": {
            "parts": ["error", "numerator", "denominator"], "better": "higher",
            "title": "SNIPS: self-normalized IPS: the weighted mean of the rewards, unbounded.",
            "source": "Swaminathan & Joachims 2015"
        }
    },
    "spearman": {
        "name": "spearman", "rows": "rated", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Spearman's rho: the rank correlation of a user's scores and grades, from -1 to 1.",
            "source": "Spearman 1904"
        }
    },
    "stratified_recall": {
        "name": "stratified_recall", "rows": "target_items",
        "defaults": {"exponent": 0.5, "average": "users"},
        "choices": {"average": ["users", "pooled"]},
        "numbers": {"exponent": {"words": "from 0 to 10", "least": 0, "most": 10, "step": 0}},
        "cutoff": "optional", "needs": {"recs": [], "truth": [], "history": []},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "Popularity-stratified recall: recall in which a relevant item counts less the more popular it is, from 0 to 1.",
            "source": "Steck 2011"
        }
    },
    "sub_gaussian_dr": {
        "name": "sub_gaussian_dr", "rows": "logged", "defaults": {"shrinkage": 0.1},
        "numbers": {
            "shrinkage": {"words": "from 0 below 1", "least": 0, "most": 0.9999999999999999, "step": 0}
        },
        "cutoff": "none",
        "needs": {
            "logs": ["reward", "propensity", "predicted_reward", "expected_reward"], "recs": []
        },
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Sub-Gaussian DR: doubly robust with weights below 1 / shrinkage, unbounded.",
            "source": "Metelli et al. 2021"
        }
    },
    "sub_gaussian_ips": {
        "name": "sub_gaussian_ips", "rows": "logged", "defaults": {"shrinkage": 0.1},
        "numbers": {
            "shrinkage": {"words": "from 0 below 1", "least": 0, "most": 0.9999999999999999, "step": 0}
        },
        "cutoff": "optional", "needs": {"logs": ["reward", "propensity"], "recs": []},
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Sub-Gaussian IPS: IPS with weights below 1 / shrinkage, unbounded.",
            "source": "Metelli et al. 2021"
        }
    },
    "subtopic_recall": {
        "name": "subtopic_recall", "rows": "aspect_hits", "defaults": {"divide_by": "relevant"},
        "choices": {"divide_by": ["relevant", "all"]},
        "needs": {"recs": [], "truth": [], "items": ["aspect"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Subtopic recall: the share of the aspects of a user's relevant items that a hit within k has, from 0 to 1.",
            "source": "Zhai, Cohen & Lafferty 2003"
        }
    },
    "surprisal": {
        "name": "surprisal", "rows": "recommended_items",
        "defaults": {
            "unit": "bits", "divide_by": "list_length", "count": "users",
            "without_history": "once", "average": "users"
        },
        "choices": {
            "unit": ["bits", "share"], "divide_by": ["list_length", "k"],
            "count": ["users", "events"], "without_history": ["once", "zero", "omit"],
            "average": ["users", "pooled"]
        },
        "needs": {"recs": [], "history": []},
        "planned": {
            "parts": ["weight"], "better": "neither",
            "title": "Surprisal: the mean self-information of the list's items in the history, in bits, at least 0.",
            "source": "Zhou et al. 2010"
        }
    },
    "switch_dr": {
        "name": "switch_dr", "rows": "logged", "defaults": {"tau": 10},
        "numbers": {
            "tau": {"words": "from 0 to 1000000000", "least": 0, "most": 1000000000, "step": 0}
        },
        "cutoff": "none",
        "needs": {
            "logs": ["reward", "propensity", "predicted_reward", "expected_reward"], "recs": []
        },
        "if_given": ["recs"], "weighed": true,
        "planned": {
            "parts": ["numerator", "denominator"], "better": "higher",
            "title": "Switch DR: doubly robust, but without the correction if the weight is too large, unbounded.",
            "source": "Wang et al. 2017"
        }
    },
    "tail_share": {
        "name": "tail_share", "rows": "recommended_items",
        "defaults": {
            "head": 0.8, "of": "interactions", "divide_by": "list_length", "equals": "together",
            "rarest": 0
        },
        "choices": {
            "of": ["interactions", "items"], "divide_by": ["list_length", "k", "nothing"],
            "equals": ["together", "by_id"]
        },
        "numbers": {
            "head": {
                "words": "above 0 below 1", "least": 5e-324, "most": 0.9999999999999999,
                "step": 0
            },
            "rarest": {"words": "from 0 to 1000000000", "least": 0, "most": 1000000000, "step": 0}
        },
        "needs": {"recs": [], "history": []},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Tail share: the share of the list's items that are in the long tail, from 0 to 1. Known as APLT, the average percentage of long tail items.",
            "source": "Abdollahpouri et al. 2019"
        }
    },
    "threshold_f1": {
        "name": "threshold_f1", "rows": "graded", "defaults": {"threshold": 3.5, "of": "users"},
        "choices": {"of": ["users", "means"]},
        "numbers": {
            "threshold": {
                "words": "from -1000000 to 1000000", "least": -1000000, "most": 1000000,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": ["precision", "recall", "summary"], "better": "higher",
            "title": "Threshold F1: the harmonic mean of threshold precision and threshold recall, from 0 to 1.",
            "source": "van Rijsbergen 1979"
        }
    },
    "threshold_precision": {
        "name": "threshold_precision", "rows": "graded", "defaults": {"threshold": 3.5},
        "numbers": {
            "threshold": {
                "words": "from -1000000 to 1000000", "least": -1000000, "most": 1000000,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Threshold precision: the share of the items with a score at or above the threshold that also have a grade at or above the threshold, from 0 to 1.",
            "source": "Surprise 1.1.5"
        }
    },
    "threshold_recall": {
        "name": "threshold_recall", "rows": "graded", "defaults": {"threshold": 3.5},
        "numbers": {
            "threshold": {
                "words": "from -1000000 to 1000000", "least": -1000000, "most": 1000000,
                "step": 0
            }
        },
        "cutoff": "optional", "needs": {"recs": ["score"], "truth": ["relevance"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Threshold recall: the share of the items with a grade at or above the threshold that also have a score at or above the threshold, from 0 to 1.",
            "source": "Surprise 1.1.5"
        }
    },
    "top_precision": {
        "name": "top_precision", "rows": "hits", "defaults": {}, "cutoff": "a number",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Top precision: the share of the first k ranks that have one of the user's best items, from 0 to 1. The best items are the items with the highest grade in the user's truth, whether it is 5 or 2.",
            "source": "RankEval 0.8.2"
        }
    },
    "truth_jaccard": {
        "name": "truth_jaccard", "rows": "hits", "defaults": {},
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Truth Jaccard: the items that are both shown and relevant, as a share of the items that are either, from 0 to 1.",
            "source": "Jaccard 1912"
        }
    },
    "unbiased_ndcg": {
        "name": "unbiased_ndcg", "rows": "target_items",
        "defaults": {"divide_by": "best", "cap": 10000},
        "choices": {"divide_by": ["best", "weights", "nothing"]},
        "numbers": {
            "cap": {"words": "from 1 to 1000000000", "least": 1, "most": 1000000000, "step": 0}
        },
        "needs": {"recs": [], "truth": ["propensity"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Unbiased NDCG: the NDCG of a list with clicks as relevant items, each weighted by how unlikely the user was to see the item, from 0 to 1.",
            "source": "Joachims et al. 2017"
        }
    },
    "unbiased_precision": {
        "name": "unbiased_precision", "rows": "target_items", "defaults": {"cap": 10000},
        "numbers": {
            "cap": {"words": "from 1 to 1000000000", "least": 1, "most": 1000000000, "step": 0}
        },
        "cutoff": "a number", "needs": {"recs": [], "truth": ["propensity"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Unbiased precision: the share of the first k items that the user would have clicked if the user had seen them, at least 0.",
            "source": "Joachims et al. 2017"
        }
    },
    "unbiased_recall": {
        "name": "unbiased_recall", "rows": "target_items",
        "defaults": {"divide_by": "weights", "cap": 10000},
        "choices": {"divide_by": ["weights", "relevant"]},
        "numbers": {
            "cap": {"words": "from 1 to 1000000000", "least": 1, "most": 1000000000, "step": 0}
        },
        "cutoff": "optional", "needs": {"recs": [], "truth": ["propensity"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Unbiased recall: the share of the user's clicks within k, each weighted by how unlikely the user was to see the item, from 0 to 1.",
            "source": "Yang et al. 2018"
        }
    },
    "unexpectedness": {
        "name": "unexpectedness", "rows": "recommended_items",
        "defaults": {"divide_by": "list_length", "without_baseline": "unexpected", "users": "recs"},
        "choices": {
            "divide_by": ["list_length", "k"],
            "without_baseline": ["unexpected", "expected", "undefined"],
            "users": ["recs", "baseline"]
        },
        "needs": {"recs": [], "baseline": []},
        "planned": {
            "parts": ["members", "absent"], "better": "higher",
            "title": "Unexpectedness: the share of the list that is not in the baseline's list within k, from 0 to 1.",
            "source": "Murakami et al. 2008"
        }
    },
    "unjudged_share": {
        "name": "unjudged_share", "rows": "hits", "defaults": {"divide_by": "list_length"},
        "choices": {"divide_by": ["list_length", "k"]}, "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "lower",
            "title": "Unjudged share: the share of the list that the truth does not judge, from 0 to 1.",
            "source": "trec_eval 10"
        }
    },
    "unrepeated_share": {
        "name": "unrepeated_share", "rows": "recommended_items", "defaults": {"count": "lists"},
        "choices": {"count": ["lists", "ranks"]}, "needs": {"recs": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Unrepeated share: the share of lists that have no item twice, or the share of recommendations within k that show an item for the first time; from 0 to 1.",
            "source": "RecTools 0.19"
        }
    },
    "user_coverage": {
        "name": "user_coverage", "rows": "hits", "defaults": {}, "cutoff": "optional",
        "needs": {"recs": [], "truth": []},
        "planned": {
            "parts": [], "better": "higher",
            "title": "User coverage: the share of the users who have a list, from 0 to 1.",
            "source": "Ge et al. 2010"
        }
    },
    "value_found": {
        "name": "value_found", "rows": "target_items", "defaults": {},
        "needs": {"recs": [], "truth": [], "items": ["price"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Value found: the sum of the prices of the relevant items within k, at least 0. It is revenue at k, or profit if prices are margins.",
            "source": "Jannach & Jugovac 2019"
        }
    },
    "value_ndcg": {
        "name": "value_ndcg", "rows": "target_items", "defaults": {},
        "needs": {"recs": [], "truth": [], "items": ["price"]},
        "planned": {
            "parts": [], "better": "higher",
            "title": "Value NDCG: the NDCG of a list with the prices of relevant items as gains, from 0 to 1.",
            "source": "Jarvelin & Kekalainen 2002"
        }
    },
    "value_precision": {
        "name": "value_precision", "rows": "recommended_items", "defaults": {"average": "users"},
        "choices": {"average": ["users", "pooled"]},
        "needs": {"recs": [], "truth": [], "items": ["price"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "Value precision: the total price of the relevant items within k as a share of the total price of all items within k, from 0 to 1.",
            "source": "scikit-learn"
        }
    },
    "value_recall": {
        "name": "value_recall", "rows": "target_items", "defaults": {"average": "users"},
        "choices": {"average": ["users", "pooled"]},
        "needs": {"recs": [], "truth": [], "items": ["price"]},
        "planned": {
            "parts": ["weight"], "better": "higher",
            "title": "Value recall: the total price of the relevant items within k as a share of the total price of all the user's relevant items, from 0 to 1.",
            "source": "scikit-learn"
        }
    },
    "value_shown": {
        "name": "value_shown", "rows": "recommended_items", "defaults": {"total": "mean"},
        "choices": {"total": ["mean", "sum"]}, "needs": {"recs": [], "items": ["price"]},
        "planned": {
            "parts": [], "better": "neither",
            "title": "Value shown: the mean price of the items within k, or their total price, at least 0.",
            "source": "Jannach & Jugovac 2019"
        }
    },
    "a_ndcg": {"name": "alpha_ndcg"}, "ao": {"name": "average_overlap"},
    "ap": {"name": "average_precision"}, "map": {"name": "average_precision"},
    "mean_average_precision": {"name": "average_precision"}, "ar": {"name": "average_recall"},
    "mar": {"name": "average_recall"}, "mean_average_recall": {"name": "average_recall"},
    "srdp": {"name": "baseline_serendipity"},
    "unexpected_relevance": {"name": "baseline_serendipity"},
    "intersection": {"name": "baseline_share"}, "bejeweled_player_model": {"name": "bpm"},
    "miscalibration": {"name": "calibration_kl"}, "slate_cascade_dr": {"name": "cascade_dr"},
    "lrap": {"name": "catalog_average_precision"}, "coverage": {"name": "catalog_coverage"},
    "catalogue_coverage": {"name": "catalog_coverage"},
    "item_coverage": {"name": "catalog_coverage"},
    "categorical_diversity": {"name": "category_coverage"},
    "clipped_ipw": {"name": "clipped_ips"}, "cips": {"name": "clipped_ips"},
    "quadratic_weighted_kappa": {"name": "cohen_kappa"},
    "concordance_correlation": {"name": "cohen_kappa"}, "compat": {"name": "compatibility"},
    "click_through_rate": {"name": "ctr"}, "replay": {"name": "ctr"},
    "cg": {"name": "cumulative_gain"}, "discounted_cumulative_gain": {"name": "dcg"},
    "mean_precision": {"name": "depth_precision"}, "dm": {"name": "direct_method"},
    "dr": {"name": "doubly_robust"}, "expected_free_discovery": {"name": "efd"},
    "ess": {"name": "effective_sample_size"},
    "eleven_point_ap": {"name": "eleven_point_average_precision"},
    "11pt": {"name": "eleven_point_average_precision"},
    "11pt_avg": {"name": "eleven_point_average_precision"},
    "expected_popularity_complement": {"name": "epc"},
    "expected_reciprocal_rank": {"name": "err"}, "eed": {"name": "expected_exposure_disparity"},
    "ee_d": {"name": "expected_exposure_disparity"}, "eel": {"name": "expected_exposure_loss"},
    "ee_l": {"name": "expected_exposure_loss"}, "eer": {"name": "expected_exposure_relevance"},
    "ee_r": {"name": "expected_exposure_relevance"}, "f1": {"name": "f_beta"},
    "f": {"name": "f_beta"}, "f1_score": {"name": "f_beta"}, "f_measure": {"name": "f_beta"},
    "false_positive_rate": {"name": "fall_out"}, "fraction_of_concordant_pairs": {"name": "fcp"},
    "user_auc": {"name": "gauc"}, "gm_bpref": {"name": "geometric_bpref"},
    "gmap": {"name": "geometric_map"}, "gm_map": {"name": "geometric_map"},
    "gini_index": {"name": "gini"}, "gini_complement": {"name": "gini_diversity"},
    "hhi": {"name": "herfindahl"}, "herfindahl_hirschman": {"name": "herfindahl"},
    "hit": {"name": "hit_rate"}, "hr": {"name": "hit_rate"}, "hitrate": {"name": "hit_rate"},
    "hit_ratio": {"name": "hit_rate"}, "success": {"name": "hit_rate"},
    "top_k_accuracy": {"name": "hit_rate"}, "infap": {"name": "inferred_average_precision"},
    "inf_ap": {"name": "inferred_average_precision"},
    "ap_ia": {"name": "intent_average_precision"}, "map_ia": {"name": "intent_average_precision"},
    "err_ia": {"name": "intent_err"}, "p_ia": {"name": "intent_precision"},
    "precision_ia": {"name": "intent_precision"},
    "personalization": {"name": "inter_list_diversity"},
    "personalisation": {"name": "inter_list_diversity"},
    "iprec": {"name": "interpolated_precision"},
    "iprec_at_recall": {"name": "interpolated_precision"},
    "ild": {"name": "intra_list_diversity"}, "ils": {"name": "intra_list_similarity"},
    "ipw": {"name": "ips"}, "inverse_propensity": {"name": "ips"},
    "judged": {"name": "judged_share"}, "kendall_tau": {"name": "kendall"},
    "ranking_loss": {"name": "label_ranking_loss"}, "lauc": {"name": "limited_auc"},
    "roc_auc": {"name": "list_auc"}, "sufficient_reco": {"name": "list_fill"},
    "jaccard": {"name": "list_jaccard"}, "logloss": {"name": "log_loss"},
    "logarithmic_loss": {"name": "log_loss"}, "cross_entropy": {"name": "log_loss"},
    "mean_absolute_error": {"name": "mae"}, "weight_overlap": {"name": "matched_share"},
    "largest_weight": {"name": "max_weight"}, "matthews_correlation": {"name": "mcc"},
    "average_score": {"name": "mean_score"}, "mean_squared_error": {"name": "mse"},
    "ncisprecision": {"name": "ncis_precision"},
    "normalized_discounted_cumulative_gain": {"name": "ndcg"},
    "ndcg_rel": {"name": "ndcg_at_gains"}, "rndcg": {"name": "ndcg_at_grades"},
    "normalized_err": {"name": "nerr"}, "ndcg_2d": {"name": "page_ndcg"},
    "n2dcg": {"name": "page_ndcg"}, "pap": {"name": "partial_ap"},
    "pauc": {"name": "partial_auc"}, "pearson_r": {"name": "pearson"},
    "expected_percentile_ranking": {"name": "percentile_rank"}, "p_found": {"name": "pfound"},
    "arp": {"name": "popularity_count"}, "average_popularity": {"name": "popularity_count"},
    "popularity": {"name": "popularity_share"}, "p": {"name": "precision"},
    "ips_hit_rate": {"name": "propensity_hits"}, "r_squared": {"name": "r2"},
    "rprec": {"name": "r_precision"}, "half_life_utility": {"name": "r_score"},
    "rank_biased_overlap": {"name": "rbo"}, "rbo_res": {"name": "rbo_residual"},
    "top_weightedness": {"name": "rbo_weight"}, "rank_biased_precision": {"name": "rbp"},
    "rbp_resid": {"name": "rbp_residual"}, "r": {"name": "recall"},
    "rr": {"name": "reciprocal_rank"}, "mrr": {"name": "reciprocal_rank"},
    "mean_reciprocal_rank": {"name": "reciprocal_rank"},
    "recip_rank": {"name": "reciprocal_rank"}, "root_mean_squared_error": {"name": "rmse"},
    "set_map": {"name": "set_average_precision"}, "set_ap": {"name": "set_average_precision"},
    "entropy": {"name": "shannon_entropy"},
    "distributional_coverage": {"name": "shannon_entropy"}, "dros": {"name": "shrunk_dr"},
    "sips": {"name": "slate_ips"}, "self_normalized_doubly_robust": {"name": "sndr"},
    "snipw": {"name": "snips"}, "spearman_rho": {"name": "spearman"},
    "sgdr": {"name": "sub_gaussian_dr"}, "sgips": {"name": "sub_gaussian_ips"},
    "st_recall": {"name": "subtopic_recall"}, "strec": {"name": "subtopic_recall"},
    "aspect_recall": {"name": "subtopic_recall"}, "miuf": {"name": "surprisal"},
    "mean_inverse_user_frequency": {"name": "surprisal"},
    "self_information": {"name": "surprisal"}, "switch_doubly_robust": {"name": "switch_dr"},
    "aplt": {"name": "tail_share"}, "long_tail_share": {"name": "tail_share"},
    "unjudged": {"name": "unjudged_share"}, "unj": {"name": "unjudged_share"},
    "unrepeated_reco": {"name": "unrepeated_share"}
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- The inputs: the columns that each always has, and those that it may have.
{% macro tables() %}
{% set entries %}
{
    "recs": {
        "always": ["user_id", "item_id"], "sometimes": ["score", "rank", "model", "order_by"]
    },
    "truth": {
        "always": ["user_id", "item_id"], "sometimes": ["relevance", "order_by", "propensity"]
    },
    "history": {"always": ["user_id", "item_id"], "sometimes": []},
    "catalog": {"always": ["item_id"], "sometimes": []},
    "items": {"always": ["item_id"], "sometimes": []},
    "users": {"always": ["user_id"], "sometimes": []},
    "baseline": {"always": ["user_id", "item_id"], "sometimes": ["score", "rank", "order_by"]},
    "logs": {"always": [], "sometimes": ["user_id", "item_id", "position", "target_probability"]}
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- The options, each with its default, and what it may be.
{% macro options() %}
{% set entries %}
{
    "by": {"default": [], "choices": [], "type": "str", "limits": [], "rules": {}},
    "columns": {"default": {}, "choices": [], "type": "str", "limits": [], "rules": {}},
    "where": {"default": {}, "choices": [], "type": "str", "limits": [], "rules": {}},
    "k": {"default": null, "choices": [], "type": "str", "limits": [], "rules": {}},
    "convention": {"default": "sqlrec", "choices": [], "type": "str", "limits": [], "rules": {}},
    "population": {
        "default": "truth",
        "choices": ["truth", "truth_and_recs", "judged", "judged_and_recs", "recs", "all"],
        "type": "str", "limits": [], "rules": {}
    },
    "order": {
        "default": null, "choices": [null, "score", "rank"], "type": "str", "limits": [],
        "rules": {}
    },
    "ties": {
        "default": "item_asc",
        "choices": ["item_asc", "item_desc", "first", "expected", "best", "worst"], "type": "str",
        "limits": [], "rules": {}
    },
    "duplicates": {
        "default": "error", "choices": ["error", "best", "first", "last"], "type": "str",
        "limits": [], "rules": {}
    },
    "null_scores": {
        "default": "error", "choices": ["error", "last", "drop"], "type": "str", "limits": [],
        "rules": {}
    },
    "seen": {
        "default": "keep", "choices": ["keep", "drop", "self"], "type": "str", "limits": [],
        "rules": {}
    },
    "relevance_threshold": {
        "default": null, "choices": [], "type": "float", "limits": [-1e+100, 1e+100], "rules": {}
    },
    "undefined": {
        "default": "skip", "choices": ["skip", "0", "1"], "type": "str", "limits": [],
        "rules": {"skip": "omit", "0": "zero", "1": "one"}
    },
    "order_by": {"default": null, "choices": [], "type": "str", "limits": [], "rules": {}},
    "depth": {"default": null, "choices": [], "type": "int", "limits": [1, 1000000], "rules": {}},
    "groupings": {
        "default": "together", "choices": ["together", "each"], "type": "str", "limits": [],
        "rules": {}
    },
    "interval": {
        "default": null, "choices": [null, "normal"], "type": "str", "limits": [], "rules": {}
    },
    "level": {
        "default": 0.95, "choices": [0.95, 0.5, 0.8, 0.9, 0.98, 0.99, 0.999], "type": "float",
        "limits": [], "rules": {}
    },
    "weights": {"default": null, "choices": [], "type": "str", "limits": [], "rules": {}},
    "summaries": {"default": "", "choices": [], "type": "str", "limits": [], "rules": {}},
    "form": {
        "default": "audited", "choices": ["audited", "plain", "check"], "type": "str",
        "limits": [], "rules": {}
    },
    "on_violation": {
        "default": "null", "choices": ["null", "fail"], "type": "str", "limits": [], "rules": {}
    },
    "step": {"default": null, "choices": [], "type": "str", "limits": [], "rules": {}},
    "steps": {"default": {}, "choices": [], "type": "str", "limits": [], "rules": {}},
    "correction": {
        "default": "holm", "choices": ["holm", "bonferroni", "bh", "none"], "type": "str",
        "limits": [], "rules": {}
    }
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- What is said of broken rules.
{% macro violation_messages() %}
{% set entries %}
{
    "recs_user": "recs has {row_count} rows without user_id: remove these rows",
    "recs_model": "recs has {row_count} rows without model, as for user {user_id}: add the model",
    "recs_item": "recs has {row_count} rows without item_id, as for user {user_id}: remove these rows",
    "recs_score": "recs: item {item_id} of user {user_id} has no score (null or NaN), one of {row_count} such rows: give null_scores='last' to rank such items last, or 'drop' to remove them",
    "recs_rank": "recs: item {item_id} of user {user_id} has rank {rank}, one of {row_count} ranks that are null or below 1: ranks start at 1; correct them",
    "recs_twice": "recs: user {user_id} has item {item_id} more than once, one of {row_count} such repeats: a list has an item only once; give duplicates='best' to keep its best rank",
    "recs_rank_twice": "recs: user {user_id} has rank {rank} more than once, one of {row_count} such repeats: a rank belongs to one item; correct the ranks, or give order='score' to use scores",
    "recs_order": "recs: item {item_id} of user {user_id} has rank {rank}, but no score or a higher score than the item above, one of {row_count} such rows: choose order='rank' or order='score'",
    "recs_unscored": "recs: item {item_id} of user {user_id} has no score, or a score beyond 1e+100, one of {row_count} such rows: metrics of scores need numbers; give null_scores='drop' to remove missing scores",
    "truth_user": "truth has {row_count} rows without user_id: remove these rows",
    "truth_item": "truth has {row_count} rows without item_id, as for user {user_id}: remove these rows",
    "truth_relevance": "truth: item {item_id} of user {user_id} has no relevance (null or NaN), or a relevance beyond {largest}, one of {row_count} such rows: give it a number, 0 if it is not relevant",
    "truth_propensity": "truth: item {item_id} of user {user_id} has a propensity below 0, above 1 or below 1e-100, one of {row_count} such rows: give the probability that the item was shown, null if it is unknown",
    "truth_twice": "truth: user {user_id} has item {item_id} more than once, one of {row_count} such repeats: an item is judged once; give duplicates='best' to keep its best grade",
    "baseline_user": "baseline has {row_count} rows without user_id: remove these rows",
    "baseline_model": "baseline has {row_count} rows without model, as for user {user_id}: add the model",
    "baseline_item": "baseline has {row_count} rows without item_id, as for user {user_id}: remove these rows",
    "baseline_score": "baseline: item {item_id} of user {user_id} has no score (null or NaN), one of {row_count} such rows: give null_scores='last' to rank such items last, or 'drop' to remove them",
    "baseline_rank": "baseline: item {item_id} of user {user_id} has rank {rank}, one of {row_count} ranks that are null or below 1: ranks start at 1; correct them",
    "baseline_twice": "baseline: user {user_id} has item {item_id} more than once, one of {row_count} such repeats: a list has an item only once; give duplicates='best' to keep its best rank",
    "baseline_rank_twice": "baseline: user {user_id} has rank {rank} more than once, one of {row_count} such repeats: a rank belongs to one item; correct the ranks, or give order='score' to use scores",
    "baseline_order": "baseline: item {item_id} of user {user_id} has rank {rank}, but no score or a higher score than the item above, one of {row_count} such rows: choose order='rank' or order='score'",
    "baseline_unscored": "baseline: item {item_id} of user {user_id} has no score, or a score beyond 1e+100, one of {row_count} such rows: metrics of scores need numbers; give null_scores='drop' to remove missing scores",
    "history_user": "history has {row_count} items without user_id: remove these rows",
    "history_item": "history has {row_count} users with rows without item_id, as user {user_id}: remove these rows",
    "catalog_item": "catalog has rows without item_id: remove these rows",
    "items_item": "items has {row_count} rows without item_id: remove these rows",
    "items_value": "items: item {item_id} has a value or distance beyond 1e100, one of {row_count} such rows: sums would overflow; give it in another unit, or remove it",
    "items_price": "items: the price of item {item_id} is null, NaN, below 0 or beyond 1e100, one of {row_count} such rows: give each item its price, 0 if it costs nothing",
    "items_distance": "items: item {item_id} has a distance below 0, one of {row_count} such rows: distances are at least 0; give 1 - similarity if the column has similarities",
    "items_twice": "items: item {item_id} has more than one price, one of {row_count} such items: give each item a single price",
    "items_unpriced": "item {item_id} has no price in items, one of {row_count} such rows of truth or recs: give items a price for each relevant or shown item",
    "logs_user_id": "logs has {row_count} decisions without user_id: remove these rows",
    "logs_item_id": "logs has {row_count} decisions without item_id, as for user {user_id}: remove these rows",
    "logs_slate_id": "logs has {row_count} decisions without slate_id, or with the slate and position of another decision: give each slate one row per position",
    "logs_position": "logs has {row_count} decisions with a position that is null or below 1, as for user {user_id}: positions start at 1",
    "logs_reward": "logs has {row_count} decisions with a reward that is null, NaN or beyond 1e+100: give each its reward, 0 if it has no reward",
    "logs_propensity": "logs has {row_count} decisions with a propensity that is null, NaN, 0, below 1e-100 or above 1: give the probability of the logged action; remove decisions without it",
    "logs_target_probability": "logs has {row_count} decisions with a target_probability that is null, NaN, below 0 or above 1: give the probability that the evaluated policy takes the action, 0 if it never does",
    "logs_predicted_reward": "logs has {row_count} decisions with a predicted_reward that is null, NaN or beyond 1e+100: give each the reward model's prediction for the logged action",
    "logs_expected_reward": "logs has {row_count} decisions with an expected_reward that is null, NaN or beyond 1e+100: give each the reward model's mean prediction under the evaluated policy",
    "truth_segment": "truth: user {user_id} has more than one value of {by}, one of {row_count} such users: a user belongs to one segment",
    "users_segment": "users: user {user_id} has more than one value of {by}, one of {row_count} such users: a user belongs to one segment",
    "truth_unweighted": "truth: user {user_id} has no weight (null, or no row), one of {row_count} such users: give each user in the mean a number, 0 to exclude the user",
    "users_unweighted": "users: user {user_id} has no weight (null, or no row), one of {row_count} such users: give each user in the mean a number, 0 to exclude the user",
    "truth_several_weights": "truth: user {user_id} has rows with different weights, one of {row_count} such users: a user has one weight; give all rows of a user the same weight",
    "users_several_weights": "users: user {user_id} has rows with different weights, one of {row_count} such users: a user has one weight; give all rows of a user the same weight",
    "truth_weight": "truth: user {user_id} has a weight that is NaN, below 0 or beyond 1e+100, one of {row_count} such users: a weight must be a number from 0; correct it",
    "users_weight": "users: user {user_id} has a weight that is NaN, below 0 or beyond 1e+100, one of {row_count} such users: a weight must be a number from 0; correct it",
    "truth_weights_zero": "truth: the weights of all users are 0, so means are undefined: give some users a weight above 0",
    "users_weights_zero": "users: the weights of all users are 0, so means are undefined: give some users a weight above 0"
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- What is said to reject what people ask: text, the name of a value, text, and so on.
{% macro messages() %}
{% set entries %}
{
    "metrics": ["metrics=", "metrics!r", ": write metrics as a string, as in 'ndcg@10'"],
    "not_text": ["invalid metric ", "metric!r", ": write it as a string, as in 'ndcg@10'"],
    "invalid": [
        "invalid metric ", "metric!r", ": write name@k or name(param=value)@k, as in 'ndcg@10'"
    ],
    "unknown": ["unknown metric ", "metric!r", ": ", "nearest", ""],
    "no_metric": ["no metric given: name at least one, as in 'ndcg@10'"],
    "duplicate_metric": ["", "metric", " is requested twice, as ", "first", " and ", "second", ": remove one"],
    "convention": ["convention=", "convention!r", ": ", "nearest", ""],
    "not_in_convention": [
        "", "metric", "(convention=", "convention", "): ", "convention", " has ", "known", ""
    ],
    "cutoff": [
        "", "text!r", ": a cutoff must be a whole number from 1 to ", "most", "", "or_all", ""
    ],
    "cutoff_missing": ["", "text!r", " has no cutoff: write ", "text", "@10", "or_all", ""],
    "default_cutoff": ["k=", "k!r", ": give one cutoff, as in 10, several, as in [5, 10], or 'all'"],
    "everything": [
        "", "text", " selects all metrics that inputs allow, and ", "why",
        ": name the metrics instead"
    ],
    "cutoff_none": ["", "text!r", ": ", "metric", " has no cutoff: write it without @", "k", ""],
    "cutoff_number": ["", "text!r", ": ", "metric", "", "why", " needs a number as cutoff, as in @10"],
    "param": ["", "text!r", ": ", "param!r", " is not a parameter: write param=value"],
    "param_twice": ["", "text!r", ": ", "param", " is given twice: remove one"],
    "param_lacks": [
        "", "text!r", ": ", "metric", " needs ", "param", ": write ", "metric", "(", "param",
        "=...)"
    ],
    "param_unknown": ["", "metric", " has no parameter ", "param!r", ": ", "nearest", ""],
    "param_text": [
        "", "metric", "(", "param", "=", "value", "): ", "param",
        " must be a string without quotes, backslashes, line breaks or ${"
    ],
    "param_choice": [
        "", "metric", "(", "param", "=", "value", "): ", "param", " must be one of ", "known", ""
    ],
    "param_number": [
        "", "metric", "(", "param", "=", "value", "): ", "param", " must be a number ", "limits",
        ""
    ],
    "choice": ["", "option", "=", "value!r", ": ", "nearest", ""],
    "whole": [
        "", "option", "=", "value!r", ": it must be a whole number from ", "least", " to ",
        "most", ""
    ],
    "number": ["", "option", "=", "value!r", ": it must be a number of at most ", "most", ""],
    "summary": [
        "summaries=", "name!r", ": choose from ", "known",
        ", median, p90 and other percentiles, lower_median, lower_p90"
    ],
    "model": ["recs has a model ", "model!r", ": a model's name must be a string"],
    "not_a_model": ["baseline=", "baseline!r", " is not a model of recs: ", "nearest", ""],
    "one_model": [
        "recs has one model, and a comparison needs two: give recs={'als': ..., 'pop': ...}, or a table with a column 'model'"
    ],
    "no_users": [
        "", "title",
        ": no per-user values, only one value for all users together; add a metric that has per-user values"
    ],
    "several_rules": [
        "form='check': ", "title",
        " follow several sets of rules; request metrics of one convention at a time"
    ],
    "by": ["by=", "by", ": give column names"],
    "by_twice": ["by=", "by", ": name each column once, as a string"],
    "by_none": ["groupings='each' needs by=...: name the columns of segments"],
    "by_taken": [
        "by=", "name!r", ": the result already has a column ", "name!r",
        "; rename the column in your input"
    ],
    "by_already": [
        "", "option", "=", "name!r", ": the result already has a column ", "name!r",
        "; give the segment another name: ", "option", "='segment', columns={'segment': ",
        "name!r", "}"
    ],
    "by_lacks": ["", "option", "=", "name!r", ": no such column in ", "tables", ""],
    "weights_kind": ["weights=", "name!r", " is ", "kind", ": a weight must be a number; cast it"],
    "not_weighted": [
        "weights=", "weights!r", ": ", "metric",
        " is not a mean over users, so it has no weighted form; request it in a call without weights"
    ],
    "columns": ["columns=", "columns!r", ": give a dict from sqlrec's names to yours"],
    "columns_input": ["columns[", "key!r", "]: no input ", "table!r", ": ", "nearest", ""],
    "columns_unknown": ["columns[", "key!r", "]: no column ", "column!r", ": ", "nearest", ""],
    "columns_text": ["columns[", "key!r", "]=", "column!r", ": a column's name must be a string"],
    "columns_several": [
        "columns[", "key!r", "]=", "column!r",
        ": only user_id and item_id can have several columns, each once"
    ],
    "columns_unused": ["", "option", "=", "column!r", ": no input has this column; ", "tables", ""],
    "columns_lacks": ["columns[", "key!r", "]=", "column!r", ": ", "table", " has ", "columns", ""],
    "column_lacks": [
        "", "table", " has no ", "names", ": it has ", "columns", ". Name yours: columns={",
        "keys", "}"
    ],
    "column_case": [
        "", "table", " has ", "count", " columns for ", "name!r", ": ", "columns",
        "; rename them, or name one exactly: columns={...}"
    ],
    "column_means": [
        "", "table", ": ", "column!r", " would be both ", "first!r", " and ", "second!r",
        ": name another column for one of them, columns={...}"
    ],
    "key_part": [
        "", "table", ".", "column", " is ", "kind", ": each part of a ", "key",
        " must be an integer, a string, a date or a time; cast it"
    ],
    "key_parts": [
        "", "column", " is ", "kind", " in ", "table", " and ", "other", " in ", "first",
        ": this part of a ", "key", " must have the same type in both; cast one of them"
    ],
    "id_floating": [
        "", "table", ".", "column", " is ", "kind",
        ": floating-point numbers lose digits of ids; cast it to an integer or to text"
    ],
    "ids": [
        "", "column", " is ", "kind", " in ", "table", " and ", "other", " in ", "here",
        ": ids must have the same type; cast one of them"
    ],
    "name_empty": ["'' is not a name: give the column name or table"],
    "name_sign": ["", "name!r", " has a ", "sign", ", which ", "dialect", " can't quote: rename it"],
    "name_backslash": ["", "name!r", " has a backslash, which ", "dialect", " may remove: rename it"],
    "name_control": ["", "name!r", " has a line break or another control character: rename it"],
    "name_variable": ["", "name!r", " has a ${, which ", "dialect", " reads as a variable: rename it"],
    "where": ["where=", "where!r", ": give a dict of conditions by input: {'recs': 'day = 7'}"],
    "where_input": ["where[", "table!r", "]: no input ", "table!r", ": ", "nearest", ""],
    "where_text": [
        "where[", "table!r", "]=", "condition!r",
        ": a condition must be a string, as in 'day = 7'"
    ],
    "missing": [
        "", "table", " is missing: ", "metric", " needs a table with ", "columns", "; give ",
        "fix", ""
    ],
    "threshold": [
        "relevance_threshold=", "threshold", " needs a column 'relevance' with numbers in truth",
        "has", ". Name yours: columns={'relevance': ...}"
    ],
    "seen": [
        "seen='drop' removes the items of history from lists, but history is missing: give a table with user_id and item_id, history=..., or set seen='keep'"
    ],
    "ranks_and_scores": [
        "", "ranked", " has ranks and ", "scored",
        " has scores: give all models ranks, or all of them scores"
    ],
    "two_targets": [
        "recs is given, and logs has a column 'target_probability': both define the evaluated policy; remove one of them"
    ],
    "cutoff_of_logs": [
        "", "metric",
        ": a cutoff applies to recommendation lists, but recs was not given; pass recs, or write ",
        "label", ""
    ],
    "one_policy": [
        "", "metric",
        ": expected_reward describes one policy, and recs has several models; evaluate each in its own call, with its own logs"
    ],
    "no_row_order": [
        "", "option", "=", "rule!r", ": rows of ", "dialect", " have no order; name a column of ",
        "table", " that orders them, order_by='...', or give ", "instead!r", ""
    ],
    "other_rules": [
        "rows of ", "dialect", " have no order: ", "odd",
        ", and values may differ from the library's; name a column that orders them, order_by='...'"
    ],
    "other_rule": ["", "instead!r", " replaces ", "option", "=", "rule!r", ""],
    "ties_without_truth": [
        "ties=", "ties!r", ": ", "metric",
        " does not read the truth, which this rule needs; request it in a separate call"
    ],
    "ties_below": [
        "ties=", "ties!r", ": ", "metric",
        " counts items below the list, which have no score; give another convention"
    ],
    "ties_expected": ["ties=", "ties!r", " is not supported for ", "metric", "; choose from ", "known", ""],
    "ties_param": [
        "ties=", "ties!r", " is not supported for ", "metric", " with ", "param", "=", "value",
        "; change ", "param", " or ties"
    ],
    "not_a_number": [
        "", "table", ".", "column", " is ", "kind", ": a ", "column",
        " must be a number; cast it"
    ],
    "several_values": [
        "", "table", " has a column ", "column!r", " with ", "values",
        ": give the lists of one model"
    ],
    "unread_models": [
        "", "table", " has an unused column ", "column!r", " with ", "values",
        ": if they are models, give columns={'model': ", "column!r", "}"
    ],
    "relation_text": [
        "", "table", "=", "relation!r",
        " is a text, so dbt has no lineage for it and may build the table later: write ref(",
        "relation!r", ") or source(...)"
    ],
    "ephemeral": [
        "", "table",
        " is an ephemeral model, and dbt can't see its columns: specify its relevance column with columns={'truth.relevance': ...}, or materialize it as a view"
    ],
    "unread_grades": [
        "", "table", " has an unused column ", "column!r",
        ", and all rows are treated as relevant; if it is the grade, give columns={'truth.relevance': ",
        "column!r", "}"
    ],
    "unread_flags": [
        "", "table", " has unused columns of zeros and ones (", "columns",
        "), and all rows are treated as relevant; if one is the grade, give columns={'truth.relevance': ",
        "column!r", "}"
    ],
    "option": ["unknown option ", "option!r", ": ", "nearest", ""],
    "vars": ["vars: sqlrec: ", "value!r", ": write a mapping, as in {convention: trec_eval}"],
    "several_relations": ["", "table", " is a list: give one relation", "more", ""],
    "vars_option": ["vars: sqlrec: unknown option ", "option!r", ": ", "nearest", ""],
    "form_alone": ["form=", "form!r", " and ", "option", "=", "value!r", ": omit one"],
    "form_check": ["form='check': rows are checked for all lists at once; use evaluate"],
    "one_statement": ["", "option", " applies to one statement: omit groupings='each' and form='check'"],
    "baseline_missing": ["baseline is missing: name the model to compare with, as in baseline='pop'"],
    "not_of_sums": [
        "", "metric",
        " is not a function of sums over users, which one statement compares: omit it here, or compare it in Python, which resamples users"
    ],
    "test_metrics": ["metric=", "metric!r", ": a test has one metric; write a test for each"],
    "test_neither": [
        "", "metric",
        ": its direction is neither, so no value is worse; test another metric, or limit it by metric_at_least"
    ],
    "test_number": [
        "", "name", "='", "value", "': it must be a number; write it without quotes, as in 0.25"
    ],
    "test_whole": [
        "", "name", "='", "value",
        "': it must be a whole number from 1; write it without quotes, as in 10"
    ]
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- What plans, tables, metrics and kinds of rows have where nothing else is said.
{% macro blank() %}
{% set entries %}
{
    "plan": {
        "population": "truth", "order": null, "ties": "item_asc", "duplicates": "error",
        "null_scores": "error", "seen": "keep", "relevance_threshold": null,
        "truth_duplicates": null, "scores": "any", "list_users": "all", "missing_items": "absent",
        "without_list": "value", "undefined": "omit", "title": "", "kinds": [], "weighed": false,
        "audit": true, "errors": false, "summaries": [], "batched": false, "complete": false,
        "terms": false, "user_items": false, "pairs": [], "drawn": [], "by": [],
        "user_weights": null, "groupings": [], "truth": null, "history": null, "catalog": null,
        "items": null, "users": null, "baseline": null, "logs": null, "scored": false, "k": null,
        "cutoffs": [], "largest_k": null, "depth": null, "ends": null, "whole_list": 2147483646,
        "past_every_cutoff": 2147483647, "graded": false, "whole_ids": false,
        "check_order": false, "largest_relevance": 1e+100, "row_order": null, "lists": null,
        "parts": [], "name": null, "stored": null, "user_results": null, "recs": []
    },
    "table": {
        "names": {}, "unnest": false,
        "floating": {
            "click": false, "distance": false, "expected_reward": false, "position": false,
            "predicted_reward": false, "price": false, "propensity": false, "rank": false,
            "relevance": false, "reward": false, "score": false, "target_probability": false,
            "value": false
        },
        "model": null, "models": [], "needed": [], "target": null, "order": null,
        "check_order": false,
        "columns": {
            "user_id": null, "item_id": null, "score": null, "rank": null, "model": null,
            "order_by": null, "relevance": null, "propensity": null, "position": null,
            "target_probability": null, "aspect": null, "item_group": null, "category": null,
            "reward": null, "slate_id": null, "predicted_reward": null, "expected_reward": null,
            "feature": null, "value": null, "other_item_id": null, "distance": null,
            "price": null
        }
    },
    "metric": {
        "texts": [], "choices": {}, "numbers": {}, "cutoff": "a number, or all", "most": 1000000,
        "if_given": [], "if_param": {}, "unless": {}, "weighed": false, "no_expected_form": {}
    },
    "kind": {"metrics": [], "cutoffs": [], "truth": false, "weighed": false}
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- How dialects write names and texts: the sign around names, what can't be in it, and
-- whether backslashes are doubled in texts; none where that depends on a setting. A
-- dialect that is not known writes as most do.
{% macro spelling_here() %}
{% set entries %}
{
    "duckdb": {
        "quote": "\"", "unquotable": [], "backslashes": false, "upper_case": false,
        "variables": false, "reserved": [], "text": "cast({} as varchar)", "concat": "||",
        "field": ["", "."]
    },
    "postgres": {
        "quote": "\"", "unquotable": [], "backslashes": null, "upper_case": false,
        "variables": false, "reserved": [], "text": "cast({} as varchar)", "concat": "||",
        "field": ["(", ")."]
    },
    "spark": {
        "quote": "`", "unquotable": [], "backslashes": true, "upper_case": false,
        "variables": true, "reserved": [], "text": "cast({} as string)", "concat": "||",
        "field": ["", "."]
    },
    "databricks": {
        "quote": "`", "unquotable": [], "backslashes": true, "upper_case": false,
        "variables": true, "reserved": [], "text": "cast({} as string)", "concat": "||",
        "field": ["", "."]
    },
    "snowflake": {
        "quote": "\"", "unquotable": [], "backslashes": true, "upper_case": true,
        "variables": false, "reserved": [], "text": "cast({} as varchar)", "concat": "||",
        "field": ["", ":"]
    },
    "bigquery": {
        "quote": "`", "unquotable": ["\\", "`", "."], "backslashes": true, "upper_case": false,
        "variables": false, "reserved": [], "text": "cast({} as string)", "concat": "||",
        "field": ["", "."]
    },
    "redshift": {
        "quote": "\"", "unquotable": [], "backslashes": null, "upper_case": false,
        "variables": false, "reserved": [], "text": "cast({} as varchar)", "concat": "||",
        "field": ["", "."]
    },
    "trino": {
        "quote": "\"", "unquotable": [], "backslashes": false, "upper_case": false,
        "variables": false, "reserved": [], "text": "cast({} as varchar)", "concat": "||",
        "field": ["", "."]
    },
    "athena": {
        "quote": "\"", "unquotable": [], "backslashes": false, "upper_case": false,
        "variables": false, "reserved": [], "text": "cast({} as varchar)", "concat": "||",
        "field": ["", "."]
    },
    "fabric": {
        "quote": "\"", "unquotable": [], "backslashes": false, "upper_case": false,
        "variables": false, "reserved": ["precision"], "text": "cast({} as varchar(8000))",
        "concat": "+", "field": ["", "."]
    },
    "clickhouse": {
        "quote": "\"", "unquotable": ["\\"], "backslashes": true, "upper_case": false,
        "variables": false, "reserved": [], "text": "toString({})", "concat": "||",
        "field": ["", "."]
    },
    "sqlite": {
        "quote": "`", "unquotable": [], "backslashes": false, "upper_case": false,
        "variables": false, "reserved": [], "text": "cast({} as varchar)", "concat": "||",
        "field": ["", "."]
    }
}
{% endset %}
{% set known = fromjson(entries) %}
{{ return(known.get(adapter.type(), known.trino)) }}
{% endmacro %}

-- Numbers and names with a meaning.
{% macro limits() %}
{% set entries %}
{
    "whole_list": 2147483646, "largest_relevance": 1e+100, "largest_exponent": 1000,
    "taken": [
        "model", "user_id", "metric", "k", "request", "value", "users", "convention",
        "population", "users_evaluated", "users_without_list", "short_lists", "ties_at_cutoff",
        "unjudged_lists", "repeated_rows", "effective_decisions", "largest_weight", "violations"
    ],
    "comparison": [
        "value", "baseline_value", "difference", "standard_error", "baseline_error", "covariance",
        "low", "high", "better", "wins", "ties", "losses", "signs"
    ],
    "compared": [
        "baseline", "metric", "k", "request", "users", "value", "baseline_value", "difference",
        "standard_error", "baseline_error", "covariance", "low", "high", "better", "wins", "ties",
        "losses", "signs", "violations", "user_value", "user_baseline_value", "user_difference",
        "sum_users", "added_numerator", "added_denominator", "added_numerators",
        "added_denominators", "baseline_added_numerator", "baseline_added_denominator",
        "baseline_added_numerators", "baseline_added_denominators", "distance", "direction",
        "mean_difference", "mean_baseline", "size_rank", "more", "fewer", "signed_ranks",
        "signed_ranks_error", "differing", "user_models", "model_number", "models", "method",
        "users", "value", "baseline_value", "difference", "relative_difference", "relative_low",
        "relative_high", "standard_error", "low", "high", "better", "wins", "ties", "losses",
        "test", "p", "p_adjusted", "detectable", "effect_size", "effect_low", "effect_high",
        "win_share", "win_share_low", "win_share_high", "clusters", "degrees_of_freedom",
        "significant", "small", "unadjusted_difference", "gain", "p_rank", "p_count", "p_step",
        "tail", "curve", "reach"
    ],
    "ids": {
        "slate_id": "slate_id", "user_id": "user_id", "item_id": "item_id",
        "other_item_id": "item_id"
    },
    "whole_kinds": [
        "item_exposure", "group_exposure", "group_gains", "pooled", "score_distribution",
        "logged"
    ],
    "longest_column": 45,
    "columns": [
        "user_id", "item_id", "score", "rank", "model", "order_by", "relevance", "propensity",
        "position", "target_probability", "aspect", "item_group", "category", "reward",
        "slate_id", "predicted_reward", "expected_reward", "feature", "value", "other_item_id",
        "distance", "price"
    ],
    "of_several": ["user_id", "item_id", "other_item_id"],
    "kinds": {
        "((nullable|lowcardinality)[(])*(bool(ean)?)([()].*)?": "BOOLEAN",
        "((nullable|lowcardinality)[(])*(u?(tiny|small|medium|big|huge)?u?int(eger)?\\d*|(big)?serial|long|short|byte)([()].*)?": "BIGINT",
        "((nullable|lowcardinality)[(])*(float\\d*|double( precision)?|real|halffloat)([()].*)?": "DOUBLE",
        "((nullable|lowcardinality)[(])*((decimal|numeric|bignumeric|number)\\d*)([()].*)?": "DECIMAL",
        "((nullable|lowcardinality)[(])*((large_)?(utf8|string)(_view)?|(n?var|bp)?char(acter)?( varying)?|text|dictionary<.*)([()].*)?": "VARCHAR",
        "((nullable|lowcardinality)[(])*(enum\\d*)([()].*)?": "VARCHAR",
        "((nullable|lowcardinality)[(])*(uuid|uniqueidentifier)([()].*)?": "UUID",
        "((nullable|lowcardinality)[(])*(date\\d*(\\[.*)?)([()].*)?": "DATE",
        "((nullable|lowcardinality)[(])*((timestamp|datetime).*)([()].*)?": "TIMESTAMP",
        "((nullable|lowcardinality)[(])*(time\\d*(\\[.*)?)([()].*)?": "TIME",
        "((nullable|lowcardinality)[(])*(extension<arrow\\.opaque\\[.*numeric.*)([()].*)?": "DECIMAL",
        "((nullable|lowcardinality)[(])*(extension<arrow\\.uuid>|uniqueidentifier)([()].*)?": "UUID",
        "((nullable|lowcardinality)[(])*(extension<arrow\\.json.*|jsonb?|variant)([()].*)?": "JSON"
    },
    "rules": {
        "population": "truth", "order": null, "ties": "item_asc", "duplicates": "error",
        "null_scores": "error", "seen": "keep", "relevance_threshold": null,
        "truth_duplicates": null, "scores": "any", "list_users": "all", "missing_items": "absent",
        "without_list": "value", "undefined": "omit"
    },
    "ranking": [
        "order", "check_order", "ties", "duplicates", "null_scores", "seen", "scores",
        "list_users"
    ],
    "presets": {
        "standard": ["ndcg", "map", "mrr", "recall", "precision", "hit_rate"],
        "beyond-accuracy": ["catalog_coverage", "gini", "inter_list_diversity", "surprisal", "serendipity"]
    },
    "usual_cutoff": "10", "cutoff_in_name": "(.+?)_?(?:at|cut)?_?([0-9]{1,7}|k)",
    "cutoff_params": ["k", "top_k", "cutoff"],
    "forms": {
        "context_precision": "map(divide_by=hits)", "context_recall": "recall",
        "f2": "f_beta(beta=2)", "f2_score": "f_beta(beta=2)"
    },
    "without_rows": [
        ["ties", "first", "item_asc"], ["duplicates", "first", "best"],
        ["duplicates", "last", "best"], ["duplicates", "overwritten", "best"],
        ["truth_duplicates", "last", "best"], ["truth_duplicates", "first", "best"]
    ],
    "by_relevance": ["best", "worst", "expected"],
    "with_relevance": [
        ["duplicates", "once", "ranks"], ["duplicates", "outer", "ranks"],
        ["duplicates", "outer_in_k", "ranks"], ["duplicates", "crossed", "ranks"],
        ["truth_duplicates", "joined", "rows"], ["truth_duplicates", "summed", "rows"],
        ["truth_duplicates", "lines", "rows"]
    ],
    "accounts": [
        "population", "users_evaluated", "users_without_list", "short_lists", "ties_at_cutoff",
        "unjudged_lists", "repeated_rows"
    ],
    "broken": " rows break a rule, and no value can be trusted: sqlrec.no_violations lists the rules",
    "looks_like": {
        "recs": "(.*[^a-z])?((model|algorithm|algo|recommender|system|policy)([ _.-]?(name|id))?)",
        "baseline": "(.*[^a-z])?((model|algorithm|algo|recommender|system|policy)([ _.-]?(name|id))?)",
        "truth": "(.*[^a-z])?(ratings?|grades?|labels?|rel|relevanc[ey]|stars|judge?ments?|relevant|scores?|gains?|targets?|rewards?|weights?|feedbacks?|responses?|preferences?|likes?|liked|clicks?|clicked|purchased?|bought|watch[ _.-]?ratio|(play|listen|click|view|watch|event|interaction|purchase)[ _.-]?counts?|plays|listens)|y([ _.-]?true)?"
    },
    "most_looked_at": 50, "most_named": 5,
    "reach": {
        "0.95": 1.9599639845400536, "0.5": 0.6744897501960817, "0.8": 1.2815515655446008,
        "0.9": 1.6448536269514715, "0.98": 2.3263478740408408, "0.99": 2.5758293035489,
        "0.999": 3.2905267314919255
    },
    "expected": [
        "average_precision", "catalog_auc", "cumulative_gain", "dcg", "fall_out", "hit_rate",
        "ndcg", "precision", "recall", "reciprocal_rank"
    ]
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- What some dialect takes for a word of its own.
{% macro reserved_words() %}
{% set entries %}
[
    "abort", "add", "aes128", "aes256", "after", "aggregate", "all", "allowoverwrite", "alter",
    "always", "analyse", "analyze", "and", "anti", "any", "append", "array", "as", "asc", "asof",
    "assert", "assert_rows_modified", "asymmetric", "at", "attach", "authorization",
    "autoincrement", "az64", "backup", "bearer", "bearer_token", "before", "begin", "between",
    "binary", "blanksasnull", "both", "break", "browse", "bulk", "by", "bytedict", "cascade",
    "case", "cast", "check", "checkpoint", "clone", "close", "clustered", "coalesce", "collate",
    "collation", "column", "commit", "commutator", "comprows", "compupdate", "compute",
    "concurrently", "conflict", "connect", "connection", "constraint", "contains",
    "containstable", "continue", "convert", "corresponding", "create", "credentials", "cross",
    "cube", "current", "current_catalog", "current_date", "current_path", "current_role",
    "current_schema", "current_time", "current_timestamp", "current_user", "current_user_id",
    "cursor", "database", "datetime", "dbcc", "deallocate", "declare", "default", "deferrable",
    "deferred", "define", "definition", "defrag", "delete", "delimiters", "delta", "delta32k",
    "deny", "desc", "describe", "detach", "disable", "disk", "distinct", "distributed", "do",
    "double", "drop", "dump", "each", "else", "elseif", "emptyasnull", "enable", "encode",
    "encrypt", "encryption", "end", "enum", "errlvl", "escape", "except", "exclude", "exclusive",
    "exec", "execute", "exists", "exit", "explain", "explicit", "explicit_ids", "extend",
    "external", "extract", "fail", "false", "fetch", "file", "fillfactor", "fillrecord", "filter",
    "final", "first", "following", "for", "foreign", "format", "freetext", "freetexttable",
    "freeze", "from", "full", "function", "generated", "glob", "globaldict256", "globaldict64k",
    "go", "goto", "grant", "group", "grouping", "groups", "gscluster", "hash", "hashes", "having",
    "holdlock", "hybrid", "identity", "identity_insert", "identitycol", "if", "ignore",
    "ignoreblanklines", "ignoreheader", "ilike", "immediate", "in", "include", "increment",
    "index", "indexed", "initially", "inner", "insert", "insert_only", "instead", "intersect",
    "interval", "into", "is", "isnull", "join", "json_array", "json_exists", "json_object",
    "json_query", "json_table", "json_value", "key", "kill", "lambda", "lateral", "leading",
    "left", "like", "limit", "lineno", "listagg", "load", "localtime", "localtimestamp", "lookup",
    "lun", "luns", "lzo", "match_condition", "match_recognize", "materialized", "merge", "merges",
    "minus", "mostly16", "mostly32", "mostly8", "national", "natural", "negator", "new", "no",
    "nocheck", "nonclustered", "normalize", "not", "nothing", "notnull", "null", "null_if",
    "nullif", "nulls", "of", "off", "offline", "offset", "offsets", "oid", "old", "on", "only",
    "open", "opendatasource", "openquery", "openrowset", "openxml", "option", "or", "order",
    "others", "outer", "over", "overlaps", "parallel", "partition", "percent", "permissions",
    "pivot", "pivot_longer", "pivot_wider", "placing", "plan", "pragma", "preceding", "precision",
    "prepare", "prewhere", "primary", "print", "proc", "procedure", "proto", "public", "qualify",
    "query", "raise", "raiserror", "range", "raw", "read", "readratio", "readtext", "reconfigure",
    "recover", "recursive", "references", "regexp", "regr", "reindex", "reject", "rejectlog",
    "release", "rename", "replace", "replication", "resort", "respect", "restore", "restrict",
    "return", "returning", "revert", "revoke", "right", "rightarg", "rlike", "rollback", "rollup",
    "row", "rowcount", "rowguidcol", "rows", "rule", "runlength", "sample", "save", "savepoint",
    "schema", "securityaudit", "select", "semantickeyphrasetable",
    "semanticsimilaritydetailstable", "semanticsimilaritytable", "semi", "session_user", "set",
    "settings", "setuser", "show", "shutdown", "similar", "skip", "snapshot", "some", "start",
    "statistics", "strict", "struct", "summarize", "symmetric", "sysdate", "system",
    "system_user", "table", "tablesample", "tag", "tdes", "temp", "temporary", "text255",
    "text32k", "textsize", "then", "timestamp", "to", "top", "trailing", "tran", "transaction",
    "treat", "trigger", "trim", "true", "truncate", "truncatecolumns", "try_cast", "try_convert",
    "tsequal", "uescape", "unbounded", "union", "unique", "unknown", "unnest", "unpivot",
    "update", "updatetext", "use", "user", "using", "vacuum", "values", "variadic", "varying",
    "verbose", "view", "waitfor", "when", "whenever", "where", "while", "window", "with",
    "within", "without", "writetext"
]
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}

-- The queries with at most one row for each row that they are joined to.
{% macro single_row_joins() %}
{% set entries %}
[
    "all_item_categories", "aspect_counts", "baseline_list_lengths", "baseline_members",
    "baseline_scores", "best_list_ranks", "best_list_totals", "catalog_counts", "catalog_rows",
    "decision_counts", "distant_ranks", "history_counts", "history_lengths", "history_likeness",
    "history_members", "interactions", "item_counts", "item_popularity", "item_prices",
    "list_lengths", "most_popular", "popular_items", "shared_ranks", "stock_counts",
    "truth_grades", "truth_items", "truth_users", "user_aspect_items", "user_aspects",
    "users_segments"
]
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}
