package import BrokerStore
import JOSE
import ProviderKit

/// `users.search`: users by the beginnings of words of their names, addresses and ids.
package struct SearchUsers: AdminOperation {
    private static let limits = DeclaredLimit(
        "The maximum number of users, 1 to \(UserSearch.maximumLimit).", in: 1...UserSearch.maximumLimit,
        standard: UserSearch.maximumLimit)

    package static let declaration = OperationDeclaration(
        "users.search", "Finds users by the beginnings of words of their names, addresses and ids.", .readUsers, .reads,
        [
            .positional(
                "text",
                """
                The beginning of a word of a name or an address, of a localId or of a user's subject at a provider; of several \
                words a user has each. Without it all users are found, the latest first.
                """, example: "ada"),
            .option("provider", "Only users with an identity at the provider with this id.").of(.provider),
            .option("state", "Only users in this state: enabled or disabled."),
            .option("anonymous", "Only anonymous users, which are devices without a known user."),
            .option("createdSince", "Only users who were created at this time or later."),
            .option("createdBefore", "Only users who were created before this time."),
            .option("signedInSince", "Only users who signed in last at this time or later."),
            .option("signedInBefore", "Only users who signed in last before this time, or never."),
            limits.argument,
            .option("after", "Start after the previous page: its next."),
        ],
        command: DeclaredCommand(
            "search", "Find users by the beginnings of words of their names, addresses and ids.",
            """
            Case and accents do not matter. At most 50 users are shown, in the order of the words by which they were found. A
            page may be shorter although more users follow: a filter that few users satisfy is given up after a while, and goes
            on with --after. Times are dates, times of ISO 8601 or durations before now: 30m, 24h, 7d.

            Examples:
              broker users search ada
              broker users search lovelace --provider github.com
              broker users search @example.com --state disabled --json
              broker users search --signed-in-before 90d
            """))

    let text: String?
    let provider: String?
    let state: State?
    let anonymous: Bool?
    let createdSince: Timestamp?
    let createdBefore: Timestamp?
    let signedInSince: Timestamp?
    let signedInBefore: Timestamp?
    let limit: Int?
    let after: String?

    /// Whether a user may sign in.
    package enum State: String, Codable, CaseIterable, Sendable {
        case enabled, disabled
    }

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "users": "The users, in the order of the words by which they were found.",
            "next": "The after of the next page; absent where nothing follows.",
            "complete": "Whether all users can be found: after an upgrade their words are written in the background.",
            "requestId": "The text, where it has the form of a request's number: `decisions.explain` explains it.",
        ]

        package let users: [FoundUser]
        package let next: String?
        package let complete: Bool
        package let requestId: String?
    }

    package init(
        text: String?, provider: String? = nil, state: State? = nil, anonymous: Bool? = nil,
        createdSince: Timestamp? = nil, createdBefore: Timestamp? = nil, signedInSince: Timestamp? = nil,
        signedInBefore: Timestamp? = nil, limit: Int? = nil, after: String? = nil
    ) {
        (self.text, self.provider, self.state, self.anonymous) = (text, provider, state, anonymous)
        (self.createdSince, self.createdBefore) = (createdSince, createdBefore)
        (self.signedInSince, self.signedInBefore) = (signedInSince, signedInBefore)
        (self.limit, self.after) = (limit, after)
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        let search = try search()
        let position = try after.map { try Self.position($0, in: search) }
        return try await call.admin.store.read { transaction in
            let page = try transaction.users(search, after: position, limit: limit)
            return Answer(
                users: page.matches.map { FoundUser($0) },
                next: page.next.map { Base64URL.encode(Array($0.text.utf8)) },
                complete: try transaction.hasWordsOfAllUsers(),
                requestId: text.flatMap(RequestID.typed))
        }
    }

    private func search() throws(AdminFailure) -> UserSearch {
        let words = SearchWords.typed(text ?? "")
        guard words.count <= SearchWords.maximumTyped else {
            throw .parameter("text", "takes at most \(SearchWords.maximumTyped) words")
        }
        var search = UserSearch(words: words)
        search.provider = provider
        search.isDisabled = state.map { $0 == .disabled }
        search.isAnonymous = anonymous
        (search.createdSince, search.createdBefore) = (createdSince, createdBefore)
        (search.signedInSince, search.signedInBefore) = (signedInSince, signedInBefore)
        return search
    }

    private static func position(_ text: String, in search: UserSearch) throws(AdminFailure) -> UserSearch.Position {
        guard let bytes = Base64URL.decode(text), let text = String(utf8: bytes),
            let position = UserSearch.Position(text, in: search)
        else { throw .parameter("after", "takes the next of a page of the same search") }
        return position
    }

    package func text(of answer: Answer) -> TerminalText {
        var parts: [TerminalText] = [
            answer.users.isEmpty ? "No users." : Table<FoundUser>.found.text(answer.users)
        ]
        if let id = answer.requestId { parts.append("This may be the number of a request: broker explain \(id)") }
        if let next = answer.next { parts.append("There may be more users: --after \(next)") }
        if !answer.complete { parts.append("Not all users can be found yet: their words are being written.") }
        return parts.joined(separator: "\n")
    }
}

/// A user that a search has found.
package struct FoundUser: DescribedObject {
    package static let texts: [String: MemberText] = [
        "localId": "The user's id.",
        "displayName": "The name.",
        "email": "The address.",
        "emailVerified": "Whether the address is verified.",
        "photoUrl": "The picture.",
        "providers": "The provider entries of the user's identities, in the order in which they were linked.",
        "anonymous": "Whether the user is only a device.",
        "disabled": "Whether the user is disabled.",
        "createdAt": "When the user was created.",
        "lastLoginAt": "When the user signed in last.",
        "word": "The word by which the user was found, without case and accents; absent without a text.",
    ]

    package let localId: String
    package let displayName: String?
    package let email: String?
    package let emailVerified: Bool
    package let photoUrl: String?
    package let providers: [String]
    package let anonymous: Bool
    package let disabled: Bool
    package let createdAt: Timestamp
    package let lastLoginAt: Timestamp?
    package let word: String?

    /// The states of the user other than the usual one.
    package var states: [String] { (disabled ? ["disabled"] : []) + (anonymous ? ["anonymous"] : []) }
}

extension FoundUser {
    fileprivate init(_ match: UserSearch.Match) {
        let user = match.user
        (localId, displayName) = (user.localID, user.displayName)
        (email, emailVerified, photoUrl) = (user.email, user.isEmailVerified, user.photoURL)
        (providers, anonymous, disabled) = (match.providers, match.isAnonymous, user.isDisabled)
        (createdAt, lastLoginAt, word) = (user.createdAt, user.lastLoginAt, match.word)
    }
}

extension Table<FoundUser> {
    fileprivate static var found: Table<FoundUser> {
        Table(
            Table.Column("LOCAL ID") { $0.localId },
            Table.Column("E-MAIL", mayBeCut: true) { $0.email ?? "-" },
            Table.Column("NAME", mayBeCut: true) { $0.displayName ?? "-" },
            Table.Column("PROVIDERS", mayBeCut: true) { $0.providers.joined(separator: ",") },
            Table.Column("STATE") { $0.states.joined(separator: ",") },
            Table.Column("LAST SIGN-IN") { $0.lastLoginAt?.text ?? "-" })
    }
}
