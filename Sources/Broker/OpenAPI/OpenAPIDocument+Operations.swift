import BrokerStore
import HTTPTypes
import ProviderKit

/// The operations of the document: one entry for each path, whatever other names it has.
extension OpenAPIDocument {
    static func operations(projectID: String) -> [OpenAPIOperation] {
        accounts + projectAccounts + unoffered + tokens + outOfScope + documents(projectID: projectID) + openID
            + ownAccount
            + pages + administration + configuration
    }

    /// The names that the legacy v3 API has for paths (contract §1.1).
    static let legacyPaths = [
        "signupNewUser": "/v1/accounts:signUp", "verifyAssertion": "/v1/accounts:signInWithIdp",
        "getAccountInfo": "/v1/accounts:lookup", "createAuthUri": "/v1/accounts:createAuthUri",
        "deleteAccount": "/v1/accounts:delete", "setAccountInfo": "/v1/accounts:update",
        "verifyCustomToken": "/v1/accounts:signInWithCustomToken", "getProjectConfig": "/v1/projects",
        "verifyPassword": "/v1/accounts:signInWithPassword", "emailLinkSignin": "/v1/accounts:signInWithEmailLink",
        "getOobConfirmationCode": "/v1/accounts:sendOobCode", "resetPassword": "/v1/accounts:resetPassword",
        "sendVerificationCode": "/v1/accounts:sendVerificationCode",
        "verifyPhoneNumber": "/v1/accounts:signInWithPhoneNumber",
        "uploadAccount": "/v1/projects/{project}/accounts:batchCreate",
    ]

    /// An operation of an app, with a JSON body.
    static func app(
        _ path: String, _ id: String, _ summary: String, body: JSONValue, answer: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(.post, path, id, summary, answer: answer).with {
            ($0.access, $0.body) = (.apiKey, .json(body))
        }
    }

    /// The methods of Identity Toolkit for administrators (contract §2, §7).
    private static let projectAccounts: [OpenAPIOperation] = [
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
            body: Schema.request(["localId": Schema.string], optional: changes, further: UserField.administered),
            answer: update
        ).with { $0.furtherStatuses = [501] },
        administrator(
            .post, "/v1/projects/{project}/accounts:delete", "deleteUser", "Deletes a user.", .writeUsers,
            body: Schema.request(["localId": Schema.string]),
            answer: Schema.answer(["kind": Schema.string], optional: ["broker": Schema.reference("Broker")])),
        administrator(
            .post, "/v1/projects/{project}/accounts:batchCreate", "importUsers", "Creates up to 1000 users.",
            .writeUsers,
            body: Schema.request(
                ["users": Schema.array(of: Schema.request(optional: record, further: UserField.all))],
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
        "photoUrl": Schema.string, "disableUser": Schema.boolean, "validSince": Schema.string,
        "deleteAttribute": Schema.strings, "deleteProvider": Schema.strings,
        "linkProviderUserInfo": Schema.request(["providerId": Schema.string, "rawId": Schema.string]),
    ]

    private static let record: KeyValuePairs<String, JSONValue> = [
        "providerUserInfo": Schema.array(of: Schema.request(["providerId": Schema.string, "rawId": Schema.string]))
    ]

    /// The administrative operations, as their registry has them.
    private static let administration: [OpenAPIOperation] = AdminOperations.all.map { operation in
        // A test has the schemas of every operation.
        let (body, answer) = (try? operation.bodySchema(), try? operation.answerSchema())
        return OpenAPIOperation(
            .post, operation.path, identifier(operation.name), operation.declaration.summary,
            answer: answer.map(JSONValue.object) ?? Schema.anyObject
        ).with {
            $0.access = .administrator(operation.declaration.scope ?? .admin)
            $0.body = .json(body.map(JSONValue.object) ?? Schema.anyObject)
        }
    }

    /// `users.list` as `usersList`.
    private static func identifier(_ name: String) -> String {
        let words = name.split { $0 == "." || $0 == "-" }
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static let accounts = [
        app(
            "/v1/accounts:signUp", "signUp",
            "Signs an anonymous user up; for an administrator, creates a user.",
            body: Schema.request(optional: ["returnSecureToken": Schema.boolean]),
            answer: [
                "anyOf": [
                    Schema.answer([
                        "kind": Schema.string, "localId": Schema.string, "idToken": Schema.string,
                        "refreshToken": Schema.string, "expiresIn": Schema.number,
                    ]), createdUser,
                ]
            ]
        ).with { $0.access = .apiKeyOrAdministrator(.writeUsers) },
        app(
            "/v1/accounts:signInWithIdp", "signInWithIdp",
            "Signs a user in with a provider's credential, or links the credential to the user of idToken.",
            body: Schema.request(
                ["requestUri": Schema.string],
                optional: [
                    "postBody": Schema.string, "idToken": Schema.string, "pendingToken": Schema.string,
                    "sessionId": Schema.string, "returnSecureToken": Schema.boolean,
                    "returnIdpCredential": Schema.boolean, "autoCreate": Schema.boolean,
                ]), answer: Schema.reference("SignIn")),
        app(
            "/v1/accounts:lookup", "lookup", "Returns the user of an ID token.",
            body: Schema.request(["idToken": Schema.string]), answer: users),
        app(
            "/v1/accounts:createAuthUri", "createAuthUri",
            "Begins a sign-in in the browser, or returns the providers that an e-mail address signs in with.",
            body: Schema.request(
                ["continueUri": Schema.string],
                optional: [
                    "identifier": Schema.string, "providerId": Schema.string, "sessionId": Schema.string,
                    "oauthScope": Schema.string, "context": Schema.string, "idToken": Schema.string,
                    "customParameter": ["type": "object", "additionalProperties": Schema.string],
                ]),
            answer: Schema.answer(
                ["kind": Schema.string, "sessionId": Schema.string],
                optional: [
                    "authUri": Schema.string, "providerId": Schema.string, "registered": Schema.boolean,
                    "forExistingProvider": Schema.boolean, "allProviders": Schema.strings,
                    "signinMethods": Schema.strings,
                ])),
        app(
            "/v1/accounts:update", "update", "Changes the user of an ID token.",
            body: Schema.request(
                ["idToken": Schema.string],
                optional: [
                    "displayName": Schema.string, "photoUrl": Schema.string, "email": Schema.string,
                    "validSince": Schema.string, "deleteAttribute": Schema.strings, "deleteProvider": Schema.strings,
                    "returnSecureToken": Schema.boolean,
                ]), answer: update
        ).with { $0.furtherStatuses = [501] },
        app(
            "/v1/accounts:delete", "delete", "Deletes the user of an ID token.",
            body: Schema.request(
                ["idToken": Schema.string],
                optional: [
                    "authorizationCode": Schema.string, "providerId": Schema.string, "redirectUri": Schema.string,
                    "clientId": Schema.string,
                ]),
            answer: Schema.answer(["kind": Schema.string], optional: ["broker": Schema.reference("Broker")])),
        app(
            "/v1/accounts:signInWithCustomToken", "signInWithCustomToken",
            "Signs a user in with a token of a service account.",
            body: Schema.request(["token": Schema.string], optional: ["returnSecureToken": Schema.boolean]),
            answer: Schema.answer([
                "kind": Schema.string, "isNewUser": Schema.boolean, "idToken": Schema.string,
                "refreshToken": Schema.string, "expiresIn": Schema.number,
            ])),
        OpenAPIOperation(
            .get, "/v1/projects", "projectSettings", "Returns the project's public settings.",
            answer: Schema.answer(["projectId": Schema.string, "authorizedDomains": Schema.strings])
        ).with { $0.access = .apiKey },
    ]

    static let users = Schema.answer(
        ["kind": Schema.string], optional: ["users": Schema.array(of: Schema.reference("User"))])

    static let update = Schema.answer(
        ["kind": Schema.string, "localId": Schema.string],
        optional: [
            "email": Schema.string, "emailVerified": Schema.boolean, "displayName": Schema.string,
            "photoUrl": Schema.string, "newEmail": Schema.string,
            "providerUserInfo": Schema.array(of: Schema.reference("ProviderUserInfo")), "idToken": Schema.string,
            "refreshToken": Schema.string, "expiresIn": Schema.number, "broker": Schema.reference("Broker"),
        ])

    private static let tokens = [
        app(
            "/v1/token", "refresh", "Exchanges a refresh token.",
            body: Schema.request(["grant_type": Schema.constant("refresh_token"), "refresh_token": Schema.string]),
            answer: Schema.answer(
                [
                    "id_token": Schema.string, "access_token": Schema.string, "expires_in": Schema.number,
                    "refresh_token": Schema.string, "token_type": Schema.constant("Bearer"), "user_id": Schema.string,
                    "project_id": Schema.string,
                ], optional: ["broker": Schema.reference("Broker")])
        ).with { operation in
            if case .json(let schema) = operation.body { operation.body = .jsonOrForm(schema) }
        },
        app(
            "/v2/accounts:revokeToken", "revokeProviderToken", "Revokes a user's grant at a provider.",
            body: Schema.request(
                [
                    "idToken": Schema.string, "providerId": Schema.string, "token": Schema.string,
                    "tokenType": Schema.string,
                ],
                optional: ["redirectUri": Schema.string, "clientId": Schema.string]), answer: Schema.answer([:])),
        app(
            "/v1/broker/credentials:exchange", "exchangeCredential",
            "Exchanges the authorization response of a sign-in for a pending token.",
            body: Schema.request(
                ["requestUri": Schema.string, "sessionId": Schema.string], optional: ["postBody": Schema.string]),
            answer: Schema.reference("SignIn")),
        app(
            "/v1/broker/devices:bootstrap", "bootstrapDevice", "Signs the user of a device in.",
            body: Schema.request(
                ["providerId": Schema.string, "deviceId": Schema.string, "platform": Schema.string],
                optional: ["deviceSecret": Schema.string, "accessToken": Schema.string]),
            answer: Schema.reference("SignIn")),
        app(
            "/v1/broker/sessions:signOut", "signOut", "Ends the session of an ID token.",
            body: Schema.request(["idToken": Schema.string]), answer: Schema.answer([:])),
        app(
            "/v1/broker/sessions:signOutAll", "signOutAll", "Ends all sessions of the user of an ID token.",
            body: Schema.request(["idToken": Schema.string]), answer: Schema.answer([:])),
        OpenAPIOperation(
            .post, "/v1/broker/users/{localId}/providers/{providerId}:token", "readProviderToken",
            "Returns an access token that a user has granted.",
            answer: providerToken
        ).with {
            $0.access = .administrator(.readProviderTokens)
            $0.body = .json(Schema.request(optional: ["scopes": Schema.strings]))
        },
        OpenAPIOperation(
            .post, "/v1/broker/providers/{providerId}/notifications", "receiveNotification",
            "Receives a signed message of a provider.", answer: Schema.answer([:])
        ).with {
            $0.body = .json(Schema.anyObject)
            $0.furtherStatuses = [404, 429]
        },
    ]

    /// Contract §2.12: refused in the envelope.
    private static let outOfScope: [OpenAPIOperation] = {
        let summary = "Is refused: users sign in through providers only."
        let accounts = ProjectRoutes.outOfScope.map { ("/v1/accounts:\($0.name)", $0.name) }
        let factors = ProjectRoutes.outOfScopeV2.map { path in
            (path, String(path.split(separator: "/").last ?? "").replacing(":", with: ""))
        }
        let methods = (accounts + factors).map { path, id in
            app(path, id, summary, body: Schema.request(), answer: Schema.anyObject)
        }
        let documents = ProjectRoutes.outOfScopeDocuments.map { path in
            OpenAPIOperation(
                .get, path, path.split(separator: "/").last.map(String.init) ?? "", summary, answer: Schema.anyObject
            ).with { $0.access = .apiKey }
        }
        return methods + documents + [recaptchaConfig]
    }()

    private static let recaptchaConfig = OpenAPIOperation(
        .get, ProjectRoutes.recaptchaPath, "recaptchaConfig", "Returns that no method enforces reCAPTCHA.",
        answer: Schema.answer([
            "recaptchaKey": Schema.string, "recaptchaEnforcementState": Schema.array(of: Schema.anyObject),
        ])
    ).with { $0.access = .apiKey }
}
