"""`.ci/install-package`: installs what is missing, waits for other installations, and tries the network twice."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .repository import ROOT

SCRIPT = ROOT / ".ci" / "install-package"
APT_GET = f"""#!/bin/bash
echo "apt-get $*" >> "$LOG"
flock --nonblock {SCRIPT} true || echo "nobody else runs apt-get $1" >> "$LOG.locks"
[[ " $FAILING " != *" $(grep --count ^apt-get "$LOG") "* ]]
"""
"""Fails when it is called for the first time, the second … as FAILING has the numbers."""
SUDO = '#!/bin/bash\nshift\nexec "$@"\n'
SLEEP = '#!/bin/bash\necho "sleep $*" >> "$LOG"\n'
UPDATE = "apt-get update -qq"
INSTALL = "apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=600 the-package"
PAUSE = "sleep 30"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder with programs that note how they were called, and with those that a shell needs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("apt-get", APT_GET), ("sudo", SUDO), ("sleep", SLEEP)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    for name in ("bash", "flock", "grep", "id", "true"):
        (folder / name).symlink_to(str(shutil.which(name)))
    return folder


def install(
    programs: Path, *wanted: str, command: str = "the-command", failing: str = ""
) -> tuple[int, str, list[str]]:
    """Install a package for a command, and the packages of other commands; return the exit code, what was
    printed, and what was called.
    """
    log = programs.parent / "log"
    log.touch()
    done = subprocess.run(
        [SCRIPT, command, "the-package", *wanted],
        env={**os.environ, "PATH": str(programs), "LOG": str(log), "FAILING": failing},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr, log.read_text().splitlines()


def test_package_lock_is_waited_for(programs: Path) -> None:
    """Another installation under way is no reason to fail."""
    code, _, called = install(programs)

    assert (code, called) == (0, [UPDATE, INSTALL])


@pytest.mark.parametrize(
    ("failing", "calls"),
    [("1", [UPDATE, PAUSE, UPDATE, INSTALL]), ("2", [UPDATE, INSTALL, PAUSE, UPDATE, INSTALL])],
    ids=["lists", "package"],
)
def test_network_is_tried_twice(programs: Path, failing: str, calls: list[str]) -> None:
    """After a pause the lists are fetched anew, and the package too."""
    code, printed, called = install(programs, failing=failing)

    assert (code, called) == (0, calls)
    assert "could not be installed" not in printed


def test_network_that_stays_away_is_an_error(programs: Path) -> None:
    """It is not tried a third time, and the message says what to do."""
    code, printed, called = install(programs, failing="1 2")

    assert (code, called) == (2, [UPDATE, PAUSE, UPDATE])
    assert "'the-package' could not be installed" in printed
    assert "install it by hand" in printed


def test_command_that_is_there_needs_no_package(programs: Path) -> None:
    """Nothing is installed, and nothing is said."""
    code, printed, called = install(programs, command="bash")

    assert (code, printed, called) == (0, "", [])


def test_packages_of_all_missing_commands_are_installed_at_once(programs: Path) -> None:
    """The lists are fetched once for all of them, and what is there already is left out."""
    code, printed, called = install(programs, "bash", "bash-package", "another-command", "another-package")

    assert (code, called) == (0, [UPDATE, f"{INSTALL} another-package"])
    assert "Installing from Debian: the-package another-package" in printed


def test_all_missing_commands_are_named(programs: Path) -> None:
    """The message and what it says to do name each of them once."""
    (programs / "sudo").unlink()
    (programs / "id").unlink()
    (programs / "id").write_text("#!/bin/bash\necho 1000\n")
    (programs / "id").chmod(0o755)

    code, printed, called = install(programs, "another-command", "another-package")

    assert (code, called) == (2, [])
    assert "'the-command', 'another-command' not found" in printed
    assert "run 'sudo apt-get install the-package another-package'" in printed


def test_lists_are_updated_by_one_at_a_time(programs: Path) -> None:
    """The script is locked meanwhile, and not while packages are installed: services may start then, and stay."""
    install(programs)

    locks = (programs.parent / "log.locks").read_text().splitlines()
    assert locks == ["nobody else runs apt-get update"]
