import Broker
import BrokerStore
import ProviderKit

/// The table of contents: every case with what it works on.
final class Workbench {
    let cases: [BenchmarkCase]
    private let core: BrokerCore
    private let stores: [Store]

    /// Prepares the selected cases, with databases in `folder`, each of as many sessions as asked for.
    init(_ folder: BenchmarkFolder, sessions: Int, selection: Selection) async throws {
        core = try await BenchmarkBroker.open(.strict, in: folder)
        let people = try await Population.settle(sessions, in: core.store)
        guard let person = people.first else { throw BenchmarkFailure("nobody to measure with") }
        let payload = String(
            decoding: core.sessions.tokens.payload(person, at: person.session.createdAt), as: UTF8.self)
        let rotation = try await RotationCases(folder: folder, sessions: sessions).all()
        let lookup = try await LookupCases(folder: folder, sessions: sessions).all()
        stores = rotation.stores + [lookup.store]
        let all =
            try SignatureCases.all() + TokenCases(core: core, person: person).all()
            + JSONCases(payload: payload).all() + rotation.cases + lookup.cases
            + SignInCases(core: core, population: sessions).all()
        cases = all.filter { selection.contains($0.name, in: $0.group) }
    }

    /// Closes the stores.
    func close() async {
        for store in stores { await store.close() }
        await core.close()
    }
}
