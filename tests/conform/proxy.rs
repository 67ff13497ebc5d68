//! A proxy that breaks rules.
