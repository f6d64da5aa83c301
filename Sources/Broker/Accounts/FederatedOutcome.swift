package import BrokerStore
import Foundation
import ProviderKit

/// What a federated flow wrote, as it leaves the transaction.
enum AppliedDecision: Sendable {
    /// `released` is who lost the address to the new user.
    case signedIn(SessionFacts, isNewUser: Bool, released: User? = nil)
    case linked(SessionFacts)
    /// The account that holds the address, when the person may be told.
    case needConfirmation(UserHint?, isRecycled: Bool)
    case refused(BrokerError)

    struct UserHint: Sendable {
        let user: User
        let providers: [String]
    }

    /// The session that began.
    var facts: SessionFacts? {
        switch self {
        case .signedIn(let facts, _, _), .linked(let facts): facts
        case .needConfirmation, .refused: nil
        }
    }

    /// Whether the person will need the same evidence again, after proving another account.
    var keepsEvidence: Bool {
        switch self {
        case .needConfirmation, .refused(.identityAlreadyLinked), .refused(.emailHeldByAnotherUser): true
        case .signedIn, .linked, .refused: false
        }
    }
}

/// What a federated flow comes to, with what the provider said about the person.
package struct FederatedOutcome: Sendable {
    let evidence: Evidence
    /// Stands for the evidence, for one more use.
    let pendingToken: String?
    package let result: Result

    package enum Result: Sendable {
        case signedIn(SessionFacts, IssuedTokens, isNewUser: Bool)
        /// The address belongs to an account this identity is not linked to; its id and providers, when disclosed.
        case needConfirmation(localID: String?, providers: [String]?, isRecycled: Bool)
        /// A link nothing was written for; the client may want what the provider said all the same (contract §3.5).
        case conflict(BrokerError)
    }

    /// - Throws: The ``BrokerError`` of a refusal that is no link conflict.
    init(
        _ applied: AppliedDecision, _ evidence: Evidence, pendingToken: String?, tokens: TokenIssuer, at now: Timestamp
    ) async throws {
        self.evidence = evidence
        self.pendingToken = pendingToken
        switch applied {
        case .signedIn(let facts, let isNewUser, _):
            result = .signedIn(facts, try await tokens.issue(facts, at: now), isNewUser: isNewUser)
        case .linked(let facts):
            result = .signedIn(facts, try await tokens.issue(facts, at: now), isNewUser: false)
        case .needConfirmation(let hint, let isRecycled):
            result = .needConfirmation(
                localID: hint?.user.localID, providers: hint?.providers, isRecycled: isRecycled)
        case .refused(let error):
            guard applied.keepsEvidence else { throw error }
            result = .conflict(error)
        }
    }
}

/// A user with all identities.
package struct UserRecord: Sendable {
    package let user: User
    package let identities: [Identity]

    package init(user: User, identities: [Identity]) {
        self.user = user
        self.identities = identities
    }
}
