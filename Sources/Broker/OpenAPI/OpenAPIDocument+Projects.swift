import HTTPTypes
import ProviderKit

/// The admin half of Identity Toolkit (contract §2, §7).
extension OpenAPIDocument {
    static let projectAccounts: [OpenAPIOperation] = [
        administrator(
            .post, "/v1/projects/{project}/accounts", "createUser", "Creates a user.", .writeUsers,
            body: Schema.request(optional: profile), answer: createdUser),
        administrator(
            .post, "/v1/projects/{project}/accounts:lookup", "lookupUsers",
            "Returns users by id, e-mail address and identity.", .readUsers,
            body: Schema.request(optional: [
                "localId": Schema.strings, "email": Schema.strings, "initialEmail": Schema.strings,
                "federatedUserId": Schema.array(
                    of: Schema.request(optional: ["providerId": Schema.string, "rawId": Schema.string])),
            ]), answer: users),
        administrator(
            .post, "/v1/projects/{project}/accounts:update", "updateUser", "Changes a user.", .writeUsers,
            body: Schema.request(["localId": Schema.string], optional: changes), answer: update
        ).with { $0.furtherStatuses = [501] },
        administrator(
            .post, "/v1/projects/{project}/accounts:delete", "deleteUser", "Deletes a user.", .writeUsers,
            body: Schema.request(["localId": Schema.string]),
            answer: Schema.answer(["kind": Schema.string], optional: ["broker": Schema.reference("Broker")])),
        administrator(
            .post, "/v1/projects/{project}/accounts:batchCreate", "importUsers", "Creates up to 1000 users.",
            .writeUsers,
            body: Schema.request(
                ["users": Schema.array(of: Schema.request(optional: record))],
                optional: ["allowOverwrite": Schema.boolean, "sanityCheck": Schema.boolean]),
            answer: Schema.answer(
                ["kind": Schema.string],
                optional: [
                    "error": Schema.array(of: Schema.answer(["index": Schema.integer, "message": Schema.string])),
                    "broker": Schema.answer([
                        "dropped": Schema.array(
                            of: Schema.answer(["index": Schema.integer, "fields": Schema.strings]))
                    ]),
                ])),
        administrator(
            .get, "/v1/projects/{project}/accounts:batchGet", "exportUsers", "Returns a page of all users.", .readUsers,
            answer: userPage
        ).with { $0.query = [Schema.query("maxResults", Schema.integer), Schema.query("nextPageToken")] },
        administrator(
            .post, "/identitytoolkit/v3/relyingparty/downloadAccount", "downloadUsers",
            "Returns a page of all users, for clients of the v3 API.", .readUsers,
            body: Schema.request(optional: [
                "maxResults": Schema.integer, "nextPageToken": Schema.string, "targetProjectId": Schema.string,
            ]), answer: userPage),
        administrator(
            .post, "/v1/projects/{project}/accounts:batchDelete", "deleteUsers", "Deletes up to 1000 users.",
            .writeUsers,
            body: Schema.request(["localIds": Schema.strings], optional: ["force": Schema.boolean]),
            answer: Schema.answer(
                [:],
                optional: [
                    "errors": Schema.array(
                        of: Schema.answer([
                            "index": Schema.integer, "localId": Schema.string, "message": Schema.string,
                        ]))
                ])),
        query("/v1/projects/{project}/accounts:query", "queryUsers"),
        query("/v1/projects/{project}:queryAccounts", "queryAccounts"),
        administrator(
            .post, "/v1/projects/{project}:createSessionCookie", "createSessionCookie",
            "Exchanges an ID token for a session cookie.", .writeUsers,
            body: Schema.request(["idToken": Schema.string], optional: ["validDuration": Schema.string]),
            answer: Schema.answer(["sessionCookie": Schema.string])),
    ]

    static let createdUser = Schema.answer(
        ["kind": Schema.string, "localId": Schema.string],
        optional: ["email": Schema.string, "displayName": Schema.string])

    /// Contract §2.12, §2.13: what is refused, and the lists that are empty.
    static let unoffered: [OpenAPIOperation] =
        UnofferedRoutes.emptyLists.map { list in
            administrator(
                .get, list.path, "list" + list.member.prefix(1).uppercased() + list.member.dropFirst(),
                "Returns an empty list.", .readConfiguration,
                answer: Schema.answer([:], optional: [list.member: Schema.array(of: Schema.anyObject)]))
        }
        + UnofferedRoutes.refusals.map { refusal in
            administrator(
                refusal.method, refusal.path, identifier(of: refusal), "Is refused. \(refusal.feature.rawValue)",
                refusal.scope, body: [.post, .patch].contains(refusal.method) ? Schema.request() : nil,
                answer: Schema.anyObject)
        }

    /// The method and the words of the path, in camel case.
    private static func identifier(of refusal: UnofferedRoutes.Refusal) -> String {
        let words = refusal.path.split { !$0.isLetter && !$0.isNumber }
        return refusal.method.rawValue.lowercased()
            + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static let userPage = Schema.answer(
        ["kind": Schema.string, "users": Schema.array(of: Schema.reference("User"))],
        optional: ["nextPageToken": Schema.string])

    private static func query(_ path: String, _ id: String) -> OpenAPIOperation {
        administrator(
            .post, path, id, "Counts and returns users.", .readUsers,
            body: Schema.request(optional: [
                "returnUserInfo": Schema.boolean, "limit": Schema.string, "offset": Schema.string,
                "sortBy": Schema.string, "order": Schema.string,
                "expression": Schema.array(
                    of: Schema.request(optional: ["email": Schema.string, "userId": Schema.string])),
            ]),
            answer: Schema.answer(
                ["recordsCount": Schema.number], optional: ["userInfo": Schema.array(of: Schema.reference("User"))]))
    }

    /// An operation of administrators.
    static func administrator(
        _ method: HTTPRequest.Method, _ path: String, _ id: String, _ summary: String, _ scope: AdminScope,
        body: JSONValue? = nil, answer: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(method, path, id, summary, answer: answer).with {
            ($0.access, $0.body) = (.administrator(scope), body.map(OpenAPIOperation.Body.json))
        }
    }

    private static let profile: KeyValuePairs<String, JSONValue> = [
        "localId": Schema.string, "email": Schema.string, "emailVerified": Schema.boolean,
        "displayName": Schema.string, "photoUrl": Schema.string, "disabled": Schema.boolean,
    ]

    private static let changes: KeyValuePairs<String, JSONValue> = [
        "email": Schema.string, "emailVerified": Schema.boolean, "displayName": Schema.string,
        "photoUrl": Schema.string, "disableUser": Schema.boolean, "customAttributes": Schema.string,
        "validSince": Schema.string, "createdAt": Schema.string, "lastLoginAt": Schema.string,
        "deleteAttribute": Schema.strings, "deleteProvider": Schema.strings,
        "linkProviderUserInfo": Schema.request(["providerId": Schema.string, "rawId": Schema.string]),
    ]

    private static let record: KeyValuePairs<String, JSONValue> = [
        "localId": Schema.string, "email": Schema.string, "emailVerified": Schema.boolean,
        "displayName": Schema.string, "photoUrl": Schema.string, "disabled": Schema.boolean,
        "customAttributes": Schema.string, "createdAt": Schema.string, "lastLoginAt": Schema.string,
        "providerUserInfo": Schema.array(of: Schema.request(["providerId": Schema.string, "rawId": Schema.string])),
    ]
}
