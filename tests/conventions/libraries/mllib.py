"""Spark MLlib 4.3.0: its values.

Each user of the truth is a query: the items of the list by descending score, in row order if scores
are equal, or no items without a list; labels are the items with a relevance above 0, possibly none.
RankingMetrics is from pyspark.mllib, and RankingEvaluator from pyspark.ml. "relevance" has the
relevance of each label as the third value of a query.

RegressionEvaluator and BinaryClassificationEvaluator read the rows of recs and truth with the same
user and item, the second with relevance > 0 as label. r2 has no value if all labels are equal, and
areaUnderROC none if all are relevant.
"""

from functools import cache

from pyspark.ml.evaluation import (
    BinaryClassificationEvaluator,
    RankingEvaluator,
    RegressionEvaluator,
)
from pyspark.mllib.evaluation import RankingMetrics
from pyspark.sql import SparkSession
from shapes import lists, rated
from tables import CUTOFFS

LIBRARY = "pyspark"
REQUIREMENTS = "pyspark==4.3.0 numpy==2.4.6"

AT = ("meanAveragePrecisionAt", "ndcgAt", "precisionAt", "recallAt")
ERRORS = ("rmse", "mse", "mae", "r2")


def values(tables):
    return {**_ranked(tables), **_rated(tables)}


@cache
def _session():
    session = SparkSession.builder.master("local[1]").config(
        "spark.ui.showConsoleProgress", "false"
    )
    session = session.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _ranked(tables):
    shown, labels = lists(tables, float), {}
    for user, item, relevance in tables["truth"]:
        wanted = labels.setdefault(user, [])
        if relevance > 0:
            wanted.append((float(item), float(relevance)))
    queries = [
        (shown.get(user, []), [item for item, _ in wanted], [grade for _, grade in wanted])
        for user, wanted in sorted(labels.items())
    ]
    schema = "prediction array<double>, label array<double>"
    frame = _session().createDataFrame([query[:2] for query in queries], schema).cache()
    metrics = RankingMetrics(frame.rdd.map(tuple))
    graded = RankingMetrics(_session().sparkContext.parallelize(queries, 1))
    result = {"meanAveragePrecision": metrics.meanAveragePrecision}
    for k in CUTOFFS:
        result |= {f"{name}@{k}": getattr(metrics, name)(k) for name in AT}
        result[f"ndcgAt relevance@{k}"] = graded.ndcgAt(k)
        for name in AT:
            evaluator = RankingEvaluator(metricName=f"{name}K", k=k)
            result[f"{name}K@{k}"] = evaluator.evaluate(frame)
    return result


def _rated(tables):
    pairs = [(score, float(grade)) for _, score, grade in rated(tables)]
    frame = _session().createDataFrame(pairs, "prediction double, label double").cache()
    labels = {grade for _, grade in pairs}
    result = {
        name: RegressionEvaluator(metricName=name).evaluate(frame)
        for name in ERRORS
        if name != "r2" or len(labels) > 1
    }
    if len({grade > 0 for grade in labels}) > 1:
        marked = frame.selectExpr("prediction", "cast(label > 0 as double) as label")
        evaluator = BinaryClassificationEvaluator(rawPredictionCol="prediction")
        result["areaUnderROC"] = evaluator.evaluate(marked)
    return result
