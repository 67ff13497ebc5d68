//! The faults that a proxy plants.
