import Foundation
import OAuth
import StrictJSON
import Synchronization

/// The access token of a service account: obtained when it is first needed, and again before it expires or after the
/// broker has refused it. At most one exchange runs.
final class ServiceAccountAccess: Sendable {
    private let key: ServiceAccountKey
    private let connection: BrokerConnection
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    struct AccessToken: Sendable {
        let text: String
        let expiresAt: Date
    }

    private struct State {
        var current: AccessToken?
        var running: Task<AccessToken, any Error>?
    }

    /// Seconds before its expiry when a token is no longer used.
    private static let margin = 60.0

    init(_ key: ServiceAccountKey, _ connection: BrokerConnection, now: @escaping @Sendable () -> Date) {
        self.key = key
        self.connection = connection
        self.now = now
    }

    /// - Parameter refused: A token that the broker has refused, such as after a restore.
    /// - Returns: The token.
    /// - Throws: ``IntrospectionFailure``, or an error of the connection.
    func token(insteadOf refused: String? = nil) async throws -> String {
        let (known, task) = state.withLock { state -> (String?, Task<AccessToken, any Error>?) in
            if let current = state.current, current.text != refused,
                now() < current.expiresAt.addingTimeInterval(-Self.margin)
            {
                return (current.text, nil)
            }
            let task = state.running ?? Task { try await exchange() }
            state.running = task
            return (nil, task)
        }
        if let known { return known }
        guard let task else { throw IntrospectionFailure(reason: "no access token") }
        return try await task.value.text
    }

    private func exchange() async throws -> AccessToken {
        do {
            let token = try await requestToken()
            state.withLock { ($0.current, $0.running) = (token, nil) }
            return token
        } catch {
            state.withLock { $0.running = nil }
            throw error
        }
    }

    private func requestToken() async throws -> AccessToken {
        let now = now()
        let form =
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + (try key.assertion(at: now))
        let answer = try await connection.post(key.tokenURI, form: form)
        guard answer.status == 200 else {
            throw IntrospectionFailure(
                reason: "the exchange of the service account's assertion answered \(answer.status)")
        }
        guard let token = try JSONValue(parsing: answer.body).object.flatMap(AccessTokenAnswer.init),
            let lifetime = token.expiresIn, 0...86_400 ~= lifetime
        else { throw IntrospectionFailure(reason: "the answer to the service account's assertion is malformed") }
        return AccessToken(text: token.accessToken, expiresAt: now.addingTimeInterval(Double(lifetime)))
    }
}

/// A failed request for the broker's answer about a token.
struct IntrospectionFailure: Error, CustomStringConvertible {
    let reason: String
    /// Seconds, where the broker has said.
    var retryAfter: Int?
    var description: String { reason }
}
