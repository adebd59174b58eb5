"""Convert the Open Bandit logs of the wheel of obp to the Parquet files of the folder data.

pip download --no-deps obp==0.4.1
python convert.py obp-0.4.1-py3-none-any.whl
"""

import argparse
import tempfile
import zipfile
from pathlib import Path

import duckdb

DATA = Path(__file__).parent / "data"

# All columns are kept; only the index has no name in the CSV files, and gets one. Types are
# inferred from all rows, and rows are sorted, so that the same DuckDB writes the same bytes.
LOG = """
from read_csv(?, header = true, names = ['row'], sample_size = -1)
order by "row"
"""


def main() -> None:
    """Write a Parquet file per policy and campaign, and their license."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", help="the path of obp-0.4.1-py3-none-any.whl")
    options = parser.parse_args()

    DATA.mkdir(exist_ok=True)
    db = duckdb.connect()
    with zipfile.ZipFile(options.wheel) as wheel, tempfile.TemporaryDirectory() as folder:
        for policy in ("random", "bts"):
            for campaign in ("all", "men", "women"):
                log = wheel.extract(f"obp/dataset/obd/{policy}/{campaign}/{campaign}.csv", folder)
                target = DATA / f"{policy}_{campaign}.parquet"
                db.sql(LOG, params=[log]).write_parquet(str(target), compression="zstd")
        (DATA / "LICENSE").write_bytes(wheel.read("obp-0.4.1.dist-info/LICENSE"))


if __name__ == "__main__":
    main()
