import JOSE
import ProviderKit

/// The tokens of a provider that an app sends, as one text: the broker takes printable tokens only, and an app may send
/// JSON.
struct EmulatedCredential: Sendable {
    let idToken: String?
    let accessToken: String?

    init(idToken: String?, accessToken: String?) {
        self.idToken = idToken
        self.accessToken = accessToken
    }

    /// The credential behind ``text``; nil for anything else.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), let object = (try? JSONValue(parsing: bytes))?.object else {
            return nil
        }
        self.init(idToken: object["idToken"]?.string, accessToken: object["accessToken"]?.string)
    }

    var text: String {
        var object = JSONObject()
        object["idToken"] = idToken.map(JSONValue.string)
        object["accessToken"] = accessToken.map(JSONValue.string)
        return Base64URL.encode(object.serializedBytes())
    }

    /// The claims of the ID token, else those of the access token. Nothing is verified.
    var claims: JSONObject? {
        idToken.flatMap(UnsignedToken.claims) ?? accessToken.flatMap(UnsignedToken.claims)
    }
}
