//! Nothing: the dependencies are what is built.
