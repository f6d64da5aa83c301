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
            .post, "/providers/{providerId}:unlink", "unlinkProvider", "Unlinks a provider from the user.",
            body: Schema.request(), answer: account),
        own(
            .post, "/providers/{providerId}:token", "ownProviderToken",
            "Returns an access token that the user has granted.",
            body: Schema.request(optional: ["scopes": Schema.strings]), answer: providerToken),
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

    private static let session = Schema.answer(
        [
            "id": Schema.string, "family": Schema.string, "signInProvider": Schema.string,
            "createdAt": Schema.moment, "lastUsedAt": Schema.moment,
        ],
        optional: ["clientId": Schema.string, "userAgent": Schema.string, "isCurrent": Schema.constantTrue])
}
