"""Node.js, in which tests run scripts of the site."""

import os
import shutil

import pytest


def node() -> str:
    """Return the path of Node.js; skips the test that asks where there is none, and fails it in CI."""
    path = shutil.which("node")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("node is not installed")
        pytest.skip("node is not installed")
    return path
