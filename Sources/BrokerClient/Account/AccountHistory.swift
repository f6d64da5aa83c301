public import Foundation
import StrictJSON

/// A provider that signs the user in, with what the user has granted there.
public struct ConnectedProvider: Sendable, Hashable {
    /// The provider.
    public let provider: ProviderID
    /// The provider's name for users.
    public let name: String
    /// When it was linked.
    public let linkedAt: Date?
    /// When it last signed the user in.
    public let lastSignInAt: Date?
    /// The granted scopes, in the provider's words; nil where the broker has no token of the provider.
    public let scopes: [String]?
    /// What becomes of the grant when the provider is unlinked or the account deleted: `queued` is withdrawn by the broker;
    /// for `nothingStored` and `notSupported` only the user can end it, in the settings there.
    public let withdrawal: String
}

/// Something that happened to the user's account.
public struct AccountEvent: Sendable, Hashable {
    /// When it happened.
    public let time: Date
    /// What happened, such as `user.signed-in` or `identity.linked`.
    public let event: String
    /// Who did it: `user`, `app`, `administrator` or `broker`.
    public let actor: String
    /// The provider it is about, if any.
    public let provider: ProviderID?
    /// The client it is about, if any.
    public let clientID: String?
    /// The network of the user's address, such as `203.0.113.0/24`.
    public let network: String?
    /// The fields of the profile that changed.
    public let changedFields: [String]
    /// The code of the error of a refused sign-in.
    public let refusal: String?
}

extension ConnectedProvider {
    init?(_ value: JSONValue) {
        guard let provider = value["providerId"]?.string else { return nil }
        self.provider = ProviderID(rawValue: provider)
        name = value["name"]?.string ?? provider
        linkedAt = Date(iso8601: value["linkedAt"])
        lastSignInAt = Date(iso8601: value["lastSignInAt"])
        scopes = value["scopes"]?.array?.compactMap(\.string)
        withdrawal = value["withdrawal"]?.string ?? ""
    }
}

extension AccountEvent {
    init?(_ value: JSONValue) {
        guard let time = Date(iso8601: value["time"]), let event = value["event"]?.string else { return nil }
        (self.time, self.event) = (time, event)
        actor = value["actor"]?.string ?? ""
        provider = value["providerId"]?.string.map(ProviderID.init(rawValue:))
        clientID = value["clientId"]?.string
        network = value["network"]?.string
        changedFields = value["fields"]?.array?.compactMap(\.string) ?? []
        refusal = value["refusal"]?.string
    }
}
