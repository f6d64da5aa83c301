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
    private var yardsticks: [ServerProcess] = []
    private var peers: [Peer] = []
    private var brokers: [(brokers: Brokers, isBaseline: Bool)] = []
    /// By whether the broker is of the baseline.
    private var idleMemory: [Bool: ProcessMemory] = [:]

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
        let servers = BareCases.Servers(
            bare: try yardstick(settings.bareServer, ["--executor", settings.executor.rawValue]),
            other: try yardstick(settings.bareServer, ["--executor", settings.executor.other.rawValue]),
            nio: try yardstick(settings.nioServer), epoll: try yardstick(settings.epollServer))
        var cases = try BareCases(servers).all()
        for isBaseline in builds {
            let es256 = try await brokerCases(
                "es256", .es256, in: memory, memoryCluster, isBaseline: isBaseline, idTokens: issuer.idTokens[...])
            round.figures[.firstSignIn(.cpu, isBaseline: isBaseline)] = Figure(es256.settling)
            let rs256 = try await brokerCases(
                "rs256", .rs256, in: memory, memoryCluster, isBaseline: isBaseline,
                idTokens: issuer.idTokens.prefix(Self.mostRS256Sessions))
            cases += es256.processorTime() + rs256.processorTimeRS256()
        }
        return try await cases + peerCases()
    }

    /// Which builds are measured, in random order, since they are filled one after the other.
    private var builds: [Bool] { settings.baseline == nil ? [false] : [false, true].shuffled() }

    private func peerCases() async throws -> [BenchmarkCase] {
        guard let scripts = settings.peers else { return [] }
        var cases: [BenchmarkCase] = []
        for operation in CaseName.Operation.allCases {
            guard let name = operation.peer else { continue }
            let peer = try Peer(name, of: scripts, in: memory.folder("peer-" + name), issuer: issuer)
            peers.append(peer)
            cases += try await PeerCases(operation, peer, issuer: issuer).all()
        }
        return cases
    }

    private func yardstick(_ program: String, _ arguments: [String] = []) throws -> ServerProcess {
        let server = try ServerProcess(program, arguments, log: memory.path + "/yardstick-\(yardsticks.count).log") {
            ServerProcess.member("port", of: $0) as? Int
        }
        yardsticks.append(server)
        return server
    }

    private func diskCases(_ round: inout Round) async throws -> [BenchmarkCase] {
        var cases: [BenchmarkCase] = []
        var programs: [BrokerCases] = []
        for isBaseline in builds {
            let broker = try await brokerCases(
                "disk", .es256, in: disk, diskCluster, isBaseline: isBaseline, idTokens: issuer.idTokens[...])
            if settings.regimes.contains(.durability) {
                round.figures[.firstSignIn(.durability, isBaseline: isBaseline)] = Figure(broker.settling)
                cases += broker.durability()
            }
            programs.append(broker)
        }
        if settings.regimes.contains(.latency) { cases += BrokerCases.latency(of: programs) }
        // The bare loop is over SQLite and says nothing about another database.
        if settings.regimes.contains(.durability), settings.database == .sqlite {
            cases += try GroupCommitCases(in: disk.path, sessions: settings.sessions).all()
        }
        return cases
    }

    private func brokerCases(
        _ name: String, _ signing: BrokerFiles.Signing, in folder: RunFolder, _ cluster: PostgreSQLCluster?,
        isBaseline: Bool, idTokens: ArraySlice<String>
    ) async throws -> BrokerCases {
        let executable = isBaseline ? settings.baseline ?? settings.broker : settings.broker
        let database = try cluster.map { BrokerFiles.Database.postgresql(try $0.makeDatabase()) } ?? .sqlite
        let files = try BrokerFiles(
            of: executable, in: folder.folder(isBaseline ? name + "-baseline" : name), signing: signing,
            database: database, issuer: issuer.url)
        let brokers = try await Brokers(files, command: [executable], count: settings.brokers)
        self.brokers.append((brokers, isBaseline))
        if idleMemory[isBaseline] == nil { idleMemory[isBaseline] = try await brokers.idleMemory() }
        return try await BrokerCases(brokers, isBaseline: isBaseline, issuer: issuer, idTokens: idTokens)
    }

    /// What the servers and this process spent so far.
    func processorTime() throws(BenchmarkFailure) -> Duration {
        let servers = yardsticks.map(\.identifier) + brokers.flatMap(\.brokers.identifiers)
        let databases = [memoryCluster, diskCluster].compactMap { $0 }.flatMap(\.processes)
        let others = databases + peers.flatMap(\.processes)
        return try ProcessorClock(of: servers + others).now() + ProcessorClock.ownProcess.now()
    }

    /// What the first broker that was started took, of those measured or of the baseline.
    func facts(isBaseline: Bool = false) throws(BenchmarkFailure) -> Round.BrokerFacts? {
        guard let first = brokers.first(where: { $0.isBaseline == isBaseline })?.brokers,
            let idle = idleMemory[isBaseline]
        else { return nil }
        return Round.BrokerFacts(
            startMilliseconds: first.startTime.microseconds / 1000, idle: idle,
            afterLoad: try ProcessMemory(of: first.identifiers[0]))
    }

    func stop() {
        for server in yardsticks { server.stop() }
        for peer in peers { peer.stop() }
        for (brokers, _) in brokers { brokers.stop() }
        memory.remove()
        disk.remove()
    }
}
