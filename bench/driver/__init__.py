"""The driver of bench/run: fetches, builds, races, checks, reports. Standard library only."""
