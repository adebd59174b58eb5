# Made by docs/update.py from the headers of the metrics.
from collections.abc import Iterable
from typing import Literal

class Request(str):
    def __matmul__(self, k: int | str | Iterable[int | str]) -> Request: ...

class Accuracy(Request):
    def __call__(
        self,
        *,
        shown: Literal["list_length", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Accuracy: the share of the catalog that is shown and relevant, or neither, from 0 to 1."

accuracy: Accuracy

class AlphaNdcg(Request):
    def __call__(
        self,
        *,
        alpha: float = ...,
        form: Literal["clarke", "rs_metrics"] = ...,
        convention: str = ...,
    ) -> Request:
        "Alpha-NDCG: how near a list is to the best list where a hit counts less, the more hits above share its aspects, from 0 to 1."

alpha_ndcg: AlphaNdcg
a_ndcg: AlphaNdcg

class AtkinsonIndex(Request):
    def __call__(
        self,
        *,
        items: Literal["recommended", "catalog"] = ...,
        weight: Literal["plain", "rank"] = ...,
        aversion: float = ...,
        convention: str = ...,
    ) -> Request:
        "Atkinson's index: the share of the exposure that would be enough, were it shared out evenly, to be worth as much, subtracted from 1: from 0 to 1. At 0 all items are shown alike, near 1 a few take everything."

atkinson_index: AtkinsonIndex

class Auc(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "AUC: the share of pairs of a relevant and another item, of all users together, in which the relevant item has the higher score, from 0 to 1."

auc: Auc

class AverageOverlap(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["longer", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Average overlap: the share of items that the first d places of two lists for the same user have in common, on average over all depths d, from 0 to 1."

average_overlap: AverageOverlap
ao: AverageOverlap

class AveragePrecision(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["relevant", "achievable", "hits", "k", "list_length", "achievable_in_list"] = ...,
        convention: str = ...,
    ) -> Request:
        "Average precision: the precision at each hit, summed and divided by the number of hits that were possible, from 0 to 1. Its mean over users is known as MAP."

average_precision: AveragePrecision
ap: AveragePrecision
map: AveragePrecision

class AverageRecall(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["hits", "list_length"] = ...,
        convention: str = ...,
    ) -> Request:
        "Average recall: the recall at each hit, averaged over the hits, from 0 to 1. Its mean over users is known as MAR."

average_recall: AverageRecall
ar: AverageRecall
mar: AverageRecall

class BaselineSerendipity(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["list_length", "k", "unexpected"] = ...,
        convention: str = ...,
    ) -> Request:
        "Baseline serendipity: the share of the list that is relevant and that the baseline's list within k does not have, from 0 to 1."

baseline_serendipity: BaselineSerendipity
srdp: BaselineSerendipity
unexpected_relevance: BaselineSerendipity

class BaselineShare(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Baseline share: the share of the list that the baseline's list within k has too, from 0 to 1."

baseline_share: BaselineShare
intersection: BaselineShare

class Bpref(Request):
    def __call__(
        self,
        *,
        without_nonrelevant: Literal["recall", "undefined"] = ...,
        convention: str = ...,
    ) -> Request:
        "Bpref: how far relevant items stand above those judged not relevant; items without a judgment are ignored, from 0 to 1."

bpref: Bpref

class CalibrationJs(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Calibration JS: how far the list's mix of categories and that of the user's history are apart, by the Jensen-Shannon divergence in bits, from 0 to 1. It measures miscalibration, so 0 is the best."

calibration_js: CalibrationJs

class CalibrationKl(Request):
    def __call__(
        self,
        *,
        alpha: float = ...,
        unit: Literal["bits", "nats"] = ...,
        convention: str = ...,
    ) -> Request:
        "Calibration KL: how far the list's mix of categories is from that of the user's history, from 0 up. It measures miscalibration, so 0 is the best."

calibration_kl: CalibrationKl
miscalibration: CalibrationKl

class CatalogCoverage(Request):
    def __call__(
        self,
        *,
        items: Literal["catalog", "history"] = ...,
        outside: Literal["ignored", "counted"] = ...,
        padding: float = ...,
        convention: str = ...,
    ) -> Request:
        "Catalog coverage: the share of the catalog's items that some list shows, from 0 to 1."

catalog_coverage: CatalogCoverage
coverage: CatalogCoverage
catalogue_coverage: CatalogCoverage
item_coverage: CatalogCoverage

class CategoryCoverage(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["k", "list_length", "categories"] = ...,
        convention: str = ...,
    ) -> Request:
        "Category coverage: how many different categories the list shows, for each of its places or as a share of all there are, from 0 up."

category_coverage: CategoryCoverage
categorical_diversity: CategoryCoverage

class CategoryEntropy(Request):
    def __call__(
        self,
        *,
        smoothing: float = ...,
        convention: str = ...,
    ) -> Request:
        "Category entropy: how evenly the list is spread over categories, in bits, from 0 up."

category_entropy: CategoryEntropy

class Churn(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["places", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Churn: the share of the places of two lists for the same user that changed, from 0 to 1."

churn: Churn

class ClippedIps(Request):
    def __call__(
        self,
        *,
        clip: float = ...,
        convention: str = ...,
    ) -> Request:
        "Clipped IPS: IPS in which no weight is larger than a limit, unbounded."

clipped_ips: ClippedIps
clipped_ipw: ClippedIps
cips: ClippedIps

class CosineDiversity(Request):
    def __call__(
        self,
        *,
        pairs: Literal["places", "items"] = ...,
        convention: str = ...,
    ) -> Request:
        "Cosine diversity: 1 less the cosine of two items' vectors, on average over the pairs of the list, from 0 to 2, and to 1 where no value is below 0."

cosine_diversity: CosineDiversity

class Ctr(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "CTR: the mean reward of those logged decisions that the lists would have taken too, from 0 to 1 where a reward is a click."

ctr: Ctr
click_through_rate: Ctr
replay: Ctr

class CumulativeGain(Request):
    def __call__(
        self,
        *,
        gain: Literal["linear", "binary", "exponential"] = ...,
        convention: str = ...,
    ) -> Request:
        "Cumulative gain: the sum of the gains of the items within k, from 0 up."

cumulative_gain: CumulativeGain
cg: CumulativeGain

class Dcg(Request):
    def __call__(
        self,
        *,
        gain: Literal["linear", "binary", "exponential"] = ...,
        discount: Literal["standard", "late"] = ...,
        convention: str = ...,
    ) -> Request:
        "DCG: the sum of the gains of the items within k, discounted by place, from 0 up."

dcg: Dcg

class DirectMethod(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Direct method: the mean reward that a reward model predicts for another policy, unbounded."

direct_method: DirectMethod
dm: DirectMethod

class DoublyRobust(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Doubly robust: the direct method, corrected by the weighted errors of the model, unbounded."

doubly_robust: DoublyRobust
dr: DoublyRobust

class Efd(Request):
    def __call__(
        self,
        *,
        relevance: Literal["binary", "ignored"] = ...,
        discount: Literal["logarithmic", "geometric", "none"] = ...,
        patience: float = ...,
        convention: str = ...,
    ) -> Request:
        "EFD: expected free discovery: how rare the relevant items of the list are in the history, in bits, weighted by place, from 0 up."

efd: Efd
expected_free_discovery: Efd

class EffectiveSampleSize(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Effective sample size: the number of equally weighted decisions that are as informative, from 1 to the number of logged decisions."

effective_sample_size: EffectiveSampleSize
ess: EffectiveSampleSize

class ElevenPointAveragePrecision(Request):
    def __call__(
        self,
        *,
        rounding: Literal["nearest", "up", "tenth"] = ...,
        convention: str = ...,
    ) -> Request:
        "Eleven-point average precision: the mean of the interpolated precision at recall 0, 0.1, ..., 1, from 0 to 1."

eleven_point_average_precision: ElevenPointAveragePrecision
eleven_point_ap: ElevenPointAveragePrecision

class Epc(Request):
    def __call__(
        self,
        *,
        relevance: Literal["binary", "ignored"] = ...,
        discount: Literal["logarithmic", "geometric", "none"] = ...,
        patience: float = ...,
        convention: str = ...,
    ) -> Request:
        "EPC: expected popularity complement: the share of users who did not have the relevant items of the list, weighted by place, from 0 to 1."

epc: Epc
expected_popularity_complement: Epc

class Err(Request):
    def __call__(
        self,
        *,
        max_grade: float = ...,
        digits: Literal["all", "five"] = ...,
        convention: str = ...,
    ) -> Request:
        "ERR: expected reciprocal rank, of the place where a user who reads from the top is satisfied and stops, from 0 to 1."

err: Err
expected_reciprocal_rank: Err

class ExpectedExposureDisparity(Request):
    def __call__(
        self,
        *,
        patience: float = ...,
        convention: str = ...,
    ) -> Request:
        "Expected exposure disparity: how unequally a list spreads attention over items, from 0 up."

expected_exposure_disparity: ExpectedExposureDisparity
eed: ExpectedExposureDisparity
ee_d: ExpectedExposureDisparity

class ExpectedExposureLoss(Request):
    def __call__(
        self,
        *,
        patience: float = ...,
        grades: Literal["given", "binary"] = ...,
        convention: str = ...,
    ) -> Request:
        "Expected exposure loss: how far the attention that items get is from what they deserve, from 0 up."

expected_exposure_loss: ExpectedExposureLoss
eel: ExpectedExposureLoss
ee_l: ExpectedExposureLoss

class ExpectedExposureRelevance(Request):
    def __call__(
        self,
        *,
        patience: float = ...,
        grades: Literal["given", "binary"] = ...,
        convention: str = ...,
    ) -> Request:
        "Expected exposure relevance: how much of its attention a list gives to items that deserve it, from 0 up."

expected_exposure_relevance: ExpectedExposureRelevance
eer: ExpectedExposureRelevance
ee_r: ExpectedExposureRelevance

class ExposureShare(Request):
    def __call__(
        self,
        *,
        group: str,
        weight: Literal["rank", "plain"] = ...,
        convention: str = ...,
    ) -> Request:
        "Exposure share: the share of the exposure in all lists that falls on the items of a group, from 0 to 1."

exposure_share: ExposureShare

class FBeta(Request):
    def __call__(
        self,
        *,
        beta: float = ...,
        of: Literal["users", "means"] = ...,
        divide_by: Literal["k", "list_length", "k_or_length"] = ...,
        convention: str = ...,
    ) -> Request:
        "F-beta: precision and recall in one number, their weighted harmonic mean, from 0 to 1."

f_beta: FBeta
f1: FBeta
f: FBeta

class Fcp(Request):
    def __call__(
        self,
        *,
        average: Literal["pooled", "users", "means"] = ...,
        ties: Literal["left_out", "discordant"] = ...,
        convention: str = ...,
    ) -> Request:
        "FCP: the fraction of concordant pairs, those that scores and grades put in the same order, from 0 to 1."

fcp: Fcp
fraction_of_concordant_pairs: Fcp

class Gauc(Request):
    def __call__(
        self,
        *,
        weight: Literal["none", "impressions", "positives"] = ...,
        convention: str = ...,
    ) -> Request:
        "GAUC: the share of a user's pairs of a relevant and another item in which the relevant item has the higher score, from 0 to 1."

gauc: Gauc
user_auc: Gauc

class GeometricBpref(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Geometric bpref: the geometric mean of the users' bpref, which the users with the lowest values dominate, from 0 to 1."

geometric_bpref: GeometricBpref
gm_bpref: GeometricBpref

class GeometricMap(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Geometric MAP: the geometric mean of the users' average precision, which the users with the lowest values dominate, from 0 to 1."

geometric_map: GeometricMap
gmap: GeometricMap
gm_map: GeometricMap

class Gini(Request):
    def __call__(
        self,
        *,
        items: Literal["recommended", "catalog"] = ...,
        weight: Literal["plain", "rank", "geometric"] = ...,
        patience: float = ...,
        padding: float = ...,
        convention: str = ...,
    ) -> Request:
        "Gini: how unequally the lists are shared out among the items, from 0 to 1. At 0 all items are shown alike, near 1 a few take everything."

gini: Gini
gini_index: Gini

class HammingDiversity(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Hamming diversity: in how many categories two items of the list differ, on average over its pairs, from 0 up."

hamming_diversity: HammingDiversity

class Herfindahl(Request):
    def __call__(
        self,
        *,
        weight: Literal["plain", "rank"] = ...,
        convention: str = ...,
    ) -> Request:
        "Herfindahl index: how far a few items take all places of the lists, from 0 to 1. One divided by it is the number of items that, shown alike, would be as concentrated."

herfindahl: Herfindahl
hhi: Herfindahl
herfindahl_hirschman: Herfindahl

class HitRate(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Hit rate: the share of users with at least one relevant item within k, from 0 to 1."

hit_rate: HitRate
hit: HitRate
hr: HitRate
hitrate: HitRate
success: HitRate
top_k_accuracy: HitRate

class InferredAveragePrecision(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Inferred average precision: AP where only a sample of the pool was judged, from 0 to 1."

inferred_average_precision: InferredAveragePrecision
infap: InferredAveragePrecision
inf_ap: InferredAveragePrecision

class InterListDiversity(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Inter-list diversity: how much the lists of two users differ, over all pairs of users, from 0 to 1."

inter_list_diversity: InterListDiversity
personalization: InterListDiversity
personalisation: InterListDiversity

class InterpolatedPrecision(Request):
    def __call__(
        self,
        *,
        recall: float = ...,
        rounding: Literal["nearest", "up", "tenth"] = ...,
        convention: str = ...,
    ) -> Request:
        "Interpolated precision: the best precision of the list from where on it has a share of the user's relevant items, from 0 to 1."

interpolated_precision: InterpolatedPrecision
iprec: InterpolatedPrecision
iprec_at_recall: InterpolatedPrecision

class IntraListDiversity(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Intra-list diversity: the mean distance of two items of the list, by distances that you give, from 0 up."

intra_list_diversity: IntraListDiversity
ild: IntraListDiversity

class Ips(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["logged", "recommended"] = ...,
        convention: str = ...,
    ) -> Request:
        "IPS: the mean reward that another policy would have had, by inverse propensity scores, unbounded."

ips: Ips
ipw: Ips
inverse_propensity: Ips

class ItemCount(Request):
    def __call__(
        self,
        *,
        of: Literal["hits", "retrieved", "relevant", "nonrelevant"] = ...,
        convention: str = ...,
    ) -> Request:
        "Item count: how many items the lists hold, or truth, or both, from 0 up."

item_count: ItemCount

class JaccardDiversity(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Jaccard diversity: 1 less the share of categories that two items of the list have in common, on average over its pairs, from 0 to 1."

jaccard_diversity: JaccardDiversity

class JainIndex(Request):
    def __call__(
        self,
        *,
        items: Literal["recommended", "catalog"] = ...,
        weight: Literal["plain", "rank"] = ...,
        convention: str = ...,
    ) -> Request:
        "Jain's index: how fairly the exposure is shared out among the items, from 0 to 1. At 1 all items are shown alike; at m/n it is as if m of n items shared it."

jain_index: JainIndex

class JudgedShare(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["list_length", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Judged share: the share of the list that the truth judges, relevant or not, from 0 to 1."

judged_share: JudgedShare
judged: JudgedShare

class Kendall(Request):
    def __call__(
        self,
        *,
        variant: Literal["tau_b", "tau_a"] = ...,
        convention: str = ...,
    ) -> Request:
        "Kendall's tau: how well a user's scores and grades agree in the order of items, from -1 to 1."

kendall: Kendall
kendall_tau: Kendall

class ListAuc(Request):
    def __call__(
        self,
        *,
        no_pairs: Literal["undefined", "bounds"] = ...,
        convention: str = ...,
    ) -> Request:
        "List AUC: the share of pairs of a hit and a miss within the first k places in which the hit is above, from 0 to 1."

list_auc: ListAuc
roc_auc: ListAuc

class ListCtr(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "List CTR: the mean of what the truth says of the places that it knows, of all lists together; from 0 to 1 where it says whether they were clicked."

list_ctr: ListCtr

class ListDoublyRobust(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "List doubly robust: the mean score of the places of all lists, corrected where the truth knows what they were worth by the errors of the scores and inverse propensities, unbounded."

list_doubly_robust: ListDoublyRobust

class ListFill(Request):
    def __call__(
        self,
        *,
        of: Literal["lists", "places"] = ...,
        convention: str = ...,
    ) -> Request:
        "List fill: the share of the lists that reach down to k, or of the places within k that hold an item; from 0 to 1."

list_fill: ListFill
sufficient_reco: ListFill

class ListIps(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "List IPS: the mean reward of the places of all lists, of which the truth knows those that were shown, by inverse propensity scores, unbounded."

list_ips: ListIps

class ListJaccard(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "List Jaccard: how many of the items of two lists for the same user are in both, from 0 to 1."

list_jaccard: ListJaccard
jaccard: ListJaccard

class Mae(Request):
    def __call__(
        self,
        *,
        average: Literal["pooled", "users"] = ...,
        convention: str = ...,
    ) -> Request:
        "MAE: the mean absolute error of the scores as predictions of the grades, from 0 up."

mae: Mae
mean_absolute_error: Mae

class MatchedShare(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Matched share: the share of the logged decisions that the other policy could have taken, from 0 to 1."

matched_share: MatchedShare
weight_overlap: MatchedShare

class MaxWeight(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Maximum weight: the largest weight of a single decision, from 0 up."

max_weight: MaxWeight
largest_weight: MaxWeight

class Mcc(Request):
    def __call__(
        self,
        *,
        shown: Literal["list_length", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "MCC: the Matthews correlation of being shown within k and being relevant, over the catalog, from -1 to 1."

mcc: Mcc
matthews_correlation: Mcc

class Mse(Request):
    def __call__(
        self,
        *,
        average: Literal["pooled", "users"] = ...,
        convention: str = ...,
    ) -> Request:
        "MSE: the mean squared error of the scores as predictions of the grades, from 0 up."

mse: Mse
mean_squared_error: Mse

class NcisPrecision(Request):
    def __call__(
        self,
        *,
        clip: float = ...,
        convention: str = ...,
    ) -> Request:
        "NCIS precision: the precision of a list that would have been shown in place of another, each place weighed by how much higher it scores than before, from 0 to 1."

ncis_precision: NcisPrecision
ncisprecision: NcisPrecision

class Ndcg(Request):
    def __call__(
        self,
        *,
        gain: Literal["linear", "binary", "exponential"] = ...,
        ideal: Literal["achievable", "relevant", "list_length", "k"] = ...,
        discount: Literal["standard", "late"] = ...,
        digits: Literal["all", "five"] = ...,
        convention: str = ...,
    ) -> Request:
        "NDCG: the DCG of a list divided by that of the best list of the user's own items, from 0 to 1."

ndcg: Ndcg

class NdcgAtGains(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "NDCG at gains: the mean NDCG at the places where the user's items with a gain stand, from 0 to 1. For those not in the list it is the NDCG of the whole list."

ndcg_at_gains: NdcgAtGains
ndcg_rel: NdcgAtGains

class NdcgAtGrades(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "NDCG at grades: the mean NDCG at the places where the best list goes over to a lower gain, as R-precision takes the precision at the one place where it ends, from 0 to 1."

ndcg_at_grades: NdcgAtGrades
rndcg: NdcgAtGrades

class Ndpm(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "NDPM: how far the order of the scores is from the order of the grades, from 0 to 1; 0 is the best."

ndpm: Ndpm

class Nerr(Request):
    def __call__(
        self,
        *,
        max_grade: float = ...,
        convention: str = ...,
    ) -> Request:
        "NERR: the ERR of a list divided by that of the best list of the user's own items, from 0 to 1."

nerr: Nerr
normalized_err: Nerr

class NormalizedGain(Request):
    def __call__(
        self,
        *,
        gain: Literal["linear", "binary"] = ...,
        convention: str = ...,
    ) -> Request:
        "Normalized gain: the gains of a list, each discounted by how far the list has fallen behind the best list down to its place, from 0 to 1."

normalized_gain: NormalizedGain

class Novelty(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["list_length", "k"] = ...,
        users: Literal["recs", "history"] = ...,
        convention: str = ...,
    ) -> Request:
        "Novelty: the share of the list that the user's history does not have, from 0 to 1."

novelty: Novelty

class PartialAp(Request):
    def __call__(
        self,
        *,
        n: float = ...,
        insufficient: Literal["ignore", "exclude"] = ...,
        convention: str = ...,
    ) -> Request:
        "Partial AP: the AUC of the first few hits and the first few misses of the list, which is pAp, partial AUC and precision in one, from 0 to 1."

partial_ap: PartialAp
pap: PartialAp

class PartialAuc(Request):
    def __call__(
        self,
        *,
        misses: float = ...,
        insufficient: Literal["ignore", "exclude"] = ...,
        convention: str = ...,
    ) -> Request:
        "Partial AUC: the AUC of all relevant items and the first few misses of the list, from 0 to 1."

partial_auc: PartialAuc
pauc: PartialAuc

class Pearson(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Pearson's r: the linear correlation of a user's scores and grades, from -1 to 1."

pearson: Pearson
pearson_r: Pearson

class PopReo(Request):
    def __call__(
        self,
        *,
        head: float = ...,
        convention: str = ...,
    ) -> Request:
        "PopREO, popularity-based ranking-based equal opportunity: how differently the lists find relevant items that are popular and that are not, from 0 to 1. At 0 relevant items of both groups are equally likely to be shown, at 1 only one group is ever found."

pop_reo: PopReo

class PopRsp(Request):
    def __call__(
        self,
        *,
        head: float = ...,
        convention: str = ...,
    ) -> Request:
        "PopRSP, popularity-based ranking-based statistical parity: how differently the lists show popular and other items, from 0 to 1. At 0 items of both groups are equally likely to be shown, at 1 only one group is ever shown."

pop_rsp: PopRsp

class PopularityCount(Request):
    def __call__(
        self,
        *,
        count: Literal["users", "events"] = ...,
        divide_by: Literal["list_length", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Popularity count: how many users of the history had an item, on average over the list, from 0 up. Known as ARP, average recommendation popularity."

popularity_count: PopularityCount
arp: PopularityCount
average_popularity: PopularityCount

class PopularityRank(Request):
    def __call__(
        self,
        *,
        unit: Literal["place", "quantile"] = ...,
        convention: str = ...,
    ) -> Request:
        "Popularity rank: the rank of an item among all of the history, the most popular being the first, on average over the list, from 1 up."

popularity_rank: PopularityRank

class PopularityShare(Request):
    def __call__(
        self,
        *,
        count: Literal["users", "events"] = ...,
        divide_by: Literal["list_length", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Popularity share: the share of the history's users who had an item, on average over the list, from 0 to 1."

popularity_share: PopularityShare
popularity: PopularityShare

class Precision(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["k", "list_length", "k_or_length"] = ...,
        convention: str = ...,
    ) -> Request:
        "Precision: the share of the first k places that hold a relevant item, from 0 to 1."

precision: Precision
p: Precision

class R2(Request):
    def __call__(
        self,
        *,
        constant: Literal["undefined", "zero"] = ...,
        convention: str = ...,
    ) -> Request:
        "R2: how much of the variance of the grades the scores predict, unbounded below, at most 1."

r2: R2
r_squared: R2

class RPrecision(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["achievable", "relevant"] = ...,
        average: Literal["users", "users_with_hit"] = ...,
        multiple: float = ...,
        convention: str = ...,
    ) -> Request:
        "R-precision: the precision at the place where a perfect list would end, from 0 to 1."

r_precision: RPrecision
rprec: RPrecision

class RScore(Request):
    def __call__(
        self,
        *,
        half_life: float = ...,
        neutral: float = ...,
        mean: Literal["weighted", "plain"] = ...,
        convention: str = ...,
    ) -> Request:
        "R-Score: the value of a list to users who lose patience, divided by the value of their best lists, from 0 to 1."

r_score: RScore
half_life_utility: RScore

class Rbo(Request):
    def __call__(
        self,
        *,
        p: float = ...,
        form: Literal["extrapolated", "minimum", "truncated", "scaled"] = ...,
        without_baseline: Literal["zero", "undefined"] = ...,
        convention: str = ...,
    ) -> Request:
        "RBO: rank-biased overlap: how much two lists for the same user agree, with more weight on the first places, from 0 to 1."

rbo: Rbo
rank_biased_overlap: Rbo

class RboResidual(Request):
    def __call__(
        self,
        *,
        p: float = ...,
        convention: str = ...,
    ) -> Request:
        "RBO residual: how much the rank-biased overlap may still grow with what two lists don't show, from 0 to 1."

rbo_residual: RboResidual
rbo_res: RboResidual

class RboWeight(Request):
    def __call__(
        self,
        *,
        p: float = ...,
        convention: str = ...,
    ) -> Request:
        "RBO weight: the share of all weight of the rank-biased overlap that falls on the depths which both lists reach, from 0 to 1."

rbo_weight: RboWeight
top_weightedness: RboWeight

class Rbp(Request):
    def __call__(
        self,
        *,
        p: float = ...,
        gain: Literal["binary", "linear", "normalized"] = ...,
        ideal: Literal["endless", "achievable_in_list"] = ...,
        convention: str = ...,
    ) -> Request:
        "RBP: rank-biased precision, what a user gets who goes on from each place to the next with probability p, from 0 to 1."

rbp: Rbp
rank_biased_precision: Rbp

class RbpResidual(Request):
    def __call__(
        self,
        *,
        p: float = ...,
        all_judged: Literal["past_list", "zero"] = ...,
        convention: str = ...,
    ) -> Request:
        "RBP residual: how much higher RBP would be if all that was not judged were relevant, from 0 to 1."

rbp_residual: RbpResidual
rbp_resid: RbpResidual

class Recall(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["relevant", "achievable", "achievable_in_list"] = ...,
        convention: str = ...,
    ) -> Request:
        "Recall: the share of the user's relevant items that stand within k, from 0 to 1."

recall: Recall
r: Recall

class ReciprocalRank(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Reciprocal rank: one divided by the place of the first relevant item, from 0 to 1. Its mean over users is known as MRR."

reciprocal_rank: ReciprocalRank
rr: ReciprocalRank
mrr: ReciprocalRank

class Reo(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "REO, ranking-based equal opportunity: how differently the lists find relevant items of the groups of items, from 0 up. At 0 relevant items of each group are equally likely to be shown."

reo: Reo

class Rmse(Request):
    def __call__(
        self,
        *,
        average: Literal["pooled", "users"] = ...,
        convention: str = ...,
    ) -> Request:
        "RMSE: the root of the mean squared error of the scores as predictions of the grades, from 0 up."

rmse: Rmse
root_mean_squared_error: Rmse

class Rsp(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "RSP, ranking-based statistical parity: how differently the lists show the groups of items, from 0 up. At 0 items of each group are equally likely to be shown."

rsp: Rsp

class Serendipity(Request):
    def __call__(
        self,
        *,
        items: Literal["history", "catalog"] = ...,
        divide_by: Literal["list_length", "k", "lines"] = ...,
        convention: str = ...,
    ) -> Request:
        "Serendipity: the share of the list that is relevant, weighed by how much further up it stands than its popularity would put it, from 0 to 1."

serendipity: Serendipity

class SetAveragePrecision(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Set average precision: what average precision would be if all places of the list had the same precision, from 0 to 1."

set_average_precision: SetAveragePrecision
set_map: SetAveragePrecision
set_ap: SetAveragePrecision

class SetF(Request):
    def __call__(
        self,
        *,
        x: float = ...,
        convention: str = ...,
    ) -> Request:
        "Set F: precision and recall of the whole list in one number, their weighted harmonic mean, from 0 to 1."

set_f: SetF

class SetUtility(Request):
    def __call__(
        self,
        *,
        hit: float = ...,
        noise: float = ...,
        miss: float = ...,
        rest: float = ...,
        collection: float = ...,
        convention: str = ...,
    ) -> Request:
        "Set utility: the value of a list where each item shown or missed has a price, unbounded."

set_utility: SetUtility

class ShannonEntropy(Request):
    def __call__(
        self,
        *,
        weight: Literal["plain", "rank"] = ...,
        unit: Literal["bits", "nats"] = ...,
        of: Literal["items", "item"] = ...,
        convention: str = ...,
    ) -> Request:
        "Shannon entropy: how evenly the lists are shared out among the items, in bits, from 0 up. 2 to the power of it is the number of items that, shown alike, would share the lists as evenly."

shannon_entropy: ShannonEntropy
entropy: ShannonEntropy
distributional_coverage: ShannonEntropy

class Sndr(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "SNDR: self-normalised doubly robust, whose correction is divided by the weights, unbounded."

sndr: Sndr
self_normalized_doubly_robust: Sndr

class Snips(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "SNIPS: self-normalised IPS, the mean of the rewards by their weights, unbounded."

snips: Snips
snipw: Snips

class Spearman(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Spearman's rho: the rank correlation of a user's scores and grades, from -1 to 1."

spearman: Spearman
spearman_rho: Spearman

class StratifiedRecall(Request):
    def __call__(
        self,
        *,
        exponent: float = ...,
        average: Literal["users", "pooled"] = ...,
        convention: str = ...,
    ) -> Request:
        "Popularity-stratified recall: the recall in which a relevant item counts the less, the more popular it is, from 0 to 1."

stratified_recall: StratifiedRecall

class Surprisal(Request):
    def __call__(
        self,
        *,
        unit: Literal["bits", "share"] = ...,
        divide_by: Literal["list_length", "k"] = ...,
        count: Literal["users", "events"] = ...,
        without_history: Literal["once", "zero"] = ...,
        average: Literal["users", "pooled"] = ...,
        convention: str = ...,
    ) -> Request:
        "Surprisal: the mean self-information of the list's items in the history, in bits, from 0 up."

surprisal: Surprisal
miuf: Surprisal
mean_inverse_user_frequency: Surprisal
self_information: Surprisal

class SwitchDr(Request):
    def __call__(
        self,
        *,
        tau: float = ...,
        convention: str = ...,
    ) -> Request:
        "Switch DR: doubly robust without the correction where a weight is too large, unbounded."

switch_dr: SwitchDr
switch_doubly_robust: SwitchDr

class TailShare(Request):
    def __call__(
        self,
        *,
        head: float = ...,
        of: Literal["interactions", "items"] = ...,
        divide_by: Literal["list_length", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Tail share: the share of the list that is of the long tail, from 0 to 1. Known as APLT, the average percentage of long tail items."

tail_share: TailShare
aplt: TailShare
long_tail_share: TailShare

class ThresholdF1(Request):
    def __call__(
        self,
        *,
        threshold: float = ...,
        of: Literal["users", "means"] = ...,
        convention: str = ...,
    ) -> Request:
        "Threshold F1: threshold precision and threshold recall in one number, their harmonic mean, from 0 to 1."

threshold_f1: ThresholdF1

class ThresholdPrecision(Request):
    def __call__(
        self,
        *,
        threshold: float = ...,
        convention: str = ...,
    ) -> Request:
        "Threshold precision: the share of items with a grade at or above the threshold among those with a score at or above it, from 0 to 1."

threshold_precision: ThresholdPrecision

class ThresholdRecall(Request):
    def __call__(
        self,
        *,
        threshold: float = ...,
        convention: str = ...,
    ) -> Request:
        "Threshold recall: the share of items with a score at or above the threshold among those with a grade at or above it, from 0 to 1."

threshold_recall: ThresholdRecall

class Unexpectedness(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["list_length", "k"] = ...,
        without_baseline: Literal["unexpected", "expected", "undefined"] = ...,
        users: Literal["recs", "baseline"] = ...,
        convention: str = ...,
    ) -> Request:
        "Unexpectedness: the share of the list that the baseline's list within k does not have, from 0 to 1."

unexpectedness: Unexpectedness

class UnjudgedShare(Request):
    def __call__(
        self,
        *,
        divide_by: Literal["list_length", "k"] = ...,
        convention: str = ...,
    ) -> Request:
        "Unjudged share: the share of the list that the truth does not judge, from 0 to 1."

unjudged_share: UnjudgedShare
unjudged: UnjudgedShare
unj: UnjudgedShare

class UserCoverage(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "User coverage: the share of the users who have a list, from 0 to 1."

user_coverage: UserCoverage

class ValueFound(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Value found: the prices of the relevant items within k, added up, from 0 up: revenue at k, or profit where margins are given as prices."

value_found: ValueFound

class ValueNdcg(Request):
    def __call__(
        self,
        *,
        convention: str = ...,
    ) -> Request:
        "Value NDCG: how near a list is to the one that shows the user's relevant items from the dearest to the cheapest, from 0 to 1."

value_ndcg: ValueNdcg

class ValuePrecision(Request):
    def __call__(
        self,
        *,
        average: Literal["users", "pooled"] = ...,
        convention: str = ...,
    ) -> Request:
        "Value precision: the share of what the items within k cost that is of relevant ones, from 0 to 1."

value_precision: ValuePrecision

class ValueRecall(Request):
    def __call__(
        self,
        *,
        average: Literal["users", "pooled"] = ...,
        convention: str = ...,
    ) -> Request:
        "Value recall: the share of what the user's relevant items cost that stands within k, from 0 to 1."

value_recall: ValueRecall

class ValueShown(Request):
    def __call__(
        self,
        *,
        total: Literal["mean", "sum"] = ...,
        convention: str = ...,
    ) -> Request:
        "Value shown: what an item within k costs on average, or the list within k as a whole, from 0 up."

value_shown: ValueShown
