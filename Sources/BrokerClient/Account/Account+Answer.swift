import Foundation
import StrictJSON

extension Account {
    /// Reads a record (contract of `/v1/broker/me`): 64-bit numbers are strings.
    ///
    /// - Throws: ``BrokerAuthError/network(_:)`` for an answer of another form.
    init(_ members: JSONObject) throws(BrokerAuthError) {
        guard let userID = members["localId"]?.string else { throw .network(NetworkFailure(.invalidResponse)) }
        self.userID = userID
        email = members["email"]?.string
        isEmailVerified = members["emailVerified"]?.bool ?? false
        displayName = members["displayName"]?.string
        photoURL = members["photoUrl"]?.string.flatMap(URL.init(string:))
        createdAt = Date(milliseconds: members["createdAt"])
        lastSignInAt = Date(milliseconds: members["lastLoginAt"])
        identities = (members["providerUserInfo"]?.array ?? []).compactMap(AccountIdentity.init)
    }
}

extension AccountIdentity {
    fileprivate init?(_ value: JSONValue) {
        guard let provider = value["providerId"]?.string else { return nil }
        self.provider = ProviderID(rawValue: provider)
        subject = value["rawId"]?.string ?? ""
        displayName = value["displayName"]?.string
        email = value["email"]?.string
        photoURL = value["photoUrl"]?.string.flatMap(URL.init(string:))
        screenName = value["screenName"]?.string
        profile = value["rawUserInfo"]?.string.map(ProviderProfile.init(json:))
    }
}

extension AccountSession {
    init?(_ value: JSONValue) {
        guard let id = value["id"]?.string else { return nil }
        self.id = id
        clientID = value["clientId"]?.string
        signInProvider = value["signInProvider"]?.string.map(ProviderID.init(rawValue:))
        createdAt = Date(milliseconds: value["createdAt"]) ?? Date(iso8601: value["createdAt"])
        lastUsedAt = Date(milliseconds: value["lastUsedAt"]) ?? Date(iso8601: value["lastUsedAt"])
        userAgent = value["userAgent"]?.string
        isCurrent = value["isCurrent"]?.bool ?? false
    }
}

extension Withdrawal {
    /// The receipts of an answer.
    static func receipts(in members: JSONObject) -> [Withdrawal] {
        (members["broker"]?["withdrawals"]?.array ?? []).compactMap(\.object).compactMap(Withdrawal.init)
    }

    init?(_ members: JSONObject) {
        guard let provider = members["providerId"]?.string, let state = members["state"]?.string else { return nil }
        self.init(provider: ProviderID(rawValue: provider), state: state, receipt: members["receipt"]?.string)
    }

    /// Whether nothing will withdraw the grant: the attempts have ended, or the broker has no token of Apple's, which
    /// always issues one.
    public var hasFailed: Bool {
        ["failed", "dead", "dropped"].contains(state) || (provider == .apple && state == "nothingStored")
    }
}

extension ProviderToken {
    /// Reads the answer of `:token`.
    ///
    /// - Throws: ``BrokerAuthError/network(_:)`` for an answer of another form.
    init(_ members: JSONObject, of provider: ProviderID) throws(BrokerAuthError) {
        guard let token = members["accessToken"]?.string else { throw .network(NetworkFailure(.invalidResponse)) }
        self.init(
            provider: provider, accessToken: token, scopes: members["scopes"]?.array?.compactMap(\.string) ?? [],
            expiresAt: Date(iso8601: members["expiresAt"]) ?? Date(milliseconds: members["expiresAt"]))
    }
}

extension Date {
    /// Milliseconds since 1970, as a number or its text.
    fileprivate init?(milliseconds value: JSONValue?) {
        guard let number = value?.integer ?? value?.string.flatMap(Int64.init) else { return nil }
        self.init(timeIntervalSince1970: TimeInterval(number) / 1000)
    }

    init?(iso8601 value: JSONValue?) {
        guard let text = value?.string,
            let date = (try? Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)))
                ?? (try? Date(text, strategy: .iso8601))
        else { return nil }
        self = date
    }
}
