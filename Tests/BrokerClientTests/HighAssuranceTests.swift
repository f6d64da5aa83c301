import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import BrokerClient

@Suite("The token for sensitive calls", .timeLimit(.minutes(20)))
struct HighAssuranceTests {
    /// An app with a Keychain, whose pages log a user in.
    private struct Device {
        let broker: StandInBroker
        let keychain = MemoryKeychain()
        let clock = TestClock()
        let presenter: TestPresenter
        let auth: BrokerAuth

        init(_ broker: StandInBroker) throws {
            self.broker = broker
            presenter = TestPresenter { request in
                // The state is in the pushed request alone.
                let pushed = broker.calls(of: "/oauth/par").last?.form
                return TestPresenter.redirect(of: request, from: broker, ["state": pushed?["state"]])
            }
            var configuration = try broker.configuration
            configuration.scopes = ["openid", "offline_access", "account"]
            auth = BrokerAuth(
                configuration,
                storage: KeychainSessionStorage(
                    items: keychain, accessibility: .afterFirstUnlockThisDeviceOnly, accessGroup: nil,
                    installMarker: nil),
                presenter: presenter, accountData: nil, environment: clock.environment)
        }

        func signIn(thenLoggingIn user: String = "user-1") async throws {
            _ = try await auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            broker.answer { [broker, clock] call in
                switch call.path {
                case "/oauth/par": return .json(["request_uri": "urn:pushed:1", "expires_in": 60], status: 201)
                case "/oauth/token" where call.form["code"] != nil:
                    var tokens = try broker.tokens(
                        of: user, nonce: broker.calls(of: "/oauth/par").last?.form["nonce"], at: clock.now,
                        claims: ["sid": "sensitive"])
                    tokens["refresh_token"] = nil
                    return .json(tokens)
                case "/oauth/token": return .json(try broker.tokens(at: clock.now))
                case "/v1/broker/me/sessions/sensitive:signOut": return .json([:])
                default: return nil
                }
            }
        }

        func token() async throws(BrokerAuthError) -> String { try await auth.highAssuranceToken(reason: "Pay") }

        var prompts: [String] { keychain.state.withLock { $0.prompts } }
        var item: MemoryKeychain.Item? { keychain.item(.highAssurance(of: auth.configuration)) }
    }

    @Test func `comes from a login of its own, and is read by biometry afterwards`() async throws {
        try await StandInBroker.run { broker in
            let device = try Device(broker)
            try await device.signIn()
            let session = try await device.auth.accessToken()

            let first = try await device.token()
            let pages = device.presenter.shown.count
            let second = try await device.token()

            #expect(first != session && second == first)
            #expect(pages == 1 && device.presenter.shown.count == 1)
            #expect(device.prompts == ["Pay"], "the first one found no item")
            #expect(device.item?.protection == .biometryCurrentSet)
            let pushed = try #require(broker.calls(of: "/oauth/par").first?.form)
            #expect(pushed["prompt"] == "login" && pushed["max_age"] == "0")
            #expect(pushed["scope"] == "openid account", "there is nothing to refresh it with")
            #expect(try await device.auth.accessToken() == session, "the session goes on as it was")
            let stored = device.keychain.item(.session(of: device.auth.configuration))?.data ?? Data()
            #expect(!String(decoding: stored, as: UTF8.self).contains(first))
        }
    }

    @Test func `is never refreshed: after its end the user logs in again`() async throws {
        try await StandInBroker.run { broker in
            let device = try Device(broker)
            try await device.signIn()
            let first = try await device.token()
            device.clock.advance(by: 3590)
            let refreshed = try await device.auth.accessToken()
            let item = device.item?.data

            let later = try await device.token()

            #expect(refreshed != first && device.item?.data != item && later != first)
            #expect(device.presenter.shown.count == 2)
            #expect(broker.refreshes.allSatisfy { $0.form["refresh_token"] == "refresh-1" })
        }
    }

    @Test func `is gone when other biometrics were enrolled, and needs a login`() async throws {
        try await StandInBroker.run { broker in
            let device = try Device(broker)
            try await device.signIn()
            let first = try await device.token()
            device.keychain.state.withLock { $0.hasOtherBiometrics = true }

            let later = try await device.token()

            #expect(later != first && device.presenter.shown.count == 2)
        }
    }

    @Test func `is refused to a user who does not confirm, and to another user`() async throws {
        try await StandInBroker.run { broker in
            let device = try Device(broker)
            let none = await failure { () async throws(BrokerAuthError) in try await device.token() }
            try await device.signIn(thenLoggingIn: "user-2")
            let mismatch = await failure { () async throws(BrokerAuthError) in try await device.token() }
            device.keychain.state.withLock { $0.failure = .userCanceled }
            let cancelled = await failure { () async throws(BrokerAuthError) in try await device.token() }

            #expect(none == .signedOut && mismatch == .userMismatch && cancelled == .userCancelled)
            #expect(device.item == nil)
            #expect(broker.calls(of: "/oauth/revoke").count == 1, "the login of the other user has ended")
        }
    }

    @Test func `ends with the session, here and at the broker`() async throws {
        try await StandInBroker.run { broker in
            let device = try Device(broker)
            try await device.signIn()
            _ = try await device.token()
            try await device.auth.refresh()

            try await device.auth.signOut()

            #expect(device.item == nil && device.keychain.count == 1, "what is left names no secret")
            #expect(broker.calls(of: "/v1/broker/me/sessions/sensitive:signOut").count == 1)
            #expect(device.prompts == [], "the user was not asked")
        }
    }
}
