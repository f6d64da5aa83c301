import ArgumentParser
import Broker
import Foundation
import Logging

/// The options of every command that needs a broker's configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "The configuration file (default: $\(ProgramVariable.configuration.rawValue), else broker.json).")
    var config: String?

    @Option(name: .long, help: "Lowest log level to write: \(Self.levels).")
    var logLevel: String?

    @Option(name: .long, help: "Format of the log (default: text at a terminal, otherwise json).")
    var logFormat: LogFormat?

    func validate() throws {
        guard let logLevel, Logger.Level(rawValue: logLevel.lowercased()) == nil else { return }
        throw ValidationError("--log-level takes \(Self.levels).")
    }

    private static var levels: String {
        let names = Logger.Level.allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or \(names[names.count - 1])"
    }

    /// Reads the configuration; `tls` and `database` override its values.
    ///
    /// - Throws: `ConfigurationError`.
    func load(tls: TLSFiles? = nil, database: String? = nil) throws(ConfigurationError) -> Configuration {
        var environment = ProcessInfo.processInfo.environment
        if let database { environment[DatabaseLocation.variable] = try DatabaseLocation.commandLine(database) }
        return try Configuration.load(path: path, tls: tls, environment: environment)
    }

    /// The effective value of each key.
    ///
    /// - Throws: `ConfigurationError`.
    func settings() throws(ConfigurationError) -> [EffectiveSetting] {
        try Configuration.settings(
            path: path, plugins: BrokerProgram.plugins, environment: ProcessInfo.processInfo.environment)
    }

    private var path: String { config ?? ProgramVariable.configuration.value ?? "broker.json" }

    /// Configures logging for the process.
    ///
    /// - Parameters:
    ///   - level: The level when neither the option nor the environment names one.
    ///   - log: Receives the lines; each is written to standard error at once when absent.
    func startLogging(otherwise level: Logger.Level, to log: StandardErrorLog? = nil) {
        let name = logLevel ?? ProgramVariable.logLevel.value
        let chosen = name.flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? level
        let format = logFormat ?? .standard()
        // The log contains values of requests and providers, and standard error may be a terminal.
        LoggingSystem.bootstrap { label in
            JSONLogHandler(label: label, level: chosen) { line, level in
                let text = format.line(line)
                guard let log else { return text.warn() }
                log.append(text.description, at: level)
            }
        }
    }

    /// Refuses work on the store where no broker is configured and the user is logged in at a remote one.
    private func requireHost() throws {
        let isConfigured =
            config != nil || ProgramVariable.configuration.value != nil
            || FileManager.default.fileExists(atPath: "broker.json")
        guard !isConfigured else { return }
        guard try ProgramVariable.server.value == nil && ServerLogins.load().current == nil else {
            throw CommandFailure.needsHost
        }
    }

    /// Opens the configured broker's core for `work` and closes it afterwards.
    func withCore<Value>(
        asksProviders: Bool = false, _ work: (BrokerCore) async throws -> Value
    ) async throws -> Value {
        try requireHost()
        startLogging(otherwise: .warning)
        let core = try await BrokerCore.open(
            try load(), plugins: BrokerProgram.plugins, environment: ProcessInfo.processInfo.environment,
            asksProviders: asksProviders)
        do {
            let value = try await work(core)
            await core.close()
            return value
        } catch {
            await core.close()
            throw error
        }
    }
}

extension ProgramVariable {
    /// Its value in this process.
    var value: String? { ProcessInfo.processInfo.environment[rawValue] }
}
