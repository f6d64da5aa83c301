import Foundation
import Logging
import NIOHTTP1
import OAuth
import StrictJSON

/// Asks the broker whether verified tokens are still valid (RFC 7662).
final class Introspector: Sendable {
    private let url: String
    private let credential: BrokerCredential
    private let serviceAccount: ServiceAccountAccess?
    private let connection: BrokerConnection
    private let logger: Logger

    /// Seconds after which a caller may try again, unless the broker says otherwise.
    private static let retryAfter = 5

    init(
        _ issuer: IssuerURL, _ credential: BrokerCredential, _ connection: BrokerConnection, _ logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        url = issuer.text + "/oauth/introspect"
        self.credential = credential
        self.connection = connection
        self.logger = logger
        if case .serviceAccount(let key) = credential.secret {
            serviceAccount = ServiceAccountAccess(key, connection, now: now)
        } else {
            serviceAccount = nil
        }
    }

    /// - Throws: ``BrokerAuthRefusal``: `invalidToken` for a token that is inactive, `unavailable`, `notConfigured`.
    func requireActive(_ identity: BrokerIdentity) async throws(BrokerAuthRefusal) {
        if case .client(let id, _) = credential.secret {
            // The broker reports any other token as inactive, as if its session had ended.
            guard identity.kind == .accessToken, identity.clientID?.hasSameBytes(as: id) ?? false else {
                throw .notConfigured("a client may introspect its own access tokens only: use a service account")
            }
        }
        let report: JSONValue
        do {
            report = try await self.report(on: identity.token)
        } catch {
            logger.error("introspection failed", metadata: ["error": "\(error)"])
            throw .unavailable(retryAfter: (error as? IntrospectionFailure)?.retryAfter ?? Self.retryAfter)
        }
        // The answer must be about this very session: an inactive token has neither.
        guard report["active"]?.bool == true, report["sub"]?.string?.hasSameBytes(as: identity.userID) ?? false,
            report["sid"]?.string?.hasSameBytes(as: identity.sessionID) ?? false
        else { throw .invalidToken("The session has ended.") }
    }

    private func report(on token: PresentedToken) async throws -> JSONValue {
        let accessToken = try await serviceAccount?.token()
        var answer = try await ask(about: token, authorization(accessToken))
        if answer.status == 401, let serviceAccount {
            // Such as after a restore: the broker has revoked what it had issued.
            let renewed = try await serviceAccount.token(insteadOf: accessToken)
            answer = try await ask(about: token, authorization(renewed))
        }
        guard answer.status == 200 else {
            let seconds = answer.headers.first(name: "Retry-After").flatMap { Int($0) }
            throw IntrospectionFailure(
                reason: "the broker answered \(answer.status)", retryAfter: seconds.map { min(max($0, 1), 300) })
        }
        return try JSONValue(parsing: answer.body)
    }

    private func ask(
        about token: PresentedToken, _ authorization: String
    ) async throws -> BrokerConnection.Answer {
        // A verified token is base64url and dots: nothing in it needs an encoding.
        try await connection.post(url, form: "token=" + token.text, authorization: authorization)
    }

    /// The broker's credential, with the access token where it is a service account's.
    private func authorization(_ accessToken: String?) -> String {
        switch credential.secret {
        case .client(let id, let secret):
            "Basic " + Data("\(Self.formEncoded(id)):\(Self.formEncoded(secret))".utf8).base64EncodedString()
        case .adminToken(let token): BearerCredentials.header(token)
        case .serviceAccount: BearerCredentials.header(accessToken ?? "")
        }
    }

    /// Id and secret are form-encoded before they are joined (RFC 6749 §2.3.1).
    private static func formEncoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
