"""Completion of the command line in a shell, with argcomplete."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from argcomplete import autocomplete

from ..analyses.plot import PLOTS
from ..catalogue.conventions import conventions
from ..catalogue.custom_metrics import load_metrics
from ..catalogue.headers import metrics
from ..catalogue.requests import EVERYTHING, PRESETS


def complete(parser: argparse.ArgumentParser) -> None:
    """Print the completions for the line in the variable COMP_LINE, and exit."""
    (commands,) = (
        entry for entry in parser._actions if isinstance(entry, argparse._SubParsersAction)
    )
    for name, command in commands.choices.items():
        for action in command._actions:
            if words := _completer(name, action):
                action.completer = words
    autocomplete(parser)


def _completer(command: str, action: argparse.Action) -> Callable[..., Iterable[str]] | None:
    """Return the function that lists the values of an argument without fixed choices."""
    if action.dest in ("metrics", "metric") or "METRIC" in str(action.metavar):
        return _complete_metrics
    if (command, action.dest) == ("plot", "name"):
        return lambda **_: PLOTS
    if action.dest == "convention":
        return lambda **_: conventions()
    return _complete_segments if action.dest in ("by", "cluster") else None


def _complete_metrics(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    if getattr(parsed_args, "metrics_path", None):
        load_metrics(parsed_args.metrics_path)
    names = [name for request in metrics().values() for name in (request.name, *request.aliases)]
    return [*names, *PRESETS, EVERYTHING]


def _complete_segments(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    """Return the columns of users, or of truth, that may be segments."""
    import duckdb

    from ..engines.duckdb import open_database
    from ..engines.files import file_relation

    paths = getattr(parsed_args, "users", None) or getattr(parsed_args, "truth", None)
    if paths is None:
        return []
    with open_database() as connection:
        try:
            rows = connection.sql(
                f"describe select * from {file_relation(paths[-1], 'users')}"
            ).fetchall()
        except duckdb.Error:
            return []
    return [name for name, *_ in rows if name not in ("user_id", "item_id")]
