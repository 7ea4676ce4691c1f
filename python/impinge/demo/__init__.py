"""Demonstrations: ``python -m impinge.demo NAME``."""
