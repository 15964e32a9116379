# SPDX-License-Identifier: MIT
"""Where things are, and every test in a folder of its own that looks like the project's."""

import os
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name in ("scenarios", "experiments"):
        (tmp_path / name).symlink_to(SOURCE / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def nothing_left(folder, monkeypatch):
    """Nothing is left behind, here or among temporary files."""
    spare = folder / "spare"
    spare.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spare))
    before = sorted(os.listdir(folder))
    yield
    assert sorted(os.listdir(folder)) == before
    assert os.listdir(spare) == []
