"""Settings of `Assembly.check`, and the classes of its reports.

Examples
--------
>>> import impinge
>>> from impinge.check import Measure
>>> report = impinge.Assembly.demo().check(measure=Measure(depths="none"))
"""

from __future__ import annotations

from impinge._check_poses import PoseCheck
from impinge._contacts import Contact, ContactGraph, Floating
from impinge._findings import Finding, Findings
from impinge._groups import Connected, Explained, Group, Groups
from impinge._part import FileWarning, Omission, Part, Source
from impinge._records import CheckedPart, Clash, NearPair
from impinge._report import Report
from impinge._settings import Criteria, Geometry, Limits, Measure, Run, WhatIf
from impinge._summaries import Explanation, IgnoreSummary, TestSummary

__all__ = [
    "CheckedPart",
    "Clash",
    "Connected",
    "Contact",
    "ContactGraph",
    "Criteria",
    "Explained",
    "Explanation",
    "FileWarning",
    "Finding",
    "Findings",
    "Floating",
    "Geometry",
    "Group",
    "Groups",
    "IgnoreSummary",
    "Limits",
    "Measure",
    "NearPair",
    "Omission",
    "Part",
    "PoseCheck",
    "Report",
    "Run",
    "Source",
    "TestSummary",
    "WhatIf",
]
