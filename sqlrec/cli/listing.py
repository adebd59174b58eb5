"""The commands that describe the catalogue: ``list``, ``show`` and ``conventions``."""

from __future__ import annotations

from ..catalogue import headers
from ..catalogue.metric_help import conventions_layout, metric_text, metrics_layout, select_metrics
from ..errors import InputError, suggest_name
from .output import Options, check_output_format, put_table, put_text, table_of, text_style


def list_metrics(options: Options) -> None:
    """List metrics that contain a word, belong to a family, or can be computed from some inputs."""
    form = check_output_format(options)
    needs = [name for text in options.needs or [] for name in text.replace(",", " ").split()]
    for name in needs:
        if name not in headers.TABLES:
            raise InputError(f"--needs {name}: {suggest_name(name, headers.TABLES)}")
    metrics = select_metrics(headers.metrics(), options.word or "", options.family, needs)
    if not metrics:
        raise InputError("no such metric: `sqlrec list` shows all metrics")
    rows = [
        {
            "metric": metric.name,
            "aliases": ", ".join(metric.aliases),
            "family": metric.family,
            "better": metric.better,
            "cutoff": metric.entries["Cutoff"],
            "inputs": " ".join(metric.entries["Inputs"].split()),
            "meaning": metric.title,
        }
        for metric in metrics
    ]
    put_table(table_of(rows, lambda *_: metrics_layout(metrics, headers.FAMILIES)), form, options)


def show(options: Options) -> None:
    """Describe a metric."""
    text = metric_text(headers.metric(options.metric), text_style(options).width)
    if options.sql or options.dialect:
        from ..evaluation import example_statement

        text += "\n\n" + example_statement(options.metric, options.dialect or "duckdb")
    put_text(text)


def list_conventions(options: Options) -> None:
    """List the conventions, and the metrics of each."""
    from ..catalogue.conventions import conventions

    form, known_conventions = check_output_format(options), conventions().values()
    rows = [
        {
            "convention": convention.name,
            "library": convention.library,
            "version": convention.version,
            "name": entry.name,
            "metric": entry.metric,
        }
        for convention in known_conventions
        for entry in convention.entries
    ]
    put_table(table_of(rows, lambda *_: conventions_layout(known_conventions)), form, options)
