import Testing

/// The decision table of the account policy as data: situation × policy → answer. `Docs/AccountPolicy.md` shows the same
/// rows, which a test makes sure of.
enum AccountPolicyTable {
    struct Row: Sendable, CustomTestStringConvertible {
        enum Holder: Sendable { case verified, unverified }

        let situation: String
        var isKnown = false
        var holder: Holder?
        var holderHasProvider = false
        var isProven = true
        var ownsAddress = false
        var createsUser = true
        var isRelay = false
        /// The evidence's transfer subject is that of a user whose migration is open.
        var isAnnounced = false
        var isOfFormerOwner = false
        let strict: String
        let firebase: String

        var testDescription: String { situation }
    }

    static let signIn: [Row] = [
        Row(situation: "the identity is known", isKnown: true, strict: "sign in user-1", firebase: "sign in user-1"),
        Row(
            situation: "the identity is known, its address is another user's", isKnown: true, holder: .verified,
            strict: "sign in user-1", firebase: "sign in user-1"),
        Row(
            situation: "new, its transfer subject is user-1's in an open migration", isKnown: true, isAnnounced: true,
            strict: "sign in user-1", firebase: "sign in user-1"),
        Row(situation: "new, the address has no user", strict: "create", firebase: "create"),
        Row(
            situation: "new, verified address of a verified user", holder: .verified, strict: "confirm user-2",
            firebase: "join user-2"),
        Row(
            situation: "new, verified address of an unverified user", holder: .unverified,
            strict: "create, take e-mail of user-2", firebase: "join user-2, strip"),
        Row(
            situation: "new, unproven address of a verified user", holder: .verified, isProven: false,
            strict: "confirm user-2, undisclosed", firebase: "confirm user-2"),
        Row(
            situation: "new, unproven address of an unverified user", holder: .unverified, isProven: false,
            strict: "create, without e-mail", firebase: "confirm user-2"),
        Row(
            situation: "new, verified address of a user with another identity of this provider", holder: .verified,
            holderHasProvider: true, strict: "confirm user-2, recycled", firebase: "confirm user-2, recycled"),
        Row(
            situation: "new, the address has no user, no account wanted", createsUser: false,
            strict: "refuse noAccount", firebase: "refuse noAccount"),
        Row(
            situation: "new, verified address of an unverified user, no account wanted", holder: .unverified,
            createsUser: false, strict: "refuse noAccount", firebase: "join user-2, strip"),
        Row(
            situation: "new, an address made up to forward mail that a user holds", holder: .verified, isRelay: true,
            strict: "create, without e-mail", firebase: "create, without e-mail"),
        Row(
            situation: "new, a relay address without a user", isRelay: true, strict: "create",
            firebase: "create"),
    ]

    static let link: [Row] = [
        Row(
            situation: "free identity, free address, user without address", strict: "link user-1, take e-mail",
            firebase: "link user-1, take e-mail"),
        Row(
            situation: "free identity, the user's own address", ownsAddress: true, strict: "link user-1, verify e-mail",
            firebase: "link user-1, verify e-mail"),
        Row(
            situation: "free identity, the user's own address, unproven", isProven: false, ownsAddress: true,
            strict: "link user-1", firebase: "link user-1"),
        Row(
            situation: "the identity has a user", isKnown: true, strict: "refuse identityAlreadyLinked",
            firebase: "refuse identityAlreadyLinked"),
        Row(
            situation: "address of another verified user", holder: .verified,
            strict: "refuse emailHeldByAnotherUser", firebase: "refuse emailHeldByAnotherUser"),
        Row(
            situation: "address of another unverified user", holder: .unverified, strict: "link user-1",
            firebase: "refuse emailHeldByAnotherUser"),
        Row(
            situation: "the user has an identity of this provider", holderHasProvider: true,
            strict: "refuse providerAlreadyLinked", firebase: "refuse providerAlreadyLinked"),
        Row(
            situation: "the user's identity of this provider is of the app's former owner", holderHasProvider: true,
            isOfFormerOwner: true, strict: "relink user-1", firebase: "relink user-1"),
        Row(
            situation: "an address made up to forward mail that another user holds", holder: .verified, isRelay: true,
            strict: "link user-1", firebase: "link user-1"),
    ]

    /// Both tables as Markdown.
    static var markdown: String {
        func table(_ title: String, _ rows: [Row]) -> String {
            let lines = rows.map { "| \($0.situation) | \($0.strict) | \($0.firebase) |" }
            return "## \(title)\n\n| situation | strict | firebase |\n|---|---|---|\n" + lines.joined(separator: "\n")
        }
        return table("Signing in", signIn) + "\n\n" + table("Linking", link) + "\n"
    }
}
