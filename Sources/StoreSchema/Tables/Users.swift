extension TableDefinition {
    package static let users = TableDefinition(
        "users", record: "User", "A user of the broker, possibly anonymous.",
        uniques: [
            .columns("local_id", release: .assignment("local_id = 'released ' || CAST(key AS text)")),
            .columns(
                "email_canonical",
                release: .assignment("email = NULL, email_canonical = NULL, email_verified = 0")),
        ],
        indexes: [.index("users_initial_email", "initial_email", where: "initial_email IS NOT NULL")],
        ownership: .rows(of: .own, merge: .drop, undo: .keep, export: .keep, snapshot: .keep, deletion: .end),
        fields: [
            .key(comment: "Private, time-ordered; what foreign keys use."),
            .text(
                "local_id", wire: .shown("localId"), searched: .identifier,
                comment: "The public id: 28 characters [A-Za-z0-9] when the broker made it, at most 128."),
            .text(
                "email", .optional, wire: .shown("email"), searched: .address,
                comment: "The address in the spelling of the user or the provider."),
            .text(
                "email_canonical", .optional,
                comment: "As it is compared, unique among users. Present exactly when ``email`` is."),
            .flag("email_verified", initial: "false", wire: .shown("emailVerified")),
            .text("email_asserted_by", .optional, comment: "The provider entry that verified the address, if any."),
            .time("email_asserted_at", .optional),
            .text("display_name", .optional, wire: .shown("displayName"), searched: .name),
            .text("photo_url", .optional, wire: .shown("photoUrl")),
            .text("screen_name", .optional, wire: .shown("screenName"), searched: .name),
            .flag("disabled", initial: "false", wire: .shown("disabled")),
            .text(
                "custom_attributes", .optional, wire: .administered("customAttributes"),
                comment: "A JSON object as text."),
            .flag(
                "custom_auth", initial: "false", wire: .shown("customAuth"),
                comment: "Whether the user has signed in with a custom token."),
            .text("initial_email", .optional, wire: .shown("initialEmail"), searched: .address),
            .time("created_at", wire: .administered("createdAt")),
            .time("last_login_at", .optional, wire: .administered("lastLoginAt")),
            .time(
                "last_refresh_at", .optional, wire: .shown("lastRefreshAt"),
                comment:
                    "The last time tokens were issued other than by refreshing a session, which only the session records."
            ),
            .integer(
                "valid_since", .optional, wire: .shown("validSince"),
                comment: "Whole seconds since 1970: the equivalent of ``epoch`` on the wire."),
            .integer("epoch", initial: "0", comment: "A counter whose increment invalidates everything issued before."),
            .time(
                "display_name_edited_at", .optional,
                comment:
                    "The time at which the user or an administrator set the name. No provider's name replaces it."),
            .time("photo_url_edited_at", .optional, comment: "The same of the picture."),
        ])

    package static let userAliases = TableDefinition(
        "user_aliases", key: ["local_id"], indexes: [.index("user_aliases_user_key", "user_key")],
        ownership: .rows(
            of: .user("user_key"), merge: .move, undo: .move, export: .keep, snapshot: .keep, deletion: .drop),
        fields: [
            .text("local_id", searched: .identifier), .reference("user_key", to: "users"), .time("created_at"),
        ])

    // They follow from the other rows of the user, so what changes those writes them (Docs/Decisions/0058-search-words.md).
    package static let userWords = TableDefinition(
        "user_words", key: ["word", "user_key"], indexes: [.index("user_words_user_key", "user_key, word")],
        ownership: .rows(
            of: .user("user_key"), merge: .drop, undo: .move, export: .leaveOut, snapshot: .leaveOut, deletion: .drop),
        fields: [.text("word"), .reference("user_key", to: "users")])

    package static let accountNotices = TableDefinition(
        "account_notices", record: "AccountNotice",
        """
        Something about an account that each session's app is told once, in the answer to its sign-in or next refresh.
        """,
        indexes: [.index("account_notices_user_key", "user_key")],
        ownership: .rows(
            of: .user("user_key"), merge: .move, undo: .keep, export: .leaveOut, snapshot: .leaveOut, deletion: .drop),
        fields: [
            .key(),
            .reference("user_key", to: "users"),
            .choice("kind", of: "Kind"),
            .text("value", .optional, comment: "The local id of the other user of a merge."),
            .time("created_at"),
            // Of brokers of schema 40 and before, which tell one session of each.
            .column("session_id", .text, .optional),
            .column("generation", .integer, .optional),
            .column("delivered_at", .integer, .optional),
        ])

    package static let noticeDeliveries = TableDefinition(
        "notice_deliveries", key: ["session_key", "notice_key"],
        indexes: [.index("notice_deliveries_notice_key", "notice_key")], ownership: .noUser,
        fields: [
            .reference("session_key", to: "sessions"), .reference("notice_key", to: "account_notices"),
            .integer("generation"), .time("delivered_at"),
        ])

    package static let pendingMerges = TableDefinition(
        "pending_merges", record: "PendingMerge",
        "A merge of two users that a provider reported or a user asked for, for the decision of an administrator.",
        uniques: [.columns("id"), .columns("survivor_key", "absorbed_key")],
        indexes: [.index("pending_merges_absorbed_key", "absorbed_key")],
        ownership: .rows(
            of: .user("absorbed_key"), merge: .drop, undo: .keep, export: .leaveOut, snapshot: .leaveOut,
            deletion: .drop),
        fields: [
            .key(),
            .text("id", comment: "Random; what administrators call it by."),
            .reference("survivor_key", to: "users", comment: "The user who would stay."),
            .reference("absorbed_key", to: "users", comment: "The user who would go."),
            .text("provider", comment: "The entry whose provider said so; empty where a user asked for it."),
            .time("created_at"),
            .time(
                "dismissed_at", .optional,
                comment:
                    "The time at which an administrator dismissed it; further reports of the provider do not reopen it."
            ),
            .integer(
                "proven_identity_key", .optional,
                comment: """
                    The absorbed user's identity whose merge its user has proven; nil for a merge by an e-mail address or for \
                    an unknown reason. The sessions that began with it go on as the survivor's.
                    """),
        ])

    package static let mergeSnapshots = TableDefinition(
        "merge_snapshots", record: "MergeSnapshot",
        "Both users of a merge as they were before it, sealed, for an undo.",
        uniques: [.columns("id")], indexes: [.index("merge_snapshots_survivor_key", "survivor_key")],
        ownership: .rows(
            of: .user("survivor_key"), merge: .move, undo: .move, export: .leaveOut, snapshot: .keep, deletion: .drop),
        fields: [
            .key(),
            .text("id", comment: "The merge's id."),
            .reference("survivor_key", to: "users", comment: "The user who has the absorbed user's identities now."),
            .text("absorbed_local_id"),
            .text("provider", comment: "The entry whose provider reported the merge; empty where a user asked for it."),
            .time("created_at"),
            .time("expires_at"),
            .sealed(
                "sealed_users",
                by: SealDefinition(
                    "merge-snapshot/v1", [.literal("merge_snapshots"), .text("id"), .text("absorbed_local_id")])),
        ])
}
