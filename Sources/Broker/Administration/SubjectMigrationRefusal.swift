import BrokerStore
import ProviderKit

/// The reason a subject migration does not start, or stopped before its end.
package struct SubjectMigrationRefusal: Error, Sendable, Hashable {
    /// Stable, lower-case with hyphens.
    package let code: String
    /// The fault and its remedy.
    package let text: String
    /// Whether the job waits for the operator: its state shows the reason until it is resumed.
    let pauses: Bool

    init(_ code: String, _ text: String, pauses: Bool = false) {
        self.code = code
        self.text = text
        self.pauses = pauses
    }
}

extension SubjectMigrationRefusal {
    /// The provider does not accept a side's credentials; the findings name the causes and all ways out.
    static func notReady(_ findings: [ConfigurationFinding]) -> Self {
        Self(
            findings.first?.code ?? "client-refused", findings.map { "\($0.text) \($0.fix)" }.joined(separator: "\n"),
            pauses: true)
    }

    static func providerUnavailable(_ error: ProviderError) -> Self {
        Self(
            "provider-unavailable",
            "The provider does not answer: \(error.reason). Everything up to here is stored; run resume later.",
            pauses: true)
    }

    static func firstUserRefused(_ reason: String) -> Self {
        Self(
            "first-user-refused",
            """
            The provider refused the first user (\(reason)), so nothing else was asked. Name a user who uses the app with \
            --first, and check that both team ids are right.
            """, pauses: true)
    }

    static func windowClosed(_ job: SubjectMigrationJob) -> Self {
        Self(
            "window-closed",
            """
            The provider exchanges subjects for \(job.windowSeconds / 86_400) days after the transfer of the app, and \
            they are over. Transfer the app back and again, then begin with prepare; or let users sign in again \
            (options.formerTeamIds).
            """)
    }

    static let nothingPrepared = Self(
        "nothing-prepared",
        "No user of this migration is prepared. Run prepare first, or import the other owner's file.")

    static func noCredentials(_ side: MigrationSide) -> Self {
        Self(
            "no-credentials",
            """
            The file has no key of the \(side == .source ? "former" : "new") owner. Add it, or have that owner run this \
            step and exchange files with export and import.
            """)
    }

    static func unknownFirst(_ name: String) -> Self {
        Self("unknown-user", "\(name) is neither a subject nor a user of this migration that can be the first.")
    }

    static let noJob = Self("no-migration", "There is no such migration. Run prepare, or import with --teams.")
    static let severalJobs = Self("several-migrations", "There are several migrations. Name one with --teams.")
}
