"""The provenance of a report: the call, versions, rules, inputs and SQL."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from ..catalogue.headers import SINGLE_TABLES
from ..engines.files import list_files
from ..inputs.tables import Tables
from ..options import Arguments, Rules, Segments
from ..records import group_by
from ..run.job import Job
from ..safe_text import hide_passwords

# Maximum total size of files that are hashed, in bytes.
MAX_HASHED = 2**30


def format_call(metrics: Any, tables: Tables, options: Arguments) -> str:
    """Format the Python call, with the types of tables."""
    inputs = {**tables.present, "columns": tables.columns, "where": tables.where}
    words = [repr(metrics)]
    for name, value in {**inputs, **options}.items():
        if value not in (None, (), {}, "", "sqlrec") if _is_plain(value) else value is not None:
            words.append(f"{name}={_format_argument(value)}")
    return f"sqlrec.report({', '.join(words)})"


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float, bool, tuple, list, Mapping, type(None)))


def _format_argument(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key!r}: {_format_argument(entry)}" for key, entry in value.items())
        return f"{{{inside}}}"
    if isinstance(value, os.PathLike):
        return repr(os.fsdecode(value))
    is_option = isinstance(value, (Rules, Segments))
    return repr(value) if is_option or _is_plain(value) else f"<{type(value).__name__}>"


def describe_rules(provenance: str) -> list[tuple[str, str]]:
    """Return groups of metrics with equal rules, and the rules: ``("ndcg, map", "ties first")``."""
    words = {
        metric: ", ".join(f"{name} {value}" for name, value in rules.items() if value is not None)
        for metric, rules in json.loads(provenance)["rules"].items()
    }
    return [
        (", ".join(metrics), rules) for rules, metrics in group_by(words, words.__getitem__).items()
    ]


def describe_inputs(job: Job, tables: Tables) -> list[list[str]]:
    """Return the name, location, number of rows and hash of each input."""
    rows = []
    recs = tables.recs if isinstance(tables.recs, Mapping) else {None: tables.recs}
    read: list[tuple[str, Any, Any]] = [
        (f"recs {source.model or ''}".strip(), source, recs.get(source.model))
        for source in job.plan.recs
    ]
    # Plots and titles also read inputs that metrics do not read.
    for name in SINGLE_TABLES:
        if name in tables.present:
            source = getattr(job.plan, name) or job.inputs.read(name, required=[])
            read.append((name, source, tables[name]))
    engine = job.inputs.engine
    with engine.naming(job.inputs.objects):
        for name, source, table in read:
            ((count,),) = engine.rows_once(f"select count(*) as found from {source.relation}")
            is_path = isinstance(table, (str, os.PathLike))
            location = os.fsdecode(table) if is_path else f"a {type(table).__name__}"
            digest = _hash_files(location) if is_path else "no file"
            rows.append([name, hide_passwords(location), f"{int(count):,}", digest])
    engine.release()
    return rows


def _hash_files(path: str) -> str:
    """Return the first digits of the SHA-256 hash of files; several files have one hash."""
    files = sorted(list_files(path))
    if not files:
        return "no file"
    if sum(Path(file).stat().st_size for file in files) > MAX_HASHED:
        return "not computed above 1 GiB"
    digests = []
    for file in files:
        with Path(file).open("rb") as stream:
            digests.append(file_digest(stream, "sha256").hexdigest())
    digest = digests[0] if len(digests) == 1 else sha256("".join(digests).encode()).hexdigest()
    return digest[:16]
