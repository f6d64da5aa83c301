import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators

extension TestBroker {
    /// Posts a message to the endpoint of a provider, as the provider would.
    func notify(_ provider: String, headers: HTTPHeaders = [:], body: String) async throws -> Answer {
        try await send(
            .POST, "/v1/broker/providers/\(provider)/notifications", headers: headers, body: Array(body.utf8))
    }

    /// Posts a notification of Apple.
    func notify(_ notification: AppleSimulator.Notification, at provider: String = "apple.com") async throws -> Answer {
        try await notify(provider, headers: ["Content-Type": "application/json"], body: notification.body)
    }

    /// Posts a webhook of 1Pass, with other headers where `change` says so.
    func notify(
        _ event: OnePassSimulator.Event, body: String? = nil, _ change: (inout HTTPHeaders) -> Void = { _ in }
    ) async throws -> Answer {
        var headers = HTTPHeaders(event.headers.map { ($0.name, $0.value) })
        change(&headers)
        return try await notify("1pass.dev", headers: headers, body: body ?? event.body)
    }

    /// The audit events of a user, latest first, without those of the sign-in.
    func reports(about localID: String) async throws -> [String] {
        let signIn: Set = ["user.created", "session.created", "user.signed-in", "identity.linked"]
        return try await auditEvents(of: localID).filter { !signIn.contains($0) }
    }

    /// The user's identity at a provider.
    func identity(of localID: String, at provider: String) async throws -> Identity? {
        try await user(localID)?.identities.first { $0.provider == provider }
    }

    /// The number of grants that are stored for a user.
    func grantCount(of localID: String) async throws -> Int {
        try await core.store.read { transaction in
            guard let user = try transaction.user(localID: localID) else { return 0 }
            return try transaction.grants(of: user.key).count
        }
    }
}

extension TestProviders {
    /// A user of Apple's simulator who has signed in on a device, with a grant.
    func signInWithApple(_ broker: TestBroker, _ person: AppleSimulator.Person) async throws -> Answer {
        let nonce = RandomText.alphanumeric(32)
        let native = apple.nativeCredential(for: person, application: apple.nativeApplication, rawNonce: nonce)
        return try await broker.signIn(postBody: [
            ("id_token", native.idToken), ("code", native.authorizationCode), ("providerId", "apple.com"),
            ("nonce", nonce),
        ])
    }

    /// A user of 1Pass's simulator who has signed in with tokens of the app.
    func signInWithOnePass(_ broker: TestBroker, _ person: OnePassSimulator.Person) async throws -> Answer {
        let nonce = RandomText.alphanumeric(32)
        let tokens = onePass.tokens(for: person, application: onePass.defaultApplication, nonce: nonce)
        return try await broker.signIn(postBody: [
            ("id_token", tokens.idToken ?? ""), ("access_token", tokens.accessToken), ("nonce", nonce),
            ("providerId", "1pass.dev"),
        ])
    }

    /// Moves the clocks of the broker and of all simulators.
    func advance(_ broker: TestBroker, seconds: Int) {
        broker.clock.advance(seconds: TimeInterval(seconds))
        clock.advance(by: TimeInterval(seconds))
    }
}
