//! SQL of conditions.
