import ArgumentParser
import Broker
import BrokerStore
import Foundation
import Logging
import ProviderKit

/// The completion of ids in a shell, from the broker at which the command would run. It is silent: what cannot be read
/// within two seconds completes nothing. A store is looked at, and never made or changed.
enum IDCompletion: Sendable {
    case providers, clients, users

    /// The most ids that are offered.
    private static let limit = 100

    /// The ids that begin with `prefix`.
    ///
    /// - Parameters:
    ///   - prefix: What was typed of the id.
    ///   - words: The words of the command line.
    /// - Returns: At most a hundred; none when they cannot be read.
    func ids(beginningWith prefix: String, in words: [String]) async -> [String] {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let (answers, answer) = AsyncStream.makeStream(of: [String].self)
        Task { [self] in
            answer.yield((try? await all(beginningWith: prefix, in: words)) ?? [])
        }
        Task {
            try? await Task.sleep(for: .seconds(2))
            answer.finish()
        }
        for await ids in answers { return Self.offered(ids, beginningWith: prefix) }
        return []
    }

    /// The ids that a shell may be given. Shells expand words of a completion: an id of another user's choice must not
    /// become a command.
    static func offered(_ ids: [String], beginningWith prefix: String) -> [String] {
        Array(
            ids.filter { $0.hasPrefix(prefix) && $0.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9._@-]*/) != nil }.prefix(
                limit))
    }

    private func all(beginningWith prefix: String, in words: [String]) async throws -> [String] {
        let options = try AdministrationOptions.parse(
            ["--config", "--server"].flatMap { name in Self.value(of: name, in: words).map { [name, $0] } ?? [] })
        guard let login = try options.remoteLogin() else {
            return try await stored(beginningWith: prefix, options.configuration)
        }
        return try await RemoteBroker.with(login) { broker in
            switch self {
            case .providers: try await broker.run(ListProviders()).providers.map(\.id)
            case .clients: try await broker.run(ListClients()).clients.map(\.clientId)
            case .users:
                try await broker.run(ListUsers(after: prefix, limit: Self.limit)).users.compactMap {
                    $0["localId"]?.string
                }
            }
        }
    }

    private func stored(beginningWith prefix: String, _ options: ConfigurationOptions) async throws -> [String] {
        let configuration = try options.load()
        let database = DatabaseName(configuration)
        switch self {
        case .providers:
            let file = try PluginsFile.load(path: configuration.pluginsPath, plugins: BrokerProgram.plugins)
            let others = try? await database.withStore(for: .lookup) { store in
                try await store.read { try $0.providerEntries() }
            }
            return file.entries.map(\.id) + (others ?? []).map(\.id)
        case .clients:
            return try await database.withStore(for: .lookup) { store in try await store.read { try $0.clients() } }
                .map(\.id)
        case .users:
            return try await database.withStore(for: .lookup) { store in
                try await store.read { try $0.users(after: prefix, limit: Self.limit) }
            }.map(\.localID)
        }
    }

    /// The value of an option on a command line that is not complete yet.
    private static func value(of name: String, in words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if word == name, index + 1 < words.count { return words[index + 1] }
            if word.hasPrefix(name + "=") { return String(word.dropFirst(name.count + 1)) }
        }
        return nil
    }
}

extension CompletionKind {
    /// Ids of provider entries.
    static let providers = ids(.providers)
    /// Ids of OAuth clients.
    static let clients = ids(.clients)
    /// localIds.
    static let users = ids(.users)

    private static func ids(_ kind: IDCompletion) -> CompletionKind {
        .custom { (words: [String], _: Int, prefix: String) async -> [String] in
            await kind.ids(beginningWith: prefix, in: words)
        }
    }
}
