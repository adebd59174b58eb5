"""Use Spark Connect in a process without another session; print JSON for each form of input."""

import json

from pytest import MonkeyPatch, raises

import sqlrec
from sqlrec.engines.connect import open_engine

from ..tables import lists, rows, wanted
from .conftest import QUICK, break_one, few_cases, java_home

RECS, TRUTH = lists({"u1": "ba", "u2": "ab"}), wanted({"u1": "a", "u2": "b"})


def values(engine, recs, truth):
    result = sqlrec.evaluate("mrr@2 precision@1,2", recs={"a": recs}, truth=truth, engine=engine)
    return [
        rows(result, "request", "value"),
        sorted(rows(result.per_user(), "user_id", "request", "value")),
    ]


def failed_parts(engine):
    rows = sqlrec.selftest(engine).rows().to_pylist()
    return [row["part"] for row in rows if row["result"] == "FAIL"]


def main():
    from pyspark.sql import SparkSession

    refused = r"engine='sc://h:port/;token=\*+' can't be opened: .*port"
    with raises(sqlrec.InputError, match=refused):
        open_engine("sc://h:port/;token=secret")
    with java_home():
        session = SparkSession.builder.remote("local[1]").config(map=QUICK).getOrCreate()
        frames = session.createDataFrame(RECS), session.createDataFrame(TRUTH)
        # The server's address, as on the command line. PySpark's token is in the environment.
        for name, frame in zip(("recs", "truth"), frames, strict=True):
            frame.createOrReplaceTempView(name)
        print(json.dumps(values(f"sc://{session.client.host}", "recs", "truth")))
        for name in ("recs", "truth"):
            session.catalog.dropTempView(name)
    for inputs in ((session, *frames), (None, *frames), (session, RECS.to_pandas(), TRUTH)):
        print(json.dumps(values(*inputs)))
    two = {"a": frames[0], "b": frames[0]}
    results = sqlrec.compare("mrr@2", recs=two, truth=frames[1], baseline="b")
    print(json.dumps(rows(results, "model", "difference")))
    users = sqlrec.evaluate("mrr@2", recs=frames[0], truth=frames[1]).per_user().to_spark()
    print(json.dumps(sorted([row["user_id"], row["value"]] for row in users.collect())))
    with MonkeyPatch.context() as patch:
        few_cases(patch)
        print(json.dumps(["passes", *failed_parts(session)]))
        engine = open_engine(session)
        break_one(engine, patch, "avg(", "no_such_function(")
        print(json.dumps(["is broken", *failed_parts(engine)]))
    print(json.dumps([type(session).__module__, len(session.catalog.listTables())]))
    session.stop()


if __name__ == "__main__":
    main()
