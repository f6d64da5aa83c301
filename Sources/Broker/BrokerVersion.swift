/// The version of this broker (Semantic Versioning 2.0.0): `broker --version`, the log's line `broker started`, `/healthz`.
package enum BrokerVersion {
    /// A `-dev` version is newer than the last release in CHANGELOG.md and not released itself.
    package static let current = "0.1.0-dev"
}
