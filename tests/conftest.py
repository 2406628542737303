"""Options and fixtures of all tests."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="also run what takes long")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--full"):
        return
    for item in items:
        if item.get_closest_marker("full"):
            item.add_marker(pytest.mark.skip(reason="takes long; run with --full"))
