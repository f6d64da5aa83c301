package import Foundation

extension MasterKey {
    /// Reads the keys from where the configuration says.
    ///
    /// - Parameters:
    ///   - configuration: Names the master key and, during a rotation, the one before.
    ///   - environment: Where `{"env": …}` is looked up; commands inherit it.
    ///   - now: The clock.
    /// - Returns: The master key, until ``adopt(_:)`` sealing with the first of them.
    /// - Throws: ``ConfigurationError`` when one is absent, malformed, or a file that others on the host can read.
    package static func load(
        _ configuration: Configuration, environment: [String: String],
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(ConfigurationError) -> MasterKey {
        let configured = try KeyMaterial.load(configuration.masterKey, environment: environment)
        guard let source = configuration.previousMasterKey else { return MasterKey(configured, now: now) }
        let previous = try KeyMaterial.load(source, environment: environment)
        guard previous.id != configured.id else {
            throw ConfigurationError(
                "previousMasterKey", "is the same key as masterKey, or one with the same id.",
                fix: "Write another new key, or take previousMasterKey away.")
        }
        return MasterKey(configured, previous: previous, now: now)
    }
}

extension KeyMaterial {
    /// - Throws: ``ConfigurationError``.
    static func load(
        _ source: MasterKeySource, environment: [String: String]
    ) throws(ConfigurationError) -> KeyMaterial {
        let name: String
        let text: String
        switch source {
        case .environment(let variable):
            name = "environment variable \(variable)"
            guard let value = environment[variable], !value.isEmpty else {
                throw ConfigurationError(name, "is not set.", fix: "Set it to the master key of this broker's data.")
            }
            text = value
        case .file(let path):
            name = path
            let data = try ProtectedFile.bytes(
                of: path, named: "the master key",
                fix: "Restore it; without it the stored credentials are lost. A new broker gets one by broker init.",
                environment: environment)
            text = String(decoding: data, as: UTF8.self)
        case .command(let command):
            name = "the output of \(command[0])"
            text = try KeyCommand(command, environment: environment).run()
        }
        guard let key = KeyMaterial(text: text) else {
            throw ConfigurationError(name, "is no master key: 43 characters of base64url are expected.")
        }
        return key
    }
}
