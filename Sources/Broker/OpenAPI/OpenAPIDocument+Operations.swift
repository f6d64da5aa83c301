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
}

extension OpenAPIDocument {
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
