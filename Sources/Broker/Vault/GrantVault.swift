import BrokerStore
import Foundation
import OAuth
import ProviderKit

/// Keeps providers' tokens sealed at rest from the first sign-in on.
struct GrantVault: Sendable {
    private let sealer: Sealer

    /// The most bytes of a scope.
    private static let longestScope = 256

    init(_ masterKey: MasterKey) {
        sealer = Sealer(masterKey, for: .vault)
    }

    /// Writes a grant over the earlier one of the same identity and client, in the transaction of a sign-in or a
    /// refresh; `key` is the row's when it is a new one.
    ///
    /// - Returns: The scopes of the earlier grant that this one has no more.
    @discardableResult
    func keep(
        _ grant: UpstreamGrant, of identity: Identity, key: Int64, at now: Timestamp,
        in transaction: borrowing Transaction
    ) throws -> [String] {
        let earlier = try transaction.grant(identityKey: identity.key, clientID: grant.clientID)
        let grant = completed(grant, by: earlier, of: identity)
        let version = (earlier?.version ?? 0) + 1
        func seal(_ token: String, _ column: String) throws -> [UInt8] {
            try sealer.seal(Array(token.utf8), row: Self.row(identity, grant.clientID, column, version))
        }
        try transaction.upsertGrant(
            ProviderGrant(
                key: earlier?.key ?? key, identityKey: identity.key, provider: identity.provider,
                clientID: grant.clientID, scopes: ScopeList(grant.scopes).text,
                sealedAccessToken: try seal(grant.accessToken, "access_token"),
                sealedRefreshToken: try grant.refreshToken.map { try seal($0, "refresh_token") },
                expiresAt: grant.expiresAt.map(Timestamp.init), obtainedAt: now, version: version))
        return Self.kept(ScopeList(earlier?.scopes ?? "").scopes).filter { !grant.scopes.contains($0) }
    }

    /// A grant as it is stored in the place of an earlier one of the same client: without its ID token. Providers send no
    /// refresh token with every grant: the earlier one stays then, unless it was refused.
    func completed(_ grant: UpstreamGrant, by earlier: ProviderGrant?, of identity: Identity) -> UpstreamGrant {
        var refreshToken = grant.refreshToken
        if refreshToken == nil, let earlier, earlier.refusal == nil {
            refreshToken = (try? open(earlier, of: identity))?.refreshToken
        }
        return UpstreamGrant(
            clientID: grant.clientID, accessToken: grant.accessToken, refreshToken: refreshToken,
            scopes: Self.kept(grant.scopes), expiresAt: grant.expiresAt)
    }

    /// Anything else that a provider calls a scope is dropped. A row of an earlier broker may have it.
    private static func kept(_ scopes: [String]) -> [String] {
        scopes.filter { ScopeList.isScope($0) && $0.utf8.count <= longestScope }
    }

    /// The tokens of a stored grant.
    ///
    /// - Throws: ``SealError`` when the row was damaged or belongs to another key.
    func open(_ grant: ProviderGrant, of identity: Identity) throws(SealError) -> UpstreamGrant {
        func open(_ sealed: [UInt8], _ column: String) throws(SealError) -> String {
            let bytes = try sealer.open(sealed, row: Self.row(identity, grant.clientID, column, grant.version))
            return String(decoding: bytes, as: UTF8.self)
        }
        var refreshToken: String?
        if let sealed = grant.sealedRefreshToken { refreshToken = try open(sealed, "refresh_token") }
        return UpstreamGrant(
            clientID: grant.clientID, accessToken: try open(grant.sealedAccessToken, "access_token"),
            refreshToken: refreshToken, scopes: ScopeList(grant.scopes).scopes,
            expiresAt: grant.expiresAt.map(\.date))
    }

    private static func row(_ identity: Identity, _ clientID: String, _ column: String, _ version: Int64) -> [String] {
        [identity.provider, identity.issuer, identity.subject, clientID, column, String(version)]
    }
}
