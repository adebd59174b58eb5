from pytest import approx

import sqlrec

from ..tables import decisions, lists, values

LOGS = decisions(
    "reward propensity target_probability", (1, 0.5, 0.25), (1, 0.0625, 1), (2, 0.125, 0.5)
)


def test_lets_no_weight_be_above_the_limit():
    result = sqlrec.evaluate("clipped_ips clipped_ips(clip=2) clipped_ips(clip=0.5) ips", logs=LOGS)
    assert values(result) == approx([18.5 / 3, 6.5 / 3, 2 / 3, 24.5 / 3])


def test_does_so_with_lists_at_each_cutoff():
    logs = decisions(
        "user_id item_id reward propensity", ("ann", "a", 1, 0.25), ("ann", "b", 1, 0.5)
    )
    recs = lists({"ann": "ab"})
    result = sqlrec.evaluate("clipped_ips(clip=3)@1 clipped_ips(clip=3)@2", recs=recs, logs=logs)
    assert values(result) == approx([3 / 2, 5 / 2])
