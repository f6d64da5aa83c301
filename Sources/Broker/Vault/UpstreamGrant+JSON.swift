import BrokerStore
import ProviderKit

extension UpstreamGrant {
    /// The grant as JSON, tokens included: to be sealed.
    var sealable: JSONObject {
        var object = JSONObject([("clientID", .string(clientID)), ("accessToken", .string(accessToken))])
        object["refreshToken"] = refreshToken.map(JSONValue.string)
        object["idToken"] = idToken.map(JSONValue.string)
        object["scopes"] = .array(scopes.map(JSONValue.string))
        object["expiresAt"] = expiresAt.map { .integer(Timestamp($0).milliseconds) }
        return object
    }

    /// Reads what ``sealable`` wrote; `nil` for anything else.
    init?(sealed value: JSONValue) {
        guard let clientID = value["clientID"]?.string, let accessToken = value["accessToken"]?.string else {
            return nil
        }
        self.init(
            clientID: clientID, accessToken: accessToken, refreshToken: value["refreshToken"]?.string,
            idToken: value["idToken"]?.string, scopes: value["scopes"]?.array?.compactMap(\.string) ?? [],
            expiresAt: (value["expiresAt"]?.integer).map { Timestamp(milliseconds: $0).date })
    }
}
