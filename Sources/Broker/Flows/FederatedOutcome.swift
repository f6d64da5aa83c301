package import BrokerStore
import Foundation
import ProviderKit

/// What a federated flow wrote, as it leaves the transaction.
enum AppliedDecision: Sendable {
    case signedIn(SessionFacts, isNewUser: Bool)
    case linked(User)
    /// The account that holds the address, when the person may be told.
    case needConfirmation(UserHint?)
    case refused(BrokerError)

    struct UserHint: Sendable {
        let user: User
        let providers: [String]
    }
}

/// What a sign-in comes to, with what the provider said about the person.
package struct FederatedOutcome: Sendable {
    let evidence: Evidence
    package let result: Result

    package enum Result: Sendable {
        case signedIn(SessionFacts, IssuedTokens, isNewUser: Bool)
        /// The address belongs to an account this identity is not linked to; its id and providers, when disclosed.
        case needConfirmation(localID: String?, providers: [String]?)
    }

    /// - Throws: The ``BrokerError`` of a refusal, after its decision record was committed.
    init(_ applied: AppliedDecision, _ evidence: Evidence, tokens: TokenIssuer, at now: Timestamp) async throws {
        self.evidence = evidence
        switch applied {
        case .signedIn(let facts, let isNewUser):
            result = .signedIn(facts, try await tokens.issue(facts, at: now), isNewUser: isNewUser)
        case .needConfirmation(let hint):
            result = .needConfirmation(localID: hint?.user.localID, providers: hint?.providers)
        case .refused(let error): throw error
        case .linked: throw BrokerError.credentialRejected
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
