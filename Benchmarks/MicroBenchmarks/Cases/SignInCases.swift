import Broker
import BrokerStore
import ProviderKit
import Synchronization

/// The whole sign-in flow short of HTTP and of the provider's network: evidence, resolution, the writes, the tokens.
struct SignInCases {
    let core: BrokerCore
    /// How many people the store knows; their numbers are below it.
    let population: Int
    private let callers = 16

    init(core: BrokerCore, population: Int) {
        self.core = core
        self.population = population
    }

    func all() -> [BenchmarkCase] {
        let people = Ring(Array(0..<population))
        let newcomers = Counter(population)
        return [
            signingIn("returning person, FULL, 16 callers, ES256", isNewUser: false) { people.take().value },
            signingIn("new person, FULL, 16 callers, ES256", isNewUser: true) { newcomers.next() },
        ]
    }

    private func signingIn(
        _ name: CaseName, isNewUser: Bool, person: @escaping @Sendable () -> Int
    ) -> BenchmarkCase {
        let core = core
        let origin = Origin(.client, actor: "key:benchmark", requestID: "benchmark")
        return .callers(callers, name, in: .signIn) {
            let credential = Credential(.accessToken(String(person())))
            let verified = try await core.accounts.verify(credential, from: StubProvider.entryID)
            let outcome = try await core.accounts.signIn(verified, origin: origin)
            guard case .signedIn(let facts, isNewUser) = outcome else {
                throw BenchmarkFailure("a sign-in had another outcome")
            }
            _ = try await core.sessions.tokens.issue(facts, at: facts.session.createdAt)
        }
    }
}

/// Numbers that are used once.
private final class Counter: Sendable {
    private let value: Atomic<Int>

    init(_ start: Int) {
        value = Atomic(start)
    }

    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
