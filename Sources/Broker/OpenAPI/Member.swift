import BrokerStore
import ProviderKit

/// A member of answers, with the text that all answers share.
struct Member: Sendable {
    let name: String
    let schema: JSONObject

    private init(_ name: String, _ schema: JSONObject, _ text: String) {
        self.name = name
        var schema = schema
        schema["description"] = .string(text)
        self.schema = schema
    }

    /// A field of users that a table declares.
    init(_ field: UserField) {
        name = field.name
        schema = UserFieldSchema.of(field)
    }

    static func text(_ name: String, _ text: String) -> Member { Member(name, ["type": "string"], text) }
    static func texts(_ name: String, _ text: String) -> Member {
        Member(name, ["type": "array", "items": Schema.string], text)
    }
    static func flag(_ name: String, _ text: String) -> Member { Member(name, ["type": "boolean"], text) }
    /// A flag that is absent where it is false: SDKs check for its presence.
    static func presence(_ name: String, _ text: String) -> Member { Member(name, ["const": true], text) }
    static func integer(_ name: String, _ text: String) -> Member { Member(name, ["type": "integer"], text) }
    /// A 64-bit number as text (contract §0).
    static func number(_ name: String, _ text: String) -> Member {
        Member(name, ["type": "string", "pattern": "^-?[0-9]+$"], text)
    }
    static func moment(_ name: String, _ text: String) -> Member {
        Member(name, ["type": "string", "format": "date-time"], text)
    }
    static func constant(_ name: String, _ value: String, _ text: String) -> Member {
        Member(name, ["const": .string(value)], text)
    }
    static func value(_ name: String, _ schema: JSONValue, _ text: String) -> Member {
        Member(name, schema.object ?? [:], text)
    }
    static func list(_ name: String, of items: JSONValue, _ text: String) -> Member {
        Member(name, ["type": "array", "items": items], text)
    }
}

/// The members that several answers have.
extension Member {
    static let kind = text("kind", "The kind of the answer, which SDKs check.")
    static let localID = text("localId", "The user's id.")
    static let email = text("email", "The user's e-mail address.")
    static let emailVerified = flag("emailVerified", "Whether the user has proven the address.")
    static let displayName = text("displayName", "The name that is shown.")
    static let photoURL = text("photoUrl", "The URL of the user's picture.")
    static let screenName = text("screenName", "The user's name at the provider.")
    static let providerID = text("providerId", "The provider's id.")
    static let rawID = text("rawId", "The user's permanent id at the provider.")
    static let federatedID = text("federatedId", "The user's id at the provider, as SDKs show it.")
    static let broker = value("broker", Schema.reference("Broker"), "What no API of Firebase has a name for.")

    static let idToken = text("idToken", "The ID token of the session.")
    static let refreshToken = text("refreshToken", "The refresh token of the session.")
    static let expiresIn = number("expiresIn", "The lifetime of the ID token, in seconds.")
    /// Those of an answer with tokens.
    static let tokens = [idToken, refreshToken, expiresIn]

    static let pendingToken = text(
        "pendingToken", "Stands for the credential in a later request, for clients that the provider answers once.")
    static let nextPageToken = text("nextPageToken", "The token of the next page; absent after the last one.")
    static let providerUserInfo = list(
        "providerUserInfo", of: Schema.reference("ProviderUserInfo"), "The user's identities.")
    static let code = text("code", "The stable code.")
    static let message = text("message", "The text for developers.")
    static let index = integer("index", "The place in the request, from 0.")

    static let accessToken = text("access_token", "The access token.")
    static let tokenType = constant("token_type", "Bearer", "The type of the access token.")
    static let expiresInSeconds = integer("expires_in", "The lifetime in seconds.")
    static let scope = text("scope", "The scopes that were granted, separated by spaces.")
}
