import Broker
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// A sign-in through the browser as an app of Identity Toolkit begins and ends it.
struct AppSignIn: Sendable {
    /// The app's page, which is to come back to.
    static let page = "http://localhost:3000/signed-in"

    let broker: TestBroker
    let answer: Answer
    let redirect: ProviderRedirect

    var sessionID: String? { answer["sessionId"]?.string }

    /// Asks for a provider's page, has the user decide there, and stops with what came back.
    static func begin(
        _ broker: TestBroker, _ provider: String, as email: String?, extra: JSONObject = [:]
    ) async throws -> AppSignIn {
        let answer = try await start(broker, provider, extra: extra)
        try #require(answer.status == 200, "\(answer.text)")
        return AppSignIn(
            broker: broker, answer: answer, redirect: try await .take(to: answer.string("authUri"), as: email))
    }

    static func start(_ broker: TestBroker, _ provider: String, extra: JSONObject = [:]) async throws -> Answer {
        var body: JSONObject = ["providerId": .string(provider), "continueUri": .string(page)]
        for (name, value) in extra { body[name] = value }
        return try await broker.post("/v1/accounts:createAuthUri", .object(body))
    }

    /// Shows the broker what came back; `change` spoils it.
    func finish(
        by path: String = "/v1/accounts:signInWithIdp", sessionID: String? = nil, extra: JSONObject = [:],
        change: (String) -> String = { $0 }
    ) async throws -> Answer {
        var body: JSONObject = [
            "requestUri": .string(change(redirect.url)), "sessionId": .string(sessionID ?? self.sessionID ?? ""),
            "returnSecureToken": true,
        ]
        if let form = redirect.form { body["postBody"] = .string(form) }
        for (name, value) in extra { body[name] = value }
        return try await broker.post(path, .object(body))
    }
}
