import BenchmarkLoad
import Foundation
import NIOHTTP1

/// Measures one broker on stores of several sizes, each filled by `broker users import`.
struct ScaleCurve {
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
    }

    /// Fills a store with so many users and measures it.
    func point(_ users: Int) async throws -> Point {
        let sessions = min(users, settings.sessions)
        let issuer = try await Issuer(people: sessions, of: users)
        let folder = try RunFolder(in: settings.diskFolder)
        defer { folder.remove() }
        do {
            let point = try await measure(users, sessions, issuer, folder)
            await issuer.stop()
            return point
        } catch {
            await issuer.stop()
            throw error
        }
    }

    private func measure(
        _ users: Int, _ sessions: Int, _ issuer: Issuer, _ folder: RunFolder
    ) async throws -> Point {
        let files = try BrokerFiles(
            of: settings.broker, in: folder.folder("broker"), signing: .es256, database: .sqlite, issuer: issuer.url)
        let importTime = try UserImport.run(users, into: files, by: settings.broker, Self.record)
        let brokers = try await Brokers(files, command: [settings.broker], count: 1)
        defer { brokers.stop() }
        let bare = try ServerProcess(
            settings.bareServer, ["--executor", settings.executor.rawValue], log: folder.path + "/bare.log"
        ) { line in ServerProcess.member("port", of: line) as? Int }
        defer { bare.stop() }
        var point = Point(
            users: users, sessions: sessions, importSeconds: importTime,
            startMilliseconds: brokers.startTime.microseconds / 1000, idle: try await brokers.idleMemory())
        let cases = try await BrokerCases(brokers, issuer: issuer, idTokens: issuer.idTokens, areNew: false)
        let hello = RepeatedRequest(.benchmark(.GET, "/hello"), expecting: "ok")
        for _ in 0..<settings.rounds {
            point.figures[.hello, default: []].append(try await load(hello, at: bare.port, bare.identifier))
            let (port, broker) = (brokers.ports[0], brokers.identifiers[0])
            point.figures[.lookup, default: []].append(try await load(cases.lookup, at: port, broker))
            point.figures[.refreshES256, default: []].append(try await load(cases.refresh, at: port, broker))
            let signIn = try await cases.signIn(for: settings.seconds)
            point.figures[.signIn, default: []].append(try await load(signIn, at: port, broker))
        }
        point.afterLoad = try ProcessMemory(of: brokers.identifiers[0])
        let configuration = ["--config", files.configuration]
        point.backupSeconds = try seconds {
            try Program.run(
                settings.broker, ["store", "backup", "--output", folder.path + "/backup.sqlite"] + configuration)
        }
        point.verifySeconds = try seconds { try Program.run(settings.broker, ["store", "verify"] + configuration) }
        let size = try FileManager.default.attributesOfItem(atPath: files.databaseFile)[.size] as? Int
        point.fileMegabytes = Double(size ?? 0) / 1_000_000
        return point
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
