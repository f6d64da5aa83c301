import BrokerStore
import Foundation
package import ProviderKit

/// Adds a provider's identity to a user that exists: for now the admin's way, `broker link --user`.
package struct Link: Sendable {
    let proof: ProviderProof
    let store: Store
    let vault: GrantVault
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// Whom a credential proves, before anything is linked: the admin confirms the person first.
    package struct Proven: Sendable {
        let evidence: Evidence

        package var subject: String { evidence.key.subject }
        package var email: String? { evidence.email?.address.value }
        package var displayName: String? { evidence.displayName }
        package var screenName: String? { evidence.screenName }
    }

    /// Asks the provider who the credential belongs to. Writes nothing.
    package func prove(_ credential: Credential, from provider: String) async throws(BrokerError) -> Proven {
        Proven(evidence: try await proof(credential, from: provider))
    }

    /// Links what was proven.
    ///
    /// - Returns: The user with all identities.
    /// - Throws: ``BrokerError`` when there is no such user or the resolver refuses.
    package func callAsFunction(_ proven: Proven, to localID: String, origin: Origin) async throws -> UserRecord {
        let fresh = Fresh(keys, at: now())
        let evidence = proven.evidence
        let result: Result<UserRecord, BrokerError> = try await store.write { transaction in
            guard let user = try transaction.user(localID: localID) else { return .failure(.userNotFound) }
            let facts = try transaction.facts(about: evidence, linkingTo: user)
            let resolution = AccountResolver.decide(evidence, facts, intent: .link(user))
            let applied = try apply(resolution, evidence, fresh, in: transaction)
            try transaction.record(resolution, evidence, applied, fresh, origin)
            if case .refused(let error) = applied { return .failure(error) }
            guard let linked = try transaction.user(localID: localID) else { return .failure(.userNotFound) }
            return .success(UserRecord(user: linked, identities: try transaction.identities(of: linked.key)))
        }
        return try result.get()
    }

    private func apply(
        _ resolution: AccountResolver.Resolution, _ evidence: Evidence, _ fresh: Fresh,
        in transaction: borrowing Transaction
    ) throws -> AppliedDecision {
        switch resolution.decision {
        case .link(let user, let takesEmail, let verifiesEmail):
            let identity = Identity(evidence, of: user, key: fresh.identityKey, at: fresh.now)
            guard try transaction.insert(identity) else { return .refused(.identityAlreadyLinked) }
            if takesEmail || verifiesEmail, let email = evidence.email, let canonical = email.address.canonical {
                _ = try transaction.setEmail(
                    of: user.key, email: canonical, canonical: canonical,
                    verified: email.isVerified, assertedBy: evidence.key.provider, at: fresh.now)
            }
            if let grant = evidence.grant {
                try vault.keep(grant, of: identity, key: fresh.grantKey, at: fresh.now, in: transaction)
            }
            return .linked(user)
        case .refuse(let error): return .refused(error)
        case .signIn, .createUser, .needConfirmation: return .refused(.credentialRejected)
        }
    }
}
