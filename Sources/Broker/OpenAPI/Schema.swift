import BrokerStore
import ProviderKit

/// The JSON Schemas (draft 2020-12) of the OpenAPI document.
enum Schema {
    static let string: JSONValue = ["type": "string"]
    static let boolean: JSONValue = ["type": "boolean"]
    static let anyObject: JSONValue = ["type": "object"]

    static func array(of items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// An answer: it has no other members.
    static func answer(_ required: [Member] = [], optional: [Member] = [], further: [UserField] = []) -> JSONValue {
        var schema = open(required, optional: optional, further: further)
        schema["additionalProperties"] = false
        return .object(schema)
    }

    /// An object that may have other members.
    static func open(_ required: [Member], optional: [Member] = [], further: [UserField] = []) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        let all = required + optional + further.map(Member.init)
        if !all.isEmpty { schema["properties"] = .object(JSONObject(all.map { ($0.name, .object($0.schema)) })) }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        return schema
    }

    /// A form; unknown parameters are passed over.
    static func form(_ parameters: [DeclaredParameter]) -> JSONValue {
        var properties = JSONObject()
        for parameter in parameters where properties[parameter.name] == nil {
            properties[parameter.name] = .object(described(parameter))
        }
        var schema: JSONObject = ["type": "object"]
        if !properties.isEmpty { schema["properties"] = .object(properties) }
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return .object(schema)
    }

    /// A parameter object (OpenAPI 3.1 §4.8.12).
    static func parameter(_ parameter: DeclaredParameter, in place: String) -> JSONValue {
        var object: JSONObject = [
            "name": .string(parameter.name), "in": .string(place), "description": .string(parameter.text),
            "required": .bool(parameter.isRequired), "schema": .object(parameter.schema),
        ]
        object["example"] = parameter.example.map(JSONValue.string)
        return .object(object)
    }

    private static func described(_ parameter: DeclaredParameter) -> JSONObject {
        var schema = parameter.schema
        schema["description"] = .string(parameter.text)
        return schema
    }

    /// The fields of users that an answer may lack.
    private static let optionalFields = UserField.all.filter { !["localId", "createdAt"].contains($0.name) }

    /// The fields of users that each answer has.
    private static let requiredFields = UserField.all.filter { ["localId", "createdAt"].contains($0.name) }
        .map(Member.init)

    /// A document with claims; custom claims may stand beside them.
    static func claims(
        of document: SessionClaim.Document, _ required: Set<String> = [], with further: [Member] = []
    ) -> JSONValue {
        let claims = SessionClaim.all.filter { $0.documents.contains(document) }
        var properties = JSONObject(further.map { ($0.name, .object($0.schema)) })
        for claim in claims { properties[claim.name] = property(claim) }
        return [
            "type": "object", "properties": .object(properties),
            "required": .array(properties.names.filter(required.contains).map(JSONValue.string)),
        ]
    }

    private static func property(_ claim: SessionClaim) -> JSONValue {
        let schema: JSONObject =
            switch claim.kind {
            case .text: ["type": "string"]
            case .integer: ["type": "integer"]
            case .flag: ["type": "boolean"]
            case .texts: ["type": "array", "items": string]
            case .object: ["type": "object"]
            }
        var property = schema
        property["description"] = .string(claim.text)
        return .object(property)
    }
}

extension Schema {
    /// The schemas that several operations name.
    static let components: JSONObject = [
        "Error": answer([.value("error", error, "What was wrong.")]),
        "OAuthError": answer(optional: [
            .text("error", "The code (RFC 6749 §5.2)."), .text("error_description", "The text for developers."),
            .texts("providers", "The providers that the user has already signed in with."),
            .text("pending_token", "Stands for the credential in a later request."),
            .text("merge_token", "Redeems tokens of the user that remains after a merge."),
        ]),
        "User": user,
        "Account": account,
        "ProviderUserInfo": answer(identity.required, optional: identity.optional),
        "Broker": broker,
        "SignIn": signIn,
        "Keys": answer([.list("keys", of: .object(key), "The keys (RFC 7517 §5).")]),
        "Certificates": ["type": "object", "additionalProperties": string],
    ]

    private static let error = answer(
        [
            .integer("code", "The HTTP status."),
            .text("message", "The stable code, ` : ` and a text; either may be absent."),
            .list("errors", of: errorDetail, "The same with its reason."),
        ], optional: [.text("status", "Google's canonical status; absent for business errors.")])

    private static let errorDetail = answer(
        [.message, .text("reason", "The reason, in Google's words.")],
        optional: [
            .text("domain", "`global`."), .text("location", "The header that was wrong."),
            .text("locationType", "`header`."),
        ])

    private static let key = open(
        [
            .text("kty", "The key type (RFC 7517 §4.1)."), .text("kid", "The key's id."),
            .text("alg", "The signature algorithm."), .constant("use", "sig", "The key verifies signatures."),
        ],
        optional: [
            .text("n", "The RSA modulus."), .text("e", "The RSA exponent."), .text("crv", "The curve."),
            .text("x", "The x coordinate, or the key of Ed25519."), .text("y", "The y coordinate."),
        ])

    private static let user = answer(
        requiredFields, optional: [.providerUserInfo, .broker], further: optionalFields)

    /// A user record for the user's own app.
    private static let account = answer(
        [.kind, .list("providerUserInfo", of: ownIdentity, "The user's identities.")] + requiredFields,
        optional: [.broker], further: optionalFields)

    private static let ownIdentity = answer(
        identity.required + [rawUserInfo], optional: identity.optional)

    private static let rawUserInfo = Member.text("rawUserInfo", "The provider's profile, as JSON text.")

    /// The members of an identity.
    private static let identity: (required: [Member], optional: [Member]) = (
        [.providerID, .rawID],
        [
            .federatedID, .displayName, .photoURL, .email, .screenName,
            .value(
                "broker", answer(optional: [anonymous]),
                "What no API of Firebase has a name for."),
        ]
    )

    private static let anonymous = Member.presence("anonymous", "No provider knows more than a device.")

    /// The values that no API of Firebase has a name for.
    private static let broker = answer(optional: [
        .text("localId", "The id that was asked for, of a user who was merged."),
        .text("mergedInto", "The id of the user who remains."),
        .texts("mergedFrom", "The ids of users who were merged into this one."),
        .texts("unmerged", "The ids of users who were taken apart from this one."),
        .presence("promoted", "The anonymous user now has an identity."),
        .list(
            "withdrawals",
            of: answer(
                [.providerID, .text("state", "What has become of the grant.")],
                optional: [.text("receipt", "Asks for the outcome of a withdrawal that is queued.")]),
            "What becomes of grants at their providers."),
        anonymous, .value("login", login, "The login of the session."),
        .list("sessions", of: login, "The logins of the user's sessions."),
        .texts("claimsLeftOutOfOpenID", "Custom claims whose names OpenID Connect tokens do not take."),
        .value(
            "reports", anyObject, "What providers have reported about the user's identities since the last sign-in."),
        .value(
            "grants", anyObject,
            "The stored grants by provider: `state` is `valid`, `expired` or `refused`. `users.show` alone has them."),
    ])

    /// What a session's tokens say of its login.
    private static let login = claims(of: .login, ["sid", "auth_time", "idp"])

    /// Contract §2.2.
    private static let signIn = answer(
        [
            .kind, .providerID, .federatedID, .emailVerified, rawUserInfo,
        ],
        optional: [
            .text("context", "The `context` of `createAuthUri`."), .localID, .email, .displayName,
            .text("fullName", "The same as `displayName`."), .text("firstName", "The given name."),
            .text("lastName", "The family name."), .screenName, .photoURL,
            .text("oauthAccessToken", "The provider's access token, where the app gets it."),
            .text("oauthIdToken", "The provider's ID token, where the app gets it."), .pendingToken,
            .idToken, .refreshToken, .expiresIn, .presence("isNewUser", "The sign-in created the user."),
            .presence("needConfirmation", "Another user has the address: the user must sign in there first."),
            .presence("emailRecycled", "The provider has given the address to another person."),
            .texts("verifiedProvider", "The providers of the user who has the address."),
            .text("errorMessage", "The conflict of a link with `returnIdpCredential`."),
            .text("deviceSecret", "The secret of the device, when it is issued."), .broker,
        ])
}
