"""Numbers of examples that hypothesis draws: 2, in CI 4 (``--hypothesis-profile=ci``), weekly 40.

Draws are always the same, except weekly. A test may limit the number.
"""

from hypothesis import HealthCheck, settings

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
    """Draw at most this number of examples."""
    return settings(max_examples=min(number, settings.default.max_examples))
