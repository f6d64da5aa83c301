import BrokerStore
package import ProviderKit

/// `users.import`: a page of users of another system or broker. A repeated page changes nothing.
package struct ImportUserPage: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.import", "Imports users, at most 1000 in one page.", .writeUsers, .undoable, asksProviders: true,
        maximumBody: RequestFields.maximumUserPage,
        isStreamed: true,
        [
            .option(
                "users", "User records as `users.export` writes them, at most \(UserPage.maximumSize).", example: []),
            .option("replaceExisting", "Whether existing users are replaced; otherwise they stay as they are."),
            .option("dryRun", "Whether nothing is written. Then each user is compared with the store alone."),
        ], heading: "Import users")

    let users: [JSONObject]
    let replaceExisting: Bool?
    let dryRun: Bool?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "results": "The outcome of each user, in the order of the page.",
            "providers": "The ids of the enabled provider entries, which identities may name.",
        ]

        package let results: [Result]
        package let providers: [String]
    }

    package struct Result: DescribedObject {
        package static let texts: [String: MemberText] = [
            "outcome": "What came of the user; `unchanged` where the user was imported before.",
            "code": "The stable code of a refusal.",
            "message": "The reason of a refusal.",
            "conflictsWith": "The localId of the user in conflict.",
            "dropped": "The names of fields that are not imported.",
        ]

        package enum Outcome: String, Codable, Sendable, CaseIterable {
            case created, replaced
            /// The user was imported before.
            case unchanged
            case refused
        }

        package let outcome: Outcome
        package var code: String?
        package var message: String?
        package var conflictsWith: String?
        package var dropped: [String]?
    }

    package init(users: [JSONObject], replaceExisting: Bool = false, dryRun: Bool = false) {
        self.users = users
        self.replaceExisting = replaceExisting
        self.dryRun = dryRun
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard users.count <= UserPage.maximumSize else {
            throw AdminFailure.parameter("users", "takes at most \(UserPage.maximumSize)")
        }
        let reader = UserRecordReader(at: call.admin.now)
        let read = users.map { record in Swift.Result { () throws(ImportRefusal) in try reader.user(record) } }
        let accounts = call.admin.accounts
        var outcomes = try await accounts.importUsers(
            read.compactMap { try? $0.get() }, replacesExisting: replaceExisting ?? false, isDryRun: dryRun ?? false,
            origin: call.origin
        )[...]
        let results = read.map { user in
            switch user {
            case .success(let user): Result(outcomes.removeFirst(), dropped: user.droppedFields)
            case .failure(let refusal): Result(.refused(refusal), dropped: [])
            }
        }
        return Answer(results: results, providers: accounts.providers.current.providers.map(\.id))
    }
}

extension ImportUserPage.Result {
    fileprivate init(_ outcome: ImportOutcome, dropped: [String]) {
        switch outcome {
        case .created: self.init(outcome: .created)
        case .replaced: self.init(outcome: .replaced)
        case .unchanged: self.init(outcome: .unchanged)
        case .refused(let refusal):
            self.init(
                outcome: .refused, code: refusal.code, message: refusal.text, conflictsWith: refusal.holder)
        }
        self.dropped = dropped.isEmpty ? nil : dropped
    }
}
