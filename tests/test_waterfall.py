"""Steps from sqlrec's value of a metric to another value."""

import re

from pytest import approx, mark, raises

import sqlrec
from sqlrec.analyses import form_values
from sqlrec.cli import main

from .tables import lists, rows, scored, wanted

# Ann's list has the first of her four relevant items; bob's second item is relevant; cid's relevant
# item is another; dan has no list.
RECS = lists({"ann": "ab", "bob": "de", "cid": "gh"})
TRUTH = wanted({"ann": "axyz", "bob": "e", "cid": "z", "dan": "a"})
STEP = ("step", "switch", "effect", "changed_users", "value", "users")


def steps(metric, *, recs=RECS, truth=TRUTH, **options):
    """Explain with only the libraries of the request, which takes less time than with all."""
    options = {"conventions": [], **options}
    return sqlrec.explain(metric, recs=recs, truth=truth, **options)


def test_steps_lead_to_the_value_of_a_library():
    # Over four users (1/4 + 1/2) / 4; dan is excluded: / 3; ann is divided by min(2, 4).
    result = steps("map@2", value="0.33", conventions="jurity")
    text = repr(result)
    assert "map@2: 0.33 equals 0.33333 of jurity to 2 decimals" in text
    assert "+0.08333  0.33333  divides by min(2, relevant items)" in text
    request = 'sqlrec evaluate "average_precision(convention=jurity)@2"'
    assert f"`{request}` prints 0.33333 for the same inputs" in text.replace("\n", " ")
    assert rows(result, *STEP) == [
        (0, "", None, None, approx(3 / 16), 4),
        (1, "population=truth_and_recs", approx(1 / 16), 1, approx(1 / 4), 3),
        (2, "divide_by=achievable", approx(1 / 12), 1, approx(1 / 3), 3),
    ]
    (last,) = {*rows(result, "conventions", "digits", "command")}
    assert last == ("jurity", 2, '"average_precision(convention=jurity)@2"')


def test_all_libraries_that_print_the_value_are_named():
    libraries = ["ranx", "rectools", "trec_eval", "ir_measures", "pyterrier", "rs_metrics"]
    text = " ".join(repr(steps("map@2", value="0.1875", conventions=libraries)).split())
    assert all(name in text for name in ("ranx", "rectools", "ir_measures", "pyterrier"))
    assert " more" not in text


def test_each_library_is_named_once_and_the_best_known_first():
    libraries = ["evidently", "rectools", "ranx"]
    text = " ".join(repr(steps("ndcg@2", value="0.311", conventions=libraries)).split())
    names = re.split(", | and ", text.partition(" of ")[2].partition(", equal")[0])
    assert [name.split()[0] for name in names] == ["sqlrec", *("ranx", "rectools", "evidently")]


def test_a_library_over_other_users_is_named_if_nothing_else_has_the_value():
    # The last two of five users with lists have no truth: (1/2 + 1/2) / 5.
    recs = lists({"ann": "ab", "bob": "de", "cid": "gh", "eve": "ab", "fay": "ab"})
    text = " ".join(repr(steps("map@2", recs=recs, value="0.200", conventions="jurity")).split())
    assert "0.200 equals 0.20000 of jurity over other users to 3 decimals" in text
    assert '"average_precision(convention=jurity)@2" --population recs' in text


def test_steps_in_several_statements_are_compared_with_the_step_before(monkeypatch):
    libraries = ["lenskit", "rectools", "replay", "ranx", "jurity", "evidently"]
    together = rows(steps("ndcg@2", like=libraries), "target", *STEP)
    monkeypatch.setattr(form_values, "BATCH", 1)
    apart = rows(steps("ndcg@2", like=libraries), "target", *STEP)
    assert [x[:3] + x[4:5] for x in apart] == [x[:3] + x[4:5] for x in together]
    assert [x[3] or 0 for x in apart] == approx([x[3] or 0 for x in together])
    assert max(x[1] for x in together) > 1


def test_the_last_step_has_the_value_of_the_request():
    result = steps("ndcg@2", like=["lenskit", "rectools", "replay"])
    last = {target: row for target, *row in rows(result, "target", "value", "command")}
    assert [*last] == ["lenskit", "rectools", "replay"]
    values, requests = zip(*last.values(), strict=True)
    assert [*requests] == [f'"ndcg(convention={library})@2"' for library in last]
    evaluated = sqlrec.evaluate([one.strip('"') for one in requests], recs=RECS, truth=TRUTH)
    assert rows(evaluated, "value") == [(approx(value, abs=1e-12),) for value in values]


def test_a_percentage_is_a_value():
    result = steps("map@2", value="18.75%", conventions="jurity")
    assert rows(result, "digits", "value") == [(4, approx(3 / 16))]


def test_equal_decimals_are_at_most_those_of_the_value():
    text = " ".join(repr(steps("map@2", value=repr(0.1875 + 1e-13))).split())
    assert "equals 0.187500000 of" in text and "to 9 decimals" in text


def test_the_nearest_form_is_listed_if_none_equals():
    result = steps("map@2", value=0.31, conventions=["jurity", "ranx"])
    assert {digits for (digits,) in rows(result, "digits")} == {None}
    values = [value for step, value in rows(result, "step", "value") if step == 0]
    assert len(values) == 1
    assert "no value is 0.31" in repr(result)


def test_a_value_has_at_most_the_digits_of_double_precision():
    # The last digits of sums depend on their order, and some libraries compute in single precision.
    for text, digits in [("0.18750000000000006", 12), ("0.1875000000001", 12), ("0.18750001", 6)]:
        assert {*rows(steps("map@2", value=text), "digits")} == {(digits,)}
    assert {*rows(steps("map@2", value="0.187501"), "digits")} == {(None,)}


def test_values_that_few_digits_do_not_separate_are_listed():
    result = steps("map@2", value="0.2", conventions=["jurity"])
    assert {*rows(result, "conventions", "equal_values")} == {("sqlrec", "")}
    few = steps("map@2", value="0", conventions=["jurity"])
    assert {*rows(few, "conventions", "equal_values")} == {
        ("sqlrec", "0.3333333333333333 (jurity)")
    }
    assert "Also equal to 0 decimals: 0.333 (jurity); more digits can separate" in repr(few)
    recs = {"x (y; 2": RECS, "ease": lists({"ann": "ba", "bob": "de", "cid": "gh"})}
    text = " ".join(repr(steps("map@2", recs=recs, value="0", conventions=["jurity"])).split())
    assert "of x (y; 2 (jurity)" in text
    # Names of models may have the signs of the list.


@mark.parametrize(
    "value, target", [("18.8", "18.8%"), ("0.812", "1 - 0.812"), ("81.2%", "1 - 81.2%")]
)
def test_a_value_may_be_a_percentage_or_a_distance_from_1(value, target):
    assert {*rows(steps("map@2", value=value), "target", "conventions")} == {(target, "sqlrec")}


def test_a_value_far_from_all_has_no_steps_but_other_metrics_that_have_it():
    # Ann's and bob's lists have a hit, at ranks 1 and 2; the lists of cid and dan have none.
    text = " ".join(repr(steps("map@2", value="0.500")).split())
    assert (
        "no value is near 0.500; the nearest is 0.18750, sqlrec; 0.500 is 2.67 times that value"
        in text
    )
    assert "0.50000 is hit_rate@2." in text and "sqlrec evaluate" not in text
    assert "other metrics" not in text and text.count("0.18750") == 2


def test_a_small_effect_has_the_digits_that_show_it():
    # Rounding to five decimals changes 1 / log2(3) by 2.5e-7.
    inputs = {"recs": lists({"ann": "ab"}), "truth": wanted({"ann": "b"})}
    inputs["conventions"] = "ir_measures"
    text = repr(steps("ndcg@2", value="0.6309300", **inputs))
    assert "+0.0000002  0.6309300  rounds each user's value" in text
    assert "+0.00000 " not in repr(steps("ndcg@2", like="ir_measures", **inputs))


def test_a_form_of_no_library_is_sqlrecs_with_another_parameter():
    # Jurity has two switches, each of which leads to (1/4 + 1/2) / 3 or (1/2 + 1/2) / 4 by itself.
    result = steps("map@2", value=0.25, conventions=["jurity"])
    (first,) = {*rows(result, "conventions", "command")}
    assert first == ("", "average_precision@2 --population truth_and_recs")


def test_a_library_with_the_value_precedes_a_form_of_none():
    # Without dan, both switches together lead to jurity's value, or only its second.
    truth = TRUTH.slice(0, 6)
    result = steps("map@2", truth=truth, value="0.33", conventions="jurity")
    assert rows(result, "switch", "value", "command") == [
        (switch, approx(value), '"average_precision(convention=jurity)@2"')
        for switch, value in (("", 1 / 4), ("divide_by=achievable", 1 / 3))
    ]


def test_a_step_without_changed_users_is_omitted():
    recs, truth = lists({"ann": "ab"}), wanted({"ann": "b"})
    result = steps("map@2", recs=recs, truth=truth, like="jurity")
    assert rows(result, "step", "value") == [(0, 0.5)]


def test_a_step_counts_the_users_that_it_changes_after_the_steps_before_it():
    # Without positive scores, both lists are empty; then there are no hits to divide by.
    recs, truth = (
        scored({"ann": {"a": -1, "b": -2}, "bob": {"c": -1}}),
        wanted({"ann": "a", "bob": "c"}),
    )
    result = steps("map@2", recs=recs, truth=truth, like="torchmetrics")
    assert rows(result, "value")[-1] == (0.0,)
    assert sum(changed_users or 0 for (changed_users,) in rows(result, "changed_users")) == 2


def test_each_model_has_its_steps():
    result = steps("map@2", recs={"one": RECS, "two": RECS}, like="jurity")
    assert {*rows(result, "model")} == {("one",), ("two",)}
    assert "map@2, one" in repr(result)


@mark.parametrize(
    "options, message",
    [
        ({"value": "much"}, "value='much': give a number"),
        ({"value": 1, "like": "ranx"}, "value=1, like='ranx': give only one"),
        ({"value": 1, "full": True}, "value=1, full: give only one"),
        ({"like": "ranx", "full": True}, "like='ranx', full: give only one"),
        ({"like": 5}, "like=5: give library names"),
        ({"like": "ranks"}, "did you mean 'ranx'"),
        ({"like": "lightfm"}, "like='lightfm': it has no such metric"),
    ],
)
def test_wrong_targets_are_refused(options, message):
    with raises(sqlrec.SqlrecError, match=message):
        steps("map@2", **options)


def test_the_command_line_explains_values(tmp_path, capsys):
    import pyarrow.parquet

    paths = {"recs": tmp_path / "recs.parquet", "truth": tmp_path / "truth.parquet"}
    pyarrow.parquet.write_table(RECS, paths["recs"])
    pyarrow.parquet.write_table(TRUTH, paths["truth"])
    files = ["--recs", str(paths["recs"]), "--truth", str(paths["truth"])]
    few = [*files, "--convention", "jurity"]
    assert main(["explain", "map@2", *few, "--value", "0.25"]) == 0
    assert "0.25 equals" in capsys.readouterr().out
    assert main(["explain", "map@2", *few, "--like", "jurity"]) == 0
    assert "jurity" in capsys.readouterr().out
    assert main(["explain", "map@2", *files]) == 0
    short = capsys.readouterr().out
    assert main(["explain", "map@2", *files, "--all"]) == 0
    every = capsys.readouterr().out
    assert len(short.splitlines()) < len(every.splitlines())
    assert "more library value" in short and "--all" in short
