import BrokerStore
import ProviderKit

/// What Firebase's SDKs read of a sign-in with `google.com` (contract §2.2, §3.7), whichever plugin it went through.
extension Evidence {
    /// `federatedId`: the subject; for Google the URL it has been since OpenID 2.0.
    var federatedID: String { isGoogle ? "https://accounts.google.com/\(key.subject)" : key.subject }

    /// `rawUserInfo`: the provider's profile as JSON text; for Google the members of its former userinfo endpoint.
    var rawUserInfo: String {
        guard isGoogle, let claims = try? JSONValue(parsing: profile.utf8) else { return profile }
        var info = JSONObject([("granted_scopes", .string(grantedScopes)), ("id", .string(key.subject))])
        for name in ["name", "given_name", "family_name"] { info[name] = claims[name] }
        info["verified_email"] = claims["email_verified"]
        info["locale"] = claims["locale"] ?? "en"
        info["email"] = claims["email"]
        info["picture"] = claims["picture"]
        return info.serialized()
    }

    private var isGoogle: Bool { FirebaseProviderID(rawValue: key.provider) == .google }

    private var grantedScopes: String {
        if let scopes = grant?.scopes, !scopes.isEmpty { return scopes.joined(separator: " ") }
        let standard = ["profile"] + (email == nil ? [] : ["email"])
        return (["openid"] + standard.map { "https://www.googleapis.com/auth/userinfo.\($0)" }).joined(separator: " ")
    }
}
