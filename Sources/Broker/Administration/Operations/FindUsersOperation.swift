import BrokerStore
package import ProviderKit

/// `users.find`: users by what identifies them.
package struct FindUsersOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.find", "Finds users by id, e-mail address or provider identity.", .readUsers, .reads,
        [
            .option("localIds", "A localId, also of a user who was merged into another one.", as: "id"),
            .option("emails", "An e-mail address.", as: "email", example: ["ann@example.com"]),
            .option("initialEmails", "The address a user had before the first change of it.", as: "initial-email"),
            .option("identities", "A provider's id and the user's subject there.", as: "identity"),
        ], heading: "Find users by what identifies them")
    private static let maximumCriteria = 100

    let localIds: [String]?
    let emails: [String]?
    let initialEmails: [String]?
    let identities: [FederatedIdentity]?

    /// An identity at a provider.
    package struct FederatedIdentity: DescribedObject {
        package static let texts: [String: MemberText] = [
            "providerId": "The id of a provider entry.", "rawId": "The user's subject there.",
        ]

        let providerId: String
        let rawId: String

        package init(providerID: String, rawID: String) {
            (providerId, rawId) = (providerID, rawID)
        }
    }

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["users": .users("User records, each once.")]

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
