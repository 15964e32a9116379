# SPDX-License-Identifier: MIT
"""What docs/python.md and the tutorial say is run as it stands."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def test_the_page_is_true():
    page = (SOURCE / "docs" / "python.md").read_text()
    namespace = {}
    blocks = list(re.finditer(r"^```python\n(.*?)^```", page, re.M | re.S))
    assert len(blocks) > 5
    for block in blocks:
        line = page.count("\n", 0, block.start(1))  # so that errors name the line of the page
        exec(compile("\n" * line + block[1], "docs/python.md", "exec"), namespace)


def test_the_page_names_every_function():
    import bellwether

    page = (SOURCE / "docs" / "python.md").read_text()
    for name in bellwether.__all__:
        assert f"`{name}" in page or f"bellwether.{name}" in page, name


def test_the_tutorial_draws_its_figures(folder):
    # Beside its source Python would find that of the package, which lacks the compiled part.
    shutil.copy(SOURCE / "python" / "tutorial.py", folder)
    subprocess.run([sys.executable, "tutorial.py"], check=True)
    for figure in ("wrong-leaders.png", "wrong-leaders.svg", "islands.png"):
        assert (folder / figure).stat().st_size > 10_000
