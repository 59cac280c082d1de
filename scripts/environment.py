"""Make or refresh the project's ``.venv`` from the locked requirements; called by ``scripts/setup``.

The folder carries a stamp of what it was made from: lock files, build configuration, interpreter and
place. An environment with the right stamp is left alone, which costs a few milliseconds; any other
is made anew, so that it never holds leftovers. Two calls at once take turns.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
STAMP = FOLDER / "treering-setup"
LOCKS = {"run": ("base.txt", "build.txt"), "dev": ("dev.txt",)}


def main(arguments: list[str]) -> int:
    """Bring ``.venv`` to the level named by the arguments and return an exit status."""
    level = arguments[0] if arguments else "dev"
    if level not in LOCKS or len(arguments) > 1:
        print("usage: scripts/setup [run|dev]", file=sys.stderr)
        return 2
    with (ROOT / ".venv.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        had = STAMP.read_text().split() if STAMP.is_file() else []
        if any(made.startswith("dev-") for made in had):
            level = "dev"  # what has been a developer's stays one: the demo does not take the tools away
        if stamp(level) in had:
            return 0
        if FOLDER.is_symlink() or (FOLDER.exists() and not STAMP.exists()):
            print(f"{FOLDER} was not made by scripts/setup and is left alone: move it away first", file=sys.stderr)
            return 4
        print("setting up .venv (some ten seconds, once) …", file=sys.stderr)
        if stamp("run") not in had:
            make()
        if not install(level):
            return 6
        STAMP.write_text("\n".join([*(made for made in had if made == stamp("run")), stamp(level), ""]))
    return 0


def stamp(level: str) -> str:
    """Return what an environment of this level is recognised by."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build = [project["build-system"], project["project"], project["tool"]["hatch"]]
    content = hashlib.sha256(f"{level}\n{sys.version}\n{sys.base_prefix}\n{ROOT}\n{build}\n".encode())
    for path in (*(ROOT / "requirements" / name for name in LOCKS[level]), Path(__file__)):
        content.update(path.read_bytes())
    return f"{level}-{content.hexdigest()}"


def make() -> None:
    """Put an empty environment in the place of whatever an earlier call left."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    STAMP.write_text("")  # from here on the folder is known as ours, even if this is interrupted
    venv.create(FOLDER, with_pip=True, symlinks=True)


def install(level: str) -> bool:
    """Install the locked requirements, then the project itself, and tell whether both worked."""
    locked = [part for name in LOCKS[level] for part in ("-r", str(ROOT / "requirements" / name))]
    return pip("--require-hashes", *locked) and pip("--no-deps", "--no-build-isolation", "--editable", str(ROOT))


def pip(*arguments: str) -> bool:
    """Run pip's install in the environment, silently unless it fails."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}}
    kept |= {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    if not kept.get("HOME"):
        kept["PIP_NO_CACHE_DIR"] = "1"  # an empty HOME would put the cache at the root of the file system
    command = [FOLDER / "bin" / "python", "-m", "pip", "install", "--quiet", "--progress-bar", "off", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=kept, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        print("scripts/setup: the installation failed, see above; run it again once that is mended", file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
