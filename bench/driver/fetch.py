"""Installs rivals' packages and sources through apt and pip, into the git-ignored cache."""

import os
import shutil
import sys

from .shell import CACHE, Failed, call, say

COAL, IPCTK = "3.0.3", "1.6.1"
QUERIES = "https://github.com/Continuous-Collision-Detection/Sample-Queries"
SOURCES = CACHE / "src"
VENV = CACHE / "venv"
_updated = set()


def packages(names):
    """Installs Debian packages if necessary."""
    missing = []
    for name in names:
        try:
            if "install ok installed" in call(["dpkg-query", "-W", "-f", "${Status}", name], name):
                continue
        except Failed:
            pass
        missing.append(name)
    if not missing:
        return
    if os.geteuid() != 0:
        raise Failed(f"not installed, and only root can run: apt-get install {' '.join(missing)}")
    say(f"  apt-get install {' '.join(missing)}")
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    if "binary" not in _updated:
        call(["apt-get", "update"], "apt-get update")
        _updated.add("binary")
    call(
        ["apt-get", "install", "-y", "--no-install-recommends", *missing],
        "apt-get install",
        env=env,
        log=CACHE / "log" / "apt.txt",
    )


def debian_source(name):
    """The unpacked source of a Debian package. It uses its own package lists: the system's sources stay
    unchanged."""
    folder = SOURCES / name
    if (folder / ".complete").exists():
        return folder
    packages(["dpkg-dev"])
    release = {}
    with open("/etc/os-release") as lines:
        for line in lines:
            key, _, value = line.strip().partition("=")
            release[key] = value.strip('"')
    if release.get("ID") != "debian":
        raise Failed(f"the source of {name} comes from Debian, but this system is {release.get('ID')}")
    lists = CACHE / "apt"
    (lists / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (lists / "sources.list").write_text(
        "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
        f"http://deb.debian.org/debian {release['VERSION_CODENAME']} main\n"
    )
    options = [
        "-o",
        f"Dir::Etc::sourcelist={lists}/sources.list",
        "-o",
        "Dir::Etc::sourceparts=-",
        "-o",
        f"Dir::State::lists={lists}/lists",
    ]
    if "source" not in _updated:
        call(["apt-get", *options, "update"], "apt-get update")
        _updated.add("source")
    shutil.rmtree(folder, ignore_errors=True)
    SOURCES.mkdir(parents=True, exist_ok=True)
    say(f"  apt-get source {name}")
    call(["apt-get", *options, "source", "--download-only", name], f"apt-get source {name}", cwd=SOURCES)
    found = sorted(SOURCES.glob(f"{name}_*.dsc"))
    if not found:
        raise Failed(f"apt-get source {name} downloaded no .dsc file")
    call(["dpkg-source", "-x", "--no-check", found[-1], folder], f"unpacking {name}", cwd=SOURCES)
    version = found[-1].stem.removeprefix(f"{name}_").split("-")[0].split("+")[0]
    (folder / ".complete").write_text(version)
    return folder


def source_version(folder):
    return (folder / ".complete").read_text()


def coal_source():
    """Coal's source, and the prefix of its wheel, which has the headers that its build generates and Boost's.

    pip cannot fetch a source without running its build, and Coal's clones a repository. So the build gets a
    cmake that fails, and the source is read from the folder into which pip unpacked it. """
    folder = SOURCES / "coal"
    python = VENV / "bin" / "python"
    if not (folder / ".complete").exists():
        say(f"  pip install coal=={COAL}, and its source")
        if not python.exists():
            call([sys.executable, "-m", "venv", VENV], "making a venv")
        call(
            [python, "-m", "pip", "install", f"coal=={COAL}", f"libcoal=={COAL}"],
            "pip install coal",
            log=CACHE / "log" / "coal-pip.txt",
        )
        work, no_cmake = CACHE / "coal-unpacked", CACHE / "no-cmake"
        for path in (work, no_cmake, folder):
            shutil.rmtree(path, ignore_errors=True)
        work.mkdir(parents=True)
        no_cmake.mkdir()
        (no_cmake / "cmake").symlink_to("/bin/false")
        try:
            call(
                [
                    python,
                    "-m",
                    "pip",
                    "download",
                    "--no-clean",
                    "--no-deps",
                    "--no-build-isolation",
                    "--no-binary",
                    "libcoal",
                    "-d",
                    work,
                    f"libcoal=={COAL}",
                ],
                "pip download libcoal",
                env={"TMPDIR": str(work), "PATH": f"{no_cmake}:{os.environ['PATH']}"},
                log=CACHE / "log" / "coal-source.txt",
            )
        except Failed:
            pass  # expected: only the existence of the source matters
        found = list(work.glob("**/src/collision_func_matrix.cpp"))
        if not found:
            raise Failed(f"pip unpacked no source of libcoal (see {CACHE / 'log' / 'coal-source.txt'})")
        shutil.move(found[0].parent.parent, folder)
        shutil.rmtree(work)
        (folder / ".complete").write_text(COAL)
    prefixes = list(VENV.glob("lib/python3*/site-packages/cmeel.prefix"))
    if not prefixes:
        raise Failed("Coal's wheel has no cmeel.prefix")
    return folder, prefixes[0]


def ipctk():
    """A Python that has ipctk."""
    python = CACHE / "venv-ipctk" / "bin" / "python"
    mark = CACHE / "venv-ipctk" / f".ipctk-{IPCTK}"
    if not mark.exists():
        say(f"  pip install ipctk=={IPCTK}")
        call([sys.executable, "-m", "venv", python.parent.parent], "making a venv")
        call(
            [python, "-m", "pip", "install", f"ipctk=={IPCTK}"],
            "pip install ipctk",
            log=CACHE / "log" / "ipctk.txt",
        )
        mark.touch()
    return python


def sample_queries():
    """The folder of the public queries of moving points (MIT licence)."""
    folder = CACHE / "sample-queries"
    if not folder.exists():
        say(f"  git clone {QUERIES}")
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        call(["git", "clone", "--depth", "1", QUERIES, part], "git clone", log=CACHE / "log" / "queries.txt")
        part.rename(folder)
    return folder
