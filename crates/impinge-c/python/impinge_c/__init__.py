"""The folder of impinge's C and C++ library: ``python -m impinge.cmake`` prints it."""
