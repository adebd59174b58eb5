from pytest import approx

import sqlrec

from ..tables import decisions, values


def test_is_the_mean_of_the_expected_rewards_and_needs_no_other_column():
    logs = decisions("expected_reward", (0.5,), (0.25,), (0,))
    assert values(sqlrec.evaluate("direct_method", logs=logs)) == approx([0.25])
