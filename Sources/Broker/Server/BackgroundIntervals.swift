/// How often a running server does what nobody asks it for.
package struct BackgroundIntervals: Sendable {
    /// Between two looks for rotations of another process.
    package var signingKeys = SigningKeys.reloadInterval
    /// Between two looks at `plugins.json` and the secrets it names.
    package var providers = ProviderConfiguration.reloadInterval
    /// Between two looks at the TLS certificate and its key.
    package var certificate = Duration.seconds(5)
    /// Between two probes of the store, whose result `/readyz` answers.
    package var readiness = Duration.seconds(5)
    /// Between two turns of housekeeping; nil leaves it to other brokers.
    package var housekeeping: Duration? = Housekeeping.interval

    package init() {}
}
