"""Measure the difference of each metric from the library's metric, for the page of peers.

    python tests/conventions/measured.py             all profiles
    python tests/conventions/measured.py ranx lenskit

For each of a library's names: the number of compared values, and the largest difference relative to
the larger of the value and 1.
"""

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

import sqlrec
from tests.conventions.test_conventions import DATA, LIBRARIES, found

FILE = Path(__file__).with_name("measured.json")


def measure(profile: str) -> dict[str, list[float]]:
    """Return the number of values and the largest difference of each entry of a profile."""
    entries: dict[str, list[float]] = {
        entry.name: [0, 0.0] for entry in sqlrec.conventions()[profile].entries
    }
    for name in DATA:
        ours, theirs = found(profile, name)
        for key, value in theirs.items():
            one = entries[key.partition("@")[0].removesuffix(" -c")]
            one[0] += 1
            if (value is None) != (ours[key] is None):
                one[1] = float("inf")
            elif value is not None:
                one[1] = max(one[1], abs(ours[key] - value) / max(abs(value), 1))
    return entries


if __name__ == "__main__":
    known = json.loads(FILE.read_text()) if FILE.exists() and sys.argv[1:] else {}
    known |= {profile: measure(profile) for profile in sys.argv[1:] or LIBRARIES}
    lines = [
        f"{json.dumps(profile)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in found.items())
        + "\n}"
        for profile, found in sorted(known.items())
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
