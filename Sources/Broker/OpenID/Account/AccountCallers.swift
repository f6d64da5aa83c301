import BrokerStore
import HTTPTypes
import Hummingbird
import ProviderKit

/// Recognises the callers of `/v1/broker/me`: users, by an access token with the scope `account` (RFC 6750 §2.1,
/// RFC 9068). No other token is accepted in its place.
struct AccountCallers: Sendable {
    let openID: OpenIDContext

    /// A user's request.
    struct Call: Sendable {
        let facts: SessionFacts
        /// The client that sent it.
        let client: Client
        /// The client, for the audit.
        let origin: Origin

        /// The session, as flows take it.
        var session: PresentedSession { .session(id: facts.session.id, .oauth) }
    }

    /// A user's request.
    ///
    /// - Throws: ``WireError``: `UNAUTHENTICATED` without a valid access token, `PERMISSION_DENIED` without its scope;
    ///   ``BrokerError/stepUpRequired(_:)``, ``BrokerError/tooManyAttempts(retryAfter:)``, or a store's error.
    func call(_ request: Request, _ context: BrokerRequestContext) async throws -> Call {
        guard let token = try request.bearerToken() else { throw WireError.missingCredentials }
        let now = openID.now
        guard
            let (facts, claims) = try await openID.verifier.session(
                behind: token, .accessToken, at: now, with: Identity.self),
            let client = try await openID.clients.client(id: claims.clientID)
        else { throw WireError.invalidCredentials }
        guard claims.scopes.contains(.account) else { throw WireError.scopeMissing(.account) }
        try openID.policy.requireStepUp(by: .account, facts.session, at: now)
        return Call(
            facts: facts, client: client,
            origin: Origin(.client, actor: "client:\(client.id)", requestID: context.requestID, device: context.device))
    }

    /// Adds a handler for these callers.
    func on(
        _ method: HTTPRequest.Method, _ path: String, in routes: Routes, takesLong: Bool = false,
        _ handler: @escaping @Sendable (Call, Request, BrokerRequestContext) async throws -> JSONObject
    ) {
        routes.on(
            method, OAuthPaths.account + path, pages: .ofClients, counting: .byProof, takesLong: takesLong
        ) { request, context in
            do {
                return .json(.object(try await handler(try await call(request, context), request, context)))
            } catch BrokerError.tokenExpired {
                // The session has ended since the token was verified, or is too old for what the flow does.
                throw WireError.invalidCredentials
            }
        }
    }
}

extension OpenIDContext {
    /// The user's record, with the providers' profiles and the users who were merged into this one.
    func accountDocument(of record: UserRecord) async throws -> JSONObject {
        let (user, absorbed) = try await store.pointRead { transaction in
            (try transaction.withLastRefresh(record.user), try transaction.userAliases(of: record.user.key))
        }
        var document = JSONObject(account: UserRecord(user: user, identities: record.identities))
        document.add(absorbedUsers: absorbed)
        return document
    }

    /// The record that an access token with these scopes would get at `/v1/broker/me`; nil where it would get none.
    func accountDocument(of facts: SessionFacts, with scopes: Scopes) async throws -> JSONObject? {
        guard scopes.contains(.account) else { return nil }
        do {
            try policy.requireStepUp(by: .account, facts.session, at: now)
            try policy.requireStepUp(at: .lookup, facts.session, at: now)
        } catch {
            return nil
        }
        return try await accountDocument(of: facts)
    }

    /// The record of a session's user, with the session's login.
    func accountDocument(of facts: SessionFacts) async throws -> JSONObject {
        var document = try await accountDocument(of: UserRecord(user: facts.user, identities: facts.identities))
        document.addLogin(of: facts.session, facts.user, stepUp: policy.stepUp, at: now)
        return document
    }
}

extension WireError {
    /// The access token is valid for something else (RFC 6750 §3.1).
    fileprivate static func scopeMissing(_ scope: Scope) -> WireError {
        .insufficientPermission(
            "The access token needs the scope \(scope.rawValue).",
            headers: [.wwwAuthenticate: "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""])
    }
}

extension JSONObject {
    /// A user record as `accounts:lookup` has it, with the profile that each provider sent, as JSON text.
    fileprivate init(account record: UserRecord) {
        self.init([("kind", "broker#Account")])
        let known = JSONObject(record)
        for (name, value) in known { self[name] = value }
        let entries = known["providerUserInfo"]?.array ?? []
        self["providerUserInfo"] = .array(
            zip(entries, record.identities).map { entry, identity in
                var entry = entry.object ?? JSONObject()
                entry["rawUserInfo"] = .string(identity.profile)
                return .object(entry)
            })
    }
}
