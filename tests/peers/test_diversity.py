"""Diversity of the lists of two real models: recorded values of other libraries.

The values are by pyndeval 0.0.8, RecTools 0.19.0, Jurity 2.1.0, RePlay 0.22.0 and SciPy, on the
data of movietweetings: genres are categories, aspects and 0/1 features, and (year - 2000) / 10 is
also a feature. The distance of two films is the number of years between them, divided by 100.
"""

from functools import cache
from pathlib import Path

import duckdb
from pytest import approx, mark

import sqlrec

from ..dialects import rest_slow
from ..tables import rows

SHARED = Path(__file__).parents[3] / "shared" / "data"
FILMS = SHARED / "movietweetings" / "parquet"
shared = mark.skipif(not SHARED.is_dir(), reason="its data is not part of the repository")

# The values of itemknn and pop for each metric at 5 and 20, and their numbers of users.
EXPECTED = {
    "pyndeval alpha-nDCG": {
        "alpha_ndcg@5": [(0.04122693186531066, 2387), (0.04101540117302525, 2404)],
        "alpha_ndcg@20": [(0.06848348955264358, 2387), (0.07441562783377387, 2404)],
        "alpha_ndcg(alpha=0.9)@5": [(0.04314709183293492, 2387), (0.04276878521529875, 2404)],
        "alpha_ndcg(alpha=0.9)@20": [(0.07110067265398033, 2387), (0.07691293079450744, 2404)],
    },
    "RecTools IntraListDiversity, by Hamming distance": {
        "hamming_diversity@5": [(3.1870289855072467, 2760), (2.8888489208633086, 2780)],
        "hamming_diversity@20": [(3.859024816081453, 2760), (4.0947273759939415, 2780)],
    },
    "RecTools IntraListDiversity, by Jaccard distance": {
        "jaccard_diversity@5": [(0.6364184782608695, 2760), (0.5507124015073656, 2780)],
        "jaccard_diversity@20": [(0.7711975867434964, 2760), (0.8001897279169146, 2780)],
    },
    "RecTools IntraListDiversity, by years": {
        "ild@5": [(0.02732391304347826, 2760), (0.0004546762589928058, 2780)]
    },
    "Jurity IntraListDiversity": {
        "cosine_diversity@5": [(0.3819224131869033, 2760), (0.27503799367292386, 2780)],
        "cosine_diversity@20": [(0.48255792358152805, 2760), (0.4459968326343363, 2780)],
    },
    "RePlay CategoricalDiversity of each film's first genre": {
        "category_coverage@5": [(0.4260869565217391, 2760), (0.2869064748201439, 2780)],
        "category_coverage@20": [(0.3183152173913043, 2760), (0.354136690647482, 2780)],
    },
    "SciPy entropy": {
        "category_entropy@5": [(2.6058580283459754, 2760), (2.6117410357144566, 2780)],
        "category_entropy@20": [(3.2458896044955186, 2760), (3.3777522897117027, 2780)],
        "calibration_kl@5": [(2.2403405579638043, 2760), (2.7209782277389856, 2779)],
        "calibration_kl@20": [(1.1643991361671364, 2760), (1.4096942408370066, 2779)],
    },
    "SciPy jensenshannon": {
        "calibration_js@5": [(0.3387455514510765, 2760), (0.4280974659104165, 2779)],
        "calibration_js@20": [(0.24301431406850554, 2760), (0.29730134784075835, 2779)],
    },
}


@cache
def genres():
    """Return all genres of a film, a row for each."""
    return duckdb.sql(
        f"select item_id, unnest(genres) as category, category as aspect, category as feature, "
        f"1.0::double as value from '{FILMS}/items.parquet'"
    ).to_arrow_table()


def known_of_items(peer):
    if "Jurity" in peer:
        return duckdb.sql(
            f"select item_id, unnest(genres) as feature, 1.0::double as value "
            f"from '{FILMS}/items.parquet' "
            f"union all select item_id, 'year', (year - 2000) / 10 from '{FILMS}/items.parquet'"
        ).to_arrow_table()
    if "first genre" in peer:
        return duckdb.sql(
            f"select item_id, coalesce(genres[1], 'none') as category from '{FILMS}/items.parquet'"
        ).to_arrow_table()
    if "years" in peer:
        return duckdb.sql(
            f"""
            with shown as (
                select * from '{FILMS}/recs.parquet' join '{FILMS}/items.parquet' using (item_id)
                where rank <= 5
            )
            select distinct one.item_id, other.item_id as other_item_id,
                abs(one.year - other.year) / 100 as distance
            from shown as one
            join shown as other using (model, user_id)
            where one.item_id < other.item_id
            """
        ).to_arrow_table()
    return genres()


@shared
@mark.parametrize("peer", rest_slow(EXPECTED, [*EXPECTED][:3]))
def test_diversity_of_two_real_models_equals_the_librarys(peer):
    metrics = list(EXPECTED[peer])
    result = sqlrec.evaluate(
        metrics,
        recs=FILMS / "recs.parquet",
        truth=duckdb.sql(f"select user_id, item_id from '{FILMS}/truth.parquet' where liked"),
        history=FILMS / "train.parquet",
        items=known_of_items(peer),
        rules=sqlrec.Rules(population="truth_and_recs"),
    )
    expected = [
        (model, approx(value, abs=1e-9), users)
        for model, values in zip(
            ("itemknn", "pop"), zip(*EXPECTED[peer].values(), strict=True), strict=True
        )
        for value, users in values
    ]
    assert rows(result, "model", "value", "users") == expected
