//! The sections of the conventions that a report is divided into.

/// A section of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Identifiers, nulls, timestamps, prices, references (§2.3, §2.4).
    Representation,
    /// `User-Agent` and `Trace-Id` (§4.1).
    Headers,
    /// Paths and their methods (§4.2).
    Methods,
    /// POST of an entity (§4.2).
    Creation,
    /// PUT of an entity (§4.2).
    Replacement,
    /// PATCH (§4.2).
    Patch,
    /// DELETE (§4.2).
    Deletion,
    /// `dryRun` and `include` (§4.3).
    DryRuns,
    /// Filters (§4.4).
    Filters,
    /// Searches (§2.5, §4.5).
    Searches,
    /// Sorting and paging (§4.6).
    Collections,
    /// Commands (§2.6, §3, §4.7).
    Commands,
    /// Entity tags and the headers of caches (§4.8).
    Caching,
    /// Languages and compression (§4.9, §4.10).
    Languages,
    /// Who may call what (§5).
    Access,
    /// The event stream (§6).
    Events,
    /// Statuses and the bodies of errors (§7).
    Errors,
    /// What is wrong with a body (§7.1).
    Validation,
    /// Media types and versions (§9).
    Negotiation,
    /// What is announced as going away (§9.4).
    Deprecation,
}

impl Section {
    /// Every section, in the order of the report.
    pub const ALL: [Self; 20] = [
        Self::Representation,
        Self::Headers,
        Self::Methods,
        Self::Creation,
        Self::Replacement,
        Self::Patch,
        Self::Deletion,
        Self::DryRuns,
        Self::Filters,
        Self::Searches,
        Self::Collections,
        Self::Commands,
        Self::Caching,
        Self::Languages,
        Self::Access,
        Self::Events,
        Self::Errors,
        Self::Validation,
        Self::Negotiation,
        Self::Deprecation,
    ];

    /// The word in JSON, and in the names of JUnit's suites.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Representation => "representation",
            Self::Headers => "headers",
            Self::Methods => "methods",
            Self::Creation => "creation",
            Self::Replacement => "replacement",
            Self::Patch => "patch",
            Self::Deletion => "deletion",
            Self::DryRuns => "dry-runs",
            Self::Filters => "filters",
            Self::Searches => "searches",
            Self::Collections => "collections",
            Self::Commands => "commands",
            Self::Caching => "caching",
            Self::Languages => "languages",
            Self::Access => "access",
            Self::Events => "events",
            Self::Errors => "errors",
            Self::Validation => "validation",
            Self::Negotiation => "negotiation",
            Self::Deprecation => "deprecation",
        }
    }

    /// The title in a report for people, with the sections of the conventions.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Representation => "Representation (§2.3, §2.4)",
            Self::Headers => "Headers of every request and response (§4.1)",
            Self::Methods => "Paths and methods (§4.2)",
            Self::Creation => "Creation (§4.2)",
            Self::Replacement => "Replacement (§4.2)",
            Self::Patch => "PATCH (§4.2)",
            Self::Deletion => "Deletion (§4.2)",
            Self::DryRuns => "Dry runs (§4.3)",
            Self::Filters => "Filters (§4.4)",
            Self::Searches => "Searches (§2.5, §4.5)",
            Self::Collections => "Sorting and paging (§4.6)",
            Self::Commands => "Commands (§2.6, §3, §4.7)",
            Self::Caching => "Entity tags and caches (§4.8)",
            Self::Languages => "Languages and compression (§4.9, §4.10)",
            Self::Access => "Access (§5)",
            Self::Events => "Events (§6)",
            Self::Errors => "Statuses and errors (§7)",
            Self::Validation => "Validation (§7.1)",
            Self::Negotiation => "Media types and versions (§9)",
            Self::Deprecation => "Deprecation (§9.4)",
        }
    }
}
