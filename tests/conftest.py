"""What tests of different kinds share."""

import importlib.util
from pathlib import Path

from pytest import fixture


@fixture(scope="session")
def update():
    """The script docs/update.py, as a module."""
    path = Path(__file__).parent.parent / "docs" / "update.py"
    spec = importlib.util.spec_from_file_location("update", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
