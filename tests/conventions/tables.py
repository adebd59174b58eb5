"""Data sets on which the values of libraries are compared with the values of their profiles.

The module needs only the standard library, so it runs in the environment of each library. A data
set is a dict of tables, each a list of tuples:

    recs      (user_id, item_id, score): the lists, rows shuffled; scores do not follow any column
    truth     (user_id, item_id, relevance): rows shuffled
    history   (user_id, item_id): past events; also of users and items that are not in recs
    baseline  (user_id, item_id, score): another model's lists
    items     (item_id, category): one or more categories of each item

Users are strings such as "u03"; items are integers of three digits, so that their order as numbers
is their order as strings.
"""

from random import Random
from typing import Any

USERS = [f"u{number:02}" for number in range(1, 15)]
ITEMS = list(range(101, 151))
CATEGORIES = ["a", "b", "c", "d", "e"]
CUTOFFS = (1, 3, 5, 10)
Rows = list[tuple[Any, ...]]


def data_sets() -> dict[str, dict[str, Rows]]:
    """Return the data sets by name."""
    return {
        # Lists of 12, one to four relevant items, each user in both tables.
        "clean": _tables(1),
        # Lists of one to eight ranks.
        "short": _tables(2, lengths=(1, 8)),
        # Three users of the truth have no list.
        "absent": _tables(3, absent=3),
        # Three users with a list are not in the truth.
        "without_truth": _tables(4, without_truth=3),
        # More relevant items than the cutoffs have ranks.
        "more_truth": _tables(5, wanted=(8, 16)),
        # Relevances 1 to 3.
        "graded": _tables(6, wanted=(2, 8), grades=(1, 3)),
        # Relevances 0 to 3, and two users without a relevance above 0.
        "judged_zero": _tables(7, wanted=(3, 9), grades=(0, 3), without_relevant=2),
        # Scores below and above 0.
        "negative": _tables(8, shift=-0.5),
        # Three levels of scores.
        "tied": _tables(9, levels=3),
        # Tied, short, graded and unbalanced.
        "tied_short": _tables(10, levels=2, lengths=(1, 8), grades=(1, 3), absent=1),
        # Lists with repeated items, at other scores.
        "repeated_recs": _tables(11, repeat_recs=0.25, wanted=(3, 9)),
        # Truth with repeated items of the same relevance.
        "repeated_truth": _tables(12, repeat_truth=0.4, wanted=(3, 9)),
        # Repeated items in both; lists with ties and of many lengths; grades.
        "repeated_graded": _tables(
            14,
            levels=6,
            lengths=(3, 14),
            wanted=(2, 9),
            grades=(0, 3),
            repeat_recs=0.3,
            repeat_truth=0.2,
        ),
        # Truth with repeated items of another relevance.
        "repeated_conflict": _tables(
            15, repeat_truth=0.4, conflict=True, wanted=(2, 9), grades=(0, 3)
        ),
        # Lists of 1 to 22, one to twenty relevant items, users missing on both sides.
        "unbalanced": _tables(13, lengths=(1, 22), wanted=(1, 20), absent=2, without_truth=2),
    }


def groups(items: Rows) -> dict[int, str]:
    """Return each item's first category."""
    return {item: min(name for one, name in items if one == item) for item in sorted(dict(items))}


def user_group(user: str) -> str:
    """Return the group of a user, of three."""
    return "xyz"[USERS.index(user) % 3]


def _tables(
    seed: int,
    *,
    lengths: tuple[int, int] = (12, 12),
    wanted: tuple[int, int] = (1, 4),
    grades: tuple[int, int] = (1, 1),
    absent: int = 0,
    without_truth: int = 0,
    without_relevant: int = 0,
    shift: float = 0.0,
    levels: int = 0,
    repeat_recs: float = 0.0,
    repeat_truth: float = 0.0,
    conflict: bool = False,
) -> dict[str, Rows]:
    random = Random(seed)

    def number(low: int, high: int) -> int:
        return low + int(random.random() * (high - low + 1))

    def mixed(rows: list[Any]) -> list[Any]:
        return [row for _, row in sorted((random.random(), row) for row in rows)]

    def some(rows: list[Any], count: int) -> list[Any]:
        return mixed(rows)[:count]

    def score() -> float:
        if levels:
            return number(1, levels) / levels + shift
        return round(random.random(), 9) + shift

    recs, truth, history, baseline = [], [], [], []
    for index, user in enumerate(USERS):
        # Lists and relevant items are drawn from the same items, so that there are hits.
        likely = ITEMS[:18] + some(ITEMS[18:], 4)
        relevant = some(likely, number(*wanted))
        if index >= absent:
            for item in some(likely, number(*lengths)):
                recs.append((user, item, score()))
                if random.random() < repeat_recs:
                    recs.append((user, item, score()))
        if index < len(USERS) - without_truth:
            for item in relevant:
                nothing = index >= len(USERS) - without_truth - without_relevant
                row = (user, item, 0 if nothing else number(*grades))
                truth.append(row)
                if random.random() < repeat_truth:
                    truth.append((user, item, number(*grades)) if conflict else row)
        if index != 4:
            history += [(user, item) for item in some(ITEMS[:40], number(1, 9))]
        if index != 6:
            baseline += [(user, item, score()) for item in some(likely, number(4, 12))]
    history += [("h1", ITEMS[0]), ("h1", ITEMS[-1]), ("h2", ITEMS[0])]
    items = [(item, name) for item in ITEMS for name in some(CATEGORIES, number(1, 2))]
    return {
        "recs": mixed(recs),
        "truth": mixed(truth),
        "history": mixed(history),
        "baseline": mixed(baseline),
        "items": mixed(items),
    }
