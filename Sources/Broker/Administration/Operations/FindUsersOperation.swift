import BrokerStore
package import ProviderKit

/// `users.find`: users by what identifies them.
package struct FindUsersOperation: AdminOperation {
    package static let name = "users.find"
    package static let summary = "Finds users by id, e-mail address or provider identity."
    package static let scope: AdminScope? = .readUsers
    private static let maximumCriteria = 100

    let localIds: [String]?
    let emails: [String]?
    /// Addresses before the first change of them.
    let initialEmails: [String]?
    let identities: [FederatedIdentity]?

    /// An identity at a provider.
    package struct FederatedIdentity: Codable, Sendable {
        /// The id of a provider entry.
        let providerId: String
        /// The subject.
        let rawId: String

        package init(providerID: String, rawID: String) {
            (providerId, rawId) = (providerID, rawID)
        }
    }

    package struct Answer: Codable, Sendable {
        /// User records (contract §6), each once.
        package let users: [JSONObject]
    }

    package init(localIDs: [String], emails: [String], initialEmails: [String], identities: [FederatedIdentity]) {
        localIds = localIDs
        self.emails = emails
        self.initialEmails = initialEmails
        self.identities = identities
    }

    package func run(for call: AdminCall) async throws -> Answer {
        var criteria = (localIds ?? []).map(UserCriterion.localID)
        criteria += (emails ?? []).map(UserCriterion.email)
        for identity in identities ?? [] {
            criteria.append(.identity(provider: identity.providerId.lowercasedASCII, subject: identity.rawId))
        }
        criteria += (initialEmails ?? []).map(UserCriterion.initialEmail)
        guard (1...Self.maximumCriteria).contains(criteria.count) else {
            throw AdminFailure.parameter("the search", "takes 1 to \(Self.maximumCriteria) criteria")
        }
        return Answer(users: try await call.admin.accounts.findUsers(criteria).map { JSONObject($0) })
    }
}
