# Made by docs/update.py from the headers of the metrics.
from collections.abc import Iterable
from typing import Literal

class Request(str):
    def __matmul__(self, k: int | str | Iterable[int | str]) -> Request: ...
class Accuracy(Request):
    def __call__(self, *, shown: Literal["list_length", "k"] = ..., convention: str = ...) -> Request:
        "Accuracy: the share of the catalog's items that are both shown and relevant, or neither, from 0 to 1."
accuracy: Accuracy
class AlphaDcg(Request):
    def __call__(self, *, alpha: float = ..., convention: str = ...) -> Request:
        "Alpha-DCG: the DCG of a list whose hits gain less for each hit above that has the same aspect, as a share of the gain of the best conceivable list, from 0 to 1."
alpha_dcg: AlphaDcg
class AlphaNdcg(Request):
    def __call__(self, *, alpha: float = ..., form: Literal["clarke", "rs_metrics"] = ..., convention: str = ...) -> Request:
        "Alpha-NDCG: the NDCG of a list whose hits gain less for each hit above that has the same aspect, from 0 to 1."
alpha_ndcg: AlphaNdcg
a_ndcg: AlphaNdcg
class AtkinsonIndex(Request):
    def __call__(self, *, items: Literal["recommended", "catalog"] = ..., weight: Literal["plain", "rank"] = ..., aversion: float = ..., convention: str = ...) -> Request:
        "Atkinson's index: the share of all exposure that could be given up without loss of social welfare, if the rest were divided equally among the items, from 0 to 1. At 0 all items are shown equally often; near 1 a few items get everything."
atkinson_index: AtkinsonIndex
class Auc(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "AUC: the share of pairs of a relevant and an irrelevant item, over all users together, in which the relevant item has the higher score, from 0 to 1."
auc: Auc
class AverageOverlap(Request):
    def __call__(self, *, divide_by: Literal["longer", "k"] = ..., convention: str = ...) -> Request:
        "Average overlap: the share of items that the first d ranks of two lists for the same user have in common, averaged over all depths d, from 0 to 1."
average_overlap: AverageOverlap
ao: AverageOverlap
class AveragePrecision(Request):
    def __call__(self, *, divide_by: Literal["relevant", "achievable", "hits", "k", "list_length", "achievable_in_list"] = ..., without_hits: Literal["zero", "one"] = ..., convention: str = ...) -> Request:
        "Average precision: the precision at each hit, summed and divided by the number of hits that were possible, from 0 to 1. Its mean over users is known as MAP."
average_precision: AveragePrecision
ap: AveragePrecision
map: AveragePrecision
mean_average_precision: AveragePrecision
class AverageRecall(Request):
    def __call__(self, *, divide_by: Literal["hits", "list_length", "achievable", "k"] = ..., convention: str = ...) -> Request:
        "Average recall: the recall at each hit, averaged over the hits, from 0 to 1. Its mean over users is known as MAR."
average_recall: AverageRecall
ar: AverageRecall
mar: AverageRecall
mean_average_recall: AverageRecall
class BaselineSerendipity(Request):
    def __call__(self, *, divide_by: Literal["list_length", "k", "unexpected"] = ..., convention: str = ...) -> Request:
        "Baseline serendipity: the share of the list that is relevant and not in the baseline's list, both within k, from 0 to 1."
baseline_serendipity: BaselineSerendipity
srdp: BaselineSerendipity
unexpected_relevance: BaselineSerendipity
class BaselineShare(Request):
    def __call__(self, *, baseline_k: float = ..., convention: str = ...) -> Request:
        "Baseline share: the share of the list that the baseline's list has too, from 0 to 1."
baseline_share: BaselineShare
intersection: BaselineShare
class BiasDisparity(Request):
    def __call__(self, *, group: str, of: Literal["change", "recs", "history"] = ..., convention: str = ...) -> Request:
        "Bias disparity: how much more or less of the lists goes to a group of items than of the users' history, at least -1. At 0 both give it the same share."
bias_disparity: BiasDisparity
class Bpm(Request):
    def __call__(self, *, goal: float = ..., max_grade: float = ..., convention: str = ...) -> Request:
        "BPM: the mean gain of the ranks seen by a user who stops after gaining enough, or at rank k, from 0 to 1."
bpm: Bpm
bejeweled_player_model: Bpm
class Bpref(Request):
    def __call__(self, *, without_nonrelevant: Literal["recall", "undefined"] = ..., convention: str = ...) -> Request:
        "Bpref: how far relevant items rank above those judged not relevant, while items without a judgment are ignored, from 0 to 1."
bpref: Bpref
class CalibrationJs(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Calibration JS: the Jensen-Shannon divergence between the categories of the list and the categories of the user's history, in bits, from 0 to 1. It measures miscalibration, so 0 is best."
calibration_js: CalibrationJs
class CalibrationKl(Request):
    def __call__(self, *, alpha: float = ..., unit: Literal["bits", "nats"] = ..., convention: str = ...) -> Request:
        "Calibration KL: the Kullback-Leibler divergence of the categories of the list from the categories of the user's history, at least 0. It measures miscalibration, so 0 is best."
calibration_kl: CalibrationKl
miscalibration: CalibrationKl
class CascadeDr(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Cascade DR: the mean reward that the slates of another policy would have had, estimated doubly robustly for users who read from the top, unbounded."
cascade_dr: CascadeDr
slate_cascade_dr: CascadeDr
class CatalogAuc(Request):
    def __call__(self, *, weight: Literal["none", "positives"] = ..., items: Literal["catalog", "list"] = ..., neither: Literal["half", "nothing"] = ..., padding: float = ..., convention: str = ...) -> Request:
        "Catalog AUC: the share of pairs of a relevant and an irrelevant item of the catalog in which the list ranks the relevant one higher, from 0 to 1."
catalog_auc: CatalogAuc
class CatalogAveragePrecision(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Catalog average precision: the share of relevant items among those ranked at or above a relevant item, averaged over the user's relevant items, from 0 to 1."
catalog_average_precision: CatalogAveragePrecision
lrap: CatalogAveragePrecision
class CatalogCoverage(Request):
    def __call__(self, *, items: Literal["catalog", "history"] = ..., outside: Literal["ignored", "counted"] = ..., unit: Literal["share", "items", "percent"] = ..., padding: float = ..., convention: str = ...) -> Request:
        "Catalog coverage: the share of the catalog's items that some list shows, from 0 to 1."
catalog_coverage: CatalogCoverage
coverage: CatalogCoverage
catalogue_coverage: CatalogCoverage
item_coverage: CatalogCoverage
class CategoryCoverage(Request):
    def __call__(self, *, divide_by: Literal["k", "list_length", "categories"] = ..., ranks: Literal["items", "categories"] = ..., convention: str = ...) -> Request:
        "Category coverage: how many different categories the list shows, per rank or as a share of all categories, at least 0."
category_coverage: CategoryCoverage
categorical_diversity: CategoryCoverage
class CategoryEntropy(Request):
    def __call__(self, *, smoothing: float = ..., convention: str = ...) -> Request:
        "Category entropy: how evenly the list is spread over categories, in bits, at least 0."
category_entropy: CategoryEntropy
class Churn(Request):
    def __call__(self, *, divide_by: Literal["ranks", "k"] = ..., convention: str = ...) -> Request:
        "Churn: the share of recommendations of two lists for the same user that changed, from 0 to 1."
churn: Churn
class ClippedIps(Request):
    def __call__(self, *, clip: float = ..., convention: str = ...) -> Request:
        "Clipped IPS: IPS with each weight cut at a limit, unbounded."
clipped_ips: ClippedIps
clipped_ipw: ClippedIps
cips: ClippedIps
class CohenKappa(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Cohen's kappa: how far a judge and people agree beyond chance, where disagreement is the squared difference of their grades, from -1 to 1. At 0 they agree as if the judge's grades were assigned at random."
cohen_kappa: CohenKappa
quadratic_weighted_kappa: CohenKappa
concordance_correlation: CohenKappa
class Compatibility(Request):
    def __call__(self, *, p: float = ..., divide_by: Literal["best", "weights"] = ..., convention: str = ...) -> Request:
        "Compatibility: the rank-biased overlap of a list with the best list of the user's items, divided by the overlap of the best list with itself, from 0 to 1."
compatibility: Compatibility
compat: Compatibility
class CosineDiversity(Request):
    def __call__(self, *, pairs: Literal["ranks", "items"] = ..., divide_by: Literal["pairs", "ranks"] = ..., convention: str = ...) -> Request:
        "Cosine diversity: 1 minus the cosine similarity of two items' vectors, averaged over the pairs of the list, from 0 to 2, and at most 1 if no value is negative."
cosine_diversity: CosineDiversity
class CoverageError(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Coverage error: the number of items, from the top of the ranked catalog, that include all of the user's relevant items, at least 1."
coverage_error: CoverageError
class Ctr(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "CTR: the mean reward of the logged decisions whose item is in the user's list, from 0 to 1 if rewards are clicks."
ctr: Ctr
click_through_rate: Ctr
replay: Ctr
class CumulativeGain(Request):
    def __call__(self, *, gain: Literal["linear", "binary", "exponential"] = ..., convention: str = ...) -> Request:
        "Cumulative gain: the sum of the gains of the items within k, at least 0."
cumulative_gain: CumulativeGain
cg: CumulativeGain
class Dcg(Request):
    def __call__(self, *, gain: Literal["linear", "binary", "exponential"] = ..., discount: Literal["standard", "late", "reciprocal"] = ..., convention: str = ...) -> Request:
        "DCG: the sum of the gains of the items within k, discounted by rank, at least 0."
dcg: Dcg
discounted_cumulative_gain: Dcg
class DepthPrecision(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Depth precision: the precision of the first d ranks, averaged over all depths d down to k, from 0 to 1. A hit at a higher rank has more weight, even if no other item is relevant."
depth_precision: DepthPrecision
mean_precision: DepthPrecision
class DirectMethod(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Direct method: the mean reward that a reward model predicts for another policy, unbounded."
direct_method: DirectMethod
dm: DirectMethod
class DisparateImpact(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Disparate impact: how evenly the relevant items of groups are found, from 0 to 1. At 1 relevant items of all groups are equally likely to be shown; at 0 the relevant items of one group are never shown."
disparate_impact: DisparateImpact
class DisparateTreatment(Request):
    def __call__(self, *, merit: Literal["relevant", "items"] = ..., weight: Literal["rank", "plain"] = ..., convention: str = ...) -> Request:
        "Disparate treatment: how evenly groups of items are shown relative to their merit, from 0 to 1. At 1 all groups get the same exposure per relevant item; at 0 a group with relevant items gets none."
disparate_treatment: DisparateTreatment
class DoublyRobust(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Doubly robust: the direct method, corrected by the weighted errors of the reward model, unbounded."
doubly_robust: DoublyRobust
dr: DoublyRobust
class Efd(Request):
    def __call__(self, *, relevance: Literal["binary", "exponential", "ignored"] = ..., discount: Literal["logarithmic", "geometric", "none"] = ..., patience: float = ..., convention: str = ...) -> Request:
        "EFD: expected free discovery: how rare the relevant items of the list are in the history, in bits, weighted by rank, at least 0."
efd: Efd
expected_free_discovery: Efd
class EffectiveSampleSize(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Effective sample size: the number of equally weighted decisions that would be as informative, from 1 to the number of logged decisions."
effective_sample_size: EffectiveSampleSize
ess: EffectiveSampleSize
class ElevenPointAveragePrecision(Request):
    def __call__(self, *, rounding: Literal["nearest", "up", "tenth"] = ..., convention: str = ...) -> Request:
        "Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1, from 0 to 1."
eleven_point_average_precision: ElevenPointAveragePrecision
eleven_point_ap: ElevenPointAveragePrecision
class Epc(Request):
    def __call__(self, *, relevance: Literal["binary", "exponential", "ignored"] = ..., discount: Literal["logarithmic", "geometric", "none"] = ..., patience: float = ..., without_history: Literal["never", "once"] = ..., convention: str = ...) -> Request:
        "EPC: expected popularity complement: how little known the relevant items of the list are, as the share of users who have not had them, weighted by rank, from 0 to 1."
epc: Epc
expected_popularity_complement: Epc
class EquityOfAttention(Request):
    def __call__(self, *, weight: Literal["rank", "plain"] = ..., convention: str = ...) -> Request:
        "Equity of attention: how far each item's share of attention is from its share of merit, added up over items, from 0 to 2. At 0 each item is shown in proportion to the number of users to whom it is relevant."
equity_of_attention: EquityOfAttention
class Err(Request):
    def __call__(self, *, max_grade: float = ..., scale: Literal["given", "own"] = ..., digits: Literal["all", "five"] = ..., convention: str = ...) -> Request:
        "ERR: the expected reciprocal of the rank where a user who reads from the top is satisfied and stops, from 0 to 1."
err: Err
expected_reciprocal_rank: Err
class ExpectedExposureDisparity(Request):
    def __call__(self, *, patience: float = ..., convention: str = ...) -> Request:
        "Expected exposure disparity: how unequally a list distributes exposure over items, at least 0."
expected_exposure_disparity: ExpectedExposureDisparity
eed: ExpectedExposureDisparity
ee_d: ExpectedExposureDisparity
class ExpectedExposureLoss(Request):
    def __call__(self, *, patience: float = ..., grades: Literal["given", "binary"] = ..., convention: str = ...) -> Request:
        "Expected exposure loss: the squared distance between the exposure that items get and the exposure that they deserve, at least 0."
expected_exposure_loss: ExpectedExposureLoss
eel: ExpectedExposureLoss
ee_l: ExpectedExposureLoss
class ExpectedExposureRelevance(Request):
    def __call__(self, *, patience: float = ..., grades: Literal["given", "binary"] = ..., convention: str = ...) -> Request:
        "Expected exposure relevance: how much exposure a list gives to items that deserve it, at least 0."
expected_exposure_relevance: ExpectedExposureRelevance
eer: ExpectedExposureRelevance
ee_r: ExpectedExposureRelevance
class ExposureShare(Request):
    def __call__(self, *, group: str, weight: Literal["rank", "plain"] = ..., convention: str = ...) -> Request:
        "Exposure share: the share of the exposure in all lists that goes to the items of a group, from 0 to 1."
exposure_share: ExposureShare
class FBeta(Request):
    def __call__(self, *, beta: float = ..., of: Literal["users", "means"] = ..., divide_by: Literal["k", "list_length", "k_or_length", "known"] = ..., convention: str = ...) -> Request:
        "F-beta: the weighted harmonic mean of precision and recall, from 0 to 1."
f_beta: FBeta
f1: FBeta
f: FBeta
f1_score: FBeta
f_measure: FBeta
class FallOut(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Fall-out: the share of the catalog's irrelevant items that the list shows within k, from 0 to 1. It is the false positive rate."
fall_out: FallOut
false_positive_rate: FallOut
class Fcp(Request):
    def __call__(self, *, average: Literal["pooled", "users", "means"] = ..., ties: Literal["left_out", "discordant"] = ..., convention: str = ...) -> Request:
        "FCP: the fraction of concordant pairs, whose items are in the same order by score and by grade, from 0 to 1."
fcp: Fcp
fraction_of_concordant_pairs: Fcp
class Gauc(Request):
    def __call__(self, *, weight: Literal["none", "impressions", "positives"] = ..., convention: str = ...) -> Request:
        "GAUC: the share of a user's pairs of a relevant and an irrelevant item in which the relevant item has the higher score, from 0 to 1."
gauc: Gauc
user_auc: Gauc
class GeometricBpref(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Geometric bpref: the geometric mean of per-user bpref, dominated by the users with the lowest values, from 0 to 1."
geometric_bpref: GeometricBpref
gm_bpref: GeometricBpref
class GeometricMap(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Geometric MAP: the geometric mean of per-user average precision, dominated by the users with the lowest values, from 0 to 1."
geometric_map: GeometricMap
gmap: GeometricMap
gm_map: GeometricMap
class Gini(Request):
    def __call__(self, *, items: Literal["recommended", "catalog"] = ..., weight: Literal["plain", "rank", "geometric"] = ..., patience: float = ..., padding: float = ..., divide_by: Literal["items", "others"] = ..., convention: str = ...) -> Request:
        "Gini: how unequally exposure is distributed over the items, from 0 to 1. At 0 all items are shown equally often; near 1 a few items get everything."
gini: Gini
gini_index: Gini
class GiniDiversity(Request):
    def __call__(self, *, weight: Literal["plain", "rank"] = ..., convention: str = ...) -> Request:
        "Gini diversity: how evenly exposure is distributed over the catalog, from 0 to 1. At 1 all items are shown equally often; at 0 one item gets everything."
gini_diversity: GiniDiversity
gini_complement: GiniDiversity
class HammingDiversity(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Hamming diversity: the number of categories in which two items of the list differ, averaged over its pairs, at least 0."
hamming_diversity: HammingDiversity
class Herfindahl(Request):
    def __call__(self, *, weight: Literal["plain", "rank"] = ..., convention: str = ...) -> Request:
        "Herfindahl index: how much all recommendations are concentrated on few items, from 0 to 1. Its inverse is the number of equally shown items that would have the same value."
herfindahl: Herfindahl
hhi: Herfindahl
herfindahl_hirschman: Herfindahl
class HistoryDistance(Request):
    def __call__(self, *, of: Literal["all", "relevant", "hits"] = ..., convention: str = ...) -> Request:
        "History distance: 1 minus the mean cosine similarity of the list's items and the items of the user's history, from 0 to 2, and at most 1 if no value is negative."
history_distance: HistoryDistance
class HitRate(Request):
    def __call__(self, *, unjudged: Literal["miss", "hit"] = ..., convention: str = ...) -> Request:
        "Hit rate: the share of users with at least one relevant item within k, from 0 to 1."
hit_rate: HitRate
hit: HitRate
hr: HitRate
hitrate: HitRate
hit_ratio: HitRate
success: HitRate
top_k_accuracy: HitRate
class InferredAveragePrecision(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Inferred average precision: average precision where only a sample of the pool was judged, from 0 to 1."
inferred_average_precision: InferredAveragePrecision
infap: InferredAveragePrecision
inf_ap: InferredAveragePrecision
class Insq(Request):
    def __call__(self, *, goal: float = ..., max_grade: float = ..., convention: str = ...) -> Request:
        "INSQ: the expected gain per rank for a user who is more likely to continue at deeper ranks and with a larger goal, from 0 to 1."
insq: Insq
class Inst(Request):
    def __call__(self, *, goal: float = ..., max_grade: float = ..., convention: str = ...) -> Request:
        "INST: the expected gain per rank for a user who is more likely to continue the further the gain so far is from the goal, from 0 to 1."
inst: Inst
class IntentAveragePrecision(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Intent-aware average precision: the average precision for each aspect of a user's relevant items, averaged over these aspects, from 0 to 1. Its mean over users is known as MAP-IA."
intent_average_precision: IntentAveragePrecision
ap_ia: IntentAveragePrecision
map_ia: IntentAveragePrecision
class IntentErr(Request):
    def __call__(self, *, alpha: float = ..., convention: str = ...) -> Request:
        "Intent-aware ERR: the expected reciprocal rank for each aspect of a user's relevant items, averaged over these aspects, as a share of the value of the best conceivable list, from 0 to 1."
intent_err: IntentErr
err_ia: IntentErr
class IntentPrecision(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Intent-aware precision: the precision at k for each aspect of a user's relevant items, averaged over these aspects, from 0 to 1."
intent_precision: IntentPrecision
p_ia: IntentPrecision
precision_ia: IntentPrecision
class InterListDiversity(Request):
    def __call__(self, *, divide_by: Literal["lengths", "k"] = ..., convention: str = ...) -> Request:
        "Inter-list diversity: how much the lists of two users differ, over all pairs of users, from 0 to 1."
inter_list_diversity: InterListDiversity
personalization: InterListDiversity
personalisation: InterListDiversity
class InterpolatedPrecision(Request):
    def __call__(self, *, recall: float = ..., rounding: Literal["nearest", "up", "tenth"] = ..., convention: str = ...) -> Request:
        "Interpolated precision: the highest precision at the hit that reaches a given recall, or at any later hit, from 0 to 1."
interpolated_precision: InterpolatedPrecision
iprec: InterpolatedPrecision
iprec_at_recall: InterpolatedPrecision
class IntraListDiversity(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Intra-list diversity: the mean distance of two items of the list, with distances that you give, at least 0."
intra_list_diversity: IntraListDiversity
ild: IntraListDiversity
class IntraListSimilarity(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Intra-list similarity: the cosine similarity of two items' vectors, averaged over the pairs of the list, from -1 to 1, and at least 0 if no value is negative."
intra_list_similarity: IntraListSimilarity
ils: IntraListSimilarity
class Ips(Request):
    def __call__(self, *, divide_by: Literal["logged", "recommended"] = ..., convention: str = ...) -> Request:
        "IPS: the mean reward that another policy would have had, estimated by inverse propensity scores, unbounded."
ips: Ips
ipw: Ips
inverse_propensity: Ips
class ItemCount(Request):
    def __call__(self, *, of: Literal["hits", "retrieved", "relevant", "nonrelevant", "counted_users", "full_lists"] = ..., per: Literal["all", "user"] = ..., convention: str = ...) -> Request:
        "Item count: how many items are in the lists, in the truth or in both, or how many users are counted, at least 0."
item_count: ItemCount
class ItemMad(Request):
    def __call__(self, *, gain: Literal["linear", "binary", "exponential"] = ..., ranks: Literal["all", "hits"] = ..., shift: float = ..., convention: str = ...) -> Request:
        "Item MAD, mean absolute difference: how much the mean gains of groups of items differ, over the ranks where lists show them, at least 0. At 0 the mean gains of all groups are equal."
item_mad: ItemMad
class ItemScoreMad(Request):
    def __call__(self, *, ranks: Literal["all", "hits"] = ..., convention: str = ...) -> Request:
        "Item score MAD: the mean absolute difference between the mean scores of groups of items, at least 0. At 0 the mean scores of all groups are equal."
item_score_mad: ItemScoreMad
class JaccardDiversity(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Jaccard diversity: 1 minus the Jaccard similarity of two items' categories, averaged over the pairs of the list, from 0 to 1."
jaccard_diversity: JaccardDiversity
class JainIndex(Request):
    def __call__(self, *, items: Literal["recommended", "catalog"] = ..., weight: Literal["plain", "rank"] = ..., convention: str = ...) -> Request:
        "Jain's index: how equally exposure is distributed over the items, from 0 to 1. At 1 all items are shown equally often. If m of n items are shown equally often and the others never, it is m/n."
jain_index: JainIndex
class JudgedShare(Request):
    def __call__(self, *, divide_by: Literal["list_length", "k"] = ..., convention: str = ...) -> Request:
        "Judged share: the share of the list that the truth judges, relevant or not, from 0 to 1."
judged_share: JudgedShare
judged: JudgedShare
class Kendall(Request):
    def __call__(self, *, variant: Literal["tau_b", "tau_a"] = ..., convention: str = ...) -> Request:
        "Kendall's tau: how well a user's scores and grades agree on the order of items, from -1 to 1."
kendall: Kendall
kendall_tau: Kendall
class KrippendorffAlpha(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Krippendorff's alpha: 1 minus the disagreement of a judge and people divided by the disagreement expected by chance, both as squared differences, from -1 to 1. At 0 the score and the grade of an item differ as much as two of them drawn at random."
krippendorff_alpha: KrippendorffAlpha
class LabelRankingLoss(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Label ranking loss: the share of pairs of a relevant and an irrelevant item of the catalog in which the relevant one is not ranked higher, from 0 to 1."
label_ranking_loss: LabelRankingLoss
ranking_loss: LabelRankingLoss
class LeakShare(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Leak share: the share of the user's relevant items that are already in the user's history, from 0 to 1."
leak_share: LeakShare
class LimitedAuc(Request):
    def __call__(self, *, padding: float = ..., convention: str = ...) -> Request:
        "Limited AUC: how far the relevant items within k rank above irrelevant items of the catalog, as a share of the best possible list, from 0 to 1. Known as LAUC."
limited_auc: LimitedAuc
lauc: LimitedAuc
class ListAuc(Request):
    def __call__(self, *, no_pairs: Literal["undefined", "bounds"] = ..., convention: str = ...) -> Request:
        "List AUC: the share of pairs of a hit and a miss within the first k ranks in which the hit is above, from 0 to 1."
list_auc: ListAuc
roc_auc: ListAuc
class ListCtr(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "List CTR: the mean relevance of the recommendations in all lists whose item is in the user's truth; from 0 to 1 where the relevance is a click."
list_ctr: ListCtr
class ListDoublyRobust(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "List doubly robust: the mean score over all recommendations, corrected by inverse propensities where the item is in the user's truth, unbounded."
list_doubly_robust: ListDoublyRobust
class ListFill(Request):
    def __call__(self, *, of: Literal["lists", "ranks"] = ..., convention: str = ...) -> Request:
        "List fill: the share of the lists that have k items, or the share of the k ranks that hold an item; from 0 to 1."
list_fill: ListFill
sufficient_reco: ListFill
class ListIps(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "List IPS: the mean reward over all recommendations, estimated by inverse propensity scores from the items in the truth, unbounded."
list_ips: ListIps
class ListJaccard(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "List Jaccard: the items that are in both of two lists for the same user, as a share of the items in either, from 0 to 1."
list_jaccard: ListJaccard
jaccard: ListJaccard
class LogLoss(Request):
    def __call__(self, *, of: Literal["probabilities", "logits"] = ..., average: Literal["pooled", "users"] = ..., convention: str = ...) -> Request:
        "Log loss: the mean negative log-likelihood of relevance, with scores as probabilities, at least 0."
log_loss: LogLoss
logloss: LogLoss
logarithmic_loss: LogLoss
cross_entropy: LogLoss
class Mae(Request):
    def __call__(self, *, average: Literal["pooled", "users"] = ..., convention: str = ...) -> Request:
        "MAE: the mean absolute error of the scores as predictions of the grades, at least 0."
mae: Mae
mean_absolute_error: Mae
class MatchedShare(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Matched share: the share of the logged decisions that the evaluated policy could have made, from 0 to 1."
matched_share: MatchedShare
weight_overlap: MatchedShare
class MaxWeight(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Maximum weight: the largest importance weight of a logged decision, at least 0."
max_weight: MaxWeight
largest_weight: MaxWeight
class Mcc(Request):
    def __call__(self, *, shown: Literal["list_length", "k"] = ..., convention: str = ...) -> Request:
        "MCC: the Matthews correlation between being shown within k and being relevant, over the items of the catalog, from -1 to 1."
mcc: Mcc
matthews_correlation: Mcc
class MeanRank(Request):
    def __call__(self, *, average: Literal["arithmetic", "geometric"] = ..., convention: str = ...) -> Request:
        "Mean rank: the mean rank of the user's relevant items, at least 1. It is common in link prediction for knowledge graphs, where a list ranks all candidates."
mean_rank: MeanRank
class MeanScore(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Mean score: the mean of the scores within k, hit or miss, in the unit of the scores, unbounded."
mean_score: MeanScore
average_score: MeanScore
class Mse(Request):
    def __call__(self, *, average: Literal["pooled", "users"] = ..., convention: str = ...) -> Request:
        "MSE: the mean squared error of the scores as predictions of the grades, at least 0."
mse: Mse
mean_squared_error: Mse
class NcisPrecision(Request):
    def __call__(self, *, clip: float = ..., convention: str = ...) -> Request:
        "NCIS precision: the precision of a list that replaces the baseline's, with each rank weighted by its score relative to the baseline's, from 0 to 1."
ncis_precision: NcisPrecision
ncisprecision: NcisPrecision
class Ndcg(Request):
    def __call__(self, *, gain: Literal["linear", "binary", "exponential"] = ..., gains: Literal["all", "relevant"] = ..., ideal: Literal["achievable", "relevant", "list_length", "k"] = ..., ideal_gain: float = ..., discount: Literal["standard", "late", "reciprocal"] = ..., shift: float = ..., digits: Literal["all", "five"] = ..., convention: str = ...) -> Request:
        "NDCG: the DCG of a list divided by the DCG of the best list of the user's own items, from 0 to 1."
ndcg: Ndcg
normalized_discounted_cumulative_gain: Ndcg
class NdcgAtGains(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "NDCG at gains: the mean NDCG at the ranks of the user's items with a gain, from 0 to 1. An item that is not in the list counts the NDCG of the whole list."
ndcg_at_gains: NdcgAtGains
ndcg_rel: NdcgAtGains
class NdcgAtGrades(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "NDCG at grades: the mean NDCG at the last ranks before the best list changes to a lower gain, from 0 to 1. It is R-precision for graded relevance."
ndcg_at_grades: NdcgAtGrades
rndcg: NdcgAtGrades
class Ndpm(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "NDPM: how far the order of the scores is from the order of the grades, from 0 to 1; 0 is the best."
ndpm: Ndpm
class NearlyErr(Request):
    def __call__(self, *, equation: float = ..., max_grade: float = ..., p: float = ..., goal: float = ..., convention: str = ...) -> Request:
        "Nearly ERR: the expected gain per rank seen by a user who stops at a rank with a probability equal to its gain, and otherwise continues with a probability set by one of four equations, from 0 to 1."
nearly_err: NearlyErr
class Nerr(Request):
    def __call__(self, *, max_grade: float = ..., convention: str = ...) -> Request:
        "NERR: the ERR of a list divided by the ERR of the best list of the user's own items, from 0 to 1."
nerr: Nerr
normalized_err: Nerr
class NormalizedGain(Request):
    def __call__(self, *, gain: Literal["linear", "binary"] = ..., convention: str = ...) -> Request:
        "Normalized gain: the gains of a list, each discounted by how far the list is behind the best list at its rank, from 0 to 1."
normalized_gain: NormalizedGain
class Novelty(Request):
    def __call__(self, *, divide_by: Literal["list_length", "k"] = ..., users: Literal["recs", "history"] = ..., convention: str = ...) -> Request:
        "Novelty: the share of the list that is not in the user's history, from 0 to 1."
novelty: Novelty
class Nrbp(Request):
    def __call__(self, *, alpha: float = ..., p: float = ..., convention: str = ...) -> Request:
        "NRBP: novelty- and rank-biased precision: the RBP of a list whose hits gain less for each hit above that has the same aspect, from 0 to 1."
nrbp: Nrbp
class PageNdcg(Request):
    def __call__(self, *, rows: float = ..., columns: float = ..., gain: Literal["linear", "binary", "exponential"] = ..., convention: str = ...) -> Request:
        "Page NDCG: the NDCG of a page of several rows, such as carousels, where both further down and further to the right count less, from 0 to 1."
page_ndcg: PageNdcg
ndcg_2d: PageNdcg
n2dcg: PageNdcg
class PartialAp(Request):
    def __call__(self, *, n: float = ..., insufficient: Literal["ignore", "exclude"] = ..., convention: str = ...) -> Request:
        "Partial AP: the AUC of the first n hits and the first n misses of the list, known as pAp, from 0 to 1."
partial_ap: PartialAp
pap: PartialAp
class PartialAuc(Request):
    def __call__(self, *, misses: float = ..., insufficient: Literal["ignore", "exclude"] = ..., convention: str = ...) -> Request:
        "Partial AUC: the AUC of all relevant items and the first few misses of the list, from 0 to 1."
partial_auc: PartialAuc
pauc: PartialAuc
class Pearson(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Pearson's r: the linear correlation of a user's scores and grades, from -1 to 1."
pearson: Pearson
pearson_r: Pearson
class PercentileRank(Request):
    def __call__(self, *, average: Literal["users", "pooled"] = ..., unit: Literal["share", "percent"] = ..., convention: str = ...) -> Request:
        "Percentile rank: how far down the ranked catalog the user's relevant items are, as a share of the catalog, averaged over these items, from 0 to 1. 0 is the top of the list, and a random order has about 1/2."
percentile_rank: PercentileRank
expected_percentile_ranking: PercentileRank
class Pfound(Request):
    def __call__(self, *, p_break: float = ..., max_grade: float = ..., scale: Literal["given", "own"] = ..., convention: str = ...) -> Request:
        "pFound: the probability that an item within k satisfies a user who reads from the top and may give up after each rank, from 0 to 1."
pfound: Pfound
p_found: Pfound
class PopReo(Request):
    def __call__(self, *, head: float = ..., convention: str = ...) -> Request:
        "PopREO, popularity-based ranking-based equal opportunity: how unequal recall is for popular and for other items, from 0 to 1. At 0 relevant items of both groups are equally likely to be shown; at 1 only one group is ever found."
pop_reo: PopReo
class PopRsp(Request):
    def __call__(self, *, head: float = ..., convention: str = ...) -> Request:
        "PopRSP, popularity-based ranking-based statistical parity: how unequally the lists show popular and other items, from 0 to 1. At 0 both are equally likely; at 1 only one is shown."
pop_rsp: PopRsp
class PopularityCount(Request):
    def __call__(self, *, count: Literal["users", "events"] = ..., unit: Literal["users", "most"] = ..., divide_by: Literal["list_length", "k"] = ..., without_history: Literal["zero", "once", "omit"] = ..., convention: str = ...) -> Request:
        "Popularity count: how many users of the history had an item, averaged over the list, at least 0. Known as ARP, average recommendation popularity."
popularity_count: PopularityCount
arp: PopularityCount
average_popularity: PopularityCount
class PopularityRank(Request):
    def __call__(self, *, unit: Literal["rank", "quantile"] = ..., convention: str = ...) -> Request:
        "Popularity rank: the rank of an item by popularity in the history, 1 for the most popular, averaged over the list, at least 1."
popularity_rank: PopularityRank
class PopularityShare(Request):
    def __call__(self, *, count: Literal["users", "events"] = ..., divide_by: Literal["list_length", "k"] = ..., convention: str = ...) -> Request:
        "Popularity share: the share of the history's users who had an item, averaged over the list, from 0 to 1."
popularity_share: PopularityShare
popularity: PopularityShare
class Precision(Request):
    def __call__(self, *, divide_by: Literal["k", "list_length", "k_or_length", "known", "k_or_known"] = ..., digits: Literal["all", "four"] = ..., unjudged: Literal["miss", "hit"] = ..., average: Literal["users", "pooled"] = ..., convention: str = ...) -> Request:
        "Precision: the share of the first k ranks that have a relevant item, from 0 to 1."
precision: Precision
p: Precision
class PropensityHits(Request):
    def __call__(self, *, cap: float = ..., convention: str = ...) -> Request:
        "Propensity hits: the number of hits, each weighted by the inverse of its item's share of the history, at least 0."
propensity_hits: PropensityHits
ips_hit_rate: PropensityHits
class R2(Request):
    def __call__(self, *, constant: Literal["undefined", "zero"] = ..., convention: str = ...) -> Request:
        "R2: the share of the variance of the grades that the scores predict, unbounded below, at most 1."
r2: R2
r_squared: R2
class RPrecision(Request):
    def __call__(self, *, divide_by: Literal["achievable", "relevant"] = ..., average: Literal["users", "users_with_hit"] = ..., multiple: float = ..., convention: str = ...) -> Request:
        "R-precision: the precision within the first R ranks, where R is the number of the user's relevant items, from 0 to 1."
r_precision: RPrecision
rprec: RPrecision
class RScore(Request):
    def __call__(self, *, half_life: float = ..., neutral: float = ..., mean: Literal["weighted", "plain"] = ..., convention: str = ...) -> Request:
        "R-Score: the utility of the lists for users who look at lower ranks less and less often, divided by the utility of their best lists, from 0 to 1."
r_score: RScore
half_life_utility: RScore
class Rbo(Request):
    def __call__(self, *, p: float = ..., form: Literal["extrapolated", "minimum", "truncated", "scaled"] = ..., without_baseline: Literal["zero", "undefined"] = ..., convention: str = ...) -> Request:
        "RBO: rank-biased overlap: how similar two lists for the same user are, with more weight on the first ranks, from 0 to 1."
rbo: Rbo
rank_biased_overlap: Rbo
class RboResidual(Request):
    def __call__(self, *, p: float = ..., convention: str = ...) -> Request:
        "RBO residual: how much the rank-biased overlap could still grow with items past the ends of the two lists, from 0 to 1."
rbo_residual: RboResidual
rbo_res: RboResidual
class RboWeight(Request):
    def __call__(self, *, p: float = ..., convention: str = ...) -> Request:
        "RBO weight: the share of the total weight of rank-biased overlap that is on the depths which both lists reach, from 0 to 1."
rbo_weight: RboWeight
top_weightedness: RboWeight
class Rbp(Request):
    def __call__(self, *, p: float = ..., gain: Literal["binary", "linear", "normalized"] = ..., ideal: Literal["endless", "achievable_in_list"] = ..., convention: str = ...) -> Request:
        "RBP: rank-biased precision: the expected gain per rank seen by a user who continues from each rank to the next with probability p, from 0 to 1."
rbp: Rbp
rank_biased_precision: Rbp
class RbpResidual(Request):
    def __call__(self, *, p: float = ..., all_judged: Literal["past_list", "zero"] = ..., convention: str = ...) -> Request:
        "RBP residual: how much higher RBP would be if all ranks that were not judged were relevant, from 0 to 1."
rbp_residual: RbpResidual
rbp_resid: RbpResidual
class Recall(Request):
    def __call__(self, *, divide_by: Literal["relevant", "achievable", "achievable_in_list"] = ..., digits: Literal["all", "four"] = ..., average: Literal["users", "pooled"] = ..., convention: str = ...) -> Request:
        "Recall: the share of the user's relevant items that are within k, from 0 to 1."
recall: Recall
r: Recall
class ReciprocalRank(Request):
    def __call__(self, *, items: Literal["first", "all"] = ..., convention: str = ...) -> Request:
        "Reciprocal rank: one divided by the rank of the first relevant item, from 0 to 1. Its mean over users is known as MRR."
reciprocal_rank: ReciprocalRank
rr: ReciprocalRank
mrr: ReciprocalRank
mean_reciprocal_rank: ReciprocalRank
recip_rank: ReciprocalRank
class Reo(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "REO, ranking-based equal opportunity: how unequal recall is for groups of items, at least 0. At 0 relevant items of all groups are equally likely to be shown."
reo: Reo
class Rmse(Request):
    def __call__(self, *, average: Literal["pooled", "users", "sums"] = ..., convention: str = ...) -> Request:
        "RMSE: the root of the mean squared error of the scores as predictions of the grades, at least 0."
rmse: Rmse
root_mean_squared_error: Rmse
class Rsp(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "RSP, ranking-based statistical parity: how unequal the probability of being shown is for groups of items, at least 0. At 0 items of all groups are equally likely to be shown."
rsp: Rsp
class ScoreEntropy(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Score entropy: how evenly the softmax of the scores spreads over all ranks within k, in nats, at least 0 to the logarithm of the number of items. It has this maximum if all scores are equal."
score_entropy: ScoreEntropy
class Serendipity(Request):
    def __call__(self, *, items: Literal["history", "catalog"] = ..., divide_by: Literal["list_length", "k", "lines"] = ..., convention: str = ...) -> Request:
        "Serendipity: the share of the list that is relevant, where each hit is weighted by how far above its popularity rank it is ranked, from 0 to 1."
serendipity: Serendipity
class SetAveragePrecision(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Set average precision: precision times recall of the list, which is average precision with the precision of the whole list at each hit, from 0 to 1."
set_average_precision: SetAveragePrecision
set_map: SetAveragePrecision
set_ap: SetAveragePrecision
class SetF(Request):
    def __call__(self, *, x: float = ..., convention: str = ...) -> Request:
        "Set F: the weighted harmonic mean of precision and recall of the whole list, from 0 to 1."
set_f: SetF
class SetUtility(Request):
    def __call__(self, *, hit: float = ..., noise: float = ..., miss: float = ..., rest: float = ..., collection: float = ..., convention: str = ...) -> Request:
        "Set utility: the total of a list in which each item, shown or not, relevant or not, has a price, unbounded."
set_utility: SetUtility
class ShannonEntropy(Request):
    def __call__(self, *, weight: Literal["plain", "rank"] = ..., unit: Literal["bits", "nats"] = ..., of: Literal["items", "item"] = ..., convention: str = ...) -> Request:
        "Shannon entropy: how evenly exposure is distributed over the items, in bits, at least 0. 2 to the power of the entropy is the number of equally shown items that would have the same entropy."
shannon_entropy: ShannonEntropy
entropy: ShannonEntropy
distributional_coverage: ShannonEntropy
class ShrunkDr(Request):
    def __call__(self, *, shrinkage: float = ..., convention: str = ...) -> Request:
        "Shrunk DR: doubly robust with large weights shrunk towards 0, unbounded."
shrunk_dr: ShrunkDr
dros: ShrunkDr
class SlateIps(Request):
    def __call__(self, *, behavior: Literal["standard", "cascade", "independent"] = ..., divide_by: Literal["slates", "weights"] = ..., convention: str = ...) -> Request:
        "Slate IPS: the mean reward that the slates of another policy would have had, estimated by inverse propensity scores, unbounded."
slate_ips: SlateIps
sips: SlateIps
class Sndr(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "SNDR: self-normalized doubly robust: the correction is divided by the sum of the weights, unbounded."
sndr: Sndr
self_normalized_doubly_robust: Sndr
class Snips(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "SNIPS: self-normalized IPS: the weighted mean of the rewards, unbounded."
snips: Snips
snipw: Snips
class Spearman(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Spearman's rho: the rank correlation of a user's scores and grades, from -1 to 1."
spearman: Spearman
spearman_rho: Spearman
class StratifiedRecall(Request):
    def __call__(self, *, exponent: float = ..., average: Literal["users", "pooled"] = ..., convention: str = ...) -> Request:
        "Popularity-stratified recall: recall in which a relevant item counts less the more popular it is, from 0 to 1."
stratified_recall: StratifiedRecall
class SubGaussianDr(Request):
    def __call__(self, *, shrinkage: float = ..., convention: str = ...) -> Request:
        "Sub-Gaussian DR: doubly robust with weights below 1 / shrinkage, unbounded."
sub_gaussian_dr: SubGaussianDr
sgdr: SubGaussianDr
class SubGaussianIps(Request):
    def __call__(self, *, shrinkage: float = ..., convention: str = ...) -> Request:
        "Sub-Gaussian IPS: IPS with weights below 1 / shrinkage, unbounded."
sub_gaussian_ips: SubGaussianIps
sgips: SubGaussianIps
class SubtopicRecall(Request):
    def __call__(self, *, divide_by: Literal["relevant", "all"] = ..., convention: str = ...) -> Request:
        "Subtopic recall: the share of the aspects of a user's relevant items that a hit within k has, from 0 to 1."
subtopic_recall: SubtopicRecall
st_recall: SubtopicRecall
strec: SubtopicRecall
aspect_recall: SubtopicRecall
class Surprisal(Request):
    def __call__(self, *, unit: Literal["bits", "share"] = ..., divide_by: Literal["list_length", "k"] = ..., count: Literal["users", "events"] = ..., without_history: Literal["once", "zero", "omit"] = ..., average: Literal["users", "pooled"] = ..., convention: str = ...) -> Request:
        "Surprisal: the mean self-information of the list's items in the history, in bits, at least 0."
surprisal: Surprisal
miuf: Surprisal
mean_inverse_user_frequency: Surprisal
self_information: Surprisal
class SwitchDr(Request):
    def __call__(self, *, tau: float = ..., convention: str = ...) -> Request:
        "Switch DR: doubly robust, but without the correction where the weight is too large, unbounded."
switch_dr: SwitchDr
switch_doubly_robust: SwitchDr
class TailShare(Request):
    def __call__(self, *, head: float = ..., of: Literal["interactions", "items"] = ..., divide_by: Literal["list_length", "k", "nothing"] = ..., equals: Literal["together", "by_id"] = ..., rarest: float = ..., convention: str = ...) -> Request:
        "Tail share: the share of the list's items that are in the long tail, from 0 to 1. Known as APLT, the average percentage of long tail items."
tail_share: TailShare
aplt: TailShare
long_tail_share: TailShare
class ThresholdF1(Request):
    def __call__(self, *, threshold: float = ..., of: Literal["users", "means"] = ..., convention: str = ...) -> Request:
        "Threshold F1: the harmonic mean of threshold precision and threshold recall, from 0 to 1."
threshold_f1: ThresholdF1
class ThresholdPrecision(Request):
    def __call__(self, *, threshold: float = ..., convention: str = ...) -> Request:
        "Threshold precision: the share of the items with a score at or above the threshold whose grade is at or above it too, from 0 to 1."
threshold_precision: ThresholdPrecision
class ThresholdRecall(Request):
    def __call__(self, *, threshold: float = ..., convention: str = ...) -> Request:
        "Threshold recall: the share of the items with a grade at or above the threshold whose score is at or above it too, from 0 to 1."
threshold_recall: ThresholdRecall
class TopPrecision(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Top precision: the share of the first k ranks that have one of the user's best items, from 0 to 1. The best items are the items with the highest grade in the user's truth, whether it is 5 or 2."
top_precision: TopPrecision
class TruthJaccard(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Truth Jaccard: the items that are both shown and relevant, as a share of the items that are either, from 0 to 1."
truth_jaccard: TruthJaccard
class UnbiasedNdcg(Request):
    def __call__(self, *, divide_by: Literal["best", "weights", "nothing"] = ..., cap: float = ..., convention: str = ...) -> Request:
        "Unbiased NDCG: the NDCG of a list against clicks, each weighted by how unlikely the user was to see the item, from 0 to 1."
unbiased_ndcg: UnbiasedNdcg
class UnbiasedPrecision(Request):
    def __call__(self, *, cap: float = ..., convention: str = ...) -> Request:
        "Unbiased precision: the share of the first k items that the user would have clicked if the user had seen them, at least 0."
unbiased_precision: UnbiasedPrecision
class UnbiasedRecall(Request):
    def __call__(self, *, divide_by: Literal["weights", "relevant"] = ..., cap: float = ..., convention: str = ...) -> Request:
        "Unbiased recall: the share of the user's clicks within k, each weighted by how unlikely the user was to see the item, from 0 to 1."
unbiased_recall: UnbiasedRecall
class Unexpectedness(Request):
    def __call__(self, *, divide_by: Literal["list_length", "k"] = ..., without_baseline: Literal["unexpected", "expected", "undefined"] = ..., users: Literal["recs", "baseline"] = ..., convention: str = ...) -> Request:
        "Unexpectedness: the share of the list that is not in the baseline's list within k, from 0 to 1."
unexpectedness: Unexpectedness
class UnjudgedShare(Request):
    def __call__(self, *, divide_by: Literal["list_length", "k"] = ..., convention: str = ...) -> Request:
        "Unjudged share: the share of the list that the truth does not judge, from 0 to 1."
unjudged_share: UnjudgedShare
unjudged: UnjudgedShare
unj: UnjudgedShare
class UnrepeatedShare(Request):
    def __call__(self, *, count: Literal["lists", "ranks"] = ..., convention: str = ...) -> Request:
        "Unrepeated share: the share of lists that have no item twice, or the share of recommendations within k that show an item for the first time; from 0 to 1."
unrepeated_share: UnrepeatedShare
unrepeated_reco: UnrepeatedShare
class UserCoverage(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "User coverage: the share of the users who have a list, from 0 to 1."
user_coverage: UserCoverage
class ValueFound(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Value found: the sum of the prices of the relevant items within k, at least 0. It is revenue at k, or profit where prices are margins."
value_found: ValueFound
class ValueNdcg(Request):
    def __call__(self, *, convention: str = ...) -> Request:
        "Value NDCG: the NDCG of a list with the prices of relevant items as gains, from 0 to 1."
value_ndcg: ValueNdcg
class ValuePrecision(Request):
    def __call__(self, *, average: Literal["users", "pooled"] = ..., convention: str = ...) -> Request:
        "Value precision: the total price of the relevant items within k as a share of the total price of all items within k, from 0 to 1."
value_precision: ValuePrecision
class ValueRecall(Request):
    def __call__(self, *, average: Literal["users", "pooled"] = ..., convention: str = ...) -> Request:
        "Value recall: the total price of the relevant items within k as a share of the total price of all the user's relevant items, from 0 to 1."
value_recall: ValueRecall
class ValueShown(Request):
    def __call__(self, *, total: Literal["mean", "sum"] = ..., convention: str = ...) -> Request:
        "Value shown: the mean price of the items within k, or their total price, at least 0."
value_shown: ValueShown
