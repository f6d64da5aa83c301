import BrokerStore
import ProviderKit

/// The JSON Schemas (draft 2020-12) of the OpenAPI document.
enum Schema {
    static let string: JSONValue = ["type": "string"]
    static let boolean: JSONValue = ["type": "boolean"]
    static let integer: JSONValue = ["type": "integer"]
    static let strings = array(of: string)
    static let anyObject: JSONValue = ["type": "object"]
    /// A 64-bit number as text (contract §0).
    static let number: JSONValue = ["type": "string", "pattern": "^-?[0-9]+$"]

    static let moment: JSONValue = ["type": "string", "format": "date-time"]

    static func array(of items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    static func constant(_ text: String) -> JSONValue { ["const": .string(text)] }

    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// An answer: it has no other members.
    static func answer(
        _ required: KeyValuePairs<String, JSONValue>, optional: KeyValuePairs<String, JSONValue> = [:],
        further: [UserField] = []
    ) -> JSONValue {
        var schema = members(required.map { $0 }, optional.map { $0 } + further.map(member))
        schema["additionalProperties"] = false
        return .object(schema)
    }

    /// A request: unknown members are passed over.
    static func request(
        _ required: KeyValuePairs<String, JSONValue> = [:], optional: KeyValuePairs<String, JSONValue> = [:],
        further: [UserField] = []
    ) -> JSONValue {
        .object(members(required.map { $0 }, optional.map { $0 } + further.map(member)))
    }

    /// A field of users that a table declares.
    private static func member(_ field: UserField) -> (key: String, value: JSONValue) {
        let schema =
            switch field.form {
            case .text: string
            case .flag: boolean
            case .integer: number
            case .time: field.name == "lastRefreshAt" ? moment : number
            }
        return (field.name, schema)
    }

    /// The fields of users that an answer may lack.
    private static let optionalFields = UserField.all.filter { !["localId", "createdAt"].contains($0.name) }

    private static func members(
        _ required: [(key: String, value: JSONValue)], _ optional: [(key: String, value: JSONValue)]
    ) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        let all = JSONObject((required + optional).map { ($0.key, $0.value) })
        if !all.isEmpty { schema["properties"] = .object(all) }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.key) }) }
        return schema
    }

    /// A document with claims; custom claims may stand beside them.
    static func claims(
        of document: SessionClaim.Document, _ required: Set<String> = [], with further: JSONObject = JSONObject()
    ) -> JSONValue {
        let claims = SessionClaim.all.filter { $0.documents.contains(document) }
        var properties = further
        for claim in claims { properties[claim.name] = property(claim) }
        return [
            "type": "object", "properties": .object(properties),
            "required": .array(properties.names.filter(required.contains).map(JSONValue.string)),
        ]
    }

    private static func property(_ claim: SessionClaim) -> JSONValue {
        let schema =
            switch claim.kind {
            case .text: string
            case .integer: integer
            case .flag: boolean
            case .texts: strings
            case .object: anyObject
            }
        var property = schema.object ?? JSONObject()
        property["description"] = .string(claim.text)
        return .object(property)
    }

    /// A query parameter.
    static func query(_ name: String, _ schema: JSONValue = string, required: Bool = false) -> JSONValue {
        ["name": .string(name), "in": "query", "required": .bool(required), "schema": schema]
    }
}

extension Schema {
    /// The schemas that several operations name.
    static let components: JSONObject = [
        "Error": answer(["error": error]),
        "OAuthError": answer(
            [:],
            optional: [
                "error": string, "error_description": string, "providers": strings, "pending_token": string,
                "merge_token": string,
            ]),
        "User": user,
        "Account": account,
        "ProviderUserInfo": answer(
            ["providerId": string, "rawId": string],
            optional: [
                "federatedId": string, "displayName": string, "photoUrl": string, "email": string, "screenName": string,
                "broker": linkedBroker,
            ]),
        "Broker": broker,
        "SignIn": signIn,
        "Keys": answer(["keys": array(of: key)]),
        "Certificates": ["type": "object", "additionalProperties": string],
    ]

    private static let error = answer(
        ["code": integer, "message": string, "errors": array(of: errorDetail)], optional: ["status": string])

    private static let errorDetail = answer(
        ["message": string, "reason": string],
        optional: ["domain": string, "location": string, "locationType": string])

    private static let key = request(
        ["kty": string, "kid": string, "alg": string, "use": constant("sig")],
        optional: ["n": string, "e": string, "crv": string, "x": string, "y": string])

    private static let user = answer(
        ["localId": string, "createdAt": number],
        optional: [
            "providerUserInfo": array(of: reference("ProviderUserInfo")), "broker": reference("Broker"),
        ], further: optionalFields)

    /// A user record for the user's own app.
    private static let account = answer(
        [
            "kind": string, "localId": string, "createdAt": number,
            "providerUserInfo": array(
                of: answer(
                    ["providerId": string, "rawId": string, "rawUserInfo": string],
                    optional: [
                        "federatedId": string, "displayName": string, "photoUrl": string, "email": string,
                        "screenName": string, "broker": linkedBroker,
                    ])),
        ],
        optional: ["broker": reference("Broker")], further: optionalFields)

    /// The values that no API of Firebase has a name for.
    private static let broker = answer(
        [:],
        optional: [
            "localId": string, "mergedInto": string, "mergedFrom": strings, "unmerged": strings,
            "promoted": constantTrue,
            "withdrawals": array(of: answer(["providerId": string, "state": string], optional: ["receipt": string])),
            "anonymous": constantTrue, "login": login, "sessions": array(of: login),
            "claimsLeftOutOfOpenID": strings, "reports": anyObject,
        ])

    /// What a session's tokens say of its login.
    private static let login = claims(of: .login, ["sid", "auth_time", "idp"])

    /// The same of an identity.
    private static let linkedBroker = answer([:], optional: ["anonymous": constantTrue])

    static let constantTrue: JSONValue = ["const": true]

    /// The members of an answer with tokens.
    static let tokens: KeyValuePairs<String, JSONValue> = [
        "idToken": string, "refreshToken": string, "expiresIn": number,
    ]

    /// Contract §2.2.
    private static let signIn = answer(
        [
            "kind": string, "providerId": string, "federatedId": string, "emailVerified": boolean,
            "rawUserInfo": string,
        ],
        optional: [
            "context": string, "localId": string, "email": string, "displayName": string, "fullName": string,
            "firstName": string, "lastName": string, "screenName": string, "photoUrl": string,
            "oauthAccessToken": string, "oauthIdToken": string, "pendingToken": string, "idToken": string,
            "refreshToken": string, "expiresIn": number, "isNewUser": constantTrue, "needConfirmation": constantTrue,
            "emailRecycled": constantTrue, "verifiedProvider": strings, "errorMessage": string, "deviceSecret": string,
            "broker": reference("Broker"),
        ])
}
