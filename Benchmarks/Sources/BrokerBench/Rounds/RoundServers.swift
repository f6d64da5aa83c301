import BenchmarkLoad
import Foundation

/// Everything that runs beside the client in one round.
final class RoundServers {
    private static let mostRS256Sessions = 2000
    private let settings: Settings
    private let issuer: Issuer
    private let memoryCluster: PostgreSQLCluster?
    private let diskCluster: PostgreSQLCluster?
    private let memory: RunFolder
    private let disk: RunFolder
    private var bare: [ServerProcess] = []
    private var brokers: [Brokers] = []

    init(
        _ settings: Settings, _ issuer: Issuer, _ memoryCluster: PostgreSQLCluster?, _ diskCluster: PostgreSQLCluster?
    ) throws {
        self.settings = settings
        self.issuer = issuer
        self.memoryCluster = memoryCluster
        self.diskCluster = diskCluster
        memory = try RunFolder(in: settings.memoryFolder)
        disk = try RunFolder(in: settings.diskFolder)
    }

    /// Starts what the regimes need, fills the stores, and says what can be measured then.
    func cases(_ round: inout Round) async throws -> [BenchmarkCase] {
        var cases: [BenchmarkCase] = []
        if settings.regimes.contains(.cpu) { cases += try await processorTimeCases(&round) }
        if settings.usesDisk { cases += try await diskCases(&round) }
        return cases
    }

    private func processorTimeCases(_ round: inout Round) async throws -> [BenchmarkCase] {
        let bare = try bareServer(settings.executor)
        let otherBare = try bareServer(settings.executor.other)
        let es256 = try await brokerCases("es256", .es256, in: memory, memoryCluster, idTokens: issuer.idTokens[...])
        round.figures[CaseName(.cpu, .firstSignIn, .closed(Population.connections))] = Figure(es256.settling)
        let few = issuer.idTokens.prefix(Self.mostRS256Sessions)
        let rs256 = try await brokerCases("rs256", .rs256, in: memory, memoryCluster, idTokens: few)
        return try BareCases(bare, otherBare).all() + es256.processorTime() + rs256.processorTimeRS256()
    }

    private func bareServer(_ executor: Settings.Executor) throws -> ServerProcess {
        let server = try ServerProcess(
            settings.bareServer, ["--executor", executor.rawValue], log: memory.path + "/bare-\(executor.rawValue).log"
        ) { line in ServerProcess.member("port", of: line) as? Int }
        bare.append(server)
        return server
    }

    private func diskCases(_ round: inout Round) async throws -> [BenchmarkCase] {
        let broker = try await brokerCases("disk", .es256, in: disk, diskCluster, idTokens: issuer.idTokens[...])
        var cases: [BenchmarkCase] = []
        if settings.regimes.contains(.durability) {
            round.figures[CaseName(.durability, .firstSignIn, .closed(Population.connections))] = Figure(
                broker.settling)
            cases += broker.durability()
            // The bare loop is over SQLite and says nothing about another database.
            if settings.database == .sqlite {
                cases += try GroupCommitCases(in: disk.path, sessions: settings.sessions).all()
            }
        }
        return settings.regimes.contains(.latency) ? cases + broker.latency() : cases
    }

    private func brokerCases(
        _ name: String, _ signing: BrokerFiles.Signing, in folder: RunFolder, _ cluster: PostgreSQLCluster?,
        idTokens: ArraySlice<String>
    ) async throws -> BrokerCases {
        let database = try cluster.map { BrokerFiles.Database.postgresql(try $0.makeDatabase()) } ?? .sqlite
        let files = try BrokerFiles(
            of: settings.broker, in: folder.folder(name), signing: signing, database: database, issuer: issuer.url)
        let brokers = try await Brokers(files, executable: settings.broker, count: settings.brokers)
        self.brokers.append(brokers)
        return try await BrokerCases(brokers, idTokens: idTokens)
    }

    /// What the servers and this process spent so far.
    func processorTime() throws(BenchmarkFailure) -> Duration {
        let servers = bare.map(\.identifier) + brokers.flatMap(\.identifiers)
        let databases = [memoryCluster, diskCluster].compactMap { $0 }.flatMap(\.processes)
        return try ProcessorClock(of: servers + databases).now() + ProcessorClock.ownProcess.now()
    }

    /// What the first broker that was started took.
    func facts() throws(BenchmarkFailure) -> Round.BrokerFacts? {
        guard let first = brokers.first else { return nil }
        return Round.BrokerFacts(
            startMilliseconds: first.startTime.microseconds / 1000, idle: first.idleMemory,
            afterLoad: try ProcessMemory(of: first.identifiers[0]))
    }

    func stop() {
        for server in bare { server.stop() }
        for brokers in brokers { brokers.stop() }
        memory.remove()
        disk.remove()
    }
}
