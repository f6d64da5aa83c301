import BrokerStore
import Foundation
import HTTPTypes
import Hummingbird
import ProviderKit

/// The caller, as far as the transport identifies it (contract §1.2).
struct Caller: Sendable {
    /// The API key the app carries: a public identifier, no secret.
    let apiKey: Configuration.APIKey

    /// For the audit: enough of the key to recognise the app.
    var name: String { "key:" + apiKey.key.prefix(8) }
}

/// The caller of a path that serves apps and administrators alike (contract §1.2).
enum IdentifiedCaller: Sendable {
    case app(Caller)
    /// A privileged caller. Its scopes are not checked yet.
    case administrator(Administrator)
}

/// Recognises callers.
struct CallerCheck: Sendable {
    let apiKeys: [Configuration.APIKey]
    let adminCredentials: AdminCredentials
    let serviceAccounts: ServiceAccounts

    /// The app that calls.
    ///
    /// - Parameters:
    ///   - request: Its request.
    ///   - onlyKey: For the Secure Token endpoint, where a bearer credential counts for nothing.
    ///   - takesProof: Whether the body may prove who calls; otherwise the request counts against its address.
    /// - Returns: The app.
    /// - Throws: ``WireError``: a bearer goes before a good key, as the contract says, and no admin credential has the
    ///   rights of an app. ``BrokerError/tooManyAttempts(retryAfter:)``.
    func callAsFunction(
        _ request: Request, onlyKey: Bool = false, takesProof: Bool = false
    ) async throws -> Caller {
        if !onlyKey, let bearer = Self.bearer(of: request) {
            _ = try await administrator(behind: bearer)
            throw WireError.insufficientScope(nil)
        }
        guard let key = try key(of: request), !key.isEmpty else { throw WireError.missingAPIKey }
        guard let known = entry(of: key) else { throw WireError.unknownAPIKey }
        RequestAdmission.current?.identify(apiKey: known.key)
        if !takesProof { try RequestAdmission.current?.countUnproven() }
        return Caller(apiKey: known)
    }

    /// The administrator that calls.
    ///
    /// - Throws: ``WireError``: `UNAUTHENTICATED` without a valid credential, `PERMISSION_DENIED` without `scope`; nil
    ///   is satisfied by every credential.
    func administrator(_ request: Request, with scope: AdminScope?) async throws -> Administrator {
        guard let bearer = Self.bearer(of: request) else { throw WireError.missingCredentials }
        let administrator = try await administrator(behind: bearer)
        if let scope { try Self.require(scope, of: administrator) }
        return administrator
    }

    /// The caller of a path that serves apps and administrators alike: an administrator when a bearer credential is
    /// present, whose scope is then to be checked with ``require(_:of:)``; else the app of the API key.
    ///
    /// - Throws: ``WireError``: `UNAUTHENTICATED` for an invalid bearer, also beside a good key; that of the key.
    func identify(_ request: Request) async throws -> IdentifiedCaller {
        guard let bearer = Self.bearer(of: request) else { return .app(try await self(request, takesProof: true)) }
        return .administrator(try await administrator(behind: bearer))
    }

    /// - Throws: ``WireError``: `PERMISSION_DENIED` for an administrator without `scope`.
    static func require(_ scope: AdminScope, of administrator: Administrator) throws(WireError) {
        guard administrator.has(scope) else { throw WireError.insufficientScope(scope.rawValue) }
    }

    private func administrator(behind bearer: String) async throws -> Administrator {
        var found = try await adminCredentials.administrator(behind: bearer)
        if found == nil { found = try await serviceAccounts.administrator(behind: bearer) }
        guard let found else { throw WireError.invalidCredentials }
        try RequestAdmission.current?.prove(credential: found.actor)
        return found
    }

    /// The bearer token of a request (RFC 6750 §2.1).
    private static func bearer(of request: Request) -> String? {
        guard let authorization = request.headers[.authorization], authorization.utf8.count >= 7,
            authorization.prefix(7).lowercased() == "bearer "
        else { return nil }
        return authorization.dropFirst(7).trimmingCharacters(in: .whitespaces)
    }

    /// Whether a key that a page names is an app's.
    func knows(_ key: String) -> Bool { entry(of: key) != nil }

    private func entry(of key: String) -> Configuration.APIKey? {
        apiKeys.first { $0.key.hasSameBytes(as: key) }
    }

    private func key(of request: Request) throws(WireError) -> String? {
        let query = request.uri.query ?? ""
        guard let pairs = FormEncoding.decode(query.utf8) else { throw .badRequest("The query is malformed.") }
        let keys = pairs.filter { $0.name == "key" }
        guard keys.count <= 1 else { throw .badRequest("The query names key twice.") }
        if let key = keys.first { return key.value }
        return HTTPField.Name("x-goog-api-key").flatMap { request.headers[$0] }
    }
}

extension BrokerRequestContext {
    /// The app as the origin of a flow.
    func origin(_ caller: Caller) -> Origin {
        Origin(.client, actor: caller.name, requestID: requestID, device: device)
    }

    /// An administrator as the origin of a flow.
    func origin(_ administrator: Administrator) -> Origin {
        Origin(.admin, actor: administrator.actor, requestID: requestID, device: device, reason: reason)
    }
}
