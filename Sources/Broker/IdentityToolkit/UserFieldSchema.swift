import BrokerStore
import ProviderKit

/// The schemas and texts of the OpenAPI document for the fields of users that the table declares.
enum UserFieldSchema {
    /// The schema of a field, with its text.
    static func of(_ field: UserField) -> JSONObject {
        var schema: JSONObject =
            switch field.form {
            case .text: ["type": "string"]
            case .flag: ["type": "boolean"]
            case .time where field.name == "lastRefreshAt": ["type": "string", "format": "date-time"]
            // A 64-bit number as text (contract §0).
            case .integer, .time: ["type": "string", "pattern": "^-?[0-9]+$"]
            }
        schema["description"] = .string(text(of: field))
        return schema
    }

    static func text(of field: UserField) -> String { texts[field.name] ?? "" }

    private static let texts = [
        "localId": "The user's id.",
        "email": "The user's e-mail address.",
        "emailVerified": "Whether the user has proven the address.",
        "displayName": "The name that is shown.",
        "photoUrl": "The URL of the user's picture.",
        "screenName": "The user's name at the provider.",
        "disabled": "Whether the user is disabled and cannot sign in.",
        "customAttributes": "The custom claims, which the user's tokens have: a JSON object as text.",
        "customAuth": "Whether the user has signed in with a custom token.",
        "initialEmail": "The first address that the user had.",
        "createdAt": "When the user was created, in milliseconds since 1970.",
        "lastLoginAt": "When the user last signed in, in milliseconds since 1970.",
        "lastRefreshAt": "When a token of the user was last refreshed.",
        "validSince": "The seconds since 1970 before which no token is valid.",
    ]
}
