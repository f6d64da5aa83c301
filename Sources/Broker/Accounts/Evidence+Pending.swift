import BrokerStore
import Foundation
import ProviderKit

/// Evidence as it waits, sealed, behind a pending token: everything that was proven, to be decided on once more.
extension Evidence {
    /// The evidence as JSON text.
    var pendingText: String {
        var object = JSONObject([
            ("provider", .string(key.provider)), ("issuer", .string(key.issuer)), ("subject", .string(key.subject)),
            ("profile", .string(profile)),
        ])
        object["email"] = (email?.address.value).map(JSONValue.string)
        object["emailVerified"] = email.map { .bool($0.isVerified) }
        object["emailRelay"] = email.map { .bool($0.isRelay) }
        object["displayName"] = displayName.map(JSONValue.string)
        object["givenName"] = givenName.map(JSONValue.string)
        object["familyName"] = familyName.map(JSONValue.string)
        object["screenName"] = screenName.map(JSONValue.string)
        object["photoURL"] = photoURL.map(JSONValue.string)
        object["merge"] = merge.map { .object($0.pendingObject) }
        object["anonymous"] = isAnonymous ? true : nil
        object["presentedIDToken"] = presentedIDToken.map(JSONValue.string)
        object["grant"] = grant.map { .object($0.pendingObject) }
        return object.serialized()
    }

    /// Reads what ``pendingText`` wrote; `nil` for anything else.
    init?(pendingText: String) {
        guard let value = try? JSONValue(parsing: pendingText.utf8), let provider = value["provider"]?.string,
            let issuer = value["issuer"]?.string, let subject = value["subject"]?.string,
            let profile = value["profile"]?.string
        else { return nil }
        key = IdentityKey(provider: provider, issuer: issuer, subject: subject)
        email = (value["email"]?.string).flatMap(EmailAddress.init).map {
            .init(
                address: $0, isVerified: value["emailVerified"]?.bool ?? false,
                isRelay: value["emailRelay"]?.bool ?? false)
        }
        displayName = value["displayName"]?.string
        givenName = value["givenName"]?.string
        familyName = value["familyName"]?.string
        screenName = value["screenName"]?.string
        photoURL = value["photoURL"]?.string
        self.profile = profile
        presentedIDToken = value["presentedIDToken"]?.string
        grant = value["grant"].flatMap(UpstreamGrant.init(pending:))
        merge = value["merge"].flatMap(Merge.init(pending:))
        isAnonymous = value["anonymous"]?.bool ?? false
    }
}

extension UpstreamGrant {
    fileprivate var pendingObject: JSONObject {
        var object = JSONObject([("clientID", .string(clientID)), ("accessToken", .string(accessToken))])
        object["refreshToken"] = refreshToken.map(JSONValue.string)
        object["idToken"] = idToken.map(JSONValue.string)
        object["scopes"] = .array(scopes.map(JSONValue.string))
        object["expiresAt"] = expiresAt.map { .integer(Timestamp($0).milliseconds) }
        return object
    }

    fileprivate init?(pending value: JSONValue) {
        guard let clientID = value["clientID"]?.string, let accessToken = value["accessToken"]?.string else {
            return nil
        }
        self.init(
            clientID: clientID, accessToken: accessToken, refreshToken: value["refreshToken"]?.string,
            idToken: value["idToken"]?.string, scopes: value["scopes"]?.array?.compactMap(\.string) ?? [],
            expiresAt: (value["expiresAt"]?.integer).map { Timestamp(milliseconds: $0).date })
    }
}
