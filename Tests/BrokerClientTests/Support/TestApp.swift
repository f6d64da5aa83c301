import BrokerClient
import Foundation
import StrictJSON
import Testing

/// An app of the stand-in broker.
struct TestApp: Sendable {
    let broker: StandInBroker
    let clock: TestClock
    let storage: MemoryStorage
    let auth: BrokerAuth

    init(
        _ broker: StandInBroker, clock: TestClock = TestClock(), storage: MemoryStorage = MemoryStorage(),
        presenter: (any AuthorizationPresenter)? = nil, accountData: (any AccountDataHandler)? = nil,
        scopes: [String] = ["openid", "offline_access"]
    ) throws {
        self.broker = broker
        self.clock = clock
        self.storage = storage
        var configuration = try broker.configuration
        configuration.scopes = scopes
        auth = BrokerAuth(
            configuration, storage: storage, presenter: presenter, accountData: accountData,
            environment: clock.environment)
    }

    /// Signs a user in without a browser.
    static func signedIn(
        _ broker: StandInBroker, clock: TestClock = TestClock(), storage: MemoryStorage = MemoryStorage(),
        accountData: (any AccountDataHandler)? = nil
    ) async throws -> TestApp {
        let app = try TestApp(broker, clock: clock, storage: storage, accountData: accountData)
        _ = try await app.auth.signIn(with: .idToken("provider-token", of: .apple, nonce: SignInNonce()))
        return app
    }
}

extension Result where Failure == BrokerAuthError {
    init(_ work: () async throws(BrokerAuthError) -> Success) async {
        do throws(BrokerAuthError) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}

/// The error of a call that must fail.
func failure<Value>(_ work: () async throws(BrokerAuthError) -> Value) async -> BrokerAuthError? {
    do throws(BrokerAuthError) {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}
