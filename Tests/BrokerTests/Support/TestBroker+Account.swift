import Broker
import BrokerStore
import ProviderKit
import ProviderSimulators

extension TestBroker {
    /// Runs a broker that offers the simulator under two ids, so that one user can have two identities.
    static func runWithTwoProviders<Value>(
        _ change: (inout Configuration) -> Void = { _ in }, _ test: (TestBroker) async throws -> Value
    ) async throws -> Value {
        try await run(change, entries: { [gitHub($0), gitHub($0, id: "github.work")] }, test)
    }

    /// Signs a user in with github.com after an admin linked their github.work as well.
    func signInWithTwoIdentities(_ login: String = "ada") async throws -> Answer {
        let first = try await signIn(person(login))
        let verified = try await core.accounts.verify(
            credential(person(login), of: "github.work"), from: "github.work")
        _ = try await core.accounts.link(verified, to: first.string("localId"), origin: Origin(.admin, actor: "test"))
        return first
    }

    func credential(_ person: GitHubSimulator.Person, of provider: String = "github.com") -> Credential {
        let token = simulator.accessToken(for: person, application: simulator.application(of: provider))
        return Credential(.accessToken(token))
    }

    /// `accounts:update` with the ID token of an earlier answer.
    func update(_ session: Answer, _ fields: JSONObject) async throws -> Answer {
        var body: JSONObject = ["idToken": .string(try session.string("idToken"))]
        for (name, value) in fields { body[name] = value }
        return try await post("/v1/accounts:update", .object(body))
    }

    func delete(_ session: Answer) async throws -> Answer {
        try await post("/v1/accounts:delete", ["idToken": .string(try session.string("idToken"))])
    }

    /// The user's record as `accounts:lookup` gives it.
    func record(_ session: Answer) async throws -> JSONValue {
        let answer = try await lookup(session.string("idToken"))
        guard let user = answer["users"]?.array?.first else { throw TestFailure("no user in: \(answer.text)") }
        return user
    }

    /// What the audit says was done to a user, latest first.
    func events(of localID: String) async throws -> [String] {
        try await core.store.read { try $0.auditEntries(localID: localID, limit: 100) }.map(\.event)
    }
}
