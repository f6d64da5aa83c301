import BrokerStore
import ProviderKit

/// What happened to a user's address when the identity that asserted it was removed.
enum SettledEmail: String, Sendable {
    case unchanged, replaced, unverified

    /// The detail of an audit row, as JSON text.
    var detail: String {
        let object: JSONObject = self == .unchanged ? [:] : ["email": .string(rawValue)]
        return object.serialized()
    }
}

extension Transaction {
    /// Finds a new source for a user's address after the identity that asserted it was removed.
    ///
    /// A remaining identity that verifies the same address takes over. Otherwise the user gets the first verified address
    /// of a remaining identity that no other user holds; without one the address stays, unverified.
    func settleEmail(of userKey: Int64, at now: Timestamp) throws -> SettledEmail {
        guard let user = try user(key: userKey), let email = user.email, let canonical = user.emailCanonical,
            let source = user.emailAssertedBy
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

    private func set(_ proof: ProvenAddress, of userKey: Int64, at now: Timestamp) throws -> Bool {
        try setEmail(
            of: userKey, email: proof.canonical, canonical: proof.canonical, verified: true,
            assertedBy: proof.provider, at: now)
    }
}

/// An address that a linked identity has verified.
private struct ProvenAddress {
    let canonical: String
    let provider: String

    init?(_ identity: Identity) {
        guard identity.isEmailVerified, let canonical = identity.email.flatMap(EmailAddress.init)?.canonical else {
            return nil
        }
        self.canonical = canonical
        provider = identity.provider
    }
}
