"""The estimate of a statement by BigQuery's client, with a stub server of the REST API."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

from google.auth.credentials import AnonymousCredentials
from google.cloud import bigquery
from google.cloud.bigquery import dbapi

from sqlrec.engines.connect import open_engine
from sqlrec.engines.estimate import estimate


class Service(BaseHTTPRequestHandler):
    """The method jobs.insert for dry runs, which have no id; other methods fail."""

    def log_message(self, *_):
        """Log nothing."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        configuration = request["configuration"]
        call = [self.path, configuration["dryRun"], configuration["query"]["query"]]
        print(json.dumps(call), flush=True)
        answer = {
            "kind": "bigquery#job",
            "configuration": configuration,
            "jobReference": {"projectId": "shop", "location": "US"},
            "status": {"state": "DONE"},
            "statistics": {"query": {"statementType": "SELECT", "totalBytesProcessed": "1234567"}},
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    server = HTTPServer(("127.0.0.1", 0), Service)
    Thread(target=server.serve_forever, daemon=True).start()
    client = bigquery.Client(
        project="shop",
        credentials=AnonymousCredentials(),
        client_options={"api_endpoint": f"http://127.0.0.1:{server.server_port}"},
    )
    print(json.dumps(estimate(open_engine(dbapi.connect(client)), "select 1 as a")))


if __name__ == "__main__":
    main()
