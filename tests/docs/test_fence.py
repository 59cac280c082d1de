"""The fence around every test holds: home, environment, working directory, network."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest


def test_home_is_empty_and_apart(home: Path, tmp_path: Path) -> None:
    """A test sees an empty home that is neither the user's nor around its working directory."""
    assert Path.home() == home
    assert not any(home.iterdir())
    assert Path.cwd() == tmp_path
    assert not home.is_relative_to(tmp_path)
    assert not tmp_path.is_relative_to(home)


def test_environment_says_nothing_of_the_user() -> None:
    """No setting of the product or the desktop reaches a test, and local time is UTC."""
    assert [name for name in os.environ if name.startswith(("TREERING_", "XDG_"))] == []
    assert time.strftime("%z", time.localtime(0)) == "+0000"


@pytest.mark.parametrize("host", ["192.0.2.1", "127.0.0.1"])
def test_connections_fail_the_test(host: str) -> None:
    """Opening a connection, even to this machine, fails a test that is not marked for it."""
    with socket.socket() as closed, pytest.raises(pytest.fail.Exception, match="stay on their own"):
        closed.connect((host, 9))


@pytest.mark.network
def test_marked_tests_reach_this_machine_alone() -> None:
    """A test marked ``network`` may connect to this machine and to no other."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
    with socket.socket() as closed, pytest.raises(pytest.fail.Exception, match="stay on their own"):
        closed.connect(("192.0.2.1", 9))
