"""pytest plugin: runs NetworkX's own tests through the backend and counts which are served.

Without it a test whose graph was not converted, or whose call fell back to NetworkX, would be
green and say nothing. --served-at-least N fails the run if fewer tests had a call served.
"""

import pytest

served = set()
current = None


def pytest_addoption(parser):
    parser.addoption("--served-at-least", type=int, default=0)


def _counting(function):
    def count(*args, **kwargs):
        result = function(*args, **kwargs)
        served.add(current)
        return result

    return count


def pytest_sessionstart(session):
    from antipode_graph._nx.graph import FUNCTIONS
    from antipode_graph.nx_backend import Backend

    for name, function in FUNCTIONS.items():
        setattr(Backend, name, staticmethod(_counting(function)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    global current
    current = item.nodeid
    yield


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{len(served)} tests had a call served by antipode")


def pytest_sessionfinish(session, exitstatus):
    least = session.config.getoption("--served-at-least")
    if exitstatus == 0 and len(served) < least:
        print(f"\nonly {len(served)} tests had a call served, not {least}")
        session.exitstatus = 1
