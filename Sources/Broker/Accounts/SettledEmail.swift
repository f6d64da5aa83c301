import BrokerStore
import ProviderKit

/// The change of a user's address when the identity that asserted it was removed.
enum SettledEmail: String, Sendable {
    case unchanged, replaced, unverified

    /// The detail of an audit entry.
    var detail: JSONObject { self == .unchanged ? [:] : ["email": .string(rawValue)] }
}

extension Transaction {
    /// Finds a new source for a user's address after the identity that asserted it was removed.
    ///
    /// A remaining identity that verifies the same address takes over. Otherwise the user gets the first verified address
    /// of a remaining identity that no other user holds; without one the address stays, unverified. A relay address goes
    /// with its identity although no provider is named for it, as of an imported user.
    func settleEmail(
        of userKey: Int64, without removed: [Identity] = [], at now: Timestamp
    ) throws -> SettledEmail {
        guard let user = try user(key: userKey), let email = user.email, let canonical = user.emailCanonical,
            let source = user.emailAssertedBy ?? removed.first(where: { $0.hasRelayAddress(canonical) })?.provider
        else { return .unchanged }
        let remaining = try identities(of: userKey)
        guard !remaining.contains(where: { $0.provider.hasSameBytes(as: source) }) else { return .unchanged }
        let proofs = remaining.compactMap(ProvenAddress.init)
        if let proof = proofs.first(where: { $0.canonical.hasSameBytes(as: canonical) }) {
            _ = try set(proof, of: userKey, at: now)
            return .unchanged
        }
        for proof in proofs where try set(proof, of: userKey, at: now) {
            try recordInitialEmail(of: userKey, email)
            return .replaced
        }
        guard user.isEmailVerified else { return .unchanged }
        _ = try setEmail(
            of: userKey, email: email, canonical: canonical, verified: false, assertedBy: nil, at: now)
        return .unverified
    }

    /// Gives a user an address that an identity has verified.
    ///
    /// - Returns: false if another user holds it.
    func set(_ proof: ProvenAddress, of userKey: Int64, at now: Timestamp) throws -> Bool {
        try setEmail(
            of: userKey, email: proof.canonical, canonical: proof.canonical, verified: true,
            assertedBy: proof.provider, at: now)
    }
}

/// An address that a linked identity has verified.
struct ProvenAddress {
    let canonical: String
    let provider: String

    init?(_ identity: Identity) {
        guard identity.isEmailVerified, let canonical = identity.emailCanonical else { return nil }
        self.canonical = canonical
        provider = identity.provider
    }
}

extension Identity {
    /// The address in the form it is compared by.
    var emailCanonical: String? { email.flatMap(EmailAddress.init)?.canonical }

    /// Whether this is its address, made up by the provider to forward mail.
    fileprivate func hasRelayAddress(_ canonical: String) -> Bool {
        EmailAddress.isRelayDomain(of: canonical) && emailCanonical?.hasSameBytes(as: canonical) == true
    }
}
