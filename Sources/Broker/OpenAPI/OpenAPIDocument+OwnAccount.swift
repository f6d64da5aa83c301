import HTTPTypes
import ProviderKit

/// The operations of OAuth clients about their user.
extension OpenAPIDocument {
    static let ownAccount: [OpenAPIOperation] = [
        own(.get, "", "ownAccount", "Returns the user of an access token.", answer: account),
        own(
            .post, ":update", "updateOwnAccount", "Changes the profile of the user.",
            body: Schema.request(
                optional: [
                    "displayName": Schema.string, "photoUrl": Schema.string, "deleteAttribute": Schema.strings,
                ]), answer: account
        ).with { $0.furtherStatuses = [501] },
        own(
            .post, ":delete", "deleteOwnAccount", "Deletes the user.",
            body: Schema.request(
                optional: [
                    "authorizationCode": Schema.string, "providerId": Schema.string, "redirectUri": Schema.string,
                    "clientId": Schema.string,
                ]),
            answer: Schema.answer(["kind": Schema.string, "broker": Schema.reference("Broker")])),
        own(
            .post, ":previewMerge", "previewOwnMerge", "Shows what a merge with another account of the user joins.",
            body: Schema.request(["otherToken": Schema.string]),
            answer: Schema.answer(
                [
                    "kind": Schema.string, "users": Schema.array(of: mergeAccount),
                    "choices": Schema.array(of: mergeChoice),
                ])),
        own(
            .post, ":merge", "mergeOwnAccounts", "Merges another account of the user.",
            body: Schema.request(["otherToken": Schema.string, "survivor": Schema.string]),
            answer: Schema.answer(
                [
                    "kind": Schema.string, "id": Schema.string, "absorbedLocalId": Schema.string,
                    "undoableUntil": Schema.moment, "survivor": account,
                ])),
        own(
            .get, "/merges", "ownMerges", "Lists the merges that the user asked for and can undo, oldest first.",
            answer: Schema.answer(["kind": Schema.string, "merges": Schema.array(of: ownMerge)])),
        own(
            .post, "/merges/{mergeId}:undo", "undoOwnMerge", "Undoes a merge that the user asked for.",
            body: Schema.request(["otherToken": Schema.string]),
            answer: Schema.answer(
                [
                    "kind": Schema.string, "localId": Schema.string, "restoredLocalId": Schema.string,
                    "conflicts": mergeConflicts,
                ])),
        own(
            .post, "/providers/{providerId}:unlink", "unlinkProvider", "Unlinks a provider from the user.",
            body: Schema.request(), answer: account),
        own(
            .post, "/providers/{providerId}:token", "ownProviderToken",
            "Returns an access token that the user has granted.",
            body: Schema.request(optional: ["scopes": Schema.strings]), answer: providerToken),
        own(
            .post, "/providers/{providerId}:revoke", "revokeOwnGrant",
            "Revokes what the user has granted at a provider. The identity stays.",
            body: Schema.request(
                ["authorizationCode": Schema.string],
                optional: ["redirectUri": Schema.string, "clientId": Schema.string]),
            answer: Schema.answer(["kind": Schema.string, "broker": Schema.reference("Broker")])),
        own(
            .get, "/sessions", "ownSessions", "Lists the live sessions of the user, newest first.",
            answer: Schema.answer(
                ["kind": Schema.string, "sessions": Schema.array(of: session)],
                optional: ["nextPageToken": Schema.string])
        ).with { $0.query = [Schema.query("pageSize"), Schema.query("pageToken")] },
        own(
            .post, "/sessions/{sessionId}:signOut", "signOutSession", "Ends a session of the user.",
            body: Schema.request(), answer: Schema.answer([:])),
        own(
            .post, "/sessions:signOut", "signOutOwnSession", "Ends the session of an access token.",
            body: Schema.request(), answer: Schema.answer([:])),
        own(
            .post, "/sessions:signOutAll", "signOutOwnSessions", "Ends all sessions of the user.",
            body: Schema.request(), answer: Schema.answer([:])),
        OpenAPIOperation(
            .get, OAuthPaths.withdrawals + "/{receipt}", "withdrawalOutcome",
            "Returns what has become of the withdrawal of a grant.",
            answer: Schema.answer([
                "kind": Schema.string, "providerId": Schema.string, "state": Schema.string, "receipt": Schema.string,
            ])
        ).with { $0.furtherStatuses = [404] },
    ]

    private static func own(
        _ method: HTTPRequest.Method, _ path: String, _ id: String, _ summary: String, body: JSONValue? = nil,
        answer: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(method, OAuthPaths.account + path, id, summary, answer: answer).with {
            ($0.access, $0.body) = (.accessToken, body.map(OpenAPIOperation.Body.json))
        }
    }

    /// An access token of a provider.
    static let providerToken = Schema.answer(
        ["kind": Schema.string, "tokenType": Schema.string, "accessToken": Schema.string, "scopes": Schema.strings],
        optional: ["expiresAt": Schema.moment])

    private static let account = Schema.reference("Account")

    private static let mergeAccount = Schema.answer(
        [
            "localId": Schema.string, "providers": Schema.strings, "sessions": Schema.integer,
            "customClaims": Schema.strings,
        ],
        optional: ["email": Schema.string, "displayName": Schema.string])

    private static let mergeChoice = Schema.answer(
        ["survivor": Schema.string, "absorbed": Schema.string, "differingClaims": Schema.strings],
        optional: [
            "email": Schema.string,
            "refusal": Schema.answer(["code": Schema.string, "message": Schema.string]),
        ])

    private static let mergeConflicts = Schema.array(
        of: Schema.answer(["code": Schema.string, "message": Schema.string]))

    private static let ownMerge = Schema.answer(
        [
            "id": Schema.string, "absorbedLocalId": Schema.string, "mergedAt": Schema.moment,
            "undoableUntil": Schema.moment, "provingProviders": Schema.strings, "conflicts": mergeConflicts,
        ])

    private static let session = Schema.answer(
        [
            "id": Schema.string, "family": Schema.string, "signInProvider": Schema.string,
            "createdAt": Schema.moment, "lastUsedAt": Schema.moment,
        ],
        optional: ["clientId": Schema.string, "userAgent": Schema.string, "isCurrent": Schema.constantTrue])
}
