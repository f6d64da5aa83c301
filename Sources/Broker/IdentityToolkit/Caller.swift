import BrokerStore
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

/// An authenticated request to a method that apps and backends share.
enum AccountRequest: Sendable {
    case app(Caller, RequestFields)
    case administrator(Administrator, RequestFields)
}

/// Recognises callers.
extension IdentityToolkitContext {
    /// The app that calls.
    ///
    /// - Parameters:
    ///   - request: Its request.
    ///   - onlyKey: For the Secure Token endpoint, where a bearer credential counts for nothing.
    ///   - takesProof: Whether the body may prove who calls; otherwise the request counts against its address.
    /// - Returns: The app.
    /// - Throws: ``WireError``: a bearer goes before a good key, as the contract says, and no admin credential has the
    ///   rights of an app. ``BrokerError/tooManyAttempts(retryAfter:)``.
    func app(
        _ request: Request, onlyKey: Bool = false, takesProof: Bool = false
    ) async throws -> Caller {
        if !onlyKey, let bearer = try request.bearerToken() {
            _ = try await administrator(behind: bearer)
            throw WireError.insufficientPermission("Call this path with an API key.")
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
        guard let bearer = try request.bearerToken() else { throw WireError.missingCredentials }
        let administrator = try await administrator(behind: bearer)
        try administrator.require(scope)
        return administrator
    }

    /// The administrator that calls a method of the project, as the path names it.
    ///
    /// - Throws: ``WireError``: as ``administrator(_:with:)``, and `INSUFFICIENT_PERMISSION` for an API key or for another
    ///   project.
    func administrator(
        _ request: Request, in context: BrokerRequestContext, with scope: AdminScope
    ) async throws -> Administrator {
        guard try request.bearerToken() != nil else {
            _ = try await app(request, takesProof: true)
            throw WireError.projectNeedsCredential
        }
        let administrator = try await administrator(request, with: scope)
        if let named = context.parameters[PathParameter.project.name], !named.hasSameBytes(as: projectID) {
            throw WireError.foreignProject
        }
        return administrator
    }

    /// The caller of a method that apps and backends share, with the body: below a project and with a bearer token it is
    /// the backends' (contract §1.2).
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: Its path.
    ///   - scope: The right that a backend needs.
    ///   - takesProof: Whether an app's body may prove who calls.
    /// - Returns: The caller with the fields of the body.
    /// - Throws: ``WireError``, ``BrokerError/tooManyAttempts(retryAfter:)``.
    func account(
        _ request: Request, in context: BrokerRequestContext, with scope: AdminScope, takesProof: Bool = true
    ) async throws -> AccountRequest {
        guard try request.bearerToken() != nil || context.parameters[PathParameter.project.name] != nil else {
            let caller = try await app(request, takesProof: takesProof)
            return .app(caller, try await RequestFields(request).ofThisProject())
        }
        let administrator = try await administrator(request, in: context, with: scope)
        return .administrator(administrator, try await RequestFields(request).ofProject(projectID))
    }

    private func administrator(behind bearer: String) async throws -> Administrator {
        var found = try await sessions.adminCredentials.administrator(behind: bearer)
        if found == nil { found = try await sessions.serviceAccounts.administrator(behind: bearer) }
        guard let found else { throw WireError.invalidCredentials }
        try RequestAdmission.current?.prove(credential: found.actor)
        return found
    }

    /// Whether a key that a page names is an app's.
    func knows(_ key: String) -> Bool { entry(of: key) != nil }

    private func entry(of key: String) -> Configuration.APIKey? {
        apiKeys.first { $0.key.hasSameBytes(as: key) }
    }

    private func key(of request: Request) throws(WireError) -> String? {
        guard let pairs = FormEncoding.decode(request.query) else { throw .badRequest("The query is malformed.") }
        let keys = pairs.filter { $0.name == "key" }
        guard keys.count <= 1 else { throw .badRequest("The query names key twice.") }
        if let key = keys.first { return key.value }
        return Self.keyHeader.flatMap { request.headers[$0] }
    }

    private static let keyHeader = HTTPField.Name("x-goog-api-key")
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

extension RequestFields {
    /// The fields of an administrator's request, once it is clear that they do not reach for another project or a tenant.
    ///
    /// - Throws: ``WireError``.
    func ofProject(_ id: String) throws(WireError) -> RequestFields {
        if let named = try nonEmpty("targetProjectId"), !named.hasSameBytes(as: id) { throw .foreignProject }
        if try nonEmpty("tenantId") != nil { throw .code(.invalidTenantID) }
        return self
    }
}

extension WireError {
    /// The administrator's credential lacks a scope.
    fileprivate static func insufficientPermission(needing scope: AdminScope) -> WireError {
        insufficientPermission(scope.requirement)
    }

    /// A method of the project, called with an API key only.
    fileprivate static let projectNeedsCredential = WireError.code(
        .insufficientPermission, "Only authenticated requests can specify target_project_id.")
    /// The credential is for another project than the request names.
    fileprivate static let foreignProject = WireError.code(
        .insufficientPermission, "This broker serves another project.")
}

extension Administrator {
    /// The check of every administrative request.
    ///
    /// - Throws: ``WireError`` for a scope that the administrator lacks.
    func require(_ scope: AdminScope?) throws(WireError) {
        guard let scope, !has(scope) else { return }
        throw .insufficientPermission(needing: scope)
    }
}
