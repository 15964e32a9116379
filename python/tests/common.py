# SPDX-License-Identifier: MIT
"""What the tests share: two scenarios, and the program, whose path is in BELLWETHER_PROGRAM."""

import os
import subprocess

RING = {"algorithm": "chang-roberts", "network": {"topology": "ring", "nodes": 8}}
MOVING = "scenarios/thesis-random-waypoint.toml"


def program(*words, status=0):
    done = subprocess.run(
        [os.environ["BELLWETHER_PROGRAM"], *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr
