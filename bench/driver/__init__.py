"""The driver of bench/run: fetches, builds, races, checks and reports. Standard library only."""
