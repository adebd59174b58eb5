-- Made by docs/update.py from the profiles in sql/conventions.

-- What libraries have: for each metric its parameters and rules, as far as they are not
-- the defaults.
{% macro conventions() %}
{% set entries %}
{
    "cornac": {
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        },
        "f_beta": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        },
        "catalog_auc": {
            "params": {"neither": "nothing"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "worst",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        },
        "catalog_average_precision": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "truth_duplicates": "best"
            }
        }
    },
    "elliot": {
        "precision": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "average_recall": {
            "params": {"divide_by": "k"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "f_beta": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "ndcg": {
            "params": {"gain": "exponential", "gains": "relevant"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "catalog_auc": {
            "params": {"weight": "positives", "neither": "nothing", "padding": 1},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "catalog_coverage": {
            "params": {"unit": "items", "outside": "counted"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "item_count": {
            "params": {"of": "counted_users"},
            "rules": {
                "population": "judged_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "shannon_entropy": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "epc": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "efd": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "popularity_count": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "pop_rsp": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "pop_reo": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "mae": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 0, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "mse": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 0, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "rmse": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 0, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "depth_precision": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "limited_auc": {
            "params": {"padding": 1},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "gini_diversity": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "subtopic_recall": {
            "params": {"divide_by": "all"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "tail_share": {
            "params": {"equals": "by_id"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "rsp": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "reo": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "bias_disparity": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "item_mad": {
            "params": {"gain": "exponential"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        },
        "item_score_mad": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": 1, "truth_duplicates": "last", "listed": "truth"
            }
        }
    },
    "evidently": {
        "precision": {
            "params": {"divide_by": "known"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "f_beta": {
            "params": {"of": "means", "divide_by": "known"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "average_precision": {
            "params": {},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "ndcg": {
            "params": {},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "inter_list_diversity": {
            "params": {"divide_by": "k"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "surprisal": {
            "params": {"without_history": "omit"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "popularity_count": {
            "params": {"without_history": "omit"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "catalog_coverage": {
            "params": {"items": "history"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "gini": {
            "params": {"divide_by": "others"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "cosine_diversity": {
            "params": {"divide_by": "places"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "history_distance": {
            "params": {"of": "hits"},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        },
        "score_entropy": {
            "params": {},
            "rules": {
                "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "last"
            }
        }
    },
    "ir_measures": {
        "average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "r_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "bpref": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "inferred_average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "ndcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "err": {
            "params": {"digits": "five"},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "places", "truth_duplicates": "rows"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "last", "truth_duplicates": "best"
            }
        },
        "set_f": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "set_average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "interpolated_precision": {
            "params": {"recall": 0, "rounding": "tenth"},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "item_count": {
            "params": {"of": "relevant"},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "judged_share": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "rbp": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "undefined": "zero",
                "duplicates": "places", "truth_duplicates": "last"
            }
        },
        "list_auc": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "first",
                "undefined": "omit", "duplicates": "places", "truth_duplicates": "last"
            }
        },
        "alpha_ndcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "once", "truth_duplicates": "last"
            }
        },
        "nearly_err": {
            "params": {"max_grade": 3},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "undefined": "zero",
                "duplicates": "places", "truth_duplicates": "last"
            }
        },
        "inst": {
            "params": {"max_grade": 3},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "undefined": "zero",
                "duplicates": "places", "truth_duplicates": "last"
            }
        },
        "insq": {
            "params": {"max_grade": 3},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "undefined": "zero",
                "duplicates": "places", "truth_duplicates": "last"
            }
        },
        "bpm": {
            "params": {"max_grade": 3},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "undefined": "zero",
                "duplicates": "places", "truth_duplicates": "last"
            }
        },
        "compatibility": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "intent_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "once", "truth_duplicates": "last"
            }
        },
        "subtopic_recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "once", "truth_duplicates": "last"
            }
        },
        "intent_average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "once", "truth_duplicates": "last"
            }
        },
        "nrbp": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "once", "truth_duplicates": "last"
            }
        },
        "intent_err": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "once", "truth_duplicates": "last"
            }
        },
        "alpha_dcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_asc", "undefined": "zero",
                "duplicates": "once", "truth_duplicates": "last"
            }
        }
    },
    "jurity": {
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "duplicates": "places",
                "truth_duplicates": "lines"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "outer_in_k",
                "truth_duplicates": "joined"
            }
        },
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "duplicates": "places",
                "truth_duplicates": "lines"
            }
        },
        "ndcg": {
            "params": {"gain": "binary", "ideal": "relevant"},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "auc": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "inter_list_diversity": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "cosine_diversity": {
            "params": {"pairs": "items"},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "list_ctr": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "list_ips": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "crossed",
                "truth_duplicates": "joined", "undefined": "propagate"
            }
        },
        "list_doubly_robust": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "duplicates": "crossed",
                "truth_duplicates": "joined", "undefined": "propagate"
            }
        }
    },
    "lenskit": {
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "recall": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "average_precision": {
            "params": {"divide_by": "achievable_in_list"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "ndcg": {
            "params": {"gain": "binary", "discount": "late"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "dcg": {
            "params": {"gain": "binary", "discount": "late"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "rbp": {
            "params": {"p": 0.85},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "popularity_rank": {
            "params": {"unit": "quantile"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "gini": {
            "params": {"items": "catalog"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "category_entropy": {
            "params": {"smoothing": 1e-06},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "zero"
            }
        },
        "rbo": {
            "params": {"p": 0.85, "form": "scaled", "without_baseline": "undefined"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "omit"
            }
        },
        "rmse": {
            "params": {"average": "users"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "omit"
            }
        },
        "mae": {
            "params": {"average": "users"},
            "rules": {
                "population": "recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "undefined": "omit"
            }
        }
    },
    "mlflow": {
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "ndcg": {
            "params": {"gain": "binary", "ideal": "list_length"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "outer_in_k",
                "truth_duplicates": "best"
            }
        }
    },
    "pyterrier": {
        "average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "ndcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "r_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "bpref": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "inferred_average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "set_average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "set_f": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "item_count": {
            "params": {"of": "counted_users"},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        },
        "interpolated_precision": {
            "params": {"recall": 0, "rounding": "tenth"},
            "rules": {
                "population": "judged", "order": "score", "ties": "text_desc",
                "undefined": "zero", "duplicates": "last", "truth_duplicates": "last"
            }
        }
    },
    "ragas": {
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best", "truth_duplicates": "best",
                "without_list": "undefined"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best", "truth_duplicates": "best"
            }
        }
    },
    "rankeval": {
        "ndcg": {
            "params": {"gain": "exponential"},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "one"
            }
        },
        "dcg": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero"
            }
        },
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero",
                "relevance_threshold": 1
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero",
                "relevance_threshold": 1
            }
        },
        "top_precision": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "one"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero",
                "relevance_threshold": 1
            }
        },
        "rbp": {
            "params": {"p": 0.5},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero",
                "relevance_threshold": 1
            }
        },
        "mse": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "absent", "undefined": "zero"
            }
        },
        "err": {
            "params": {"scale": "own"},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero"
            }
        },
        "pfound": {
            "params": {"scale": "own", "p_break": 0.85},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "last", "undefined": "zero"
            }
        },
        "rmse": {
            "params": {"average": "sums"},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "absent", "undefined": "zero"
            }
        },
        "kendall": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "absent", "undefined": "omit"
            }
        },
        "spearman": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "unlisted": "absent", "undefined": "omit"
            }
        }
    },
    "ranx": {
        "cumulative_gain": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "precision": {
            "params": {"divide_by": "k_or_length"},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "f_beta": {
            "params": {"divide_by": "k_or_length"},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "r_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "bpref": {
            "params": {"without_nonrelevant": "undefined"},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "propagate"
            }
        },
        "rbp": {
            "params": {"p": 0.8, "gain": "linear"},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "dcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "ndcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        },
        "interpolated_precision": {
            "params": {"recall": 0.5, "rounding": "tenth"},
            "rules": {
                "population": "judged", "order": "score", "ties": "first", "duplicates": "last",
                "truth_duplicates": "last", "relevance_threshold": 1, "undefined": "zero"
            }
        }
    },
    "recbole": {
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth", "relevance_threshold": "-inf"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth", "relevance_threshold": "-inf"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth", "relevance_threshold": "-inf"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth", "relevance_threshold": "-inf"
            }
        },
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth", "relevance_threshold": "-inf"
            }
        },
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth", "relevance_threshold": "-inf"
            }
        },
        "mae": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "listed": "truth"
            }
        },
        "rmse": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "listed": "truth"
            }
        },
        "auc": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "listed": "truth"
            }
        },
        "catalog_coverage": {
            "params": {"padding": 1},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth"
            }
        },
        "gini": {
            "params": {"items": "catalog", "padding": 1},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth"
            }
        },
        "popularity_count": {
            "params": {"count": "events", "divide_by": "k"},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth"
            }
        },
        "shannon_entropy": {
            "params": {"unit": "nats", "of": "item"},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth"
            }
        },
        "log_loss": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "listed": "truth"
            }
        },
        "catalog_auc": {
            "params": {"weight": "positives"},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth", "ties": "expected", "relevance_threshold": "-inf"
            }
        },
        "tail_share": {
            "params": {"divide_by": "k", "rarest": 0.1},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "best",
                "listed": "truth"
            }
        }
    },
    "recmetrics": {
        "average_precision": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "rows"
            }
        },
        "surprisal": {
            "params": {"divide_by": "k"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "inter_list_diversity": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "mse": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "rmse": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length", "digits": "four"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "recall": {
            "params": {"digits": "four"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows"
            }
        },
        "catalog_coverage": {
            "params": {"outside": "counted", "unit": "percent"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "intra_list_similarity": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        }
    },
    "recommenders": {
        "precision": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "r_precision": {
            "params": {"divide_by": "relevant", "average": "users_with_hit"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "crossed",
                "truth_duplicates": "joined"
            }
        },
        "rmse": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "mae": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "r2": {
            "params": {"constant": "zero"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "auc": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": 1e-100, "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "catalog_coverage": {
            "params": {"items": "history", "outside": "counted"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "shannon_entropy": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "surprisal": {
            "params": {"count": "events", "without_history": "zero", "average": "pooled"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "cosine_diversity": {
            "params": {"pairs": "items"},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        },
        "history_distance": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places",
                "truth_duplicates": "joined"
            }
        }
    },
    "recpack": {
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "dcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "cumulative_gain": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "catalog_coverage": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "propensity_hits": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        },
        "jaccard_diversity": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth", "undefined": "zero"
            }
        },
        "percentile_rank": {
            "params": {"average": "pooled", "unit": "percent"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "truth_duplicates": "best", "listed": "truth"
            }
        }
    },
    "rectools": {
        "precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "f_beta": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "accuracy": {
            "params": {"shown": "k"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "mcc": {
            "params": {"shown": "k"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "summed", "relevance_threshold": "-inf"
            }
        },
        "ndcg": {
            "params": {"gain": "binary", "ideal": "k"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "surprisal": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "popularity_count": {
            "params": {"count": "events"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "popularity_share": {
            "params": {"count": "events"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "serendipity": {
            "params": {"divide_by": "lines", "items": "catalog"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf", "undefined": "zero"
            }
        },
        "catalog_coverage": {
            "params": {"outside": "counted"},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "hamming_diversity": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf", "undefined": "zero"
            }
        },
        "user_coverage": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "baseline_share": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "list_fill": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "unrepeated_share": {
            "params": {},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "joined", "relevance_threshold": "-inf"
            }
        },
        "partial_ap": {
            "params": {"n": 10},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "best", "relevance_threshold": "-inf"
            }
        },
        "partial_auc": {
            "params": {"misses": 10},
            "rules": {
                "population": "judged", "order": "rank", "ties": "first", "duplicates": "outer",
                "truth_duplicates": "best", "relevance_threshold": "-inf"
            }
        }
    },
    "replay-0.11": {
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "average_precision": {
            "params": {"divide_by": "k"},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "list_auc": {
            "params": {"no_pairs": "bounds"},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "surprisal": {
            "params": {"unit": "share", "divide_by": "k"},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "unexpectedness": {
            "params": {"divide_by": "k", "users": "baseline"},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "best_in_cut",
                "truth_duplicates": "best"
            }
        },
        "catalog_coverage": {
            "params": {"items": "history", "outside": "counted"},
            "rules": {
                "population": "truth", "order": "score", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        }
    },
    "replay-0.9": {
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "list_auc": {
            "params": {"no_pairs": "bounds"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "surprisal": {
            "params": {"unit": "share", "divide_by": "k"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "unexpectedness": {
            "params": {"divide_by": "k", "users": "baseline"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "best"
            }
        },
        "catalog_coverage": {
            "params": {"items": "history", "outside": "counted"},
            "rules": {
                "population": "truth", "order": "score", "relevance_threshold": "-inf",
                "duplicates": "places"
            }
        }
    },
    "replay": {
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows"
            }
        },
        "list_auc": {
            "params": {"no_pairs": "bounds"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "surprisal": {
            "params": {"unit": "share", "divide_by": "k"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "novelty": {
            "params": {"users": "history"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "unexpectedness": {
            "params": {"divide_by": "k", "without_baseline": "expected"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "catalog_coverage": {
            "params": {"items": "history"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "category_coverage": {
            "params": {"divide_by": "k"},
            "rules": {
                "population": "truth", "order": "score", "ties": "item_desc",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        }
    },
    "rexmex": {
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "rows"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "inter_list_diversity": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "rows"
            }
        },
        "reciprocal_rank": {
            "params": {"items": "all"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "mean_rank": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "best"
            }
        },
        "spearman": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "rows"
            }
        },
        "kendall": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "rows"
            }
        },
        "intra_list_similarity": {
            "params": {},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "rows"
            }
        },
        "surprisal": {
            "params": {"divide_by": "k"},
            "rules": {
                "population": "truth_and_recs", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "rows"
            }
        }
    },
    "rs_metrics-0.3": {
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best",
                "without_list": "undefined", "undefined": "propagate"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "joined"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "average_precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best",
                "without_list": "undefined", "undefined": "propagate"
            }
        },
        "average_recall": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "without_list": "undefined", "undefined": "propagate"
            }
        },
        "ndcg": {
            "params": {"gain": "binary", "ideal": "list_length"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows",
                "without_list": "undefined", "undefined": "propagate"
            }
        },
        "popularity_share": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "surprisal": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "catalog_coverage": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "alpha_ndcg": {
            "params": {"form": "rs_metrics"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best",
                "undefined": "propagate"
            }
        }
    },
    "rs_metrics-0.4": {
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best",
                "without_list": "undefined", "undefined": "propagate"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "joined"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "average_precision": {
            "params": {"divide_by": "hits"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "average_recall": {
            "params": {"divide_by": "hits"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows"
            }
        },
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "popularity_share": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "surprisal": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "catalog_coverage": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "alpha_ndcg": {
            "params": {"form": "rs_metrics"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best",
                "undefined": "propagate"
            }
        }
    },
    "rs_metrics": {
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best",
                "without_list": "undefined", "undefined": "propagate"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "once", "truth_duplicates": "joined"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "average_precision": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "rows"
            }
        },
        "ndcg": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "popularity_share": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "surprisal": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "catalog_coverage": {
            "params": {},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best"
            }
        },
        "alpha_ndcg": {
            "params": {"form": "rs_metrics"},
            "rules": {
                "population": "truth", "order": "rank", "ties": "first",
                "relevance_threshold": "-inf", "duplicates": "places", "truth_duplicates": "best",
                "undefined": "propagate"
            }
        }
    },
    "sklearn": {
        "ndcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero", "ties": "shared", "unlisted": "universe"
            }
        },
        "dcg": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero", "ties": "shared", "unlisted": "universe"
            }
        },
        "precision": {
            "params": {"divide_by": "list_length"},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero"
            }
        },
        "set_f": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero"
            }
        },
        "accuracy": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero"
            }
        },
        "mae": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "undefined": "omit", "duplicates": "places"
            }
        },
        "mse": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "undefined": "omit", "duplicates": "places"
            }
        },
        "rmse": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "undefined": "omit", "duplicates": "places"
            }
        },
        "r2": {
            "params": {"constant": "zero"},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "undefined": "omit", "duplicates": "places"
            }
        },
        "auc": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "undefined": "omit", "duplicates": "places"
            }
        },
        "gauc": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "joined",
                "undefined": "omit", "duplicates": "places"
            }
        },
        "truth_jaccard": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero"
            }
        },
        "catalog_auc": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "propagate", "ties": "expected"
            }
        },
        "catalog_average_precision": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero"
            }
        },
        "label_ranking_loss": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero", "ties": "worst"
            }
        },
        "coverage_error": {
            "params": {},
            "rules": {
                "population": "judged", "order": "score", "truth_duplicates": "last",
                "undefined": "zero", "ties": "worst"
            }
        }
    },
    "torchmetrics": {
        "average_precision": {
            "params": {"divide_by": "hits"},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero", "scores": "positive"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero", "scores": "positive"
            }
        },
        "precision": {
            "params": {"divide_by": "k_or_known"},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero", "scores": "positive"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero", "scores": "positive"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero", "unlisted": "last"
            }
        },
        "r_precision": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero", "unlisted": "last"
            }
        },
        "ndcg": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero", "ties": "shared",
                "unlisted": "last"
            }
        },
        "catalog_auc": {
            "params": {"items": "list"},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero"
            }
        },
        "list_auc": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero"
            }
        },
        "fall_out": {
            "params": {},
            "rules": {
                "population": "all", "order": "score", "duplicates": "outer",
                "truth_duplicates": "last", "undefined": "zero"
            }
        }
    },
    "trec_eval": {
        "item_count": {
            "params": {"of": "retrieved"},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "average_precision": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "geometric_map": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "r_precision": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "bpref": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "interpolated_precision": {
            "params": {"recall": 0},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "precision": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "recall": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "inferred_average_precision": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "geometric_bpref": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "set_utility": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "eleven_point_average_precision": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "normalized_gain": {
            "params": {"gain": "binary"},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "ndcg": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "ndcg_at_gains": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "ndcg_at_grades": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "hit_rate": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "set_average_precision": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "set_f": {
            "params": {},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "rbp": {
            "params": {"p": 0.9, "gain": "normalized"},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "rbp_residual": {
            "params": {"p": 0.9, "all_judged": "zero"},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        },
        "unjudged_share": {
            "params": {"divide_by": "k"},
            "rules": {
                "population": "judged_and_recs", "order": "score", "ties": "text_desc",
                "undefined": "zero"
            }
        }
    },
    "warprec": {
        "precision": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "recall": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "hit_rate": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "reciprocal_rank": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "average_precision": {
            "params": {"divide_by": "achievable"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "average_recall": {
            "params": {"divide_by": "achievable"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "f_beta": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "ndcg": {
            "params": {"gain": "exponential", "gains": "relevant", "shift": 1},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "catalog_auc": {
            "params": {"weight": "positives", "neither": "nothing", "padding": 1},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "subtopic_recall": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "item_count": {
            "params": {"of": "counted_users"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "catalog_coverage": {
            "params": {"unit": "items", "outside": "counted"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "gini": {
            "params": {"items": "catalog", "divide_by": "others"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "shannon_entropy": {
            "params": {"unit": "nats"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "epc": {
            "params": {"without_history": "once"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "efd": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "popularity_count": {
            "params": {"without_history": "once"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "mae": {
            "params": {"average": "users"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "mse": {
            "params": {"average": "users"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "rmse": {
            "params": {"average": "users"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "limited_auc": {
            "params": {"padding": 1},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "log_loss": {
            "params": {"of": "logits", "average": "users"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "tail_share": {
            "params": {"divide_by": "k", "equals": "by_id"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "pop_rsp": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "pop_reo": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "rsp": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "reo": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "bias_disparity": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "unbiased_recall": {
            "params": {},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "unbiased_ndcg": {
            "params": {"divide_by": "weights"},
            "rules": {"order": "score", "truth_duplicates": "last", "listed": "truth"}
        },
        "item_mad": {
            "params": {"gain": "exponential", "shift": 1},
            "rules": {
                "order": "score", "truth_duplicates": "last", "listed": "truth",
                "population": "judged", "undefined": "zero"
            }
        },
        "item_score_mad": {
            "params": {"places": "hits"},
            "rules": {
                "order": "score", "truth_duplicates": "last", "listed": "truth",
                "population": "judged", "undefined": "zero"
            }
        }
    }
}
{% endset %}
{{ return(fromjson(entries)) }}
{% endmacro %}
