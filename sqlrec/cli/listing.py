"""The commands that say what there is: ``list``, ``show`` and ``conventions``."""

from __future__ import annotations

import argparse

from ..catalogue import headers
from ..catalogue.metric_help import conventions_layout, metric_text, metrics_layout, select_metrics
from ..errors import InputError, nearest
from .output import form_of, put, put_text, style, table_of


def list_metrics(options: argparse.Namespace) -> None:
    """List metrics: those with a word, of a family, or that some inputs are enough for."""
    form = form_of(options)
    needs = [name for text in options.needs or [] for name in text.replace(",", " ").split()]
    for name in needs:
        if name not in headers.TABLES:
            raise InputError(f"--needs {name}: {nearest(name, headers.TABLES)}")
    found = select_metrics(headers.metrics(), options.word or "", options.family, needs)
    if not found:
        raise InputError("no such metric: `sqlrec list` shows all")
    rows = [
        {
            "metric": one.name,
            "aliases": ", ".join(one.aliases),
            "family": one.family,
            "better": one.better,
            "cutoff": one.entries["Cutoff"],
            "inputs": " ".join(one.entries["Inputs"].split()),
            "meaning": one.title,
        }
        for one in found
    ]
    put(table_of(rows, lambda *_: metrics_layout(found, headers.FAMILIES)), form, options)


def show(options: argparse.Namespace) -> None:
    """Describe a metric."""
    text = metric_text(headers.metric(options.metric), style(options).width)
    if options.sql or options.dialect:
        from ..evaluation import example

        text += "\n\n" + example(options.metric, options.dialect or "duckdb")
    put_text(text)


def list_conventions(options: argparse.Namespace) -> None:
    """List the conventions, and the metrics of each."""
    from ..catalogue.conventions import conventions

    form, known = form_of(options), conventions().values()
    rows = [
        {
            "convention": one.name,
            "library": one.library,
            "version": one.version,
            "name": entry.name,
            "metric": entry.metric,
        }
        for one in known
        for entry in one.entries
    ]
    put(table_of(rows, lambda *_: conventions_layout(known)), form, options)
