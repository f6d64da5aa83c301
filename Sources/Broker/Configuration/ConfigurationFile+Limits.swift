import Foundation

extension RecordRetention {
    /// - Throws: ``ConfigurationError`` for a number of days out of range.
    init(_ entry: ConfigurationFile.RetentionDays?, in path: String) throws(ConfigurationError) {
        self.init()
        if let days = entry?.auditDays { audit = try Self.duration(days, in: path, at: "/retention/auditDays") }
        if let days = entry?.decisionDays {
            decisions = try Self.duration(days, in: path, at: "/retention/decisionDays")
        }
    }

    private static func duration(
        _ days: Int, in path: String, at pointer: String
    ) throws(ConfigurationError) -> Duration? {
        guard days != 0 else { return nil }
        guard (30...36_500).contains(days) else {
            throw ConfigurationError(
                path, at: pointer, "must be between 30 and 36500 days.", fix: "Write 0 to keep the records for good.")
        }
        return .seconds(days * 86_400)
    }
}

extension OpenRowLimits {
    /// - Throws: ``ConfigurationError`` for a number out of range.
    init(_ entry: ConfigurationFile.Limits?, in path: String) throws(ConfigurationError) {
        self.init()
        perAddress = entry?.openSignInsPerAddress ?? perAddress
        total = entry?.openSignIns ?? total
        guard (10...1_000_000).contains(perAddress) else {
            throw ConfigurationError(path, at: "/limits/openSignInsPerAddress", "must be between 10 and 1000000.")
        }
        guard (1000...10_000_000).contains(total) else {
            throw ConfigurationError(path, at: "/limits/openSignIns", "must be between 1000 and 10000000.")
        }
    }
}
