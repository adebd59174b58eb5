"""Displayed text: without passwords, terminal sequences and text that breaks a format."""

import csv
import io
import re
import warnings

import pyarrow as pa
import pyarrow.parquet
from pytest import mark, raises

import sqlrec
from sqlrec.cli import main
from sqlrec.display.papers import to_markdown
from sqlrec.display.table_layout import rows_layout
from sqlrec.display.text import Style, to_text
from sqlrec.safe_text import hide_passwords, safe_text

from .dialects import rest_slow
from .packages import pandas
from .tables import lists, wanted

RECS = lists({"ann": "ab"})
TRUTH = wanted({"ann": "a"})
HOSTILE = "x\x1b[31m\r\n|y\x9b\u202e<!--"

SECRETS = [
    "postgresql://ann:secret@h/db",
    "postgresql://ann:secret" + "t" * 80 + "@h/db",
    "https://ann:sec%72et@h/x.parquet",
    "https://secret@h/x.parquet",
    "s3://bucket/x.parquet?s3_secret_access_key=secret",
    "host=h password=secret dbname=x",
    "host=h password='my secret' dbname=x",
    "Protocol=https;AccountKey=secret==;EndpointSuffix=x",
    "https://h/x.csv?sig=secret&sv=1",
]


@mark.parametrize("address", rest_slow(SECRETS, [SECRETS[0], SECRETS[-1]]))
def test_passwords_are_in_no_message(address):
    for inputs in ({"engine": address}, {"recs": address}, {"columns": {"user_id": address}}):
        with raises(sqlrec.SqlrecError) as refused:
            sqlrec.evaluate("mrr@1", **({"recs": RECS, "truth": TRUTH} | inputs))
        # Without psycopg, the address is shortened.
        assert re.search(r"\*{3}|://\.{3}", str(refused.value))
        for error in (refused.value, refused.value.__cause__):
            assert "secret" not in str(error).replace("s3_secret_access_key", "")
            assert "sec%72et" not in str(error)


@mark.parametrize("address", rest_slow(SECRETS, SECRETS[:1]))
def test_passwords_are_in_no_message_of_the_command_line(address, capsys):
    for option in ("--engine", "--recs", "--truth"):
        requests = {"--recs": "none.csv", "--truth": "none.csv"} | {option: address}
        assert (
            main(["evaluate", "mrr@1", *(text for pair in requests.items() for text in pair)]) == 1
        )
    message = capsys.readouterr().err.replace("s3_secret_access_key", "")
    assert "secret" not in message and "sec%72et" not in message


def test_passwords_in_messages_of_drivers_are_hidden():
    address = "postgresql://ann:p%40ss@h/db"
    assert (
        hide_passwords("no password p@ss, or p%40ss at h", address)
        == "no password ***, or *** at h"
    )
    assert "tiger" not in hide_passwords("bad tiger in it", "host=h password=tiger")


@mark.parametrize(
    "text",
    ["by='token': no such column", "sigma=0.5", "mail to ann@h.com", "https://h/a:b", "tokens=5"],
)
def test_text_without_a_password_is_kept(text):
    assert safe_text(text) == text


def test_a_long_word_takes_linear_time():
    for text in ("x" * 300_000, "secret" * 50_000, "x-" * 150_000, "a:/" * 100_000):
        assert hide_passwords(text) == text


def test_control_characters_are_escaped():
    layout = rows_layout([HOSTILE, "value"], [{HOSTILE: HOSTILE, "value": 1.0}])
    text, markdown = to_text(layout, Style()), to_markdown(layout)
    assert len(text.splitlines()) == len(markdown.splitlines()) == 3
    for written in (text, markdown):
        assert not {"\x1b", "\r", "\x9b", "\u202e"} & set(written)
    assert "x\\x1b[31m\\r\\n" in text and "x\\\\x1b\\[31m\\\\r" in markdown
    head, rule, row = markdown.splitlines()
    assert rule == "| --- | ---: |" and "<" not in markdown
    for line in (head, row):
        assert line.replace("\\|", "").count("|") == 3


def test_messages_have_one_line():
    twice = pa.concat_tables([lists({HOSTILE: "a"})] * 2)
    with raises(sqlrec.DataError) as refused:
        sqlrec.evaluate("mrr@1", recs=twice, truth=TRUTH)
    with warnings.catch_warnings(record=True) as result:
        warnings.simplefilter("always")
        sqlrec.evaluate("mrr@1", recs={"a\u202eb": lists({"ann": "z"})}, truth=TRUTH)
    for message in (str(refused.value), str(result[0].message)):
        assert message.isprintable()


@mark.slow
def test_a_terminal_gets_no_escape_sequence_in_any_format(tmp_path, terminal):
    users = pa.table({"user_id": ["ann"], "land": [HOSTILE]})
    for name, table in {"recs": RECS, "truth": TRUTH, "users": users}.items():
        pyarrow.parquet.write_table(table, tmp_path / f"{name}.parquet")
    requests = ["--recs", "recs.parquet", "--truth", "truth.parquet", "--users", "users.parquet"]
    for form in ("table", "csv", "json", "markdown"):
        options = ["--by", "land", "--format", form, "--color", "never"]
        code, written = terminal(tmp_path, "evaluate", "mrr@1", *requests, *options)
        assert code == 0 and "x\\" in written
        assert not {"\x1b", "\x9b", "\u202e"} & set(written)


def test_csv_keeps_line_breaks_of_every_kind(tmp_path, capsys):
    for number, segment in enumerate(["a\rb", "a\nb", "a\r\nb", 'a"\rb', "a,b"]):
        users = pa.table({"user_id": ["ann"], "land": [segment]})
        paths = {}
        for name, table in {"recs": RECS, "truth": TRUTH, "users": users}.items():
            paths[name] = tmp_path / f"{name}{number}.parquet"
            pyarrow.parquet.write_table(table, paths[name])
        inputs = (text for name, path in paths.items() for text in (f"--{name}", str(path)))
        assert main(["evaluate", "mrr@1", *inputs, "--by", "land", "--format", "csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
        assert [row["land"] for row in rows] == [segment]


def test_missing_intervals_are_not_mentioned():
    recs = lists({"ann": "ab", "bob": "bc"})
    assert "2 users with a list." in str(sqlrec.evaluate("gini@2", recs=recs, interval=True))


@mark.parametrize(
    "option", "k ties interval level columns replicates dialect convention cluster".split()
)
def test_a_table_given_as_an_option_is_not_repeated(option):
    table = pandas.DataFrame({"user_id": range(100), "item_id": range(100)})
    inputs = {"recs": "recs", "truth": "truth", option: table}
    with raises(sqlrec.SqlrecError) as error:
        (sqlrec.sql if option == "dialect" else sqlrec.evaluate)("ndcg@10", **inputs)
    message = str(error.value)
    assert message.startswith(f"{option}=    user_id  item_id ... [100 rows x 2 columns]: ")
    assert message.count("[100 rows") == 1 and "\\n" not in message
