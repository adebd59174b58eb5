"""Draws results/plot.svg from what benchmarks/run.py measured."""

import json
import statistics
from pathlib import Path

import matplotlib
from matplotlib import pyplot

RESULTS = Path(__file__).parent / "results"
OURS, OTHERS = "#1b6ca8", "#9aa5b1"


def costs(part: str) -> dict[str, tuple[int, float, float]]:
    """Return for each case of a part its rows of recs, its CPU seconds and its GB."""
    path = RESULTS / f"{part}.json"
    found = json.loads(path.read_text(encoding="utf-8"))["cases"] if path.exists() else {}
    return {
        name: (case["rows"], *map(statistics.median, zip(*case["rounds"], strict=True)))
        for name, case in found.items()
    }


def main() -> None:
    """Draw the cost of a row: of sqlrec and others, and of sqlrec as rows grow."""
    pyplot.switch_backend("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "sqlrec", "font.size": 9})
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    shown = {
        f"{'sqlrec ' if name.startswith('from ') else ''}{name}, {rows / 1e6:g}M": cpu / rows * 1e6
        for name, (rows, cpu, _) in {**costs("five"), **costs("peers")}.items()
        if not name.startswith("sqlrec")
    }
    ordered = sorted(shown, key=lambda name: -shown[name])
    colors = [OURS if name.startswith("sqlrec") else OTHERS for name in ordered]
    left.scatter([shown[name] for name in ordered], ordered, color=colors)
    for name in ordered:
        left.annotate(
            f"{shown[name]:.2f}", (shown[name], name), (6, -3), textcoords="offset points"
        )
    left.set(xscale="log" if shown else "linear", xlabel="CPU µs for each row of recs")
    left.grid(axis="y", alpha=0.3)
    left.set_title("Five metrics at four cutoffs")
    for order in ("ranks", "scores"):
        points = sorted(
            (rows, cpu / rows * 1e6)
            for name, (rows, cpu, _) in costs("growth").items()
            if name.endswith(f"from {order}")
        )
        if points:
            right.plot(*zip(*points, strict=True), marker="o", label=f"from {order}")
            right.legend()
    right.set(xscale="log", ylim=(0, None), xlabel="rows of recs", ylabel="CPU µs for each row")
    right.set_title("Growth")
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(RESULTS / "plot.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
