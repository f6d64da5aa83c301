import ArgumentParser
import Broker
import BrokerStore
import Foundation

/// The options of an administrative command, which runs on the broker's host or remotely.
struct AdministrationOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions

    @Option(name: .long, help: "Run the command at the broker with this URL (see `broker login`).")
    var server: String?

    @Option(name: .long, help: "Why you run the command, for the audit log.")
    var reason: String?

    func validate() throws {
        guard reason.map({ AdministratorReason.cleaned($0) == $0 }) ?? true else {
            throw ValidationError("--reason takes 1 to \(AdministratorReason.longest) bytes of text on one line.")
        }
        guard server == nil || configuration.config == nil else {
            throw ValidationError("Pass either --server or --config.")
        }
    }

    /// Runs one operation.
    func run<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        try await withExecutor(asksProviders: Operation.declaration.asksProviders) { try await $0(operation) }
    }

    /// Opens the store, or the connection to the remote broker, for `work`, and closes it afterwards.
    func withExecutor<Value>(
        asksProviders: Bool = false, _ work: (OperationExecutor) async throws -> Value
    ) async throws -> Value {
        guard let login = try remoteLogin() else {
            return try await configuration.withCore(asksProviders: asksProviders) { core in
                try await work(.inProcess(AdminCall(core.admin, origin: .commandLine(reason: reason))))
            }
        }
        return try await RemoteBroker.with(login, reason: reason) { try await work(.remote($0)) }
    }

    /// The remote broker to use; nil for the broker on this host.
    ///
    /// `--server` and `--config` come first, then the environment, then a configuration in the working folder, then
    /// the current login.
    func remoteLogin() throws(CommandFailure) -> ServerLogins.Login? {
        if configuration.config != nil { return nil }
        if let server = server ?? ProgramVariable.server.value {
            let url = try ServerURL(server).text
            let stored = try ServerLogins.load()[url]
            if let token = ProgramVariable.adminToken.value, !token.isEmpty {
                return ServerLogins.Login(url: url, token: token, caFile: stored?.caFile)
            }
            guard let stored else { throw .notLoggedIn(at: url) }
            return stored
        }
        let isConfigured = ProgramVariable.configuration.value != nil
        if isConfigured || FileManager.default.fileExists(atPath: "broker.json") { return nil }
        let logins = try ServerLogins.load()
        return logins.current.flatMap { logins[$0] }
    }
}

/// The place in which administrative operations run. Both places answer the same.
enum OperationExecutor: OperationRunner {
    /// In process, on the store.
    case inProcess(AdminCall)
    /// At a broker, over HTTP.
    case remote(RemoteBroker)

    func callAsFunction<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        try await run(operation)
    }

    func run<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        switch self {
        case .inProcess(let call): try await operation.run(for: call)
        case .remote(let broker): try await broker.run(operation)
        }
    }
}
