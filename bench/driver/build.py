"""Builds runners: one function per library, all with the same optimisation flags."""

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

from .fetch import coal_source, debian_source, packages, source_version
from .shell import BENCH, CACHE, ROOT, Failed, call, say

CXX = ["g++", "-std=c++17"]
FLAGS = "-O3 -march=native -DNDEBUG"
RUSTFLAGS = "-C target-cpu=native"
BIN = CACHE / "bin"
TARGET = BENCH / "target"


def archive(name, sources, includes):
    """A static library of the given sources: a rival's own, compiled with the flags of the runners."""
    command = [*CXX, *FLAGS.split(), "-w", *includes]
    key = hashlib.sha256(
        " ".join(map(str, [machine(), *command])).replace(str(CACHE), "").encode()
    ).hexdigest()[:12]
    folder = CACHE / "build" / f"{name}-{key}"
    library = folder / f"lib{name}.a"
    if library.exists():
        return library
    if not sources:
        raise Failed(f"{name}: the source has none of the expected files")
    folder.mkdir(parents=True, exist_ok=True)
    say(f"  compiling {name}: {len(sources)} files")

    def one(numbered):
        number, source = numbered
        made = folder / f"{number}-{source.stem}.o"
        if not made.exists():
            part = made.with_suffix(".part")
            call(
                [*command, "-c", source, "-o", part],
                f"compiling {source.name}",
                log=CACHE / "log" / f"{name}.txt",
            )
            part.rename(made)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(one, enumerate(sorted(sources))))
    part = library.with_suffix(".part")
    part.unlink(missing_ok=True)
    call(["ar", "rcs", part, *objects], f"ar {name}")
    part.rename(library)
    return library


def machine():
    """The inputs of -march=native: the compiler and the processor."""
    return call(["g++", "-march=native", "-Q", "--help=target"], "g++")


def runner(name, includes=(), libraries=(), defines=()):
    """One C++ runner; built again if its source or the command has changed."""
    folder = BENCH / "runners" / "cpp"
    sources = [folder / f"{name}.cpp", *sorted(folder.glob("*.h"))]
    command = [*CXX, *FLAGS.split(), f'-DBENCH_FLAGS="{FLAGS}"', *defines, *includes, sources[0], *libraries]
    hashed = hashlib.sha256(machine().encode() + "\0".join(map(str, command)).encode())
    for source in sources:
        hashed.update(source.read_bytes())
    for library in libraries:
        if not str(library).startswith("-"):
            hashed.update(str(library.stat().st_mtime_ns).encode())
    made = BIN / f"{name}-{hashed.hexdigest()[:12]}"
    if not made.exists():
        say(f"  compiling runner {name}")
        BIN.mkdir(parents=True, exist_ok=True)
        for old in BIN.glob(f"{name}-*"):
            old.unlink()
        part = made.with_suffix(".part")
        call(
            [*command, "-o", part],
            f"compiling runners/cpp/{name}.cpp",
            log=CACHE / "log" / f"runner-{name}.txt",
        )
        part.rename(made)
    return made


def fcl(name="fcl"):
    packages(["libfcl-dev", "libeigen3-dev", "libccd-dev"])
    source = debian_source("fcl")
    include = ["-isystem", "/usr/include/eigen3"]
    library = archive("fcl", list((source / "src").glob("**/*.cpp")), include)
    return runner(name, include, [library, "-lccd", "-loctomap", "-loctomath"])


def many_fcl():
    return fcl("many_fcl")


def coal(name="coal"):
    packages(["libeigen3-dev"])
    source, prefix = coal_source()
    include = [
        "-isystem",
        source / "include",
        "-isystem",
        prefix / "include",
        "-isystem",
        "/usr/include/eigen3",
    ]
    unused = {"mesh_loader", "serialization", "broadphase"}  # they want more libraries
    files = [
        f for f in (source / "src").glob("**/*.cpp") if not unused & set(f.parts) and f.name != "octree.cpp"
    ]
    return runner(name, include, [archive("coal", files, include)])


def shapes_fcl():
    return fcl("shapes_fcl")


def shapes_coal():
    return coal("shapes_coal")


def opcode():
    source = debian_source("ode")
    include = ["-isystem", source / "OPCODE"]
    files = [*(source / "OPCODE").glob("*.cpp"), *(source / "OPCODE" / "Ice").glob("*.cpp")]
    return runner(
        "opcode", include, [archive("opcode", files, include)], [f'-DODE_VERSION="{source_version(source)}"']
    )


def bullet():
    source = debian_source("bullet") / "src"
    include = ["-isystem", source]
    files = [*(source / "LinearMath").glob("*.cpp"), *(source / "BulletCollision").glob("*/*.cpp")]
    return runner("bullet", include, [archive("bullet", files, include)])


def cgal(name="cgal"):
    packages(["libcgal-dev", "libgmp-dev", "libmpfr-dev"])
    return runner(name, (), ["-lgmp", "-lmpfr"])


def many_cgal():
    return cgal("many_cgal")


def assembly_fcl():
    return fcl("assembly_fcl")


def assembly_cgal():
    return cgal("assembly_cgal")


def rust(package, binary, more=()):
    """A Rust program of bench's workspace. Not --locked: a dependency that the testkit gains must not stop
    the race, and versions that are in the lock file stay."""
    env = {"RUSTFLAGS": RUSTFLAGS, "BENCH_FLAGS": f"--release {RUSTFLAGS}", "CARGO_TERM_COLOR": "never"}
    env.update(more)
    call(
        ["cargo", "build", "--release", "-p", package, "--bin", binary, "--target-dir", TARGET],
        f"cargo build -p {package}",
        cwd=BENCH,
        env=env,
        log=CACHE / "log" / f"{binary}.txt",
    )
    return TARGET / "release" / binary


def impinge():
    return rust("run-impinge", "run-impinge")


def parry3d():
    return rust("run-parry", "parry3d")


def parry3d_f64():
    return rust("run-parry", "parry3d-f64")


def many_impinge():
    return rust("run-impinge", "many-impinge")


def many_parry():
    return rust("run-parry", "many-parry")


def assembly_parry():
    return rust("run-parry", "assembly-parry")


def assembly_reading():
    """A program built with the command's settings, whose workspace has no optimisation across crates."""
    return rust("run-impinge", "assembly-reading", {"CARGO_PROFILE_RELEASE_LTO": "off"})


def command():
    """The command `impinge`, with the workspace's own profile."""
    target = TARGET / "cli"
    call(
        ["cargo", "build", "--release", "-p", "impinge-cli", "--bin", "impinge", "--target-dir", target],
        "cargo build -p impinge-cli",
        cwd=ROOT,
        env={"RUSTFLAGS": RUSTFLAGS, "CARGO_TERM_COLOR": "never"},
        log=CACHE / "log" / "impinge-cli.txt",
    )
    return target / "release" / "impinge"


def solids_pairs():
    return rust("solids", "solids-pairs")


def solids_impinge():
    return rust("solids", "solids-impinge")


def manifold_rust():
    return rust("run-manifold", "run-manifold")


def solids_nef():
    return cgal("solids_nef")


def solids_volume():
    return cgal("solids_volume")


def solids_side():
    return cgal("solids_side")


def solids_race():
    return cgal("solids_race")


def near_pairs():
    return rust("solids", "near-pairs")


def near_exact():
    return cgal("near_exact")


def points_questions():
    return rust("solids", "points-questions")


def points_impinge():
    return rust("run-impinge", "points-impinge")


def points_parry():
    return rust("run-parry", "points-parry")


def points_cgal():
    return cgal("points_cgal")


def points_exact():
    return cgal("points_exact")


def curves_cgal():
    return cgal("curves_cgal")


def curves_impinge():
    return rust("run-impinge", "curves-impinge")


def curves_race():
    return cgal("curves_race")


def curves_pairs():
    return rust("solids", "curves-pairs")


def curves_exact():
    return cgal("curves_exact")


def shapes_pairs():
    return rust("solids", "shapes-pairs")


def shapes_impinge():
    return rust("run-impinge", "shapes-impinge")


def shapes_parry():
    return rust("run-parry", "shapes-parry")


def motion_scenes():
    return rust("solids", "motion-scenes")


def motion_impinge():
    return rust("run-impinge", "motion-impinge")


def motion_parry():
    return rust("run-parry", "motion-parry")


def motion_fcl():
    return fcl("motion_fcl")


def ccd_impinge():
    return rust("run-impinge", "ccd-impinge")


def verdict():
    return rust("verdict", "verdict")


def near_verdict():
    return rust("verdict", "near-verdict")


def exporter(arguments, example="scenes"):
    """The testkit's exporter of scenes."""
    return call(
        ["cargo", "run", "--release", "-q", "-p", "impinge-testkit", "--example", example, "--", *arguments],
        "the exporter of scenes",
        cwd=ROOT,
        env={"CARGO_TERM_COLOR": "never"},
        log=CACHE / "log" / f"{example}.txt",
    )
