"""How many examples hypothesis draws: two; in CI those that a test wants, but at most 8.

``pytest --hypothesis-profile=ci`` is the latter. Draws are always the same.
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
settings.register_profile("ci", settings.get_profile("dev"), max_examples=8)
settings.load_profile("dev")


def examples(number: int) -> settings:
    """Draw so many in CI."""
    return settings(max_examples=min(number, settings.default.max_examples))
