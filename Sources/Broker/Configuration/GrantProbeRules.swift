/// How often providers are asked in the background whether users still allow the app.
package struct GrantProbeRules: Sendable, Hashable {
    /// The least time between two probes of one grant; a plugin may ask for more.
    package var interval = Duration.seconds(86_400)
    /// The probes of one entry in a minute, over all brokers.
    package var perMinute = 60

    package init() {}
}

extension GrantProbeRules {
    /// `grantProbes` of `broker.json`.
    struct Entry: Decodable {
        let enabled: Bool?
        let intervalHours: Int?
        let perMinute: Int?
    }

    /// - Returns: nil when probes are off.
    /// - Throws: ``ConfigurationError`` for a number out of range.
    init?(_ entry: Entry?, in path: String) throws(ConfigurationError) {
        self.init()
        guard let entry else { return }
        if let hours = entry.intervalHours {
            guard (24...8760).contains(hours) else {
                throw ConfigurationError(path, at: "/grantProbes/intervalHours", "must be between 24 and 8760.")
            }
            interval = .seconds(hours * 3600)
        }
        if let number = entry.perMinute {
            guard (1...6000).contains(number) else {
                throw ConfigurationError(path, at: "/grantProbes/perMinute", "must be between 1 and 6000.")
            }
            perMinute = number
        }
        guard entry.enabled ?? true else { return nil }
    }
}
