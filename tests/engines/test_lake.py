"""Object stores, addresses, DuckLake and Dask with real packages, and a local server for each."""

import json

import pyarrow as pa
import pyarrow.parquet
from pytest import mark

from ..environments import python_with, run

# The newest DuckDB whose extensions are packages.
PACKAGES = (
    "duckdb==1.4.4",
    "duckdb-ext-httpfs",
    "duckdb-ext-ducklake",
    "moto[server,s3]",
    "dask[dataframe]",
)

PROGRAM = """
import functools, http.server, json, pathlib, threading

import boto3, dask.dataframe, duckdb, duckdb_ext, sqlrec
from moto.server import ThreadedMotoServer


class Refuse(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(403)
        self.end_headers()

    do_HEAD = do_GET


def serve(handler):
    server = http.server.ThreadingHTTPServer(("localhost", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"localhost:{server.server_port}"


def value(recs, truth="truth.parquet", **options):
    try:
        result = sqlrec.evaluate("mrr@2", recs=recs, truth=truth, interval=None, **options)
        return result.to_dict()["mrr_at_2"]
    except sqlrec.InputError as error:
        return str(error)


store = ThreadedMotoServer(port=0)
store.start()
host, port = store.get_host_and_port()
keys = {"aws_access_key_id": "key", "aws_secret_access_key": "word", "region_name": "us-east-1"}
client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", **keys)
client.create_bucket(Bucket="shop")
for name in ("recs", "truth"):
    client.upload_file(f"{name}.parquet", "shop", f"{name}.parquet")

folder = {"extension_directory": f"{duckdb_ext.__path__[0]}/extensions"}
own = {"endpoint": f"{host}:{port}", "use_ssl": False, "url_style": "path"}
s3 = folder | {f"s3_{name}": setting for name, setting in own.items()}
s3 |= {"s3_access_key_id": "key", "s3_secret_access_key": "word"}
secret = own | {"key_id": "key", "secret": "word"}
refusing = folder | {"s3_endpoint": serve(Refuse), "s3_use_ssl": False, "s3_url_style": "path"}
web = serve(functools.partial(http.server.SimpleHTTPRequestHandler, directory="."))
found = {
    "settings": value("s3://shop/recs.parquet", "s3://shop/truth.parquet", settings=s3),
    "secret": value("s3://shop/re*.parquet", settings=folder | {"secret": {"type": "s3"} | secret}),
    "gcs": value("gs://shop/recs.parquet", settings=folder | {"secret": {"type": "gcs"} | secret}),
    "web": value(f"http://{web}/recs.parquet", settings=folder),
    "csv": value(f"http://{web}/recs.csv", settings=folder),
    "absent": value("s3://shop/none.parquet", settings=s3),
    "refused": value("s3://shop/recs.parquet", settings=refusing),
}
lake = duckdb.connect(config=folder)
lake.execute("attach 'ducklake:shop.ducklake' as shop")
for name in ("recs", "truth"):
    lake.execute(f"create table shop.{name} as from '{name}.parquet'")
lake.close()
linked = pathlib.Path.home() / ".duckdb"
linked.mkdir()
(linked / "extensions").symlink_to(folder["extension_directory"])
found["ducklake"] = value("recs", "truth", engine="ducklake:shop.ducklake")
frame = dask.dataframe.read_parquet("recs.parquet")
frame.to_parquet("folder/")
found |= {"frame": value(frame), "dask": value("folder/")}
print(json.dumps(found))
"""


@mark.weekly
def test_tables_of_stores_and_lakes_have_the_values_of_files(tmp_path):
    rows = {"user_id": [1, 1, 2, 2], "item_id": [5, 6, 5, 6], "score": [0.9, 0.8, 0.7, 0.6]}
    recs, truth = pa.table(rows), pa.table({"user_id": [1, 2], "item_id": [5, 6]})
    pyarrow.parquet.write_table(recs, tmp_path / "recs.parquet")
    pyarrow.parquet.write_table(truth, tmp_path / "truth.parquet")
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    (tmp_path / "recs.csv").write_text("\n".join(lines), encoding="utf-8")
    python = python_with("lake", *PACKAGES)
    *_, line = run([python, "-c", PROGRAM], tmp_path, HOME=str(tmp_path))
    result = json.loads(line)
    assert "404" in result.pop("absent")
    assert "HTTP 403) Authentication Failure - this" in result.pop("refused")
    assert result.pop("frame").startswith("recs is a DataFrame of dask: write it with frame.to_par")
    assert result == dict.fromkeys(
        ("settings", "secret", "gcs", "web", "csv", "ducklake", "dask"), 0.75
    )
