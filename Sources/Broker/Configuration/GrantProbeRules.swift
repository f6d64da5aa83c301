import ProviderKit

/// How often providers are asked in the background whether users still allow the app.
package struct GrantProbeRules: Sendable, Hashable {
    /// The least time between two probes of one grant; a plugin may ask for more.
    package var interval = Duration.seconds(86_400)
    /// The probes of one entry in a minute, over all brokers.
    package var perMinute = 60

    /// Whether there are any.
    package var isEnabled = true

    package init() {}
}

extension GrantProbeRules {
    /// `grantProbes` of `broker.json`.
    static let keys = DeclaredObject<GrantProbeRules>([
        .flag(
            "enabled", initially: GrantProbeRules().isEnabled,
            "whether the broker asks in the background if Apple users still allow the app "
                + "([Apple](Apple.md#validation-of-grants))"
        ) { $0.isEnabled = $1 },
        .integer(
            "intervalHours", 24...8760, initially: Int(GrantProbeRules().interval.components.seconds / 3600),
            "the least number of hours between two probes of one grant"
        ) { rules, hours in rules.interval = hours.map { .seconds($0 * 3600) } ?? rules.interval },
        .integer(
            "perMinute", 1...6000, initially: GrantProbeRules().perMinute,
            "the probes of one entry in a minute, over all brokers"
        ) { rules, number in rules.perMinute = number ?? rules.perMinute },
    ])
}
