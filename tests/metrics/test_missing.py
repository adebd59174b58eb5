"""Users without a relevant item, without a list or without a hit: all metrics with one answer."""

from .cases import case, given, nothing_shown, worked

test_users_without_a_relevant_item = worked(
    given(recs="ab", truth={"a": 0}, population="judged"),
    "have no value of most metrics",
    case({"ndcg@2 ndcg(digits=five)@2 ndcg_rel rndcg normalized_gain(gain=*)": None}),
    case({"map(divide_by=relevant)@2 map(divide_by=achievable)@2": None}),
    case({"map(divide_by=achievable_in_list)@2 set_map gmap infap pap 11pt": None}),
    case({"bpref geometric_bpref pauc f1(of=means)@2 iprec(recall=0)": None}),
    case({"recall(divide_by=*)@2 recall(digits=four)@2 r_precision(divide_by=*)@2": None}),
    "count in others",
    case({"rbp(ideal=*) depth_precision@2 set_f": 0, "set_utility": -2}),
    case({"item_count(of=hits) item_count(of=relevant)": 0, "item_count(of=retrieved)": 2}),
    case({"item_count(of=nonrelevant) map(without_hits=one)@2": 1}),
)

test_users_without_a_list = worked(
    "count as 0",
    given(**nothing_shown("a")),
    case({"map(divide_by=*)@3 mar(divide_by=*)@3 gmap infap pap 11pt geometric_bpref": 0}),
    case({"depth_precision@5 page_ndcg rbp_residual(p=0.5, all_judged=zero)": 0}),
    case({"ndcg_rel rndcg normalized_gain(gain=*) set_map set_f": 0}, **nothing_shown("ab")),
    case({"truth_jaccard@3 list_auc(no_pairs=bounds)@2 set_utility": 0}, **nothing_shown("ab")),
    "count as 0 if the truth has grades",
    given(**nothing_shown({"a": 1})),
    case({"bpm@2 compatibility@2 err@5 insq@2 inst@2 nearly_err@2 nerr@2 pfound@5": 0}),
    case({"top_precision@5": 0}),
    "have other values of some metrics",
    given(**nothing_shown("ab")),
    case({"item_count(of=hits) item_count(of=retrieved) item_count(of=nonrelevant)": 0}),
    case({"item_count(of=relevant) set_utility(miss=-1, rest=0.5, collection=10)": 2.0}),
    case({"list_auc@2": None}),
    case({"rbp_residual": 1}, **nothing_shown("a")),
)

test_users_without_a_hit = worked(
    "count as 0",
    case({"ndcg_rel rndcg normalized_gain(gain=*) expected_exposure_relevance": 0}, "xy", "ab"),
    case({"nearly_err@2 list_auc(no_pairs=bounds)@2": 0}, "xy", "a"),
)
