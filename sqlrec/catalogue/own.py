"""Metrics of one's own: files like those of ``sql/metrics``, from a folder or a package."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from ..errors import InputError, MetricError, nearest
from ..paths import OWN
from ..rendering import templates
from . import headers

GROUP = "sqlrec.metrics"


def know(given: Any) -> None:
    """Know the metrics of ``metrics_path``, if it is given."""
    if given is not None:
        use_metrics(given)


def use_metrics(given: Any) -> list[str]:
    """Know the metrics of a folder, of a file, or of an installed package from now on.

    Nothing else of these is read, and what is read can't do more than write SQL. A file that has
    changed since is read anew.

    Args:
        given: A path, or the name of an entry point ``sqlrec.metrics``, as a package declares it.

    Returns:
        The names of the metrics.

    Raises:
        InputError: There is no such folder, file or entry point, or no file in it.
        MetricError: A file is wrong: names it and the line.
    """
    files = _files(given)
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    if any(OWN.get(path.stem) != (path, text) for path, text in texts.items()):
        known = {**OWN}
        try:
            for path, text in texts.items():
                _check(path, text)
                OWN[path.stem] = (path, text)
                _forget()
            for path in texts:
                templates.check_own(path.stem)
        except MetricError:
            OWN.clear()
            OWN.update(known)
            _forget()
            raise
    return [path.stem for path in files]


def forget_metrics() -> None:
    """Know the metrics of sqlrec alone again."""
    OWN.clear()
    _forget()


def _files(given: Any) -> list[Path]:
    path = Path(os.fspath(given)) if isinstance(given, (str, os.PathLike)) else None
    if path is None or not str(given).strip():
        raise InputError(f"metrics_path={given!r}: give a folder, a file or a package's name")
    if not path.exists():
        path = _folder_of_package(str(given))
    files = sorted(path.glob("*.sql")) if path.is_dir() else [path]
    files = [file.resolve() for file in files if file.suffix == ".sql"]
    if not files:
        raise InputError(f"metrics_path={str(given)!r} has no file NAME.sql: a metric is one")
    return files


def _folder_of_package(name: str) -> Path:
    """Find where a package says that its metrics are, without running anything of it."""
    import importlib.util
    from importlib.metadata import entry_points

    known = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in known:
        others = f", and {nearest(name, known)}" if known else ""
        raise InputError(
            f"metrics_path={name!r}: there is no such folder, file or entry point {GROUP}{others}"
        )
    package, *inside = known[name].module.split(".")
    found = importlib.util.find_spec(package)
    for folder in (found and found.submodule_search_locations) or ():
        return Path(folder, *inside)
    raise InputError(
        f"metrics_path={name!r}: {known[name].value} is not a package that is installed"
    )


def _check(path: Path, text: str) -> None:
    """Read a file, and refuse a name that is taken.

    Raises:
        MetricError: With the path and the line.
    """
    name = path.stem
    try:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or "__" in name:
            raise MetricError(f"metrics/{name}.sql: a metric's name is of a-z, 0-9 and _")
        found = headers.read(name, text)
        ours = {one.name: one for one in headers.metrics().values() if one.name not in OWN}
        taken = {alias for one in ours.values() for alias in one.aliases} | {*ours}
        for word in (name, *found.aliases):
            if word in taken:
                raise MetricError(f"metrics/{name}.sql: {word!r} is a metric of sqlrec: rename it")
        other = OWN.get(name, (path, ""))[0]
        if other != path:
            raise MetricError(f"metrics/{name}.sql: {other} is a metric of that name: rename one")
        kinds = {one.rows for one in ours.values()}
        if found.rows not in kinds:
            raise MetricError(
                f"metrics/{name}.sql: no rows {found.rows!r}: {nearest(found.rows, kinds)}"
            )
        outside = re.sub(r"{%-? macro .*?endmacro -?%}", "", text, flags=re.DOTALL)
        for line in outside.splitlines():
            if line.strip() and not line.startswith("--"):
                raise MetricError(
                    f"metrics/{name}.sql: {line.strip()!r:.60} is neither comment nor macro"
                )
    except MetricError as error:
        message = str(error).removeprefix(f"metrics/{name}.sql")
        raise MetricError(f"{path}, line {_line(text, message)}{message}") from None


def _line(text: str, message: str) -> int:
    """Find the line of a header or a file that a message speaks of."""
    lines = text.splitlines()
    for word in re.findall(r"'([^']+)'|(\b[A-Z]\w+)", message):
        for number, line in enumerate(lines, start=1):
            if re.match(rf"(-- )?{re.escape(''.join(word))}", line):
                return number
    macro = next((n for n, line in enumerate(lines, start=1) if line.startswith("{%")), 1)
    return macro if "macro" in message or "rows" in message else 1


def _forget() -> None:
    """Let all that is kept of the metrics be made again."""
    headers.forget()
    templates.forget()


NEW = """\
-- {title}: what it means, and its range. The first paragraph is what lists show.
--
--     hits within k / k
--
-- Source    who defined it, and where
-- Undefined never; without a list it is 0
-- Better    higher
-- Family    ranking
-- Cutoff    a number
-- Inputs    recs, truth
{{% macro hits__{name}() %}}
sum(hit) / k
{{% endmacro %}}
"""

TEST = '''\
"""Values worked by hand."""

from pathlib import Path

import pyarrow as pa
import sqlrec

METRICS = Path(__file__).parent / "{name}.sql"


def test_{name}():
    recs = pa.table({{"user_id": ["ann", "ann"], "item_id": ["a", "b"], "rank": [1, 2]}})
    truth = pa.table({{"user_id": ["ann"], "item_id": ["b"]}})
    found = sqlrec.evaluate("{name}@2", recs=recs, truth=truth, metrics_path=METRICS)
    assert found.to_arrow()["value"].to_pylist() == [1 / 2]
'''


def new_metric(name: str, folder: str | os.PathLike[str] = "metrics") -> tuple[Path, Path]:
    """Write the file of a new metric, and its test beside it.

    Args:
        name: What it is called.
        folder: Where; it is made if it is not there.

    Returns:
        The paths of the file and of the test.

    Raises:
        InputError: One of them is there already.
        MetricError: It is a name that no metric can have, or one of sqlrec.
    """
    path, test = Path(folder, f"{name}.sql"), Path(folder, f"test_{name}.py")
    text = NEW.format(name=name, title=name.replace("_", " ").capitalize())
    for one in (path, test):
        if one.exists():
            raise InputError(f"{one} exists already: name another metric, or a folder")
    _check(path, text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    test.write_text(TEST.format(name=name), encoding="utf-8")
    return path, test
