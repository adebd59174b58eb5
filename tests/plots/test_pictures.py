"""Plots as SVG, as pages, as Vega-Lite and as files."""

import json
import math
import re
import sys
from functools import partial
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pyarrow as pa
from pytest import approx, fixture, mark, raises

import sqlrec
from sqlrec.plots.chart import Axis, Chart, format_value, round_ticks, widen_range
from sqlrec.plots.plot import Plot
from sqlrec.plots.svg import SMALL, full_image, text_width, truncate_names, truncate_text

from ..dialects import slow
from .data import HOSTILE, inputs, table

SVG = "{http://www.w3.org/2000/svg}"


def makers(arguments):
    """Return the functions of the plots of some inputs, by name."""
    truth = {"recs": arguments["recs"], "truth": arguments["truth"]}
    models = sorted(set(arguments["recs"]["model"].to_pylist()))
    ours = {"recs": arguments["recs"], "history": arguments["history"]}
    compared = {**truth, "users": arguments["users"], "by": "country", "baseline": models[-1]}
    requests = {
        "curve": ("ndcg@1,5,10 recall@1,5,10", truth),
        "tradeoff": ("ndcg@10 item_count@10", truth),
        "forest": ("ndcg@10", compared),
        "differences": ("ndcg@10", {**truth, "baseline": models[-1]}),
        "activity": ("ndcg@10", truth | ours),
        "longtail": ((), ours),
        "lorenz": ((), {"recs": arguments["recs"]}),
        "ranks": ((), truth),
        "calibration": ((), {**ours, "items": arguments["items"]}),
        "weights": ((), {"logs": arguments["logs"]}),
        "waterfall": ("map@5", {**truth, "value": "0.5"}),
    }
    return {
        name: partial(sqlrec.plot, name, metrics, **options)
        for name, (metrics, options) in requests.items()
    }


@fixture(scope="module")
def plots():
    return {name: make() for name, make in makers(inputs()).items()}


@fixture(scope="module")
def hostile():
    return {name: make() for name, make in makers(inputs(models=(HOSTILE, "pop"))).items()}


def test_a_waterfall_shows_its_steps_in_full(plots):
    plot = plots["waterfall"]
    texts = "".join(ElementTree.fromstring(plot.svg).itertext()).replace(" ", "")
    assert any(row["step"] for row in plot.rows)
    assert all(row["name"].replace(" ", "") in texts for row in plot.rows)
    assert "nearest," in texts or all(row["digits"] is not None for row in plot.rows)


class TestEachPlot:
    def test_is_well_formed_and_says_what_it_is(self, plots):
        for name, plot in plots.items():
            root = ElementTree.fromstring(plot.svg)
            assert root.get("role") == "img", name
            assert root.find(f"{SVG}title").text == plot.chart.title == root.get("aria-label")
            assert root.find(f"{SVG}desc").text == plot.chart.about, name

    def test_names_are_escaped(self, hostile):
        for name, plot in hostile.items():
            root = ElementTree.fromstring(plot.svg)
            assert not root.findall(f".//{SVG}script"), name
            assert "<script" not in plot.page(), name
            json.dumps(plot.spec, allow_nan=False)

    def test_plots_load_no_resource(self, plots):
        for name, plot in plots.items():
            for text in (plot.svg, plot.page()):
                text = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
                asks = re.search(r"https?:|//|url\(|@import|<script|\bsrc=|href=", text)
                assert not asks, name

    def test_plots_are_small(self, plots):
        for name, plot in plots.items():
            assert len(plot.svg.encode()) < 18_000, name
            assert len(plot.page().encode()) < 30_000, name

    @mark.parametrize("every", [False, *slow(True)])
    def test_plots_are_reproducible(self, every, plots):
        for name, make in makers(inputs()).items():
            if every or name in ("curve", "longtail"):
                assert make().page() == plots[name].page(), name

    def test_stays_within_its_frame(self, plots, hostile):
        for plot in (*plots.values(), *hostile.values()):
            root = ElementTree.fromstring(plot.svg)
            width, height = (float(root.get(side)) for side in ("width", "height"))
            for left, top, right, bottom in texts(root):
                assert left >= 0 and right <= width + 1 and top >= 0 and bottom <= height

    def test_no_text_covers_another(self, plots):
        for name, plot in plots.items():
            for one, other in combinations(texts(ElementTree.fromstring(plot.svg)), 2):
                across = min(one[2], other[2]) - max(one[0], other[0])
                down = min(one[3], other[3]) - max(one[1], other[1])
                assert across < 3 or down < 3, (name, one, other)

    def test_has_a_spec_with_its_rows(self, plots):
        for name, plot in plots.items():
            spec = json.loads(json.dumps(plot.spec, allow_nan=False))
            rows = spec["data"]["values"]
            assert len(rows) == len(plot.rows), name
            layers = spec["layer"] if "layer" in spec else spec["spec"]["layer"]
            codes = [code for one in layers for code in one["encoding"].values()]
            fields = {code["field"] for code in codes if "field" in code}
            assert fields - {"x", "y"} <= {key for row in rows for key in row}, name


def texts(root, at=(0.0, 0.0)):
    """Yield the boxes of texts."""
    for node in root:
        x, y = at
        if move := re.search(r"translate\(([-\d.]+),([-\d.]+)\)", node.get("transform", "")):
            x, y = x + float(move[1]), y + float(move[2])
        if node.tag == f"{SVG}text":
            size = float(node.get("font-size", 11))
            width = text_width(node.text or "", size)
            start = {"end": 1, "middle": 0.5}.get(node.get("text-anchor"), 0)
            left = x + float(node.get("x")) - start * width
            line = y + float(node.get("y"))
            yield left, line - size * 0.75, left + width, line + size * 0.2
        yield from texts(node, (x, y))


class TestFiles:
    @mark.parametrize("ending", ["svg", "html", "json"])
    def test_are_written_without_extras(self, ending, plots, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "vl_convert", None)
        plots["curve"].save(tmp_path / f"x.{ending}")
        text = (tmp_path / f"x.{ending}").read_text(encoding="utf-8")
        assert text.startswith({"svg": "<svg", "html": "<!doctype", "json": "{"}[ending])

    @mark.parametrize("ending", ["png", "pdf"])
    def test_of_dots_say_which_extra_they_need(self, ending, plots, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "vl_convert", None)
        with raises(sqlrec.InputError, match=r"sqlrec\[plot\]"):
            plots["curve"].save(tmp_path / f"x.{ending}")
        assert not [*tmp_path.iterdir()]

    @mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
    def test_of_dots_are_converted(self, ending, begins, plots, tmp_path):
        plots["curve"].save(tmp_path / f"x.{ending}")
        assert (tmp_path / f"x.{ending}").read_bytes().startswith(begins)

    def test_of_other_endings_are_refused(self, plots, tmp_path):
        with raises(sqlrec.InputError, match=r"one of \.svg, \.html"):
            plots["curve"].save(tmp_path / "x.gif")


class TestColors:
    def test_a_model_has_its_own_in_every_picture(self, plots):
        curve, forest = plots["curve"], plots["forest"]
        models = [*curve.chart.numbers(curve.rows)]
        others = [name for name in models if name != models[0]]
        rows = [row | {"model": others[0]} for row in forest.rows[:1]]
        alone = Plot("forest", forest.chart, rows, curve.data.rows(), "").among(models, ())
        assert alone.chart.numbers(alone.rows) == {others[0]: 1}
        lorenz = plots["lorenz"].among(models[::-1], ())
        names = [*lorenz.chart.numbers(lorenz.rows)]
        assert [name.partition(", Gini")[0] for name in names] == models[::-1]

    def test_a_baseline_without_a_line_leaves_colors_unchanged(self, plots):
        curve, differences = (plots[name].chart for name in ("curve", "differences"))
        models = curve.numbers(plots["curve"].rows)
        numbers = differences.numbers(plots["differences"].rows)
        assert numbers == {name: models[name] for name in numbers} and len(numbers) < len(models)

    def test_the_baseline_is_grey_and_keeps_other_colors(self, plots):
        chart, rows = plots["longtail"].chart, plots["longtail"].rows
        result = chart.numbers(sorted(rows, key=lambda row: row["model"] != chart.reference))
        assert [*result.values()] == [*range(len(result) - 1), -1]
        assert [*result][-1] == chart.reference

    def test_colors_and_shapes_distinguish_thirty_models(self):
        rows = [{"model": f"m{n}", "x": n, "y": n, "pareto": None} for n in range(30)]
        svg = full_image(Chart("point", Axis("x", "x"), Axis("y", "y"), "title", "about"), rows)
        groups = re.findall(r'<g class="(s\d)".*?<path class="h".*? d="(.*?)"', svg)
        assert groups[:30] == groups[30:] and len({*groups}) == 30


def test_the_pareto_line_is_in_the_spec():
    result = [("a", "ndcg", 5, "ndcg@5", 0.1), ("a", "recall", 5, "recall@5", 0.2)]
    result += [("b", "ndcg", 5, "ndcg@5", 0.2), ("b", "recall", 5, "recall@5", 0.1)]
    plot = sqlrec.plot("tradeoff", results=table(result, "model metric k request value"))
    line, *_ = plot.spec["layer"]
    assert line["transform"] == [{"filter": "datum.pareto"}]
    assert [row["pareto"] for row in plot.spec["data"]["values"]] == [True, True]


class TestNotebooks:
    def test_show_the_page_s_own_part_and_the_svg(self, plots):
        # The page has the title as its heading.
        figure = plots["curve"]._repr_html_().partition("<figure")
        assert figure[0] in plots["curve"].page() and figure[2][-200:] in plots["curve"].page()
        assert plots["curve"]._repr_svg_() == plots["curve"].svg
        assert repr(plots["curve"]).startswith("Plot curve: NDCG and Recall by cutoff")


class TestOddData:
    def test_names_of_many_models_do_not_overlap(self):
        models = [f"model {n}" for n in range(14)]
        result = [
            (model, "ndcg", k, f"ndcg@{k}", 30, 0.5 + n / 1e6 + k / 100)
            for n, model in enumerate(models)
            for k in (5, 10)
        ]
        plot = sqlrec.plot("curve", results=table(result, "model metric k request users value"))
        root = ElementTree.fromstring(plot.svg)
        ends = sorted(float(n.get("y")) for n in root.iter(f"{SVG}text") if n.text in models)
        assert len(ends) == 14
        assert all(b - a > 9 for a, b in pairwise(ends))

    def test_long_names_of_lines_are_whole_in_a_legend(self):
        models = [f"two_tower_with_session_features_{n}" for n in range(3)]
        result = [(name, "ndcg", k, f"ndcg@{k}", 30, 0.5) for name in models for k in (5, 10)]
        plot = sqlrec.plot("curve", results=table(result, "model metric k request users value"))
        texts = [n.text for n in ElementTree.fromstring(plot.svg).iter(f"{SVG}text")]
        assert {*models} <= {*texts}

    def test_names_with_equal_starts_are_shortened_in_the_middle(self):
        names = [f"a_model_with_a_long_name_{n}" for n in range(3)] + ["another", "x" * 60]
        short = truncate_names(names, 108)
        assert len({*short.values()}) == 5 and short["another"] == "another"
        assert [name[-2:] for name in short.values()][:3] == ["_0", "_1", "_2"]
        assert all(text_width(name) <= 108 for name in short.values())

    def test_listed_models_have_names_without_a_legend(self):
        rows = [(f"m{n}", "ndcg", 5, "ndcg@5", 40, "higher", 0.1, 0.0, 0.2, 0.3) for n in range(12)]
        names = "model metric k request users better difference low high p_adjusted"
        plot = sqlrec.plot("forest", results=table(rows, names))
        root = ElementTree.fromstring(plot.svg)
        assert [node.text for node in root.iter(f"{SVG}text")].count("m3") == 1
        assert float(root.get("height")) < 480
        assert "yOffset" not in plot.spec["spec"]["layer"][-1]["encoding"]

    def test_of_points_a_legend_has_the_names(self):
        rows = [{"model": f"m{n}", "x": n, "y": n, "pareto": None} for n in range(9)]
        chart = Chart("point", Axis("x", "x"), Axis("y", "y"), "title", "about")
        texts = [n.text for n in ElementTree.fromstring(full_image(chart, rows)).iter(f"{SVG}text")]
        assert texts.index("m0") < texts.index("y")

    def test_the_numbers_of_a_log_axis_are_whole(self):
        chances = [10.0**-n for n in range(1, 11)]
        decided = {"reward": [1.0] * 10, "propensity": [0.5] * 10, "target_probability": chances}
        root = ElementTree.fromstring(sqlrec.plot("weights", logs=pa.table(decided)).svg)
        ends = [n for n in root.iter(f"{SVG}text") if n.get("text-anchor") == "end"]
        assert {"1e-06", "1e-08"} & {n.text for n in ends}
        assert all(float(n.get("x")) >= text_width(n.text, SMALL) for n in ends)

    @mark.parametrize("value", [0.0, 1.0, -3.0, 1e-12, 1e12])
    def test_a_single_value_is_drawn(self, value):
        result = table([("a", "ndcg", 5, "ndcg@5", 3, value)], "model metric k request users value")
        ElementTree.fromstring(sqlrec.plot("curve", results=result).svg)

    def test_a_null_value_is_not_drawn(self):
        rows = [("a", "ndcg", 5, "ndcg@5", 3, 0.5), ("a", "ndcg", 10, "ndcg@10", 0, None)]
        plot = sqlrec.plot("curve", results=table(rows, "model metric k request users value"))
        assert [row["k"] for row in plot.rows] == [5]

    def test_a_segment_without_a_name_is_labeled(self):
        rows = [("a", None, "ndcg", 5, "ndcg@5", 40, "higher", 0.1, 0.0, 0.2, 0.3)]
        names = "model country metric k request users better difference low high p_adjusted"
        plot = sqlrec.plot("forest", results=table(rows, names))
        assert plot.rows[0]["segment"] == "not known"


class TestAxes:
    @mark.parametrize(
        ("low", "high", "most"), [(0, 1, 5), (0.031, 0.0473, 5), (-3e-9, 2e-8, 6), (0, 1e9, 4)]
    )
    def test_ticks_are_round_and_within(self, low, high, most):
        result = round_ticks(low, high, most)
        assert 3 <= len(result) <= max(most, 5)
        assert all(low - 1e-12 <= value <= high * (1 + 1e-9) for value in result)
        for step in (b - a for a, b in pairwise(result)):
            assert round(step / 10 ** math.floor(math.log10(step)), 6) in (1, 2, 2.5, 5, 10)

    def test_a_range_of_one_value_is_widened(self):
        low, high = widen_range(0.5, 0.5, 5)
        assert low < 0.5 < high

    @mark.parametrize(
        ("value", "form", "text"),
        [
            (None, "number", "none"),
            (0.123456, "number", "0.123"),
            (-0.5, "number", "-0.5"),
            (188600, "number", "188,600"),
            (0.25, "share", "25%"),
            (0.1234, "share", "12.3%"),
            (1, "number", "1"),
        ],
    )
    def test_numbers_are_written_as_people_read_them(self, value, form, text):
        assert format_value(value, form) == text

    def test_a_text_is_cut_to_a_width(self):
        assert text_width(truncate_text("m" * 80, 100)) <= 100
        assert truncate_text("short", 100) == "short"
        assert text_width("\u5546\u54c1") == approx(2 * 12.5 * 1.04)
