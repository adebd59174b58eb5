"""Numbers of examples that hypothesis draws.

There are 2 examples by default, 4 in CI (``--hypothesis-profile=ci``), and 40 in the weekly runs.
Except in the weekly runs, the examples are always the same. A test may limit the number.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, reject, settings

import sqlrec

settings.register_profile(
    "dev",
    max_examples=2,
    deadline=None,
    derandomize=True,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("ci", settings.get_profile("dev"), max_examples=4)
settings.register_profile("weekly", settings.get_profile("dev"), max_examples=40, derandomize=False)
settings.load_profile("dev")


def examples(number: int) -> settings:
    """Draw at most a number of examples."""
    return settings(max_examples=min(number, settings.default.max_examples))


@contextmanager
def reject_disjoint_users() -> Iterator[None]:
    """Reject an example whose lists and truth have no users in common, which is an error.

    Segments of random users are often empty, which is a warning.
    """
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*no user has a value")
            yield
    except sqlrec.DataError as error:
        if "check that user_id has the same format" not in str(error):
            raise
        reject()
