import BrokerStore
import HTTPTypes
import ProviderKit

/// The operations of OAuth clients about their user.
extension OpenAPIDocument {
    static let ownAccount: [OpenAPIOperation] = [
        own(.get, "", "ownAccount", "Returns the user of an access token.", answer: account),
        own(.post, ":update", "updateOwnAccount", "Changes the profile of the user.", answer: account)
            .taking(ProfileBody.body).with { $0.furtherStatuses = [501] },
        own(
            .post, ":delete", "deleteOwnAccount", "Deletes the user.", answer: Schema.answer([.kind, .broker])
        ).taking(ProviderCodeBody.body),
        own(
            .post, ":previewMerge", "previewOwnMerge", "Shows what a merge with another account of the user joins.",
            answer: Schema.answer([
                .kind, .list("users", of: mergeAccount, "The two users."),
                .list("choices", of: mergeChoice, "What would be, whichever user remains."),
            ])
        ).taking(OtherLoginBody.body),
        own(
            .post, ":merge", "mergeOwnAccounts", "Merges another account of the user.",
            answer: Schema.answer([
                .kind, mergeID, absorbed, undoableUntil, .value("survivor", account, "The user who remains."),
            ])
        ).taking(MergeBody.body),
        own(
            .get, "/merges", "ownMerges", "Lists the merges that the user asked for and can undo, oldest first.",
            answer: Schema.answer([.kind, .list("merges", of: ownMerge, "The merges.")])),
        own(
            .post, "/merges/{mergeId}:undo", "undoOwnMerge", "Undoes a merge that the user asked for.",
            answer: Schema.answer([
                .kind, .localID, .text("restoredLocalId", "The id of the user who is restored."), conflicts,
            ])
        ).taking(OtherLoginBody.body),
        own(
            .get, "/history", "ownHistory",
            "Lists what happened to the account of the user, newest first: sign-ins, changes, and what administrators did.",
            answer: Schema.answer(
                [.kind, .list("entries", of: historyEntry, "The entries.")], optional: [.nextPageToken])
        ).with { $0.query = [HistoryParameter.actor, PageParameter.size, PageParameter.token] },
        empty(
            own(
                .post, ":export", "exportOwnAccount",
                "Returns all that is stored of the user. It needs a recent login, and is answered once a minute and ten "
                    + "times a day.", answer: accountExport)),
        own(
            .get, "/providers", "ownProviders",
            "Lists the providers that sign the user in, with what the user has granted there.",
            answer: Schema.answer([
                .kind, .list("providers", of: connectedProvider, "The providers, oldest link first."),
            ])),
        empty(
            own(
                .post, "/providers/{providerId}:unlink", "unlinkProvider", "Unlinks a provider from the user.",
                answer: account)),
        own(
            .post, "/providers/{providerId}:token", "ownProviderToken",
            "Returns an access token that the user has granted.", answer: providerToken
        ).taking(ScopesBody.body),
        own(
            .post, "/providers/{providerId}:revoke", "revokeOwnGrant",
            "Revokes what the user has granted at a provider. The identity stays.",
            answer: Schema.answer([.kind, .broker])
        ).taking(RevokeGrantBody.body),
        own(
            .get, "/sessions", "ownSessions", "Lists the live sessions of the user, newest first.",
            answer: Schema.answer(
                [.kind, .list("sessions", of: session, "The sessions.")], optional: [.nextPageToken])
        ).with { $0.query = [PageParameter.size, PageParameter.token] },
        empty(own(.post, "/sessions/{sessionId}:signOut", "signOutSession", "Ends a session of the user.")),
        empty(own(.post, "/sessions:signOut", "signOutOwnSession", "Ends the session of an access token.")),
        empty(own(.post, "/sessions:signOutAll", "signOutOwnSessions", "Ends all sessions of the user.")),
        OpenAPIOperation(
            .get, OAuthPaths.withdrawals + "/{receipt}", "withdrawalOutcome",
            "Returns what has become of the withdrawal of a grant.",
            answer: Schema.answer([
                .kind, .providerID, .text("state", "The state of the withdrawal."), .text("receipt", "The receipt."),
            ])
        ).with { $0.furtherStatuses = [404] },
    ]

    private static func own(
        _ method: HTTPRequest.Method, _ path: String, _ id: String, _ summary: String,
        answer: JSONValue = Schema.answer()
    ) -> OpenAPIOperation {
        OpenAPIOperation(method, OAuthPaths.account + path, id, summary, answer: answer).with {
            $0.access = .accessToken
        }
    }

    /// An operation whose body has no fields.
    private static func empty(_ operation: OpenAPIOperation) -> OpenAPIOperation {
        operation.with { ($0.body, $0.example) = (.json(Schema.anyObject), [:]) }
    }

    /// An access token of a provider.
    static let providerToken = Schema.answer(
        [
            .kind, .text("tokenType", "`Bearer`."), .text("accessToken", "The provider's access token."),
            .texts("scopes", "The scopes of the token, in the provider's words."),
        ], optional: [.moment("expiresAt", "When the token expires.")])

    private static let account = Schema.reference("Account")

    private static let mergeID = Member.text("id", "The merge's id.")
    private static let absorbed = Member.text("absorbedLocalId", "The id of the user who was merged into the other.")
    private static let undoableUntil = Member.moment("undoableUntil", "Until when the merge can be undone.")
    private static let conflicts = Member.list(
        "conflicts", of: Schema.answer([.code, .message]), "What could not be taken apart.")

    private static let mergeAccount = Schema.answer(
        [
            .localID, .texts("providers", "The user's providers."), .integer("sessions", "The number of sessions."),
            .texts("customClaims", "The names of the custom claims."),
        ], optional: [.email, .displayName])

    private static let mergeChoice = Schema.answer(
        [
            .text("survivor", "The id of the user who would remain."),
            .text("absorbed", "The id of the user who would be merged."),
            .texts("differingClaims", "Custom claims that differ; those of the survivor stay."),
        ],
        optional: [
            .text("email", "The address that the user would have."),
            .value("refusal", Schema.answer([.code, .message]), "Why this is refused."),
        ])

    private static let ownMerge = Schema.answer([
        mergeID, absorbed, .moment("mergedAt", "When the users were merged."), undoableUntil,
        .texts("provingProviders", "The providers of the other user, one of which proves it."), conflicts,
    ])

    private static let historyEntry = Schema.answer(
        [
            .moment("time", "When it happened."), .text("event", "What happened."),
            .value(
                "actor", ["type": "string", "enum": .array(HistoryParameter.actors.map(JSONValue.string))],
                "Who did it. Administrators are not named."),
        ],
        optional: [
            .providerID, .text("clientId", "The OAuth client."),
            .text("network", "The network of the user's address."),
            .texts("fields", "The fields of the profile that changed."),
            .text("refusal", "The code of the error of a refused sign-in."),
            .text("requestId", "The id of the request."),
        ])

    private static let connectedProvider = Schema.answer(
        [
            .providerID, .text("name", "The provider's name."), .moment("linkedAt", "When it was linked."),
            .moment("lastSignInAt", "When it last signed the user in."),
            .value(
                "withdrawal", ["type": "string", "enum": ["queued", "nothingStored", "notSupported"]],
                "What would become of the grant if the provider were unlinked or the user deleted."),
        ],
        optional: [.texts("scopes", "The scopes that the user has granted, in the provider's words.")])

    private static let disclosed: [Member] = DisclosedRows.descriptions.map { rows in
        rows.isOfUser
            ? .value(rows.name, Schema.anyObject, rows.text)
            : .list(rows.name, of: Schema.anyObject, rows.text)
    }

    /// All that is stored of a user.
    static let accountExport = Schema.answer(
        [.kind, .moment("exportedAt", "When it was read.")] + disclosed + [
            .list("history", of: historyEntry, "What happened to the account, newest first.")
        ],
        optional: [
            .texts("truncated", "The lists whose oldest rows are left out, since they have more than 10 000.")
        ])

    private static let session = Schema.answer(
        [
            .text("id", "The session's id."), .text("family", "The kind of its tokens."),
            .text("signInProvider", "The provider of the login."), .moment("createdAt", "When it began."),
            .moment("lastUsedAt", "When it was last used."),
        ],
        optional: [
            .text("clientId", "The OAuth client."), .text("userAgent", "The program, as it names itself."),
            .presence("isCurrent", "The session of the access token."),
        ])
}
