package import BrokerStore
import Foundation
import ProviderKit

extension JSONObject {
    /// Adds what the app is told once about the account.
    ///
    /// - Parameters:
    ///   - notices: The notices.
    ///   - absorbedUsers: The local ids of all users that were merged into this one, where each answer tells them.
    mutating func add(_ notices: [AccountNotice] = [], absorbedUsers: [String]? = nil) {
        func values(_ kind: AccountNotice.Kind) -> [String] { notices.filter { $0.kind == kind }.compactMap(\.value) }
        let (merged, unmerged) = (absorbedUsers ?? values(.mergedFrom), values(.unmerged))
        if !merged.isEmpty { addOwn("mergedFrom", .array(merged.map(JSONValue.string))) }
        if !unmerged.isEmpty { addOwn("unmerged", .array(unmerged.map(JSONValue.string))) }
        if notices.contains(where: { $0.kind == .promoted }) { addOwn("promoted", true) }
    }

    /// Adds a member of `broker`: a name of ours that Firebase's SDKs pass over.
    mutating func addOwn(_ name: String, _ value: JSONValue) {
        var own = self["broker"]?.object ?? JSONObject()
        own[name] = value
        self["broker"] = .object(own)
    }

    /// Adds the claims of the session that asks for its user's record.
    mutating func addLogin(of session: Session, _ user: User, stepUp: [StepUpRule], at now: Timestamp) {
        addOwn("login", .object(SessionClaim.login(of: session, user, stepUp: stepUp, at: now)))
    }

    /// A user record (contract §6): 64-bit numbers as strings, unset fields absent.
    package init(_ record: UserRecord) {
        self.init(LinkedUser<LinkedIdentity>(record))
    }

    /// The same of a record without the providers' profiles, which it does not show.
    package init(_ record: LinkedUser<LinkedIdentity>) {
        let user = record.user
        self.init([("localId", .string(user.localID))])
        user.forEachField { field, value in self[field.name] = Self.member(field, value, of: user) }
        if let alias = record.alias {
            addOwn("localId", .string(alias))
            addOwn("mergedInto", .string(user.localID))
        }
        if record.isAnonymous { addOwn("anonymous", true) }
        if !record.identities.isEmpty {
            self["providerUserInfo"] = .array(record.identities.map { .object(JSONObject($0)) })
        }
    }

    /// A field of a user record: flags that are true, 64-bit numbers as text, and what the contract has otherwise.
    private static func member(_ field: UserField, _ value: SQLValue, of user: User) -> JSONValue? {
        switch (field.form, value) {
        case (_, .null), (_, .blob): nil
        case (.flag, .integer(let number)):
            if field.name == "emailVerified" {
                user.email == nil ? nil : .bool(number != 0)
            } else {
                number != 0 ? true : nil
            }
        case (.time, .integer(let time)) where field.name == "lastRefreshAt":
            .string(Timestamp(milliseconds: time).millisecondText)
        case (_, .integer(let number)): .string(String(number))
        case (_, .text(let text)) where field.name == "photoUrl": PictureURL(text).map { .string($0.text) }
        case (_, .text(let text)): .string(text)
        }
    }

    /// A provider entry of a user record.
    private init(_ linked: LinkedIdentity) {
        let (provider, subject) = (linked.identity.provider, linked.identity.subject)
        self.init([("providerId", .string(provider)), ("rawId", .string(subject))])
        self["federatedId"] = .string(subject)
        self["displayName"] = linked.displayName.map(JSONValue.string)
        self["photoUrl"] = PictureURL(linked.photoURL).map { .string($0.text) }
        self["email"] = linked.email.map(JSONValue.string)
        self["screenName"] = linked.screenName.map(JSONValue.string)
        if linked.isAnonymous { self["broker"] = ["anonymous": true] }
    }

    /// Adds what becomes of grants at their providers.
    mutating func add(_ receipts: [WithdrawalReceipt]) {
        guard !receipts.isEmpty else { return }
        addOwn("withdrawals", .array(receipts.map { .object(JSONObject($0)) }))
    }

    /// A receipt: `broker withdrawals show` tells the outcome of a queued one.
    package init(_ receipt: WithdrawalReceipt) {
        self.init([("providerId", .string(receipt.provider)), ("state", .string(receipt.state.name))])
        self["receipt"] = receipt.id.map(JSONValue.string)
    }
}
