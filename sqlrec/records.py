"""The types of a row: its values by column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A row that functions add columns to, and a row that they only read.
Record = dict[str, Any]
Row = Mapping[str, Any]
