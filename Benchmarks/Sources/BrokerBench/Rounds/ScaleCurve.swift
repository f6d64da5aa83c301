import BenchmarkLoad
import Foundation
import NIOHTTP1

/// Measures a broker on stores of several sizes, each filled by `broker users import`.
struct ScaleCurve {
    static let operations: [CaseName.Operation] = [.hello, .lookup, .refreshES256, .signIn]
    private static let connections = 16
    let settings: Settings

    /// What was measured at one size.
    struct Point: Sendable {
        let users: Int
        let sessions: Int
        let importSeconds: Double
        let startMilliseconds: Double
        let idle: ProcessMemory
        var afterLoad: ProcessMemory?
        var fileMegabytes = 0.0
        var backupSeconds = 0.0
        var verifySeconds = 0.0
        /// Of each round.
        var figures: [CaseName.Operation: [LoadMeasurement]] = [:]

        /// Of the rounds, what of the operation the bare route would cost.
        func ratio(_ operation: CaseName.Operation) -> Spread? {
            let pairs = zip(figures[.hello] ?? [], figures[operation] ?? [])
            return Spread(pairs.map { $0.processorMicroseconds / $1.processorMicroseconds })
        }

        /// Of the rounds, what an operation costs here as part of what it costs at another size.
        func cost(_ operation: CaseName.Operation, asPartOf other: Point) -> Spread? {
            let pairs = zip(figures[operation] ?? [], other.figures[operation] ?? [])
            return Spread(pairs.map { $0.processorMicroseconds / $1.processorMicroseconds })
        }
    }

    /// A store and its broker.
    private struct Store {
        let files: BrokerFiles
        let issuer: Issuer
        let brokers: Brokers
        let cases: BrokerCases
        var point: Point

        func stop() async {
            brokers.stop()
            await issuer.stop()
        }
    }

    /// Fills a store of each size, and measures all of them in the same rounds.
    func points(_ sizes: [Int]) async throws -> [Point] {
        let folder = try RunFolder(in: settings.diskFolder)
        defer { folder.remove() }
        var stores: [Store] = []
        do {
            for users in sizes { stores.append(try await fill(users, folder)) }
            for store in stores {
                let token = try SearchCurve.token(store.files, of: settings.broker)
                try await SearchCurve.awaitWords(at: store.brokers.ports[0], token)
            }
            try await measure(&stores, log: folder.path + "/bare.log")
            for index in stores.indices { try complete(&stores[index], folder) }
        } catch {
            for store in stores { await store.stop() }
            throw error
        }
        for store in stores { await store.stop() }
        return stores.map(\.point)
    }

    private func fill(_ users: Int, _ folder: RunFolder) async throws -> Store {
        let sessions = min(users, settings.sessions)
        let issuer = try await Issuer(people: sessions, of: users)
        do {
            let files = try BrokerFiles(
                of: settings.broker, in: folder.folder("broker-\(users)"), signing: .es256, database: .sqlite,
                issuer: issuer.url)
            try files.liftCredentialLimit()
            let importTime = try UserImport.run(users, into: files, by: settings.broker, Self.record)
            let brokers = try await Brokers(files, command: [settings.broker], count: 1)
            do {
                let point = Point(
                    users: users, sessions: sessions, importSeconds: importTime,
                    startMilliseconds: brokers.startTime.microseconds / 1000, idle: try await brokers.idleMemory())
                let cases = try await BrokerCases(brokers, issuer: issuer, idTokens: issuer.idTokens, areNew: false)
                return Store(files: files, issuer: issuer, brokers: brokers, cases: cases, point: point)
            } catch {
                brokers.stop()
                throw error
            }
        } catch {
            await issuer.stop()
            throw error
        }
    }

    /// An operation of all stores, one right after the other in random order, so that their figures may be compared.
    private func measure(_ stores: inout [Store], log: String) async throws {
        let bare = try ServerProcess(
            settings.bareServer, ["--executor", settings.executor.rawValue], log: log
        ) { line in ServerProcess.member("port", of: line) as? Int }
        defer { bare.stop() }
        let hello = RepeatedRequest(.benchmark(.GET, "/hello"), expecting: "ok")
        for _ in 0..<settings.rounds {
            let yardstick = try await load(hello, at: bare.port, bare.identifier)
            for index in stores.indices { stores[index].point.figures[.hello, default: []].append(yardstick) }
            for operation in Self.operations where operation != .hello {
                for index in stores.indices.shuffled() {
                    let figure = try await load(operation, of: stores[index])
                    stores[index].point.figures[operation, default: []].append(figure)
                }
            }
        }
    }

    private func load(_ operation: CaseName.Operation, of store: Store) async throws -> LoadMeasurement {
        let (port, broker) = (store.brokers.ports[0], store.brokers.identifiers[0])
        switch operation {
        case .lookup: return try await load(store.cases.lookup, at: port, broker)
        case .refreshES256: return try await load(store.cases.refresh, at: port, broker)
        default: return try await load(store.cases.signIn(for: settings.seconds), at: port, broker)
        }
    }

    /// What is known once the load is over.
    private func complete(_ store: inout Store, _ folder: RunFolder) throws {
        store.point.afterLoad = try ProcessMemory(of: store.brokers.identifiers[0])
        let configuration = ["--config", store.files.configuration]
        let backup = folder.path + "/backup-\(store.point.users).sqlite"
        store.point.backupSeconds = try seconds {
            try Program.run(settings.broker, ["store", "backup", "--output", backup] + configuration)
        }
        store.point.verifySeconds = try seconds {
            try Program.run(settings.broker, ["store", "verify"] + configuration)
        }
        let size = try FileManager.default.attributesOfItem(atPath: store.files.databaseFile)[.size] as? Int
        store.point.fileMegabytes = Double(size ?? 0) / 1_000_000
    }

    private static func record(_ number: Int) -> String {
        """
        {"localId":"\(UserImport.localID(number))","email":"person\(number)@example.com","emailVerified":true,"displayName":"Ada Lovelace",\
        "providerUserInfo":[{"providerId":"\(BrokerFiles.provider)","rawId":"person-\(number)",\
        "email":"person\(number)@example.com"}]}
        """
    }

    /// After a sixth of the time to warm up.
    private func load(
        _ conversation: some Conversation, at port: Int, _ process: Int32
    ) async throws -> LoadMeasurement {
        let load = Load(ports: [port], connections: Self.connections)
        let clock = ProcessorClock(of: [process])
        _ = try await load.measure(conversation, at: .asFastAsAnswered(for: .seconds(settings.seconds / 6)), on: clock)
        return try await load.measure(conversation, at: .asFastAsAnswered(for: .seconds(settings.seconds)), on: clock)
    }

    private func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return (ContinuousClock.now - start).inSeconds
    }
}
