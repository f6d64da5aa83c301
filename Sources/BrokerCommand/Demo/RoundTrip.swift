import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import ProviderSimulators

/// The main job over real HTTP: a GitHub credential in, tokens out, refreshed, and the user looked up.
struct RoundTrip {
    struct Step {
        let name: String
        let ok: Bool
        let detail: String

        var document: JSONValue { ["name": .string(name), "ok": .bool(ok), "detail": .string(detail)] }
        var line: String { "\(ok ? "✓" : "✗") \(name): \(detail)" }
    }

    private let demo: DemoBroker
    private(set) var steps: [Step] = []
    /// The user record as the broker tells it.
    private(set) var user: JSONValue?
    /// The payload of the last ID token.
    private(set) var claims: JSONValue?

    init(_ demo: DemoBroker) {
        self.demo = demo
    }

    var isGood: Bool { !steps.isEmpty && steps.allSatisfy(\.ok) }

    /// Takes every step until one fails.
    func run() async -> RoundTrip {
        var trip = self
        do {
            try await trip.takeSteps()
        } catch let error as StepFailure {
            trip.steps.append(Step(name: error.step, ok: false, detail: error.detail))
        } catch {
            trip.steps.append(Step(name: "connection", ok: false, detail: "no answer: \(type(of: error))"))
        }
        return trip
    }

    private mutating func takeSteps() async throws {
        let client = BrokerHTTP(url: demo.url, apiKey: demo.apiKey)
        let session = try await signIn("sign-in", client)
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

        let found = try await client.post("/v1/accounts:lookup", ["idToken": .string(idToken)], at: "lookup")
        user = found["users"]?.array?.first
        guard user?["localId"]?.string == localID else {
            throw StepFailure(step: "lookup", detail: "the broker found another user")
        }
        done("lookup", "the record holds \(user?["providerUserInfo"]?.array?.count ?? 0) identity")

        let again = try await signIn("sign-in again", client)
        guard try again.text("localId", at: "sign-in again") == localID, again["isNewUser"] == nil else {
            throw StepFailure(step: "sign-in again", detail: "the same person became another user")
        }
        done("sign-in again", "the same person is the same user")
    }

    private func signIn(_ step: String, _ client: BrokerHTTP) async throws -> JSONValue {
        guard let person = demo.simulator.people().first else {
            throw StepFailure(step: step, detail: "the simulator has no people")
        }
        let token = demo.simulator.accessToken(for: person, application: demo.simulator.defaultApplication)
        let postBody = FormEncoding.encode([("access_token", token), ("providerId", "github.com")])
        return try await client.post(
            "/v1/accounts:signInWithIdp",
            ["requestUri": "http://localhost", "returnSecureToken": true, "postBody": .string(postBody)], at: step)
    }

    private mutating func done(_ name: String, _ detail: String) {
        steps.append(Step(name: name, ok: true, detail: detail))
    }

    /// The middle part of a token, for showing: nothing is decided from it.
    private static func payload(of token: String) -> JSONValue? {
        let parts = token.split(separator: ".")
        guard parts.count == 3 else { return nil }
        let text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: padded).flatMap { try? JSONValue(parsing: $0) }
    }
}

/// Where a round trip ended and why.
struct StepFailure: Error {
    let step: String
    let detail: String
}

/// Calls to the demo's broker.
struct BrokerHTTP {
    let url: String
    let apiKey: String

    /// - Throws: ``StepFailure`` unless the broker answers 200 with JSON.
    func post(_ path: String, _ body: JSONValue, at step: String) async throws -> JSONValue {
        var request = HTTPClientRequest(url: "\(url)\(path)?key=\(apiKey)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(Array(body.serialized().utf8))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(15))
        let answer = try JSONValue(parsing: Array(buffer: try await response.body.collect(upTo: 1 << 20)))
        guard response.status == .ok else {
            let message = answer["error"]?["message"]?.string
            throw StepFailure(step: step, detail: message ?? "status \(response.status.code)")
        }
        return answer
    }
}

extension JSONValue {
    fileprivate func text(_ name: String, at step: String) throws(StepFailure) -> String {
        guard let text = self[name]?.string else {
            throw StepFailure(step: step, detail: "the answer has no \(name)")
        }
        return text
    }
}
