import BrokerClient
import Foundation
import StrictJSON

/// The outcome of a sign-in, link or reauthentication.
public final class AuthDataResult: Sendable {
    /// The user.
    public let user: User
    /// What the provider says of the user.
    public let additionalUserInfo: AdditionalUserInfo?
    /// The provider's access token, where the client is registered for it. It signs no one in.
    public let credential: OAuthCredential?

    init(user: User, additionalUserInfo: AdditionalUserInfo?, credential: OAuthCredential?) {
        self.user = user
        self.additionalUserInfo = additionalUserInfo
        self.credential = credential
    }

    convenience init(_ result: SignInResult, user: User) {
        let token = result.providerToken.map { token in
            OAuthCredential(provider: token.provider.rawValue, accessToken: token.accessToken, nil)
        }
        self.init(
            user: user,
            additionalUserInfo: AdditionalUserInfo(
                providerID: result.provider?.rawValue ?? "", profile: result.profile?.members,
                username: result.provider.flatMap(user.screenName), isNewUser: result.isNewUser), credential: token)
    }
}

/// What a provider says of a user.
public final class AdditionalUserInfo: Sendable {
    /// The provider's id; empty for a user without an identity.
    public let providerID: String
    /// The profile as the provider sent it. A member without a value is left out.
    public let profile: [String: any Sendable]?
    /// The user name there, such as GitHub's login.
    public let username: String?
    /// Whether the sign-in created the user.
    public let isNewUser: Bool

    init(providerID: String, profile: [String: any Sendable]?, username: String?, isNewUser: Bool) {
        self.providerID = providerID
        self.profile = profile
        self.username = username
        self.isNewUser = isNewUser
    }
}

extension ProviderProfile {
    fileprivate var members: [String: any Sendable]? { (try? JSONValue(parsing: json))?.object?.values }
}
