extension TableDefinition {
    package static let sessions = TableDefinition(
        "sessions", record: "Session",
        "One sign-in of a user and the refresh tokens that descend from it; updated in place.",
        uniques: [.columns("id")],
        indexes: [
            .index("sessions_of_client", "client_id", where: "client_id IS NOT NULL"),
            .index("sessions_of_parent", "parent_id", where: "parent_id IS NOT NULL"),
            .index("sessions_of_user", "user_key, revoked_at, key"),
        ],
        // Those of a proven merge become the remaining user's before the others end.
        ownership: .rows(
            of: .user("user_key"), merge: .end, undo: .end, export: .leaveOut, snapshot: .leaveOut, deletion: .end),
        fields: [
            .key(),
            .text("id", comment: "Random; part of the refresh token and of the tokens' `sid`."),
            .reference("user_key", to: "users"),
            .text("sign_in_provider"),
            .integer("generation", initial: "0", comment: "Which refresh token is the current one."),
            .integer("auth_time", comment: "The time of the user's authentication, in whole seconds since 1970."),
            .time("created_at"),
            .time(
                "rotated_at", .optional,
                comment: "The time of the last increment of ``generation``; nil before the first."),
            .text("claims", .optional, comment: "Claims of a custom token, a JSON object as text."),
            .integer(
                "epoch", comment: "The user's epoch at the session's start. A session of an earlier epoch is invalid."),
            .time("revoked_at", .optional),
            .text("revoked_reason", .optional),
            .choice("family", of: "Family", null: "identityToolkit"),
            .text("client_id", .optional, comment: "The OAuth client it belongs to."),
            .text("scope", .optional, comment: "The scope it was granted (RFC 6749 §3.3)."),
            .text(
                "amr", .optional, as: "authenticationMethods",
                comment: "The authentication methods (RFC 8176), separated by spaces."),
            .text("parent_id", .optional, comment: "The session of the hosted pages it came from."),
            .time(
                "last_used_at", .optional,
                comment: "The time of the last use, to the hour where nothing else is written; nil before the first."),
            .text(
                "user_agent", .optional,
                comment: "`User-Agent` of the client that began it, or of its browser's latest visit."),
            .text("address", .optional, comment: "IP address of the same request; removed 30 days after it."),
            .text(
                "acr", .optional,
                comment: "The authentication context class (`acr`) that the client requested and the login satisfied."),
            .integer(
                "identity_key", .optional,
                comment: "The user's identity it began with, unless that was anonymous at the time."),
            .time(
                "merged_at", .optional,
                comment: "The time at which a merge gave it to its user. The user it has now has not logged in by it."),
            .text(
                "merged_from", .optional,
                comment: """
                    The absorbed user by whose local id the session's client knows it, from a merge until the client has \
                    redeemed a merge token. Until then ``epoch`` is negative, so that nothing else takes the session as live.
                    """),
        ])

    package static let pendingTokens = TableDefinition(
        "pending_tokens", record: "PendingToken",
        """
        Verified evidence that began no session, for one later use. The store contains the token's hash and the sealed evidence, so a copy of it \
        contains nothing usable.
        """,
        uniques: [.columns("token_hash")], indexes: [.index("pending_tokens_expires_at", "expires_at")],
        // The user is the only one it is valid for, in an epoch that a merge and an undo end.
        ownership: .rows(
            of: .user("user_key"), merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut, deletion: .keep),
        fields: [
            .key(),
            .blob("token_hash", comment: "SHA-256 of the token."),
            .sealed(
                "sealed_evidence",
                by: SealDefinition("pending-token/v1", [.literal("pending_tokens"), .base64URL("token_hash")])),
            .time("created_at", comment: "The time of the provider's verification."),
            .time("expires_at"),
            .column("consumed_at", .integer, .optional),
            .integer(
                "auth_time", .optional,
                comment: """
                    The time of the user's authentication at the provider, in whole seconds since 1970; nil in rows of
                    brokers of schema 18 and before.
                    """),
            .group(
                "binding", of: "Binding", comment: "The session, user and identity that a token is bound to.",
                [
                    .integer("user_key", comment: "The only user it is valid for."),
                    .integer("epoch", comment: "The user's epoch at that time."),
                    .integer("identity_key", comment: "The verified identity."),
                    .text("session_id", comment: "The session the token came with."),
                ]),
        ])

    package static let signInAttempts = TableDefinition(
        "sign_in_attempts", record: "SignInAttemptRow",
        """
        An authorization request to a provider. The store contains only hashes and sealed bytes, so a copy of it cannot \
        finish a sign-in.
        """,
        uniques: [.columns("state_hash")],
        indexes: [
            .index("sign_in_attempts_expires_at", "expires_at"),
            .index("sign_in_attempts_handle_hash", "handle_hash"),
            .index("sign_in_attempts_requester", "requester, key"),
        ],
        ownership: .noUser,
        fields: [
            .key(),
            .blob("state_hash", comment: "SHA-256 of the `state` the provider sends back."),
            .text("purpose", comment: "The flow's name."),
            .text("provider", comment: "The provider the browser was sent to, which is the only one that may answer."),
            .blob(
                "binding_hash",
                comment: "SHA-256 of the secret that finishes it: a cookie's value, or an app's session id."),
            .sealed(
                "sealed_request",
                by: SealDefinition(
                    "sign-in-attempt/v1",
                    [.literal("sign_in_attempts"), .literal("content/2"), .base64URL("state_hash")]),
                comment: "The verifier, the nonce and what is to happen afterwards."),
            .column("handle_hash", .blob, .optional),
            .column(
                "sealed_response", .blob, .optional,
                sealedBy: SealDefinition(
                    "sign-in-attempt/v1",
                    [.literal("sign_in_attempts"), .literal("response"), .base64URL("handle_hash")])),
            .time("created_at"),
            .time("expires_at"),
            .column("consumed_at", .integer, .optional),
            .text("requester", initial: "\"\"", comment: "The requester whose limit it counts against."),
        ])

    package static let usedIDTokens = TableDefinition(
        "used_id_tokens", record: "UsedIDToken",
        "A consumed single-use token that has no other row: an ID token, or the pending token of a sign-in.",
        // A walk in the order of the hashes finds the expired ones: an index on their expiry would be written with every
        // sign-in.
        key: ["token_hash"],
        ownership: .rows(
            of: .localID("local_id"), merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut,
            deletion: .keep),
        fields: [
            .key(comment: "Brokers of schema 44 and before remove rows by it."),
            .blob(
                "token_hash",
                comment: "SHA-256 of what was signed; the signature itself may have several spellings."),
            .text("local_id", comment: "The user who signed in with it."),
            .time("used_at"),
            .time("expires_at", comment: "The time from which on its verification fails."),
        ])

    package static let clients = TableDefinition(
        "clients", record: "Client", "A registered client of the broker as OpenID Provider (RFC 6749 §2).",
        uniques: [.columns("id")], ownership: .noUser,
        fields: [
            .key(),
            .text("id", comment: "The `client_id`: random, public."),
            .choice("type", of: "Kind", as: "kind"),
            .text("name", comment: "The name for users."),
            .words(
                "redirect_uris",
                comment: "The redirect URIs for codes, in the order of their registration. None contains a space."),
            .words("post_logout_redirect_uris", initial: "[]", comment: "The redirect URIs after sign-out."),
            .choice(
                "id_token_algorithm", of: "Algorithm", as: "algorithm", initial: ".es256",
                comment: "The signature algorithm of its tokens."),
            .blob(
                "secret_hash", .optional, comment: "SHA-256 of its secret; confidential clients alone have one."),
            .group(
                "previousSecret", of: "PreviousSecret",
                comment: "The hash of a previous secret that is still valid beside its successor.",
                [.blob("previous_secret_hash", as: "hash"), .time("previous_secret_until", as: "until")]),
            .time("created_at"),
            .choice("pkce", of: "PKCE", null: "required"),
            .flag(
                "provider_tokens", as: "receivesProviderTokens", initial: "false",
                comment: "Whether it gets the access token of the user's provider with its own."),
            .group(
                "backChannelLogout", of: "BackChannelLogout",
                comment: "The URL and the form of its logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.2).",
                [
                    .text("backchannel_logout_uri", as: "uri"),
                    .flag(
                        "backchannel_logout_session_required", as: "requiresSession", initial: "false",
                        comment: "Whether the client requires `sid` in logout tokens; they always have it."),
                ]),
            .flag(
                "first_party", as: "isFirstParty", initial: "false",
                comment: """
                    Whether it is the operator's own app: it gets the users' custom claims without asking, and its sessions go \
                    on after a merge.
                    """),
            .text("home_url", .optional, comment: "Its start page, where error pages lead."),
            .text("terms_url", .optional),
            .text("privacy_url", .optional),
            .text("support_url", .optional),
            .text("logo", .optional, comment: "The name of its logo in `client_logos`."),
            .text("logo_dark", .optional, comment: "The same on dark pages; without it `logo`."),
        ])

    package static let clientLogos = TableDefinition(
        "client_logos", record: "ClientLogo",
        "The content of a client's logo, apart from the client, which is read much more often.",
        key: ["client_key", "name"], ownership: .noUser,
        fields: [
            .reference("client_key", to: "clients"),
            .text(
                "name",
                comment: "SHA-256 of the content in hexadecimal, and its format: another content has another name."),
            .blob("content", comment: "An SVG or a PNG that was checked and written anew."),
        ])

    package static let authorizationCodes = TableDefinition(
        "authorization_codes", record: "AuthorizationCode",
        """
        A code on its way from the broker through a browser to the client that exchanges it for tokens (RFC 6749 §4.1.2).
        """,
        uniques: [.columns("code_hash")], indexes: [.index("authorization_codes_expires_at", "expires_at")],
        ownership: .rows(
            of: .user("user_key"), merge: .drop, undo: .keep, export: .leaveOut, snapshot: .leaveOut, deletion: .drop),
        fields: [
            .key(),
            .blob("code_hash", comment: "SHA-256 of the code."),
            .text("client_id"),
            .text("redirect_uri", comment: "The redirect URI of the code, which the client repeats."),
            .text(
                "code_challenge", comment: "S256 of the client's verifier (RFC 7636 §4.2), or ``noChallenge``."),
            .text("scope"),
            .text("nonce", .optional, comment: "For the ID token."),
            .reference("user_key", to: "users"),
            .integer(
                "epoch", comment: "The user's epoch at the code's creation. A code of an earlier epoch is invalid."),
            .text("provider", comment: "The provider that authenticated the user."),
            .integer("auth_time", comment: "The time of the authentication, in whole seconds since 1970."),
            .text(
                "amr", as: "authenticationMethods",
                comment: "The authentication methods (RFC 8176), separated by spaces."),
            .text(
                "session_id",
                comment: """
                    The id of the session that the exchange will begin: known before, so that a second exchange can end it.
                    """),
            .text("parent_id", .optional, comment: "The session of the hosted pages it came from."),
            .time("created_at"),
            .time("expires_at"),
            .column("consumed_at", .integer, .optional),
            .text(
                "acr", .optional,
                comment: "The authentication context class (`acr`) that the client requested and the login satisfied."),
        ])

    package static let deviceAuthorizations = TableDefinition(
        "device_authorizations", record: "DeviceAuthorizationRow",
        """
        A device authorization of a client or a terminal (RFC 8628). The store contains only hashes and sealed bytes.
        """,
        uniques: [.columns("device_code_hash"), .columns("user_code_hash")],
        indexes: [
            .index("device_authorizations_expires_at", "expires_at"),
            .index("device_authorizations_requester", "requester, key"),
        ],
        // An approval of an earlier epoch, or of a user who is gone, is invalid.
        ownership: .rows(
            of: .user("user_key"), merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut, deletion: .keep),
        fields: [
            .key(),
            .blob("device_code_hash", comment: "SHA-256 of what the device polls with."),
            .blob(
                "user_code_hash",
                comment: "A keyed hash of the user code, because a plain hash of a short code can be reversed."),
            .choice("purpose", of: "Purpose"),
            .text("party", comment: "The client's id, or the id of the provider for a terminal's sign-in."),
            .text("scope", comment: "The requested scope (RFC 6749 §3.3); empty for a terminal."),
            .sealed(
                "sealed_request", .optional,
                by: SealDefinition(
                    "device-authorization/v1",
                    [.literal("device_authorizations"), .literal("request"), .base64URL("device_code_hash")]),
                comment: "The sealed request of a terminal."),
            .time("created_at"),
            .time("expires_at"),
            .integer("poll_interval", comment: "Seconds between polls; grows when the device comes too early."),
            .time("last_polled_at", .optional, comment: "The last recorded poll; nil before the first."),
            .flag(
                "polled_early", as: "wasPolledEarly", initial: "false",
                comment: "Whether the last recorded poll was too early."),
            .choice("decision", of: "Decision", .optional),
            .group(
                "approval", of: "Approval",
                comment: "The user who approved a client's device, with the authentication.",
                [
                    .integer("user_key"),
                    .integer(
                        "epoch",
                        comment: "The user's epoch at the approval; an approval of an earlier epoch is invalid."),
                    .text("provider", comment: "The provider that authenticated the user."),
                    .integer("auth_time", comment: "The time of the authentication, in whole seconds since 1970."),
                    .text(
                        "amr", as: "authenticationMethods",
                        comment: "The authentication methods (RFC 8176), separated by spaces."),
                    .text("parent_id", comment: "The session of the hosted pages in which it was decided."),
                ]),
            .sealed(
                "sealed_outcome", .optional,
                by: SealDefinition(
                    "device-authorization/v1",
                    [.literal("device_authorizations"), .literal("outcome"), .base64URL("device_code_hash")]),
                comment: "The sealed result for a terminal."),
            .column("consumed_at", .integer, .optional),
            .text(
                "requester", initial: "\"\"", comment: "The requester whose limit it counts against; written once."),
        ])
}
