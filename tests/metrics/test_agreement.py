from math import sqrt
from random import Random

from pytest import approx

import sqlrec

from ..tables import PAIRS, scored, values, wanted
from .cases import case, given, rated, worked

JUDGE, PEOPLE = (3, 2, 0, 1, 3, 0, 2, 1, 1, 0), (3, 1, 0, 1, 2, 0, 2, 2, 0, 0)


def graded(judge, people):
    """Return items with the judge's grade and people's grade."""
    return {f"i{rank}": pair for rank, pair in enumerate(zip(judge, people, strict=True))}


LABELS = graded((1, 1, 0, 0, 1, 0, 1, 1), (1, 0, 0, 0, 1, 0, 1, 0))
test_cohen_kappa = worked(
    "equals the kappa of scikit-learn with quadratic weights",
    case(
        {"cohen_kappa quadratic_weighted_kappa": approx(0.829059829059829, abs=1e-12)},
        **rated(graded(JUDGE, PEOPLE)),
    ),
    "is the plain kappa for labels 0 and 1",
    # Both agree on 6 of 8 items, and by chance on a share of (5 * 3 + 3 * 5) / 64.
    case({"cohen_kappa": (6 / 8 - 30 / 64) / (1 - 30 / 64)}, **rated(LABELS)),
    "is computed over the items of all users together",
    given(**rated(graded(JUDGE[:4], PEOPLE[:4]), graded(JUDGE[4:], PEOPLE[4:]))),
    case({"cohen_kappa": 0.829059829059829}),
    "is below the correlation if scales differ",
    # Scores are twice the grades: squared errors are 1 and 4; scores are 1/4 and 25/4 from 1.5.
    given(**rated("i0=2,1 i1=4,2")),
    case({"cohen_kappa": 1 - 5 / (0.25 + 6.25 + 0.5)}),
    case("is minus 1 for opposite judgments", {"cohen_kappa": -1}, **rated("i0=0,1 i1=1,0")),
    "is undefined or 0 for equal grades",
    case({"cohen_kappa": None}, **rated("i0=0.1,0.1 i1=0.1,0.1 i2=0.1,0.1")),
    case({"cohen_kappa": 0.0}, **rated("i0=1,1 i1=0,1")),
)

# Two concordant pairs, one discordant; one with equal scores, one discordant, one concordant; one
# discordant; one with equal scores; none.
ANN = "a=3,4 b=2,5 c=1,1"
BOB = "a=2,2 b=2,3 c=1,2.5"
CID = "a=2,1 b=1,2"
DAN = "a=2,1 b=2,2"
EVE = "a=2,1 b=1,1"
test_fcp = worked(
    "is the share of concordant pairs among the pairs of all users",
    given(**rated(ANN, BOB, CID, DAN, EVE)),
    case({"fcp fraction_of_concordant_pairs": (2 + 1) / (2 + 1 + 1 + 1 + 1)}),
    "counts pairs with equal scores as discordant if requested",
    case({"fcp(ties=discordant)": 3 / (3 + 3 + 2)}, **rated(ANN, BOB, CID, DAN, EVE)),
    "distinguishes ties of scores, ties of grades, and ties of both",
    given(**rated(PAIRS)),
    case({"fcp(average=*)": 10 / (10 + 3)}),
    case({"fcp(average=pooled, ties=discordant)": 10 / (10 + 3 + 5)}),
    case({"fcp(average=users, ties=discordant)": 10 / (10 + 3 + 5)}),
    case({"fcp(average=means, ties=discordant)": 10 / (10 + 3 + 5)}),
    "may be the mean of per-user shares",
    given(**rated(ANN, BOB, CID, DAN, EVE)),
    case({"fcp(average=users)": (2 / 3 + 1 / 2 + 0) / 3}),
    case({"fcp(average=users, ties=discordant)": (2 / 3 + 1 / 3 + 0 + 0) / 4}),
    "may be computed from the means of users with such pairs",
    given(**rated(ANN, BOB, CID, DAN, EVE)),
    case({"fcp(average=means)": (2 + 1) / 2 / ((2 + 1) / 2 + (1 + 1 + 1) / 3)}),
    case(
        {"fcp(average=means, ties=discordant)": (2 + 1) / 2 / ((2 + 1) / 2 + (1 + 2 + 1 + 1) / 4)}
    ),
    "is undefined without a counted pair, and 0 or 1 if all pairs are of one kind",
    case({"fcp(average=*)": None}, **rated(DAN, EVE, "a=1,1")),
    case({"fcp(average=*)": 0}, **rated(CID)),
    case("reads only the items within k", {"fcp@2": 0, "fcp@1": None}, **rated(ANN)),
)


def test_pairs_within_a_cutoff_are_those_of_whole_lists():
    """Among the first five items of PAIRS, ae, be and de are concordant, ce and cd discordant."""
    bob = {"a": (2, 2), "b": (2, 2), "c": (2, 2), "d": (1, 1)}
    recs, truth = (
        {name: {i: pair[n] for i, pair in items.items()} for name, items in users.items()}
        for n, users in enumerate([{"ann": PAIRS, "bob": bob}] * 2)
    )
    requests = "fcp@5 kendall@5 kendall(variant=tau_a)@5 ndpm@5"
    result = sqlrec.evaluate(requests, recs=scored(recs), truth=wanted(truth))
    expected = [(3 + 3) / (5 + 3), (1 / 7 + 3 / 3) / 2, (1 / 10 + 3 / 6) / 2, (2 * 2 + 2) / 14 / 2]
    assert values(result) == approx(expected)


def test_fcp_of_a_list_of_thousands_does_not_visit_all_pairs():
    # The order is reversed in each half; computing all 20,000^2 pairs would take too long.
    size = 20_000
    ranks = [*range(size // 2, size), *range(size // 2)]
    Random(1).shuffle(items := list(range(size)))
    recs = scored({"ann": {f"i{item}": float(item) for item in items}})
    truth = wanted({"ann": {f"i{item}": float(ranks[item]) for item in items}})
    (result,) = sqlrec.evaluate("fcp", recs=recs, truth=truth).to_arrow()["value"].to_pylist()
    pairs = size * (size - 1) / 2
    assert result == approx(1 - (size / 2) ** 2 / pairs, abs=1e-15)


# Pairs: ab, ac, ad, bc, bd concordant, cd discordant.
RATED = "a=4,5 b=3,4 c=2,1 d=1,2"
# ab has equal scores, cd equal grades, ac, ad and bc, bd are concordant.
KENDALL_BOB = "a=4,5 b=4,4 c=2,1 d=1,1"
test_kendall = worked(
    "is the difference of concordant and discordant pairs",
    given(**rated(RATED)),
    case({"kendall(variant=*) kendall_tau(variant=*)": (5 - 1) / 6}),
    "divides by pairs that are not tied or by all",
    case({"kendall": 4 / sqrt(5 * 5), "kendall(variant=tau_a)": 4 / 6}, **rated(KENDALL_BOB)),
    "distinguishes ties of scores, ties of grades, and ties of both",
    case({"kendall kendall@9": (10 - 3) / sqrt((10 + 3 + 2) * (10 + 3 + 5))}, **rated(PAIRS)),
    case({"kendall(variant=tau_a) kendall(variant=tau_a)@9": (10 - 3) / 21}, **rated(PAIRS)),
    case("averages over users", {"kendall": (4 / 6 + 4 / 5) / 2}, **rated(RATED, KENDALL_BOB)),
    "is 1 for the same order and minus 1 for its reverse",
    case({"kendall": 1}, **rated("a=3,5 b=2,4 c=1,-1")),
    case({"kendall": -1}, **rated("a=3,-1 b=2,4 c=1,5")),
    case("reads only the items within k", {"kendall@3": 1, "kendall@1": None}, **rated(RATED)),
    "distinguishes as many grades as there are ranks",
    given(**rated({f"i{rank}": (float(-rank), float(rank)) for rank in range(20)})),
    case({"kendall@2 kendall@4 kendall@5 kendall@6 kendall@16 kendall@17 kendall@18": -1}),
    "is undefined for equal scores or grades and 0 without the correction",
    case({"kendall": None, "kendall(variant=tau_a)": 0}, **rated("a=1,1 b=1,2")),
    given(**rated(RATED, "a=1,1 b=1,2", "a=1,1 b=2,1", "a=1,1 b=1,1")),
    case({"kendall": {"u0": 4 / 6, "u1": None, "u2": None, "u3": None}}),
    case({"kendall": (4 / 6, 1), "kendall(variant=tau_a)": (4 / 6 / 4, 4)}),
    "is undefined for one item",
    case({"kendall(variant=*)": None}, **rated("a=1,1")),
    case({"kendall(variant=*)": (4 / 6, 1)}, **rated(RATED, "a=1,1")),
)

test_krippendorff_alpha = worked(
    "equals the value of the library on an interval scale",
    case(
        {"krippendorff_alpha": approx(0.8362068965517242, abs=1e-12)},
        **rated(graded(JUDGE, PEOPLE)),
    ),
    "is the nominal alpha for labels 0 and 1",
    # 2 of 8 items differ. 8 of 16 labels are 1, so 2 * 8 * 8 of 16 * 15 pairs differ.
    case({"krippendorff_alpha": 1 - 2 / 8 / (2 * 8 * 8 / (16 * 15))}, **rated(LABELS)),
    "divides by the expected disagreement of all pairs of grades",
    # The six pairs of 2, 4, 1 and 2 have squares of 4, 1, 0, 9, 4 and 1; the items have 1 and 4.
    given(**rated("i0=2,1 i1=4,2")),
    case({"krippendorff_alpha": 1 - 5 / 2 / (19 / 6)}),
    "is accurate if all values are far from 0",
    given(**rated("i0=1000000002,1000000001 i1=1000000004,1000000002")),
    case({"krippendorff_alpha": approx(1 - 5 / 2 / (19 / 6), abs=1e-09)}),
    "is undefined for equal grades",
    given(**rated("i0=0.1,0.1 i1=0.1,0.1 i2=0.1,0.1")),
    case({"krippendorff_alpha": None}),
)

test_ndpm = worked(
    "is 0 for the same order and 1 for its reverse",
    case({"ndpm": 0}, **rated("a=3,5 b=2,4 c=1,1")),
    case({"ndpm": 1}, **rated("a=3,1 b=2,4 c=1,5")),
    "counts half for equal scores of different grades",
    case({"ndpm": 0.5}, **rated("a=1,1 b=1,2 c=1,3")),
    "distinguishes ties of scores, ties of grades, and ties of both",
    case({"ndpm ndpm@9": (2 * 3 + 5) / (2 * (10 + 3 + 5))}, **rated(PAIRS)),
    "does not count pairs of equal grades",
    # c is discordant with a and b, and has the same score as d; all other pairs have equal grades.
    given(**rated("a=4,3 b=3,3 c=2,5 d=2,3")),
    case({"ndpm": (2 * 2 + 1) / (2 * 3)}),
    "excludes users without two different grades",
    case({"ndpm": 1}, **rated("a=2,1 b=1,5", "a=1,1", "a=1,2 b=3,2")),
    case({"ndpm": None}, **rated("a=1,1")),
    case("reads only the items within k", {"ndpm@2": 1}, **rated("a=3,1 b=2,5 c=1,-1")),
)

# Scores around 2, grades around 3.
PEARSON_ANN = "a=3,4 b=2,5 c=1,0"
test_pearson = worked(
    "is the correlation of scores and grades",
    case({"pearson pearson_r": (1 * 1 + 0 * 2 + -1 * -3) / sqrt(2 * 14)}, **rated(PEARSON_ANN)),
    "is 1 or minus 1 if scores are a linear function of grades",
    case({"pearson": 1.0}, **rated("a=1,10 b=2,30 c=4,70")),
    case({"pearson": -1.0}, **rated("a=1,-1 b=2,-3")),
    "is 0 if grades do not depend on scores",
    case({"pearson": 0.0}, **rated("a=1,1 b=1,2 c=2,1 d=2,2")),
    "is 1 for two pairs of equal items",
    given(**rated("a=1,1 b=1,1 c=0,0 d=0,0")),
    case({"pearson": 1.0}),
    "averages over users",
    case({"pearson": (4 / sqrt(28) - 1) / 2}, **rated(PEARSON_ANN, "a=1,2 b=2,1")),
    "is accurate if all values are far from 0",
    given(**rated("a=1000000003,1000000004 b=1000000002,1000000005 c=1000000001,1000000000")),
    case({"pearson": approx(4 / sqrt(28), abs=1e-12)}),
    "reads only the items within k",
    case({"pearson@2": -1.0, "pearson@1": None}, **rated(PEARSON_ANN)),
    "is undefined for one item and for equal scores or grades",
    # The mean of three times 0.1 is not 0.1, once it is rounded.
    case({"pearson": None}, **rated("a=1,1")),
    given(**rated(PEARSON_ANN, "a=1,1", "a=0.1,1 b=0.1,2 c=0.1,3", "a=1,0.1 b=2,0.1 c=3,0.1")),
    case({"pearson": {"u0": 4 / sqrt(28), "u1": None, "u2": None, "u3": None}}),
    case({"pearson": (4 / sqrt(28), 1)}),
    case("is not above 1 by rounding", {"pearson": 1}, **rated("a=5.6,8 b=3.5,5")),
)

# Ranks 1.5, 1.5 and 3 against 1, 2.5 and 2.5.
OF_TIES = (-0.5 * -1 + -0.5 * 0.5 + 1 * 0.5) / 1.5
test_spearman = worked(
    "is the correlation of ranks",
    # Without ties it is 1 - 6 * sum of squared differences / (n * (n^2 - 1)).
    case({"spearman spearman_rho": 1 - 6 * 2 / (4 * 15)}, **rated(RATED)),
    "gives equal scores and equal grades their mean rank",
    case({"spearman": OF_TIES}, **rated("a=1,1 b=1,2 c=5,2")),
    case({"spearman": (0.8 + OF_TIES) / 2}, **rated(RATED, "a=1,1 b=1,2 c=5,2")),
    case("reads only the items within k", {"spearman@3": 1, "spearman@1": None}, **rated(RATED)),
    "is undefined for one item and for equal scores or grades",
    case({"spearman": None}, **rated("a=1,1")),
    given(**rated(RATED, "a=1,1", "a=0.1,1 b=0.1,2 c=0.1,3", "a=1,0.1 b=2,0.1 c=3,0.1")),
    case({"spearman": {"u0": 0.8, "u1": None, "u2": None, "u3": None}}),
    case({"spearman": (0.8, 1)}),
)
