import Foundation
import ProviderKit
import StrictJSON

/// Calls of `/v1/broker/me` with the session's access token.
struct AccountEndpoint: Sendable {
    let endpoints: BrokerEndpoints
    let session: CurrentSession

    func get(_ path: String = "") async throws(BrokerAuthError) -> JSONObject {
        try await call { token throws(BrokerAuthError) in
            try await endpoints.connection.document(try endpoints.me(path), bearer: token)
        }
    }

    /// - Parameters:
    ///   - path: The path below `/v1/broker/me`.
    ///   - body: The body.
    ///   - user: The only user it is for; nil for whichever the session is of.
    /// - Returns: The answer.
    /// - Throws: ``BrokerAuthError/accountMerged(into:)`` when the session is another user's.
    func post(
        _ path: String, _ body: JSONObject = [:], onlyFor user: String? = nil
    ) async throws(BrokerAuthError) -> JSONObject {
        try await call(onlyFor: user) { token throws(BrokerAuthError) in
            try await endpoints.connection.submit(body, to: try endpoints.me(path), bearer: token)
        }
    }

    /// Calls once more with new tokens when the broker refuses the access token, which may have been revoked with all
    /// earlier ones.
    private func call(
        onlyFor user: String? = nil, _ request: (_ token: String) async throws(BrokerAuthError) -> Answer
    ) async throws(BrokerAuthError) -> JSONObject {
        let answer = try await request(try await token(false, user))
        guard case .refusal(let refusal) = answer, refusal.status == 401 else { return try answer.members() }
        return try await request(try await token(true, user)).members()
    }

    private func token(_ isForced: Bool, _ user: String?) async throws(BrokerAuthError) -> String {
        let session = try await session.valid(forcingRefresh: isForced)
        guard let token = session.accessToken, let owner = session.userID else { throw .signedOut }
        if let user, owner != user { throw .accountMerged(into: owner) }
        return token
    }

    /// A provider's path. The id comes from the app, so nothing in it may become path or query.
    static func provider(_ provider: ProviderID, _ verb: String) -> String {
        "/providers/\(FormEncoding.encode(provider.rawValue)):\(verb)"
    }

    static func undo(_ mergeID: String) -> String { "/merges/\(FormEncoding.encode(mergeID)):undo" }

    static func session(_ id: String) -> String { "/sessions/\(FormEncoding.encode(id)):signOut" }
}
