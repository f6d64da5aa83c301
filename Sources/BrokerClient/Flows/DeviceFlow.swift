import Foundation
import OAuth
import StrictJSON

/// The device authorization grant (RFC 8628).
struct DeviceFlow: Sendable {
    let endpoints: BrokerEndpoints
    let environment: ClientEnvironment

    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    /// Added to the interval when the broker says `slow_down` (RFC 8628 §3.5), and after a failure of the network.
    private static let increment: Duration = .seconds(5)

    /// Begins an authorization.
    func begin() async throws(BrokerAuthError) -> DeviceAuthorization {
        guard let endpoint = try await endpoints.metadata.deviceAuthorizationEndpoint else {
            throw .notConfigured("the broker has no device flow")
        }
        let configuration = endpoints.configuration
        let members = try await endpoints.connection.submit(
            [("client_id", configuration.clientID), ("scope", ScopeList(configuration.scopes).text)],
            to: endpoint
        ).members()
        guard let deviceCode = members["device_code"]?.string, let userCode = members["user_code"]?.string,
            let url = members["verification_uri"]?.string.flatMap(URL.init(string:)),
            let lifetime = members["expires_in"]?.integer
        else { throw .network(NetworkFailure(.invalidResponse)) }
        return DeviceAuthorization(
            userCode: userCode, verificationURL: url,
            verificationURLComplete: members["verification_uri_complete"]?.string.flatMap(URL.init(string:)),
            expiresAt: environment.now().addingTimeInterval(TimeInterval(min(max(lifetime, 0), 86_400))),
            interval: .seconds(min(max(members["interval"]?.integer ?? 5, 1), 300)), deviceCode: deviceCode)
    }

    /// Polls until the user has decided.
    ///
    /// - Throws: ``BrokerAuthError/userCancelled``, ``BrokerAuthError/deviceCodeExpired``, any ``BrokerAuthError``.
    func tokens(for authorization: DeviceAuthorization) async throws(BrokerAuthError) -> TokenAnswer {
        var interval = authorization.interval
        while environment.now() < authorization.expiresAt {
            guard (try? await environment.sleep(interval)) != nil, !Task.isCancelled else { throw .cancelled }
            do throws(BrokerAuthError) {
                if let answer = try await poll(authorization, &interval) { return answer }
            } catch {
                // The user may be about to approve it: only the code's end ends the wait.
                guard case .network = error else { throw error }
                interval += Self.increment
            }
        }
        throw .deviceCodeExpired
    }

    /// Asks once; `nil` while the user has not decided.
    private func poll(
        _ authorization: DeviceAuthorization, _ interval: inout Duration
    ) async throws(BrokerAuthError) -> TokenAnswer? {
        let answer = try await endpoints.token([
            ("grant_type", Self.grantType), ("device_code", authorization.deviceCode),
        ])
        switch answer {
        case .success(let members): return try TokenAnswer(members)
        case .refusal(let refusal):
            switch refusal.kind {
            case "authorization_pending": return nil
            case "slow_down":
                interval += Self.increment
                return nil
            case "access_denied": throw .userCancelled
            case "expired_token": throw .deviceCodeExpired
            default: throw refusal.error
            }
        }
    }
}
