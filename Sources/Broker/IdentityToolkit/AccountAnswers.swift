import BrokerStore
import Foundation
import ProviderKit

extension JSONObject {
    /// The answer of `signInWithIdp` (contract §2.2). What is not so is absent: SDKs look at a field's presence only.
    init(_ outcome: FederatedOutcome) {
        self.init([("kind", "identitytoolkit#VerifyAssertionResponse")])
        add(outcome.evidence)
        switch outcome.result {
        case .signedIn(let facts, let tokens, let isNewUser):
            self["localId"] = .string(facts.user.localID)
            if let canonical = outcome.evidence.email?.address.canonical, canonical == facts.user.emailCanonical {
                self["emailVerified"] = .bool(facts.user.isEmailVerified)
            }
            self["isNewUser"] = isNewUser ? true : nil
            add(tokens)
        case .needConfirmation(let localID, let providers, let isRecycled):
            self["needConfirmation"] = true
            self["emailRecycled"] = isRecycled ? true : nil
            self["localId"] = localID.map(JSONValue.string)
            self["verifiedProvider"] = providers.map { .array($0.map(JSONValue.string)) }
        case .conflict(let error):
            self["errorMessage"] = .string(error.wireMessage)
        }
        self["pendingToken"] = outcome.pendingToken.map(JSONValue.string)
    }

    /// The answer of `credentials:exchange`.
    init(_ exchanged: ExchangeCredential.Exchanged) {
        self.init([("kind", "broker#ExchangeCredentialResponse")])
        add(exchanged.evidence)
        self["pendingToken"] = .string(exchanged.pendingToken)
        self["context"] = exchanged.context.map(JSONValue.string)
    }

    /// What the provider said, in Identity Toolkit's words.
    private mutating func add(_ evidence: Evidence) {
        self["providerId"] = .string(evidence.key.provider)
        self["federatedId"] = .string(evidence.federatedID)
        self["email"] = (evidence.email?.address.display).map(JSONValue.string)
        self["emailVerified"] = .bool(evidence.email?.isVerified ?? false)
        self["displayName"] = evidence.displayName.map(JSONValue.string)
        self["fullName"] = evidence.displayName.map(JSONValue.string)
        self["firstName"] = evidence.givenName.map(JSONValue.string)
        self["lastName"] = evidence.familyName.map(JSONValue.string)
        self["screenName"] = evidence.screenName.map(JSONValue.string)
        self["photoUrl"] = PictureURL(evidence.photoURL).map { .string($0.text) }
        self["rawUserInfo"] = .string(evidence.rawUserInfo)
        self["oauthAccessToken"] = (evidence.grant?.accessToken).map(JSONValue.string)
        self["oauthIdToken"] = (evidence.grant?.idToken ?? evidence.presentedIDToken).map(JSONValue.string)
    }

    /// A user record (contract §6): 64-bit numbers as strings, unset fields absent.
    package init(_ record: UserRecord) {
        let user = record.user
        self.init([("localId", .string(user.localID))])
        self["email"] = user.email.map(JSONValue.string)
        self["emailVerified"] = user.email == nil ? nil : .bool(user.isEmailVerified)
        self["displayName"] = user.displayName.map(JSONValue.string)
        self["photoUrl"] = PictureURL(user.photoURL).map { .string($0.text) }
        self["screenName"] = user.screenName.map(JSONValue.string)
        self["disabled"] = user.isDisabled ? true : nil
        self["customAttributes"] = user.customAttributes.map(JSONValue.string)
        self["customAuth"] = user.isCustomAuth ? true : nil
        self["initialEmail"] = user.initialEmail.map(JSONValue.string)
        self["validSince"] = user.validSince.map { .string(String($0)) }
        self["createdAt"] = .string(String(user.createdAt.milliseconds))
        self["lastLoginAt"] = user.lastLoginAt.map { .string(String($0.milliseconds)) }
        self["lastRefreshAt"] = user.lastRefreshAt.map { .string($0.date.formatted(Self.timestampFormat)) }
        if !record.identities.isEmpty {
            self["providerUserInfo"] = .array(record.identities.map { .object(JSONObject($0)) })
        }
    }

    /// A provider entry of a user record.
    private init(_ identity: Identity) {
        self.init([("providerId", .string(identity.provider)), ("rawId", .string(identity.subject))])
        self["federatedId"] = .string(identity.subject)
        self["displayName"] = identity.displayName.map(JSONValue.string)
        self["photoUrl"] = PictureURL(identity.photoURL).map { .string($0.text) }
        self["email"] = identity.email.map(JSONValue.string)
        self["screenName"] = identity.screenName.map(JSONValue.string)
    }

    private static let timestampFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
