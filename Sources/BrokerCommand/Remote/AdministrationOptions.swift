import ArgumentParser
import Broker
import BrokerStore
import Foundation

/// The options of an administrative command, which runs on the broker's host or remotely.
struct AdministrationOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions

    @Option(name: .long, help: "Run the command at the broker with this URL (see `broker login`).")
    var server: String?

    func validate() throws {
        guard server == nil || configuration.config == nil else {
            throw ValidationError("Pass either --server or --config.")
        }
    }

    /// Runs one operation.
    func run<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        try await withExecutor(asksProviders: Operation.asksProviders) { try await $0(operation) }
    }

    /// Opens the store, or the connection to the remote broker, for `work`, and closes it afterwards.
    func withExecutor<Value>(
        asksProviders: Bool = false, _ work: (OperationExecutor) async throws -> Value
    ) async throws -> Value {
        guard let url = try remoteURL() else {
            return try await configuration.withCore(asksProviders: asksProviders) { core in
                try await work(.inProcess(AdminContext(core.administration, origin: .commandLine())))
            }
        }
        let environment = ProcessInfo.processInfo.environment
        guard let token = environment["BROKER_ADMIN_TOKEN"], !token.isEmpty else {
            throw CommandFailure(
                code: "NOT_LOGGED_IN", "no admin token is stored for \(url): set BROKER_ADMIN_TOKEN",
                exitCode: .validationFailure)
        }
        return try await RemoteBroker.with(url: url, token: token) { try await work(.remote($0)) }
    }

    private func remoteURL() throws(CommandFailure) -> String? {
        guard let server else { return nil }
        return try ServerURL(server).text
    }
}

/// Where administrative operations run. Both places answer the same.
enum OperationExecutor {
    /// In process, on the store.
    case inProcess(AdminContext)
    /// At a broker, over HTTP.
    case remote(RemoteBroker)

    func callAsFunction<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        switch self {
        case .inProcess(let context): try await operation.run(in: context)
        case .remote(let broker): try await broker.run(operation)
        }
    }
}
