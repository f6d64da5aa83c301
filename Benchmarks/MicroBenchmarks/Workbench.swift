import Broker
import BrokerStore
import ProviderKit

/// The table of contents: every case with what it works on.
final class Workbench {
    let cases: [BenchmarkCase]
    private let core: BrokerCore
    private let stores: [Store]
    private let http: HTTPCases

    /// Prepares the selected cases, with databases in `folder`, those of servers in `serverFolder`, each of as many
    /// sessions as asked for.
    init(
        _ folder: BenchmarkFolder, _ serverFolder: BenchmarkFolder, sessions: Int, selection: Selection
    ) async throws {
        let names = HTTPCases.programs.keys.filter { selection.contains($0, in: .http) }
        http = try HTTPCases(Set(names), folder: serverFolder, sessions: sessions)
        core = try await BenchmarkBroker.open(.strict, in: folder)
        let people = try await Population.settle(sessions, in: core.store)
        guard let person = people.first else { throw BenchmarkFailure("nobody to measure with") }
        let payload = core.tokens.claims(person, at: person.session.createdAt).serialized()
        let rotation = try await RotationCases(folder: folder, sessions: sessions).all()
        stores = rotation.stores
        let all =
            try SignatureCases.all() + TokenCases(core: core, person: person).all()
            + JSONCases(payload: payload).all() + rotation.cases
            + SignInCases(core: core, population: sessions).all() + http.all()
        cases = all.filter { selection.contains($0.name, in: $0.group) }
    }

    /// Ends the server processes.
    func stopServers() {
        http.stop()
    }

    /// Closes the stores.
    func close() async {
        for store in stores { await store.close() }
        await core.close()
    }
}
