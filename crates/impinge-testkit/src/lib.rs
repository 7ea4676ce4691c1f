//! Generators, oracles and scenes shared by the tests, the benches and the command line.
