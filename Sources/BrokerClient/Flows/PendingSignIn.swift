import Foundation
import ProviderKit
import StrictJSON

/// A sign-in, link or reauthentication whose redirect has not arrived: what checks and redeems it. Stored, since the system
/// may end the app while the user is in another one.
struct PendingSignIn: Codable, Sendable {
    /// What redeems the code of the redirect.
    enum Redemption: Codable, Sendable {
        /// The broker's code, with the PKCE verifier (RFC 7636); `nonce` is that of the request.
        case broker(verifier: String, nonce: String)
        /// A provider's code, with the handle of the app authorization. The rest of its secrets are the broker's.
        case provider(handle: String)
    }

    let redirectURI: String
    let state: String
    let redemption: Redemption
    let purpose: SignInPurpose
    let provider: String?
    /// The user of the session, for everything but a sign-in.
    let userID: String?
    let expiresAt: Date

    /// Seconds from the request until its redirect is worthless: how long the broker waits for a provider.
    static let lifetime: TimeInterval = 600

    /// Whether a URL is the redirect of this sign-in.
    func isAnswered(by url: URL, at now: Date) -> Bool {
        guard now < expiresAt, let expected = try? RedirectURI(redirectURI), expected.matches(url) else { return false }
        return AuthorizationResponse.state(of: url)?.hasSameBytes(as: state) == true
    }
}

extension PendingSignIn: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the secrets.
    var description: String { "PendingSignIn(<redacted>)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// The place of the pending sign-in. There is one at a time, as one sign-in is under way at a time.
struct PendingSignInStore: Sendable {
    let storage: any SessionStorage
    let key: StorageKey

    /// Stores a sign-in. Without a storage it ends with the app, and goes on otherwise.
    func save(_ pending: PendingSignIn) async {
        guard let content = try? JSONEncoder().encode(pending) else { return }
        try? await storage.save(StoredItem(key: key, content: content))
    }

    /// Forgets the sign-in.
    func remove() async { try? await storage.remove(key) }

    /// Takes the sign-in that a redirect answers out of the storage: it can be redeemed once. One that has expired is
    /// removed too.
    ///
    /// - Returns: The sign-in; nil where the redirect answers none.
    /// - Throws: ``BrokerAuthError/storageLocked``, ``BrokerAuthError/storageFailed(_:)``; nothing was taken then.
    func take(answeredBy url: URL, at now: Date) async throws(BrokerAuthError) -> PendingSignIn? {
        guard let item = try await storage.load(key) else { return nil }
        guard let pending = try? JSONDecoder().decode(PendingSignIn.self, from: item.content), now < pending.expiresAt
        else {
            try await storage.remove(key)
            return nil
        }
        guard pending.isAnswered(by: url, at: now) else { return nil }
        try await storage.remove(key)
        return pending
    }
}
