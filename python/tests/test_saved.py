"""Saved models."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import impinge
from conftest import at


@pytest.mark.parametrize("options", [{}, {"quality": "fast", "compact": True}, {"quality": "on-demand"}])
def test_a_loaded_model_is_the_saved_one(
    ball: impinge.Model, tmp_path: Path, options: dict[str, object]
) -> None:
    model = impinge.Model(ball.mesh, **options)  # type: ignore[arg-type]
    path = tmp_path / "ball.impinge"
    model.save(path)
    again = impinge.Model.load(str(path), threads=2)
    assert repr(again) == repr(model) and again.status is model.status
    assert np.array_equal(again.mesh.vertices, model.mesh.vertices)
    assert again.__reduce__()[1][1:] == (model.quality, 2, bool(options.get("compact")), 8)
    a = impinge.Body(ball, at(0.7))
    want = impinge.pairs(a, impinge.Body(model))
    assert len(want) > 10 and np.array_equal(impinge.pairs(a, impinge.Body(again)), want)
    again.save(tmp_path / "second")
    assert (tmp_path / "second").read_bytes() == path.read_bytes()
    path.unlink()
    vertices = again.mesh.vertices
    moved = again.deformed(vertices * 2)
    assert np.array_equal(moved.mesh.vertices, vertices * 2)
    assert len(pickle.loads(pickle.dumps(again))) == len(ball)
    # The array keeps the file's pages.
    del again, moved
    assert np.array_equal(vertices, model.mesh.vertices)


def test_other_processes_load_it(ball: impinge.Model, tmp_path: Path) -> None:
    path = tmp_path / "ball.impinge"
    ball.save(path)
    program = "import sys, impinge; print(len(impinge.Model.load(sys.argv[1])))"
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(ball)


def test_what_is_no_saved_model_is_refused(ball: impinge.Model, tmp_path: Path) -> None:
    path = tmp_path / "ball.impinge"
    with pytest.raises(FileNotFoundError, match="ball.impinge"):
        impinge.Model.load(path)
    with pytest.raises(FileNotFoundError):
        ball.save(tmp_path / "nowhere" / "ball.impinge")
    with pytest.raises(OSError, match="regular file"):
        impinge.Model.load(tmp_path)
    ball.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(impinge.Error, match="ball.impinge: the saved model is cut short"):
        impinge.Model.load(path)
    path.write_bytes(whole[:500] + b"?" + whole[501:])
    with pytest.raises(impinge.Error, match="points were altered"):
        impinge.Model.load(path)
    path.write_bytes(b"")
    with pytest.raises(impinge.Error, match="no saved model"):
        impinge.Model.load(path)
