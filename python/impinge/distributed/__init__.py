"""Questions on many machines, by Ray: ``pip install ".[ray]"`` in a checkout.

==================================================  ==================================================
an assembly, or files, as `Assembly.check`          `check`, `resume`
a body at many poses, as the functions of `impinge` `intersects_at`, `first_contact_at`, `pairs_at`,
                                                    `distance_at`, `within_at`
many bodies at many sets of poses                   `scene_contacts_at`
==================================================  ==================================================

Answers are those of one machine, to the bit. Where Ray is connected already that is used; else Ray joins the
cluster that ``RAY_ADDRESS`` names or that runs on this machine, or else is started here, with all cores.
Every node of a cluster needs this package. A worker that dies is replaced, and its task is done again.

Models travel once to each node, through Ray's object store, and are built once by each worker. Only so many
slices of poses are under way at a time that memory stays bounded, whatever the number of poses.

Examples
--------
>>> import impinge.distributed  # doctest: +SKIP
>>> report = impinge.distributed.check(["house.obj", "pipes.obj"])  # doctest: +SKIP
>>> len(report.findings)  # doctest: +SKIP
17
"""

from impinge.distributed._check import check, resume
from impinge.distributed._poses import (
    distance_at,
    first_contact_at,
    intersects_at,
    pairs_at,
    within_at,
)
from impinge.distributed._scenes import scene_contacts_at

__all__ = [
    "check",
    "distance_at",
    "first_contact_at",
    "intersects_at",
    "pairs_at",
    "resume",
    "scene_contacts_at",
    "within_at",
]
