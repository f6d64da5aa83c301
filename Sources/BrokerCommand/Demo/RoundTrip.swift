import AsyncHTTPClient
import Broker
import Foundation
import ProviderKit
import ProviderSimulators

/// The demo's sample run over HTTP: sign-in, link and reauthentication with each of the four providers, and the deletion of
/// an Apple user.
struct RoundTrip {
    struct Step {
        let name: String
        let ok: Bool
        let detail: String

        var document: JSONValue { ["name": .string(name), "ok": .bool(ok), "detail": .string(detail)] }
        var line: TerminalText { "\(ok ? "✓" : "✗") \(name): \(detail)" }
    }

    private let demo: DemoBroker
    private(set) var steps: [Step] = []
    /// The user record of `accounts:lookup`.
    private(set) var user: JSONValue?
    /// The payload of the last ID token.
    private(set) var claims: JSONValue?

    init(_ demo: DemoBroker) {
        self.demo = demo
    }

    var isGood: Bool { !steps.isEmpty && steps.allSatisfy(\.ok) }

    /// Runs the steps until one fails.
    func run() async -> RoundTrip {
        var trip = self
        do {
            // Its connections end with it: a broker that stops waits for idle ones.
            try await HTTPClient.withHTTPClient { client in
                try await trip.takeSteps(BrokerHTTP(url: demo.url, apiKey: demo.apiKey, client: client))
            }
        } catch let error as StepFailure {
            trip.steps.append(Step(name: error.step, ok: false, detail: error.detail))
        } catch {
            trip.steps.append(Step(name: "connection", ok: false, detail: "no answer: \(type(of: error))"))
        }
        return trip
    }

    private mutating func takeSteps(_ client: BrokerHTTP) async throws {
        let localID = try await signInAndRefresh(client)
        let all = demo.providers.all
        for provider in all { try await signInWith(provider, client) }
        for provider in all.dropFirst() { try await link(provider, to: localID, client) }
        for provider in all { try await reauthenticate(with: provider, as: localID, client) }
        let session = try await show(.ada, at: all[0], "lookup", client)
        user = try await lookUp(session, client)
        done("one user", "the record holds \(user?["providerUserInfo"]?.array?.count ?? 0) identities")
        try await deleteAppleUser(client)
    }

    /// Signs in, refreshes the tokens and looks the user up.
    private mutating func signInAndRefresh(_ client: BrokerHTTP) async throws -> String {
        let session = try await show(.ada, at: demo.providers.gitHub, "sign-in", client)
        let localID = try session.text("localId", at: "sign-in")
        done("sign-in", "a GitHub access token became user \(localID)")

        let refreshed = try await client.post(
            "/v1/token", ["grant_type": "refresh_token", "refresh_token": session["refreshToken"] ?? .null],
            at: "refresh")
        let idToken = try refreshed.text("id_token", at: "refresh")
        guard refreshed["refresh_token"] != session["refreshToken"] else {
            throw StepFailure(step: "refresh", detail: "the refresh token did not rotate")
        }
        claims = Self.payload(of: idToken)
        done("refresh", "a new ID token, and a new refresh token in place of the old one")

        guard try await lookUp(["idToken": .string(idToken)], client)["localId"]?.string == localID else {
            throw StepFailure(step: "lookup", detail: "the broker found another user")
        }
        done("lookup", "the same user")
        return localID
    }

    private mutating func signInWith(_ provider: any DemoProvider, _ client: BrokerHTTP) async throws {
        let step = "sign-in with \(type(of: provider).name)"
        let first = try await show(.ben, at: provider, step, client)
        let second = try await show(.ben, at: provider, step, client)
        let localID = try first.text("localId", at: step)
        guard try second.text("localId", at: step) == localID, second["isNewUser"] == nil else {
            throw StepFailure(step: step, detail: "the second sign-in created another user")
        }
        done(step, "user \(localID), and the same one the second time")
    }

    private mutating func link(_ provider: any DemoProvider, to localID: String, _ client: BrokerHTTP) async throws {
        let step = "link \(type(of: provider).name)"
        let session = try await show(.ada, at: demo.providers.gitHub, step, client)
        do {
            let linked = try await show(.ada, at: provider, step, client, linkingTo: session)
            guard try linked.text("localId", at: step) == localID else {
                throw StepFailure(step: step, detail: "the identity went to another user")
            }
            done(step, "\(type(of: provider).id) is linked")
        } catch let error as StepFailure where error.detail == "FEDERATED_USER_ID_ALREADY_LINKED" {
            done(step, "\(type(of: provider).id) was linked in an earlier run")
        }
    }

    private mutating func reauthenticate(
        with provider: any DemoProvider, as localID: String, _ client: BrokerHTTP
    ) async throws {
        let step = "reauthenticate with \(type(of: provider).name)"
        let session = try await show(.ada, at: provider, step, client, createsUser: false)
        guard try session.text("localId", at: step) == localID else {
            throw StepFailure(step: step, detail: "the credential belongs to another user")
        }
        done(step, "the same user")
    }

    /// Deletes a user of this run, and waits until the simulator has received the revocation.
    private mutating func deleteAppleUser(_ client: BrokerHTTP) async throws {
        let step = "delete an Apple user"
        let apple = demo.providers.apple
        let person = apple.newPerson()
        defer { apple.simulator.remove(personID: person.id) }
        let session = try await show(apple.credential(of: person), step, client)
        let revocations = apple.simulator.hits(.revoke)
        let answer = try await client.post(
            "/v1/accounts:delete", ["idToken": session["idToken"] ?? .null], at: step)
        guard let withdrawal = answer["broker"]?["withdrawals"]?.array?.first,
            let receipt = withdrawal["receipt"]?.string
        else { throw StepFailure(step: step, detail: "the answer has no receipt of a withdrawal") }
        let deadline = ContinuousClock.now + .seconds(15)
        while apple.simulator.hits(.revoke) == revocations {
            guard ContinuousClock.now < deadline else {
                throw StepFailure(step: step, detail: "the simulator has received no revocation within 15 s")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        done(step, "the simulator has received the revocation of receipt \(receipt)")
    }

    /// Sends a user's credential to `accounts:signInWithIdp`, as an app does.
    private func show(
        _ demoUser: DemoUser, at provider: any DemoProvider, _ step: String, _ client: BrokerHTTP,
        linkingTo session: JSONValue? = nil, createsUser: Bool = true
    ) async throws -> JSONValue {
        try await show(
            provider.credential(of: demoUser), step, client, linkingTo: session, createsUser: createsUser)
    }

    private func show(
        _ credential: [(name: String, value: String)], _ step: String, _ client: BrokerHTTP,
        linkingTo session: JSONValue? = nil, createsUser: Bool = true
    ) async throws -> JSONValue {
        var body: JSONObject = [
            "requestUri": "http://localhost", "returnSecureToken": true,
            "postBody": .string(FormEncoding.encode(credential)),
        ]
        body["idToken"] = session?["idToken"]
        if !createsUser { body["autoCreate"] = false }
        return try await client.post("/v1/accounts:signInWithIdp", .object(body), at: step)
    }

    private func lookUp(_ session: JSONValue, _ client: BrokerHTTP) async throws -> JSONValue {
        let found = try await client.post(
            "/v1/accounts:lookup", ["idToken": session["idToken"] ?? .null], at: "lookup")
        guard let user = found["users"]?.array?.first else {
            throw StepFailure(step: "lookup", detail: "the broker found no user")
        }
        return user
    }

    private mutating func done(_ name: String, _ detail: String) {
        steps.append(Step(name: name, ok: true, detail: detail))
    }

    /// The unverified payload of a token, for display only.
    private static func payload(of token: String) -> JSONValue? {
        let parts = token.split(separator: ".")
        guard parts.count == 3 else { return nil }
        let text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: padded).flatMap { try? JSONValue(parsing: $0) }
    }
}
