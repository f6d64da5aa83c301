import Foundation
import OAuth
import StrictJSON

/// An answer of the token endpoint (RFC 6749 §5.1) with the broker's own members, not yet verified.
struct TokenAnswer: Sendable {
    let accessToken: String
    let idToken: String
    /// Absent without the scope `offline_access`, and after a link.
    let refreshToken: String?
    /// Seconds the access token lives.
    let expiresIn: Int64
    let scopes: Set<String>
    let providerToken: ProviderToken?
    /// Whether the sign-in created the user.
    let isNewUser: Bool
    /// The provider that was used; nil where the broker does not say.
    let provider: SignInProvider?
    /// The user's record, with the scope `account`.
    let account: Account?
    /// All users who were merged into the session's user.
    let mergedFrom: [String]
    /// Users whose merge with the session's user was undone.
    let unmerged: [String]
    /// Whether the user stopped being anonymous.
    let isPromoted: Bool

    /// - Throws: ``BrokerAuthError/network(_:)`` when the answer has another form, ``BrokerAuthError/invalidToken(_:)``
    ///   without an ID token.
    init(_ members: JSONObject) throws(BrokerAuthError) {
        guard let answer = AccessTokenAnswer(members) else { throw .network(NetworkFailure(.invalidResponse)) }
        guard let idToken = members["id_token"]?.string else {
            throw .invalidToken("the answer has no ID token: the scope openid is required")
        }
        self.idToken = idToken
        (accessToken, refreshToken, scopes) = (answer.accessToken, answer.refreshToken, Set(answer.scopes.scopes))
        expiresIn = min(max(answer.expiresIn ?? 3600, 0), 86_400)
        providerToken = members["provider_token"]?.object.flatMap(ProviderToken.init(answer:))
        isNewUser = members["is_new_user"]?.bool ?? false
        provider = members["provider"]?.string.map(SignInProvider.init)
        account = members["user"]?.object.flatMap { try? Account($0) }
        mergedFrom = members["broker"]?["mergedFrom"]?.array?.compactMap(\.string) ?? []
        unmerged = members["broker"]?["unmerged"]?.array?.compactMap(\.string) ?? []
        isPromoted = members["broker"]?["promoted"]?.bool ?? false
    }
}

extension ProviderToken {
    /// The member `provider_token` of the answer.
    fileprivate init?(answer members: JSONObject) {
        guard let provider = members["provider"]?.string, let token = members["access_token"]?.string else {
            return nil
        }
        self.init(
            provider: ProviderID(rawValue: provider), accessToken: token,
            scopes: ScopeList(members["scope"]?.string ?? "").scopes,
            expiresAt: members["expires_at"]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) })
    }
}
