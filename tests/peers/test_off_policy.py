"""Values of obp and Jurity, and published values of the Open Bandit data."""

import json
from pathlib import Path

import duckdb
import pyarrow as pa
from pytest import approx, mark, warns

import sqlrec

from ..tables import decisions, scored, values
from .test_libraries import SHARED, shared

# Estimates by obp 0.5.7 of the policy bts, from the log of the random policy; obp 0.4.1, which has
# neither clipping nor sub-Gaussian weights, has equal values. Published values for all: IPW
# .004553, DM .003545, DR .004727.
CAMPAIGNS = ("all", "women")
OBP = {
    "ips": (0.00455288, 0.006813473999999999),
    "snips": (0.0047758330812309535, 0.006810965194592502),
    "direct_method": (0.0035450399034816357, 0.0045547348274683885),
    "doubly_robust": (0.004728333144102281, 0.006863071447737744),
    "sndr": (0.004786278636624845, 0.006862221489640707),
    "switch_dr(tau=0)": (0.0035450399034816357, 0.0045547348274683885),
    "switch_dr(tau=0.5)": (0.0034478327056974714, 0.004507666757073802),
    "switch_dr(tau=1)": (0.003494212657889008, 0.004483028000916664),
    "switch_dr(tau=2)": (0.0036269689363417094, 0.004459410170043776),
    "switch_dr": (0.003252171271867219, 0.00651975082915761),
    "clipped_ips(clip=0.5)": (0.00114784, 0.001331064),
    "clipped_ips(clip=1)": (0.0016944, 0.0022247260000000002),
    "clipped_ips(clip=2)": (0.0023413600000000002, 0.003496878),
    "clipped_ips": (0.00359304, 0.00681095),
    "shrunk_dr(shrinkage=0.5)": (0.003563390304182105, 0.004550957593624557),
    "shrunk_dr": (0.00366671702742482, 0.005130487665986755),
    "sub_gaussian_ips": (0.0030700284825104203, 0.005050234286395628),
    "sub_gaussian_dr": (0.003940259649879884, 0.00611648943034734),
    "sub_gaussian_ips(shrinkage=0.5)": (0.002349970494362489, 0.0032541660916084935),
    "sub_gaussian_dr(shrinkage=0.5)": (0.003710693072858603, 0.005220647111768257),
}
OPEN_BANDIT = """
select
    'everybody' as user_id,
    item_id,
    position,
    click as reward,
    propensity,
    prob as target_probability,
    q_logged as predicted_reward,
    q_eval as expected_reward
from read_parquet('{folder}/obd/log_random_{campaign}.parquet') as logged
join read_parquet('{folder}/obd/policy_bts_{campaign}.parquet') as policy using (item_id, position)
join read_parquet('{folder}/obd/q_{campaign}.parquet') as model using (row)
"""

# Marginalized IPS and its self-normalized form: obp 0.5.7, with the item number modulo 5 or 9 as
# the embedding, with probability 1 (p_e_a).
MARGINALIZED = {
    ("all", 5): (0.004285494999999999, 0.00426869544236917),
    ("all", 9): (0.00362277, 0.003593420898511691),
    ("women", 5): (0.004480437822222223, 0.004464127742046312),
    ("women", 9): (0.0044623174000000005, 0.004467634227845444),
}
# As in docs/off_policy.md: the logging policy shows all items with equal probability.
BY_CATEGORY = """
with chances as (
    select item_id % {categories} as category, position,
        count(*) / sum(count(*)) over (partition by position) as propensity,
        sum(prob) as target_probability
    from read_parquet('{folder}/obd/policy_bts_{campaign}.parquet')
    group by item_id % {categories}, position
)
select click as reward, chances.propensity, target_probability
from read_parquet('{folder}/obd/log_random_{campaign}.parquet') as logged
join chances on category = item_id % {categories} and chances.position = logged.position
"""


def open_bandit(campaign):
    return duckdb.sql(OPEN_BANDIT.format(folder=SHARED, campaign=campaign)).to_arrow_table()


@shared
@mark.filterwarnings("error")
@mark.parametrize("campaign", CAMPAIGNS)
def test_obp_estimates_the_same_of_the_open_bandit_data(campaign):
    result = sqlrec.evaluate([*OBP], logs=open_bandit(campaign))
    expected = [pair[CAMPAIGNS.index(campaign)] for pair in OBP.values()]
    assert values(result) == approx(expected, rel=1e-12)


@shared
@mark.parametrize("campaign, categories", MARGINALIZED)
def test_obp_marginalizes_to_the_same_weights(campaign, categories):
    names = {"folder": SHARED, "campaign": campaign, "categories": categories}
    logs = duckdb.sql(BY_CATEGORY.format(**names)).to_arrow_table()
    results = values(sqlrec.evaluate("ips snips", logs=logs))
    assert results == approx([*MARGINALIZED[campaign, categories]], rel=1e-12)


@shared
@mark.parametrize(
    "campaign, value", [("all", 0.003727084188830149), ("women", 0.004376457470842223)]
)
def test_obp_balances_to_the_same_value(campaign, value):
    # BalancedInverseProbabilityWeighting of obp 0.5.7, with an invented classifier.
    logs = duckdb.sql(
        "select click as reward, chance as target_probability, 1 - chance as propensity "
        "from (select *, (item_id % 7 + position) / 12 as chance "
        f"from read_parquet('{SHARED}/obd/log_random_{campaign}.parquet'))"
    ).to_arrow_table()
    assert values(sqlrec.evaluate("snips", logs=logs)) == approx([value], rel=1e-12)


@shared
def test_the_weights_of_the_open_bandit_data_are_as_known():
    result = sqlrec.evaluate("ess max_weight matched_share", logs=open_bandit("all"))
    assert values(result) == approx([1639.5019, 19.5984, 1], abs=1e-4)


@shared
def test_obp_replays_lists_with_the_same_value():
    # The item with most clicks at each position, the first of several.
    recs = scored({"everybody": {"49": 3.0, "53": 2.0, "18": 1.0}})
    logs = open_bandit("all").drop_columns("target_probability")
    logs = logs.set_column(1, "item_id", logs["item_id"].cast("string"))
    result = sqlrec.evaluate("ctr ips snips", recs=recs, logs=logs)
    assert values(result) == approx([0.04580152671755725, 0.048, 0.04580152671755725], rel=1e-12)


@shared
def test_a_sharp_policy_has_a_small_effective_sample():
    logs = duckdb.sql(
        "select click as reward, propensity, 1 / 46 as target_probability "
        f"from read_parquet('{SHARED}/obd/log_bts_women.parquet')"
    ).to_arrow_table()
    with warns(UserWarning, match=r"effective sample is 2\.1 of 10000 .* weight is 21739\.1: est"):
        result = sqlrec.evaluate("ips snips clipped_ips ess", logs=logs)
    assert values(result) == approx(
        [0.00743757754192316, 0.0023730461434477677, 0.004383669186128011, 2.077822692483687],
        rel=1e-12,
    )


# Values by Jurity 2.1.0 with pandas 2.3.3: CTR(estimation='matching') and CTR(estimation='ips').
JURITY_LOGS = decisions(
    "user_id item_id reward propensity",
    "u0 d 1 0.5, u0 e 0 0.125, u0 f 1 0.5, u1 e 1 0.25, u1 b 0 0.125, u1 a 0 0.5, "
    "u2 d 0 0.5, u2 f 0 0.125, u2 b 0 0.125, u3 b 1 0.25, u3 e 1 0.5, u3 a 0 0.5, "
    "u4 b 0 0.5, u4 c 0 0.25, u4 d 1 0.25, u5 e 1 0.125, u5 a 1 0.125, u5 c 0 0.5, "
    "u6 a 1 0.25, u6 d 0 0.125, u6 f 0 0.125",
)
JURITY_RECS = scored(
    {
        "u1": {"f": 0.35, "d": 0.1, "e": 0.8, "a": 0.65},
        "u2": {"a": 0.95, "c": 0.35, "e": 0.45, "f": 0.55},
        "u3": {"f": 0.7, "a": 0.2, "e": 0.25, "d": 0.4},
        "u4": {"d": 0.75, "e": 0.8, "b": 0.3, "c": 0.35},
        "u5": {"d": 0.25, "f": 0.7, "b": 0.65, "a": 0.2},
        "u6": {"b": 0.45, "d": 0.5, "a": 0.05, "e": 0.35},
        "u7": {"a": 0.25, "e": 0.35, "c": 0.75, "b": 0.45},
    }
)


@mark.parametrize(
    "cutoff, matching, ips",
    [
        ("@1", 0.5, 0.5714285714285714),
        ("@2", 0.4, 0.5714285714285714),
        ("@4", 0.45454545454545453, 0.7857142857142857),
        ("", 0.45454545454545453, 0.7857142857142857),
    ],
)
def test_jurity_finds_the_same_click_through_rate(cutoff, matching, ips):
    result = sqlrec.evaluate(
        f"ctr{cutoff} ips(divide_by=recommended){cutoff}", recs=JURITY_RECS, logs=JURITY_LOGS
    )
    assert values(result) == approx([matching, ips], rel=1e-12)


def test_obp_estimates_the_same_of_slates():
    # Forty slates of three of five items, drawn without replacement by each slate's probabilities.
    held = json.loads((Path(__file__).parent / "slates.json").read_text(encoding="utf-8"))
    columns = map(list, zip(*held["rows"], strict=True))
    logs = pa.table(dict(zip(held["columns"], columns, strict=True)))
    with warns(UserWarning, match="effective sample"):
        result = sqlrec.evaluate([*held["values"]], logs=logs)
    assert values(result) == approx([*held["values"].values()], rel=1e-12)
