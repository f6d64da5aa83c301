import BrokerStore
import Foundation
package import ProviderKit

/// The broker's main job: a provider's credential in, one user record and the broker's own tokens out.
package struct SignIn: Sendable {
    let proof: ProviderProof
    let store: Store
    let vault: GrantVault
    let tokens: TokenIssuer
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    package struct Request: Sendable {
        let provider: String
        let credential: Credential
        /// `false` for reauthentication: an identity nobody has is refused instead of becoming a user.
        let createsUser: Bool

        package init(provider: String, credential: Credential, createsUser: Bool = true) {
            self.provider = provider
            self.credential = credential
            self.createsUser = createsUser
        }
    }

    package func callAsFunction(_ request: Request, origin: Origin) async throws -> FederatedOutcome {
        let evidence = try await proof(request.credential, from: request.provider)
        let fresh = Fresh(keys, at: now())
        let applied = try await store.write { transaction in
            let facts = try transaction.facts(about: evidence)
            let resolution = AccountResolver.decide(evidence, facts, intent: .signIn(createsUser: request.createsUser))
            return try apply(resolution, evidence, fresh, origin, in: transaction)
        }
        return try await FederatedOutcome(applied, evidence, tokens: tokens, at: fresh.now)
    }

    private func apply(
        _ resolution: AccountResolver.Resolution, _ evidence: Evidence, _ fresh: Fresh, _ origin: Origin,
        in transaction: borrowing Transaction
    ) throws -> AppliedDecision {
        let applied: AppliedDecision
        switch resolution.decision {
        case .signIn(let user):
            let identity = try transaction.renewIdentity(evidence, at: fresh.now)
            applied = try signedIn(user, identity, evidence, fresh, isNew: false, in: transaction)
        case .createUser:
            let user = User(creating: evidence, fresh)
            let identity = Identity(evidence, of: user, key: fresh.identityKey, at: fresh.now)
            guard try transaction.insert(user), try transaction.insert(identity) else {
                throw StoreError(.busy, "another sign-in wrote the same user; this one starts again")
            }
            applied = try signedIn(user, identity, evidence, fresh, isNew: true, in: transaction)
        case .needConfirmation(let holder, let discloses):
            let providers = try transaction.identities(of: holder.key).map(\.provider)
            applied = .needConfirmation(discloses ? .init(user: holder, providers: providers) : nil)
        case .refuse(let error): applied = .refused(error)
        case .link: applied = .refused(.credentialRejected)
        }
        try transaction.record(resolution, evidence, applied, fresh, origin)
        return applied
    }

    private func signedIn(
        _ user: User, _ identity: Identity, _ evidence: Evidence, _ fresh: Fresh, isNew: Bool,
        in transaction: borrowing Transaction
    ) throws -> AppliedDecision {
        if let grant = evidence.grant {
            try vault.keep(grant, of: identity, key: fresh.grantKey, at: fresh.now, in: transaction)
        }
        let session = fresh.session(of: user, provider: evidence.key.provider)
        try transaction.insert(session)
        try transaction.recordSignIn(userKey: user.key, at: fresh.now)
        return .signedIn(
            SessionFacts(session: session, user: user, identities: try transaction.identities(of: user.key)),
            isNewUser: isNew)
    }
}
