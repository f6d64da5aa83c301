import BrokerStore
import HTTPTypes
import ProviderKit

/// The operations of the document: one entry for each path, whatever other names it has.
extension OpenAPIDocument {
    static func operations(projectID: String) -> [OpenAPIOperation] {
        let toolkit = accounts + projectAccounts + unoffered + tokens + outOfScope
        return toolkit + documents(projectID: projectID) + openID + ownAccount + pages + administration + configuration
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

    /// Other paths that an operation has beside its own.
    static let otherPaths = [
        "/v1/projects/{project}:queryAccounts": "/v1/projects/{project}/accounts:query",
        "/admin/v2/projects/{project}/config": "/v2/projects/{project}/config",
        "/identitytoolkit/v3/relyingparty/publicKeys": certificates, OAuthPaths.metadata: OAuthPaths.discovery,
        "/emulator/auth/handler": "/__/auth/handler", "/emulator/auth/iframe": "/__/auth/iframe",
        "/emulator/auth/witness": "/__/auth/witness",
    ]

    /// An operation of an app.
    static func app(_ path: String, _ id: String, _ summary: String, answer: JSONValue) -> OpenAPIOperation {
        OpenAPIOperation(.post, path, id, summary, answer: answer).with { $0.access = .apiKey }
    }

    /// An operation of administrators.
    static func administrator(
        _ method: HTTPRequest.Method, _ path: String, _ id: String, _ summary: String, _ scope: AdminScope,
        answer: JSONValue
    ) -> OpenAPIOperation {
        OpenAPIOperation(method, path, id, summary, answer: answer).with { operation in
            operation.access = .administrator(scope)
            if method != .get, ![.readUsers, .readConfiguration].contains(scope) { operation.headers = [reason] }
        }
    }

    private static let reason = DeclaredParameter(
        AdministratorReason.header, "Why the administrator does it, for the audit: percent-encoded UTF-8.")

    /// The methods of Identity Toolkit for administrators (contract §2, §7).
    private static let projectAccounts: [OpenAPIOperation] = [
        administrator(
            .post, "/v1/projects/{project}/accounts", "createUser", "Creates a user.", .writeUsers, answer: createdUser
        ).taking(NewUser.body),
        administrator(
            .post, "/v1/projects/{project}/accounts:lookup", "lookupUsers",
            "Returns users by id, e-mail address and identity.", .readUsers, answer: users
        ).taking(LookUpBody.body),
        administrator(
            .post, "/v1/projects/{project}/accounts:update", "updateUser", "Changes a user.", .writeUsers,
            answer: update
        ).taking(AdministratorUpdateBody.body).with { $0.furtherStatuses = [501] },
        administrator(
            .post, "/v1/projects/{project}/accounts:delete", "deleteUser", "Deletes a user.", .writeUsers,
            answer: deletion
        ).taking(AdministratorDeleteBody.body),
        administrator(
            .post, "/v1/projects/{project}/accounts:batchCreate", "importUsers", "Creates up to 1000 users.",
            .writeUsers, answer: imported
        ).taking(UserUpload.body),
        administrator(
            .get, "/v1/projects/{project}/accounts:batchGet", "exportUsers", "Returns a page of all users.", .readUsers,
            answer: userPage
        ).with { $0.query = UserPageRequest.parameters },
        administrator(
            .post, "/identitytoolkit/v3/relyingparty/downloadAccount", "downloadUsers",
            "Returns a page of all users, for clients of the v3 API.", .readUsers, answer: userPage
        ).taking(UserPageRequest.download),
        administrator(
            .post, "/v1/projects/{project}/accounts:batchDelete", "deleteUsers", "Deletes up to 1000 users.",
            .writeUsers,
            answer: Schema.answer(optional: [
                .list(
                    "errors", of: Schema.answer([.index, .localID, .message]), "The users who were not deleted.")
            ])
        ).taking(UserDeletion.body),
        administrator(
            .post, "/v1/projects/{project}/accounts:query", "queryUsers", "Counts and returns users.", .readUsers,
            answer: Schema.answer(
                [.number("recordsCount", "The number of users.")],
                optional: [.list("userInfo", of: Schema.reference("User"), "The users.")])
        ).taking(UserQuery.body),
        administrator(
            .post, "/v1/projects/{project}:createSessionCookie", "createSessionCookie",
            "Exchanges an ID token for a session cookie.", .writeUsers,
            answer: Schema.answer([.text("sessionCookie", "The cookie's value, a signed token.")])
        ).taking(SessionCookieBody.body),
    ]

    static let createdUser = Schema.answer([.kind, .localID], optional: [.email, .displayName])

    private static let deletion = Schema.answer([.kind], optional: [.broker])

    private static let imported = Schema.answer(
        [.kind],
        optional: [
            .list("error", of: Schema.answer([.index, .message]), "The users who were refused."),
            .value(
                "broker",
                Schema.answer([
                    .list(
                        "dropped", of: Schema.answer([.index, .texts("fields", "Their names.")]),
                        "The fields that were not imported.")
                ]), "What no API of Firebase has a name for."),
        ])

    /// Contract §2.12, §2.13: what is refused, and the lists that are empty.
    static let unoffered: [OpenAPIOperation] =
        UnofferedRoutes.emptyLists.map { list in
            administrator(
                .get, list.path, "list" + list.member.prefix(1).uppercased() + list.member.dropFirst(),
                "Returns an empty list.", .readConfiguration,
                answer: Schema.answer(optional: [.list(list.member, of: Schema.anyObject, "Empty.")]))
        }
        + UnofferedRoutes.refusals.map { refusal in
            administrator(
                refusal.method, refusal.path, identifier(of: refusal), "Is refused. \(refusal.feature.rawValue)",
                refusal.scope, answer: Schema.anyObject
            ).with {
                guard [.post, .patch].contains(refusal.method) else { return }
                ($0.body, $0.example) = (.json(Schema.anyObject), [:])
            }
        }

    /// The method and the words of the path below the project, in camel case.
    private static func identifier(of refusal: UnofferedRoutes.Refusal) -> String {
        let words = refusal.path.split { !$0.isLetter && !$0.isNumber }.filter {
            !["v2", "projects", "project"].contains($0)
        }
        return refusal.method.rawValue.lowercased() + joined(words)
    }

    private static func joined(_ words: [Substring]) -> String {
        words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static let userPage = Schema.answer(
        [.kind, .list("users", of: Schema.reference("User"), "The users.")], optional: [.nextPageToken])

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
            answer: [
                "anyOf": [
                    Schema.answer([.kind, .localID, .idToken, .refreshToken, .expiresIn]), createdUser,
                ]
            ]
        ).taking(SignUpBody.body).with { $0.access = .apiKeyOrAdministrator(.writeUsers) },
        app(
            "/v1/accounts:signInWithIdp", "signInWithIdp",
            "Signs a user in with a provider's credential, or links the credential to the user of idToken.",
            answer: Schema.reference("SignIn")
        ).taking(SignInWithIdpBody.body),
        app("/v1/accounts:lookup", "lookup", "Returns the user of an ID token.", answer: users).taking(
            IDTokenBody.body),
        app(
            "/v1/accounts:createAuthUri", "createAuthUri",
            "Begins a sign-in in the browser, or returns the providers that an e-mail address signs in with.",
            answer: Schema.answer(
                [.kind, .text("sessionId", "A secret that the app presents with the provider's answer.")],
                optional: [
                    .text("authUri", "The address to open in the browser."), .providerID,
                    .flag("registered", "Whether a user has the address."),
                    .flag("forExistingProvider", "Whether that user signs in with this provider."),
                    .texts("allProviders", "The providers of that user."),
                    .texts("signinMethods", "The same as `allProviders`."),
                ])
        ).taking(AuthorizationURLBody.body),
        app("/v1/accounts:update", "update", "Changes the user of an ID token.", answer: update)
            .taking(UpdateBody.body).with { $0.furtherStatuses = [501] },
        app("/v1/accounts:delete", "delete", "Deletes the user of an ID token.", answer: deletion)
            .taking(DeleteBody.body),
        app(
            "/v1/accounts:signInWithCustomToken", "signInWithCustomToken",
            "Signs a user in with a token of a service account.",
            answer: Schema.answer([
                .kind, .flag("isNewUser", "Whether the sign-in created the user."), .idToken, .refreshToken, .expiresIn,
            ])
        ).taking(CustomTokenBody.body),
        OpenAPIOperation(
            .get, "/v1/projects", "projectSettings", "Returns the project's public settings.",
            answer: Schema.answer([
                .text("projectId", "The project's number."),
                .texts("authorizedDomains", "The domains whose pages users may be sent back to."),
            ])
        ).with { $0.access = .apiKey },
    ]

    static let users = Schema.answer(
        [.kind], optional: [.list("users", of: Schema.reference("User"), "The users; absent when there is none.")])

    static let update = Schema.answer(
        [.kind, .localID],
        optional: [
            .email, .emailVerified, .displayName, .photoURL, .text("newEmail", "The address of the request."),
            .providerUserInfo, .idToken, .refreshToken, .expiresIn, .broker,
        ])

    private static let tokens = [
        app(
            "/v1/token", "refresh", "Exchanges a refresh token.",
            answer: Schema.answer(
                [
                    .text("id_token", "The ID token of the session."), .text("access_token", "The same as `id_token`."),
                    .number("expires_in", "The lifetime of the ID token, in seconds."),
                    .text("refresh_token", "The refresh token of the session."), .tokenType,
                    .text("user_id", "The user's id."), .text("project_id", "The project's number."),
                ], optional: [.broker])
        ).taking(RefreshBody.body).with { $0.body = .jsonOrForm(RefreshBody.body.schema) },
        app(
            "/v2/accounts:revokeToken", "revokeProviderToken", "Revokes a user's grant at a provider.",
            answer: Schema.answer()
        ).taking(RevokeTokenBody.body),
        app(
            "/v1/broker/credentials:exchange", "exchangeCredential",
            "Exchanges the authorization response of a sign-in for a pending token.",
            answer: Schema.reference("SignIn")
        ).taking(SignInWithIdpBody.exchange),
        app(
            "/v1/broker/devices:bootstrap", "bootstrapDevice", "Signs the user of a device in.",
            answer: Schema.reference("SignIn")
        ).taking(BootstrapDeviceBody.body),
        app(
            "/v1/broker/sessions:signOut", "signOut", "Ends the session of an ID token.", answer: Schema.answer()
        ).taking(IDTokenBody.body),
        app(
            "/v1/broker/sessions:signOutAll", "signOutAll", "Ends all sessions of the user of an ID token.",
            answer: Schema.answer()
        ).taking(IDTokenBody.body),
        administrator(
            .post, "/v1/broker/users/{localId}/providers/{providerId}:token", "readProviderToken",
            "Returns an access token that a user has granted.", .readProviderTokens, answer: providerToken
        ).taking(ScopesBody.body),
        OpenAPIOperation(
            .post, "/v1/broker/providers/{providerId}/notifications", "receiveNotification",
            "Receives a signed message of a provider.", answer: Schema.answer()
        ).with {
            ($0.body, $0.example) = (.json(Schema.anyObject), ["payload": "<signed message>"])
            $0.furtherStatuses = [404, 429]
        },
    ]

    /// Contract §2.12: refused in the envelope.
    private static let outOfScope: [OpenAPIOperation] = {
        let summary = "Is refused: users sign in through providers only."
        let accounts = ProjectRoutes.outOfScope.map { ("/v1/accounts:\($0.name)", $0.name) }
        let factors = ProjectRoutes.outOfScopeV2.map { path in
            let words = (path.split(separator: "/").last ?? "").split(separator: ":")
            return (path, String(words.first ?? "") + joined(Array(words.dropFirst())))
        }
        let methods = (accounts + factors).map { path, id in
            app(path, id, summary, answer: Schema.anyObject).with {
                ($0.body, $0.example) = (.json(Schema.anyObject), [:])
            }
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
            .text("recaptchaKey", "A key that SDKs need and nothing uses."),
            .list("recaptchaEnforcementState", of: Schema.anyObject, "Empty."),
        ])
    ).with { $0.access = .apiKey }
}
