-- Made by docs/update.py from the profiles in sql/conventions.

-- What libraries have: the rules of most of their metrics, and for each metric its
-- parameters and other rules, as far as they are not the defaults.
{% macro conventions() %}
{% set entries %}
{
    "beir": {
        "rules": {
            "population": "judged_and_recs", "order": "score", "ties": "text_desc",
            "duplicates": "overwritten", "truth_duplicates": "last", "undefined": "zero"
        },
        "metrics": {
            "ndcg": {"params": {}, "rules": {}}, "average_precision": {"params": {}, "rules": {}},
            "recall": {"params": {}, "rules": {}}, "precision": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {"population": "judged", "ties": "first"}},
            "hit_rate": {"params": {}, "rules": {"population": "judged", "ties": "first"}}
        }
    },
    "cornac": {
        "rules": {
            "population": "truth", "order": "rank", "ties": "first",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "ndcg": {"params": {"gain": "binary"}, "rules": {}},
            "f_beta": {"params": {}, "rules": {}}, "hit_rate": {"params": {}, "rules": {}},
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "catalog_auc": {"params": {"neither": "nothing"}, "rules": {"ties": "worst"}},
            "catalog_average_precision": {"params": {}, "rules": {}}
        }
    },
    "elliot": {
        "rules": {
            "population": "truth_and_recs", "order": "rank", "ties": "first",
            "relevance_threshold": 1, "truth_duplicates": "last", "list_users": "truth"
        },
        "metrics": {
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "average_recall": {"params": {"divide_by": "k"}, "rules": {}},
            "f_beta": {"params": {}, "rules": {}},
            "ndcg": {"params": {"gain": "exponential", "gains": "relevant"}, "rules": {}},
            "catalog_auc": {
                "params": {"weight": "positives", "neither": "nothing", "padding": 1},
                "rules": {}
            },
            "catalog_coverage": {"params": {"unit": "items", "outside": "counted"}, "rules": {}},
            "item_count": {
                "params": {"of": "counted_users"}, "rules": {"population": "judged_and_recs"}
            },
            "shannon_entropy": {"params": {}, "rules": {}}, "epc": {"params": {}, "rules": {}},
            "efd": {"params": {}, "rules": {}}, "popularity_count": {"params": {}, "rules": {}},
            "pop_rsp": {"params": {}, "rules": {}}, "pop_reo": {"params": {}, "rules": {}},
            "mae": {"params": {}, "rules": {"relevance_threshold": 0}},
            "mse": {"params": {}, "rules": {"relevance_threshold": 0}},
            "rmse": {"params": {}, "rules": {"relevance_threshold": 0}},
            "depth_precision": {"params": {}, "rules": {}},
            "limited_auc": {"params": {"padding": 1}, "rules": {}},
            "gini_diversity": {"params": {}, "rules": {}},
            "subtopic_recall": {"params": {"divide_by": "all"}, "rules": {}},
            "tail_share": {"params": {"equals": "by_id"}, "rules": {}},
            "rsp": {"params": {}, "rules": {}}, "reo": {"params": {}, "rules": {}},
            "bias_disparity": {"params": {}, "rules": {}},
            "item_mad": {"params": {"gain": "exponential"}, "rules": {}},
            "item_score_mad": {"params": {}, "rules": {}}
        }
    },
    "evidently": {
        "rules": {
            "order": "rank", "ties": "first", "duplicates": "outer", "truth_duplicates": "last"
        },
        "metrics": {
            "precision": {"params": {"divide_by": "known"}, "rules": {}},
            "recall": {"params": {}, "rules": {}},
            "f_beta": {"params": {"of": "means", "divide_by": "known"}, "rules": {}},
            "average_precision": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}}, "ndcg": {"params": {}, "rules": {}},
            "inter_list_diversity": {"params": {"divide_by": "k"}, "rules": {}},
            "surprisal": {"params": {"without_history": "omit"}, "rules": {}},
            "popularity_count": {"params": {"without_history": "omit"}, "rules": {}},
            "catalog_coverage": {"params": {"items": "history"}, "rules": {}},
            "gini": {"params": {"divide_by": "others"}, "rules": {}},
            "cosine_diversity": {"params": {"divide_by": "ranks"}, "rules": {}},
            "history_distance": {"params": {"of": "hits"}, "rules": {}},
            "score_entropy": {"params": {}, "rules": {}}
        }
    },
    "ir_measures": {
        "rules": {
            "population": "judged", "order": "score", "ties": "text_desc", "duplicates": "last",
            "truth_duplicates": "last", "undefined": "zero"
        },
        "metrics": {
            "average_precision": {"params": {}, "rules": {}},
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}}, "r_precision": {"params": {}, "rules": {}},
            "bpref": {"params": {}, "rules": {}},
            "inferred_average_precision": {"params": {}, "rules": {}},
            "ndcg": {"params": {}, "rules": {}},
            "err": {
                "params": {"digits": "five"},
                "rules": {"duplicates": "ranks", "truth_duplicates": "rows"}
            },
            "reciprocal_rank": {"params": {}, "rules": {"ties": "text_asc", "truth_duplicates": "best"}},
            "set_f": {"params": {}, "rules": {}},
            "set_average_precision": {"params": {}, "rules": {}},
            "interpolated_precision": {"params": {"recall": 0, "rounding": "tenth"}, "rules": {}},
            "item_count": {"params": {"of": "relevant"}, "rules": {"population": "judged_and_recs"}},
            "judged_share": {"params": {}, "rules": {"ties": "text_asc"}},
            "rbp": {"params": {}, "rules": {"ties": "first", "duplicates": "ranks"}},
            "list_auc": {
                "params": {},
                "rules": {
                    "population": "judged_and_recs", "ties": "first", "undefined": "omit",
                    "duplicates": "ranks"
                }
            },
            "alpha_ndcg": {"params": {}, "rules": {"ties": "text_asc", "duplicates": "once"}},
            "nearly_err": {
                "params": {"max_grade": 3}, "rules": {"ties": "first", "duplicates": "ranks"}
            },
            "inst": {
                "params": {"max_grade": 3}, "rules": {"ties": "first", "duplicates": "ranks"}
            },
            "insq": {
                "params": {"max_grade": 3}, "rules": {"ties": "first", "duplicates": "ranks"}
            },
            "bpm": {
                "params": {"max_grade": 3}, "rules": {"ties": "first", "duplicates": "ranks"}
            },
            "compatibility": {"params": {}, "rules": {"ties": "text_asc"}},
            "intent_precision": {"params": {}, "rules": {"ties": "text_asc", "duplicates": "once"}},
            "subtopic_recall": {"params": {}, "rules": {"ties": "text_asc", "duplicates": "once"}},
            "intent_average_precision": {"params": {}, "rules": {"ties": "text_asc", "duplicates": "once"}},
            "nrbp": {"params": {}, "rules": {"ties": "text_asc", "duplicates": "once"}},
            "intent_err": {"params": {}, "rules": {"ties": "text_asc", "duplicates": "once"}},
            "alpha_dcg": {"params": {}, "rules": {"ties": "text_asc", "duplicates": "once"}}
        }
    },
    "jurity": {
        "rules": {
            "population": "truth", "order": "score", "duplicates": "ranks",
            "truth_duplicates": "joined"
        },
        "metrics": {
            "precision": {
                "params": {"divide_by": "list_length"},
                "rules": {"population": "truth_and_recs", "truth_duplicates": "lines"}
            },
            "recall": {"params": {}, "rules": {"duplicates": "outer_in_k"}},
            "average_precision": {
                "params": {"divide_by": "achievable"},
                "rules": {"population": "truth_and_recs", "truth_duplicates": "lines"}
            },
            "ndcg": {"params": {"gain": "binary", "ideal": "relevant"}, "rules": {}},
            "auc": {"params": {}, "rules": {}},
            "inter_list_diversity": {"params": {}, "rules": {}},
            "cosine_diversity": {"params": {"pairs": "items"}, "rules": {}},
            "list_ctr": {"params": {}, "rules": {}},
            "list_ips": {"params": {}, "rules": {"duplicates": "crossed", "undefined": "propagate"}},
            "list_doubly_robust": {"params": {}, "rules": {"duplicates": "crossed", "undefined": "propagate"}}
        }
    },
    "lenskit": {
        "rules": {
            "population": "recs", "order": "rank", "ties": "first", "duplicates": "ranks",
            "relevance_threshold": "-inf", "truth_duplicates": "rows", "undefined": "zero"
        },
        "metrics": {
            "hit_rate": {"params": {}, "rules": {}},
            "precision": {"params": {"divide_by": "list_length"}, "rules": {}},
            "recall": {"params": {"divide_by": "achievable"}, "rules": {}},
            "average_precision": {"params": {"divide_by": "achievable_in_list"}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "ndcg": {"params": {"gain": "binary", "discount": "late"}, "rules": {}},
            "dcg": {"params": {"gain": "binary", "discount": "late"}, "rules": {}},
            "rbp": {"params": {"p": 0.85}, "rules": {}},
            "popularity_rank": {"params": {"unit": "quantile"}, "rules": {}},
            "gini": {"params": {"items": "catalog"}, "rules": {}},
            "category_entropy": {"params": {"smoothing": 1e-06}, "rules": {}},
            "rbo": {
                "params": {"p": 0.85, "form": "scaled", "without_baseline": "undefined"},
                "rules": {"undefined": "omit"}
            },
            "rmse": {"params": {"average": "users"}, "rules": {"undefined": "omit"}},
            "mae": {"params": {"average": "users"}, "rules": {"undefined": "omit"}}
        }
    },
    "lightfm": {
        "rules": {
            "population": "truth", "order": "score", "ties": "worst", "truth_duplicates": "best"
        },
        "metrics": {
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "catalog_auc": {"params": {"neither": "nothing"}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}}
        }
    },
    "lightgbm": {
        "rules": {
            "population": "all", "order": "score", "ties": "first", "duplicates": "ranks",
            "truth_duplicates": "joined", "missing_items": "last", "undefined": "omit"
        },
        "metrics": {
            "ndcg": {
                "params": {"gain": "exponential"},
                "rules": {"duplicates": "outer", "truth_duplicates": "last", "undefined": "one"}
            },
            "average_precision": {
                "params": {"divide_by": "achievable"},
                "rules": {"duplicates": "outer", "truth_duplicates": "last", "undefined": "one"}
            },
            "rmse": {"params": {}, "rules": {}}, "mse": {"params": {}, "rules": {}},
            "mae": {"params": {}, "rules": {}}, "auc": {"params": {}, "rules": {}},
            "log_loss": {"params": {"of": "logits"}, "rules": {}}
        }
    },
    "ml_metrics": {
        "rules": {
            "population": "judged", "order": "rank", "ties": "first", "duplicates": "ranks",
            "truth_duplicates": "joined"
        },
        "metrics": {
            "average_precision": {
                "params": {"divide_by": "achievable"},
                "rules": {"duplicates": "once", "truth_duplicates": "rows", "undefined": "one"}
            },
            "rmse": {"params": {}, "rules": {}}, "mae": {"params": {}, "rules": {}},
            "mse": {"params": {}, "rules": {}}, "auc": {"params": {}, "rules": {}},
            "log_loss": {"params": {}, "rules": {}}
        }
    },
    "mlflow": {
        "rules": {
            "population": "judged", "order": "rank", "ties": "first", "duplicates": "ranks",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "precision": {"params": {"divide_by": "list_length"}, "rules": {}},
            "recall": {"params": {}, "rules": {"duplicates": "once"}},
            "ndcg": {
                "params": {"gain": "binary", "ideal": "list_length"},
                "rules": {"duplicates": "outer_in_k"}
            }
        }
    },
    "mllib": {
        "rules": {
            "population": "judged", "order": "rank", "ties": "first", "duplicates": "ranks",
            "truth_duplicates": "best", "undefined": "zero"
        },
        "metrics": {
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {}},
            "ndcg": {"params": {"gain": "binary"}, "rules": {}},
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "rmse": {"params": {}, "rules": {"truth_duplicates": "joined", "undefined": "omit"}},
            "mse": {"params": {}, "rules": {"truth_duplicates": "joined", "undefined": "omit"}},
            "mae": {"params": {}, "rules": {"truth_duplicates": "joined", "undefined": "omit"}},
            "r2": {"params": {}, "rules": {"truth_duplicates": "joined", "undefined": "omit"}},
            "auc": {"params": {}, "rules": {"truth_duplicates": "joined", "undefined": "omit"}}
        }
    },
    "mteb": {
        "rules": {
            "population": "judged_and_recs", "order": "score", "ties": "text_desc",
            "duplicates": "last", "truth_duplicates": "last", "undefined": "zero"
        },
        "metrics": {
            "ndcg": {"params": {}, "rules": {}}, "average_precision": {"params": {}, "rules": {}},
            "recall": {"params": {}, "rules": {}}, "precision": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}}
        }
    },
    "pyterrier": {
        "rules": {
            "population": "judged", "order": "score", "ties": "text_desc", "duplicates": "last",
            "truth_duplicates": "last", "undefined": "zero"
        },
        "metrics": {
            "average_precision": {"params": {}, "rules": {}},
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}}, "ndcg": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "r_precision": {"params": {}, "rules": {}}, "bpref": {"params": {}, "rules": {}},
            "inferred_average_precision": {"params": {}, "rules": {}},
            "set_average_precision": {"params": {}, "rules": {}},
            "set_f": {"params": {}, "rules": {}},
            "item_count": {
                "params": {"of": "counted_users"}, "rules": {"population": "judged_and_recs"}
            },
            "interpolated_precision": {"params": {"recall": 0, "rounding": "tenth"}, "rules": {}}
        }
    },
    "ragas": {
        "rules": {
            "population": "judged", "order": "rank", "ties": "first", "duplicates": "best",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "precision": {
                "params": {"divide_by": "list_length"}, "rules": {"without_list": "undefined"}
            },
            "recall": {"params": {}, "rules": {}},
            "average_precision": {"params": {"divide_by": "hits"}, "rules": {"duplicates": "ranks"}}
        }
    },
    "rankeval": {
        "rules": {
            "population": "all", "order": "score", "duplicates": "outer",
            "truth_duplicates": "last", "missing_items": "last", "undefined": "zero"
        },
        "metrics": {
            "ndcg": {"params": {"gain": "exponential"}, "rules": {"undefined": "one"}},
            "dcg": {"params": {}, "rules": {}},
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {"relevance_threshold": 1}},
            "precision": {"params": {}, "rules": {"relevance_threshold": 1}},
            "top_precision": {"params": {}, "rules": {"undefined": "one"}},
            "recall": {"params": {}, "rules": {"relevance_threshold": 1}},
            "rbp": {"params": {"p": 0.5}, "rules": {"relevance_threshold": 1}},
            "mse": {"params": {}, "rules": {"missing_items": "absent"}},
            "err": {"params": {"scale": "own"}, "rules": {}},
            "pfound": {"params": {"scale": "own", "p_break": 0.85}, "rules": {}},
            "rmse": {"params": {"average": "sums"}, "rules": {"missing_items": "absent"}},
            "kendall": {"params": {}, "rules": {"missing_items": "absent", "undefined": "omit"}},
            "spearman": {"params": {}, "rules": {"missing_items": "absent", "undefined": "omit"}}
        }
    },
    "ranx": {
        "rules": {
            "population": "judged", "order": "score", "ties": "first",
            "duplicates": "overwritten", "relevance_threshold": 1, "truth_duplicates": "last",
            "undefined": "zero"
        },
        "metrics": {
            "cumulative_gain": {"params": {"gain": "binary"}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}},
            "precision": {"params": {"divide_by": "k_or_length"}, "rules": {}},
            "recall": {"params": {}, "rules": {}},
            "f_beta": {"params": {"divide_by": "k_or_length"}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "average_precision": {"params": {}, "rules": {}},
            "r_precision": {"params": {}, "rules": {}},
            "bpref": {
                "params": {"without_nonrelevant": "undefined"},
                "rules": {"undefined": "propagate"}
            },
            "rbp": {"params": {"p": 0.8, "gain": "linear"}, "rules": {}},
            "dcg": {"params": {}, "rules": {}}, "ndcg": {"params": {}, "rules": {}},
            "interpolated_precision": {"params": {"recall": 0.5, "rounding": "tenth"}, "rules": {}}
        }
    },
    "recbole": {
        "rules": {
            "population": "judged", "order": "score", "truth_duplicates": "best",
            "list_users": "truth"
        },
        "metrics": {
            "recall": {"params": {}, "rules": {"relevance_threshold": "-inf"}},
            "precision": {"params": {}, "rules": {"relevance_threshold": "-inf"}},
            "hit_rate": {"params": {}, "rules": {"relevance_threshold": "-inf"}},
            "reciprocal_rank": {"params": {}, "rules": {"relevance_threshold": "-inf"}},
            "average_precision": {
                "params": {"divide_by": "achievable"}, "rules": {"relevance_threshold": "-inf"}
            },
            "ndcg": {"params": {"gain": "binary"}, "rules": {"relevance_threshold": "-inf"}},
            "mae": {"params": {}, "rules": {"truth_duplicates": "joined"}},
            "rmse": {"params": {}, "rules": {"truth_duplicates": "joined"}},
            "auc": {"params": {}, "rules": {"truth_duplicates": "joined"}},
            "catalog_coverage": {"params": {"padding": 1}, "rules": {}},
            "gini": {"params": {"items": "catalog", "padding": 1}, "rules": {}},
            "popularity_count": {"params": {"count": "events", "divide_by": "k"}, "rules": {}},
            "shannon_entropy": {"params": {"unit": "nats", "of": "item"}, "rules": {}},
            "log_loss": {"params": {}, "rules": {"truth_duplicates": "joined"}},
            "catalog_auc": {
                "params": {"weight": "positives"},
                "rules": {"ties": "expected", "relevance_threshold": "-inf"}
            },
            "tail_share": {"params": {"divide_by": "k", "rarest": 0.1}, "rules": {}}
        }
    },
    "recmetrics": {
        "rules": {
            "population": "truth_and_recs", "order": "rank", "ties": "first",
            "duplicates": "ranks", "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "average_precision": {"params": {}, "rules": {"duplicates": "once", "truth_duplicates": "rows"}},
            "surprisal": {"params": {"divide_by": "k"}, "rules": {}},
            "inter_list_diversity": {"params": {}, "rules": {}},
            "mse": {"params": {}, "rules": {"truth_duplicates": "joined"}},
            "rmse": {"params": {}, "rules": {"truth_duplicates": "joined"}},
            "precision": {"params": {"divide_by": "list_length", "digits": "four"}, "rules": {}},
            "recall": {"params": {"digits": "four"}, "rules": {"truth_duplicates": "rows"}},
            "catalog_coverage": {"params": {"outside": "counted", "unit": "percent"}, "rules": {}},
            "intra_list_similarity": {"params": {}, "rules": {}}
        }
    },
    "recommenders": {
        "rules": {
            "population": "truth_and_recs", "order": "score", "ties": "first",
            "duplicates": "ranks", "relevance_threshold": "-inf", "truth_duplicates": "joined"
        },
        "metrics": {
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "r_precision": {
                "params": {"divide_by": "relevant", "average": "users_with_hit"}, "rules": {}
            },
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {}},
            "ndcg": {
                "params": {"gain": "binary"},
                "rules": {"population": "truth", "duplicates": "crossed"}
            },
            "rmse": {"params": {}, "rules": {}}, "mae": {"params": {}, "rules": {}},
            "r2": {"params": {"constant": "zero"}, "rules": {}},
            "auc": {"params": {}, "rules": {"relevance_threshold": 1e-100}},
            "catalog_coverage": {"params": {"items": "history", "outside": "counted"}, "rules": {}},
            "shannon_entropy": {"params": {}, "rules": {}},
            "surprisal": {
                "params": {"count": "events", "without_history": "zero", "average": "pooled"},
                "rules": {}
            },
            "cosine_diversity": {"params": {"pairs": "items"}, "rules": {}},
            "history_distance": {"params": {}, "rules": {}}
        }
    },
    "recpack": {
        "rules": {
            "population": "truth", "order": "score", "relevance_threshold": "-inf",
            "truth_duplicates": "best", "list_users": "truth"
        },
        "metrics": {
            "ndcg": {"params": {"gain": "binary"}, "rules": {}},
            "dcg": {"params": {"gain": "binary"}, "rules": {}},
            "cumulative_gain": {"params": {"gain": "binary"}, "rules": {}},
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "catalog_coverage": {"params": {}, "rules": {}},
            "propensity_hits": {"params": {}, "rules": {}},
            "jaccard_diversity": {"params": {}, "rules": {"undefined": "zero"}},
            "percentile_rank": {"params": {"average": "pooled", "unit": "percent"}, "rules": {}}
        }
    },
    "rectools": {
        "rules": {
            "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
            "relevance_threshold": "-inf", "truth_duplicates": "joined"
        },
        "metrics": {
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "f_beta": {"params": {}, "rules": {}},
            "accuracy": {"params": {"shown": "k"}, "rules": {}},
            "mcc": {"params": {"shown": "k"}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}},
            "average_precision": {"params": {}, "rules": {"truth_duplicates": "summed"}},
            "ndcg": {"params": {"gain": "binary", "ideal": "k"}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "surprisal": {"params": {}, "rules": {}},
            "popularity_count": {"params": {"count": "events"}, "rules": {}},
            "popularity_share": {"params": {"count": "events"}, "rules": {}},
            "serendipity": {
                "params": {"divide_by": "lines", "items": "catalog"},
                "rules": {"undefined": "zero"}
            },
            "catalog_coverage": {"params": {"outside": "counted"}, "rules": {}},
            "hamming_diversity": {"params": {}, "rules": {"undefined": "zero"}},
            "user_coverage": {"params": {}, "rules": {}},
            "baseline_share": {"params": {}, "rules": {}},
            "list_fill": {"params": {}, "rules": {}},
            "unrepeated_share": {"params": {}, "rules": {}},
            "partial_ap": {"params": {"n": 10}, "rules": {"truth_duplicates": "best"}},
            "partial_auc": {"params": {"misses": 10}, "rules": {"truth_duplicates": "best"}}
        }
    },
    "replay-0.11": {
        "rules": {
            "population": "truth", "order": "score", "ties": "first", "duplicates": "best_in_cut",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "hit_rate": {"params": {}, "rules": {}}, "precision": {"params": {}, "rules": {}},
            "recall": {"params": {}, "rules": {}},
            "average_precision": {"params": {"divide_by": "k"}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "ndcg": {"params": {"gain": "binary"}, "rules": {}},
            "list_auc": {"params": {"no_pairs": "bounds"}, "rules": {}},
            "surprisal": {"params": {"unit": "share", "divide_by": "k"}, "rules": {}},
            "unexpectedness": {"params": {"divide_by": "k", "users": "baseline"}, "rules": {}},
            "catalog_coverage": {
                "params": {"items": "history", "outside": "counted"},
                "rules": {"duplicates": "ranks"}
            }
        }
    },
    "replay-0.9": {
        "rules": {
            "population": "truth", "order": "score", "duplicates": "best",
            "relevance_threshold": "-inf"
        },
        "metrics": {
            "hit_rate": {"params": {}, "rules": {}},
            "precision": {"params": {"divide_by": "list_length"}, "rules": {}},
            "recall": {"params": {}, "rules": {}},
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "ndcg": {"params": {"gain": "binary"}, "rules": {}},
            "list_auc": {"params": {"no_pairs": "bounds"}, "rules": {}},
            "surprisal": {"params": {"unit": "share", "divide_by": "k"}, "rules": {}},
            "unexpectedness": {"params": {"divide_by": "k", "users": "baseline"}, "rules": {}},
            "catalog_coverage": {
                "params": {"items": "history", "outside": "counted"},
                "rules": {"duplicates": "ranks"}
            }
        }
    },
    "replay": {
        "rules": {
            "population": "truth", "order": "score", "ties": "item_desc", "duplicates": "ranks",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "hit_rate": {"params": {}, "rules": {}},
            "precision": {"params": {}, "rules": {"duplicates": "once"}},
            "recall": {"params": {}, "rules": {"duplicates": "once"}},
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {"truth_duplicates": "rows"}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "ndcg": {"params": {"gain": "binary"}, "rules": {"truth_duplicates": "rows"}},
            "list_auc": {"params": {"no_pairs": "bounds"}, "rules": {}},
            "surprisal": {"params": {"unit": "share", "divide_by": "k"}, "rules": {}},
            "novelty": {"params": {"users": "history"}, "rules": {"duplicates": "once"}},
            "unexpectedness": {
                "params": {"divide_by": "k", "without_baseline": "expected"},
                "rules": {"duplicates": "once"}
            },
            "catalog_coverage": {"params": {"items": "history"}, "rules": {}},
            "category_coverage": {"params": {"divide_by": "k"}, "rules": {}}
        }
    },
    "rexmex": {
        "rules": {
            "population": "truth_and_recs", "order": "rank", "ties": "first",
            "duplicates": "once", "relevance_threshold": "-inf", "truth_duplicates": "rows"
        },
        "metrics": {
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {}},
            "precision": {
                "params": {"divide_by": "list_length"}, "rules": {"truth_duplicates": "best"}
            },
            "inter_list_diversity": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {"items": "all"}, "rules": {"truth_duplicates": "best"}},
            "mean_rank": {"params": {}, "rules": {"truth_duplicates": "best"}},
            "spearman": {"params": {}, "rules": {}}, "kendall": {"params": {}, "rules": {}},
            "intra_list_similarity": {"params": {}, "rules": {}},
            "surprisal": {"params": {"divide_by": "k"}, "rules": {}}
        }
    },
    "rs_metrics-0.3": {
        "rules": {
            "population": "truth", "order": "rank", "ties": "first", "duplicates": "ranks",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "hit_rate": {"params": {}, "rules": {}},
            "precision": {
                "params": {"divide_by": "list_length"},
                "rules": {"without_list": "undefined", "undefined": "propagate"}
            },
            "recall": {"params": {}, "rules": {"duplicates": "once", "truth_duplicates": "joined"}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "average_precision": {
                "params": {"divide_by": "list_length"},
                "rules": {"without_list": "undefined", "undefined": "propagate"}
            },
            "average_recall": {
                "params": {"divide_by": "list_length"},
                "rules": {
                    "truth_duplicates": "rows", "without_list": "undefined",
                    "undefined": "propagate"
                }
            },
            "ndcg": {
                "params": {"gain": "binary", "ideal": "list_length"},
                "rules": {
                    "truth_duplicates": "rows", "without_list": "undefined",
                    "undefined": "propagate"
                }
            },
            "popularity_share": {"params": {}, "rules": {}},
            "surprisal": {"params": {}, "rules": {}},
            "catalog_coverage": {"params": {}, "rules": {}},
            "alpha_ndcg": {"params": {"form": "rs_metrics"}, "rules": {"undefined": "propagate"}}
        }
    },
    "rs_metrics-0.4": {
        "rules": {
            "population": "truth", "order": "rank", "ties": "first", "duplicates": "ranks",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "hit_rate": {"params": {}, "rules": {}},
            "precision": {
                "params": {"divide_by": "list_length"},
                "rules": {"without_list": "undefined", "undefined": "propagate"}
            },
            "recall": {"params": {}, "rules": {"duplicates": "once", "truth_duplicates": "joined"}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "average_precision": {"params": {"divide_by": "hits"}, "rules": {}},
            "average_recall": {"params": {"divide_by": "hits"}, "rules": {"truth_duplicates": "rows"}},
            "ndcg": {"params": {"gain": "binary"}, "rules": {}},
            "popularity_share": {"params": {}, "rules": {}},
            "surprisal": {"params": {}, "rules": {}},
            "catalog_coverage": {"params": {}, "rules": {}},
            "alpha_ndcg": {"params": {"form": "rs_metrics"}, "rules": {"undefined": "propagate"}}
        }
    },
    "rs_metrics": {
        "rules": {
            "population": "truth", "order": "rank", "ties": "first", "duplicates": "ranks",
            "relevance_threshold": "-inf", "truth_duplicates": "best"
        },
        "metrics": {
            "hit_rate": {"params": {}, "rules": {}},
            "precision": {
                "params": {"divide_by": "list_length"},
                "rules": {"without_list": "undefined", "undefined": "propagate"}
            },
            "recall": {"params": {}, "rules": {"duplicates": "once", "truth_duplicates": "joined"}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "average_precision": {"params": {}, "rules": {"truth_duplicates": "rows"}},
            "ndcg": {"params": {"gain": "binary"}, "rules": {}},
            "popularity_share": {"params": {}, "rules": {}},
            "surprisal": {"params": {}, "rules": {}},
            "catalog_coverage": {"params": {}, "rules": {}},
            "alpha_ndcg": {"params": {"form": "rs_metrics"}, "rules": {"undefined": "propagate"}}
        }
    },
    "sklearn": {
        "rules": {
            "population": "judged", "order": "score", "truth_duplicates": "last",
            "undefined": "zero"
        },
        "metrics": {
            "ndcg": {"params": {}, "rules": {"ties": "shared", "missing_items": "universe"}},
            "dcg": {"params": {}, "rules": {"ties": "shared", "missing_items": "universe"}},
            "precision": {"params": {"divide_by": "list_length"}, "rules": {}},
            "recall": {"params": {}, "rules": {}}, "set_f": {"params": {}, "rules": {}},
            "accuracy": {"params": {}, "rules": {}},
            "mae": {
                "params": {},
                "rules": {"truth_duplicates": "joined", "undefined": "omit", "duplicates": "ranks"}
            },
            "mse": {
                "params": {},
                "rules": {"truth_duplicates": "joined", "undefined": "omit", "duplicates": "ranks"}
            },
            "rmse": {
                "params": {},
                "rules": {"truth_duplicates": "joined", "undefined": "omit", "duplicates": "ranks"}
            },
            "r2": {
                "params": {"constant": "zero"},
                "rules": {"truth_duplicates": "joined", "undefined": "omit", "duplicates": "ranks"}
            },
            "auc": {
                "params": {},
                "rules": {"truth_duplicates": "joined", "undefined": "omit", "duplicates": "ranks"}
            },
            "gauc": {
                "params": {},
                "rules": {"truth_duplicates": "joined", "undefined": "omit", "duplicates": "ranks"}
            },
            "truth_jaccard": {"params": {}, "rules": {}},
            "catalog_auc": {"params": {}, "rules": {"undefined": "propagate", "ties": "expected"}},
            "catalog_average_precision": {"params": {}, "rules": {}},
            "label_ranking_loss": {"params": {}, "rules": {"ties": "worst"}},
            "coverage_error": {"params": {}, "rules": {"ties": "worst"}}
        }
    },
    "torchmetrics": {
        "rules": {
            "population": "all", "order": "score", "duplicates": "outer",
            "truth_duplicates": "last", "undefined": "zero"
        },
        "metrics": {
            "average_precision": {"params": {"divide_by": "hits"}, "rules": {"scores": "positive"}},
            "reciprocal_rank": {"params": {}, "rules": {"scores": "positive"}},
            "precision": {"params": {"divide_by": "k_or_known"}, "rules": {"scores": "positive"}},
            "recall": {"params": {}, "rules": {"scores": "positive"}},
            "hit_rate": {"params": {}, "rules": {"missing_items": "last"}},
            "r_precision": {"params": {}, "rules": {"missing_items": "last"}},
            "ndcg": {"params": {}, "rules": {"ties": "shared", "missing_items": "last"}},
            "catalog_auc": {"params": {"items": "list"}, "rules": {}},
            "list_auc": {"params": {}, "rules": {}}, "fall_out": {"params": {}, "rules": {}}
        }
    },
    "trec_eval": {
        "rules": {
            "population": "judged_and_recs", "order": "score", "ties": "text_desc",
            "undefined": "zero"
        },
        "metrics": {
            "item_count": {"params": {"of": "retrieved"}, "rules": {}},
            "average_precision": {"params": {}, "rules": {}},
            "geometric_map": {"params": {}, "rules": {}},
            "r_precision": {"params": {}, "rules": {}}, "bpref": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "interpolated_precision": {"params": {"recall": 0}, "rules": {}},
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "inferred_average_precision": {"params": {}, "rules": {}},
            "geometric_bpref": {"params": {}, "rules": {}},
            "set_utility": {"params": {}, "rules": {}},
            "eleven_point_average_precision": {"params": {}, "rules": {}},
            "normalized_gain": {"params": {"gain": "binary"}, "rules": {}},
            "ndcg": {"params": {}, "rules": {}}, "ndcg_at_gains": {"params": {}, "rules": {}},
            "ndcg_at_grades": {"params": {}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}},
            "set_average_precision": {"params": {}, "rules": {}},
            "set_f": {"params": {}, "rules": {}},
            "rbp": {"params": {"p": 0.9, "gain": "normalized"}, "rules": {}},
            "rbp_residual": {"params": {"p": 0.9, "all_judged": "zero"}, "rules": {}},
            "unjudged_share": {"params": {"divide_by": "k"}, "rules": {}}
        }
    },
    "warprec": {
        "rules": {"order": "score", "truth_duplicates": "last", "list_users": "truth"},
        "metrics": {
            "precision": {"params": {}, "rules": {}}, "recall": {"params": {}, "rules": {}},
            "hit_rate": {"params": {}, "rules": {}},
            "reciprocal_rank": {"params": {}, "rules": {}},
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {}},
            "average_recall": {"params": {"divide_by": "achievable"}, "rules": {}},
            "f_beta": {"params": {}, "rules": {}},
            "ndcg": {
                "params": {"gain": "exponential", "gains": "relevant", "shift": 1}, "rules": {}
            },
            "catalog_auc": {
                "params": {"weight": "positives", "neither": "nothing", "padding": 1},
                "rules": {}
            },
            "subtopic_recall": {"params": {}, "rules": {}},
            "item_count": {"params": {"of": "counted_users"}, "rules": {}},
            "catalog_coverage": {"params": {"unit": "items", "outside": "counted"}, "rules": {}},
            "gini": {"params": {"items": "catalog", "divide_by": "others"}, "rules": {}},
            "shannon_entropy": {"params": {"unit": "nats"}, "rules": {}},
            "epc": {"params": {"without_history": "once"}, "rules": {}},
            "efd": {"params": {}, "rules": {}},
            "popularity_count": {"params": {"without_history": "once"}, "rules": {}},
            "mae": {"params": {"average": "users"}, "rules": {}},
            "mse": {"params": {"average": "users"}, "rules": {}},
            "rmse": {"params": {"average": "users"}, "rules": {}},
            "limited_auc": {"params": {"padding": 1}, "rules": {}},
            "log_loss": {"params": {"of": "logits", "average": "users"}, "rules": {}},
            "tail_share": {"params": {"divide_by": "k", "equals": "by_id"}, "rules": {}},
            "pop_rsp": {"params": {}, "rules": {}}, "pop_reo": {"params": {}, "rules": {}},
            "rsp": {"params": {}, "rules": {}}, "reo": {"params": {}, "rules": {}},
            "bias_disparity": {"params": {}, "rules": {}},
            "unbiased_recall": {"params": {}, "rules": {}},
            "unbiased_ndcg": {"params": {"divide_by": "weights"}, "rules": {}},
            "item_mad": {
                "params": {"gain": "exponential", "shift": 1},
                "rules": {"population": "judged", "undefined": "zero"}
            },
            "item_score_mad": {
                "params": {"ranks": "hits"},
                "rules": {"population": "judged", "undefined": "zero"}
            }
        }
    },
    "xgboost": {
        "rules": {
            "population": "all", "order": "score", "ties": "first", "duplicates": "outer",
            "truth_duplicates": "last", "missing_items": "last"
        },
        "metrics": {
            "ndcg": {"params": {"gain": "exponential"}, "rules": {"undefined": "one"}},
            "average_precision": {"params": {"divide_by": "achievable"}, "rules": {"undefined": "one"}},
            "precision": {"params": {}, "rules": {}}
        }
    }
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}
