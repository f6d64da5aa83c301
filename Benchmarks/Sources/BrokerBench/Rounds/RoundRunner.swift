import BenchmarkLoad
import Foundation

/// Runs rounds: each with servers, stores and people of its own, so that no round inherits what another left behind, and
/// with all cases in random order, so that what disturbs the machine disturbs all alike.
final class RoundRunner {
    private let settings: Settings
    private let issuer: Issuer
    private let memoryCluster: PostgreSQLCluster?
    private let diskCluster: PostgreSQLCluster?

    init(_ settings: Settings) async throws {
        self.settings = settings
        issuer = try await Issuer(people: settings.sessions)
        guard settings.database == .postgresql, let program = settings.postgreSQLCluster else {
            (memoryCluster, diskCluster) = (nil, nil)
            return
        }
        memoryCluster =
            settings.regimes.contains(.cpu) ? try PostgreSQLCluster(program, in: settings.memoryFolder) : nil
        diskCluster = settings.usesDisk ? try PostgreSQLCluster(program, in: settings.diskFolder) : nil
    }

    func close() async {
        memoryCluster?.stop()
        diskCluster?.stop()
        await issuer.stop()
    }

    func run(_ number: Int) async throws -> Round {
        let servers = try RoundServers(settings, issuer, memoryCluster, diskCluster)
        do {
            let round = try await run(number, with: servers)
            servers.stop()
            return round
        } catch {
            servers.stop()
            throw error
        }
    }

    private func run(_ number: Int, with servers: RoundServers) async throws -> Round {
        var round = Round(number: number, conditions: .init(loadBefore: MachineActivity.loadAverage))
        let cases = try await servers.cases(&round)
        let machine = try MachineActivity.now()
        let own = try servers.processorTime()
        let start = ContinuousClock.now
        for benchmark in cases.shuffled() where isAsked(benchmark) {
            try Task.checkCancellation()
            round.figures.merge(try await measure(benchmark)) { $1 }
        }
        let wall = ContinuousClock.now - start
        let used = try servers.processorTime() - own
        let activity = try MachineActivity.now()
        round.conditions.loadAfter = MachineActivity.loadAverage
        round.conditions.otherCores = max((activity.busy - machine.busy - used) / wall, 0)
        round.conditions.stolenCores = (activity.stolen - machine.stolen) / wall
        (round.broker, round.baseline) = (try servers.facts(), try servers.facts(isBaseline: true))
        return round
    }

    private func isAsked(_ benchmark: BenchmarkCase) -> Bool {
        guard let only = settings.only else { return true }
        return benchmark.names.contains { $0.operation.rawValue.contains(only) }
    }

    private func measure(_ benchmark: BenchmarkCase) async throws -> [CaseName: Figure] {
        do {
            return try await benchmark.run(.seconds(settings.seconds))
        } catch {
            let name = benchmark.names.first.map { "\($0.regime.rawValue), \($0.operation.rawValue), \($0.load)" }
            throw BenchmarkFailure("\(name ?? "a case"): \(error)")
        }
    }
}
