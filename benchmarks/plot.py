"""Draw results/plot.svg from the measurements of benchmarks/run.py."""

import json
import statistics
from pathlib import Path
from typing import Any

import vl_convert

RESULTS = Path(__file__).parent / "results"
COST = {"field": "cost", "type": "quantitative"}


def read_costs(part: str) -> dict[str, tuple[int, float]]:
    """Return each case of a part: its rows of recs, and its CPU microseconds by row."""
    path = RESULTS / f"{part}.json"
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"] if path.exists() else {}
    return {
        name: (
            case["rows"],
            statistics.median(cpu for cpu, *_ in case["rounds"]) / case["rows"] * 1e6,
        )
        for name, case in cases.items()
    }


def compare_tools() -> dict[str, Any]:
    """Return the panel of sqlrec, other libraries and statements by hand."""
    costs = {
        f"{'sqlrec ' if name.startswith('from ') else ''}{name}, {rows / 1e6:g}M": cost
        for name, (rows, cost) in {**read_costs("five"), **read_costs("peers")}.items()
        if not name.startswith("sqlrec")
    }
    y = {"field": "name", "type": "nominal", "sort": "-x", "title": None, "axis": {"grid": True}}
    x = COST | {"scale": {"type": "log"}, "title": "CPU µs for each row of recs"}
    return {
        "title": "Five metrics at four cutoffs",
        "width": 330,
        "height": {"step": 19},
        "data": {
            "values": [
                {"name": name, "cost": cost, "sqlrec": name.startswith("sqlrec")}
                for name, cost in costs.items()
            ]
        },
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {
                    "color": {
                        "field": "sqlrec",
                        "type": "nominal",
                        "scale": {"domain": [True, False], "range": ["#1b6ca8", "#9aa5b1"]},
                        "legend": None,
                    }
                },
            },
            {
                "mark": {"type": "text", "align": "left", "dx": 7},
                "encoding": {"text": COST | {"format": ".2f"}},
            },
        ],
    }


def show_growth() -> dict[str, Any]:
    """Return the panel of the cost of a row as rows of recs grow."""
    values = [
        {"rows": rows, "cost": cost, "order": f"from {order}"}
        for order in ("ranks", "scores")
        for name, (rows, cost) in read_costs("growth").items()
        if name.endswith(f"from {order}")
    ]
    rows = {"field": "rows", "type": "quantitative", "scale": {"type": "log"}}
    return {
        "title": "Growth",
        "width": 330,
        "height": 300,
        "data": {"values": values},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": rows | {"title": "rows of recs", "axis": {"format": "~s"}},
            "y": COST | {"title": "CPU µs for each row"},
            "color": {
                "field": "order",
                "type": "nominal",
                "title": None,
                "scale": {"range": ["#1b6ca8", "#d9822b"]},
                "legend": {"orient": "top-right"},
            },
        },
    }


def main() -> None:
    """Draw the cost of a row: by tool, and by the number of rows."""
    spec = {
        "config": {"axis": {"labelLimit": 300}, "view": {"stroke": None}},
        "resolve": {"scale": {"color": "independent"}},
        "hconcat": [compare_tools(), show_growth()],
    }
    svg = vl_convert.vegalite_to_svg(json.dumps(spec), vl_version="5.20")
    (RESULTS / "plot.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
