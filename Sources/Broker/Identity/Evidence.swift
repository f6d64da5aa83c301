import BrokerStore
import Foundation
import ProviderKit

/// A provider's word about a person after the core has re-validated it: the only thing decisions are made from.
struct Evidence: Sendable {
    let key: IdentityKey
    var email: Email?
    var displayName: String?
    var givenName: String?
    var familyName: String?
    let screenName: String?
    let photoURL: String?
    /// The raw profile as JSON text.
    let profile: String
    let grant: UpstreamGrant?
    /// The ID token the client sent, for SDKs that read it back from the answer.
    var presentedIDToken: String?
    /// Accounts of the person that the provider has made one.
    let merge: Merge?
    /// Whether the provider knows nobody behind the subject yet, only a device.
    let isAnonymous: Bool

    struct Email: Sendable, Hashable {
        let address: EmailAddress
        /// The provider vouches for it and the operator trusts the provider.
        let isVerified: Bool
        /// The provider made it up to forward mail: no two users are ever one because of it.
        var isRelay = false
    }

    /// - Throws: ``BrokerError/providerAnswerUnusable(_:)`` for a subject nobody may be known by. Every other field that
    ///   breaks a rule is dropped or cut, since it decides nothing.
    init(_ identity: ExternalIdentity, from provider: ConfiguredProvider) throws(BrokerError) {
        guard Self.isSubject(identity.subject) else {
            throw .providerAnswerUnusable("The provider named no usable subject.")
        }
        key = IdentityKey(provider: provider.id, issuer: provider.instance, subject: identity.subject)
        email = identity.email.flatMap { email in
            EmailAddress(email.address).map {
                .init(
                    address: $0, isVerified: email.isVerified && provider.trustsEmail,
                    isRelay: email.isRelay || EmailAddress.isRelayDomain(of: $0.value))
            }
        }
        displayName = Self.text(identity.displayName, limit: 256)
        givenName = Self.text(identity.givenName, limit: 256)
        familyName = Self.text(identity.familyName, limit: 256)
        screenName = Self.text(identity.screenName, limit: 256)
        photoURL = Self.text(identity.pictureURL, limit: 2048).flatMap(Self.webURL)
        let raw = identity.profile.serialized()
        profile = raw.utf8.count <= 65_536 ? raw : "{}"
        grant = identity.grant
        merge = try identity.merge.map { merge throws(BrokerError) in try Merge(merge, isSubject: Self.isSubject) }
        isAnonymous = identity.isAnonymous
    }

    /// 1 to 255 printable ASCII bytes, and nothing a careless plugin makes of an absent value.
    private static func isSubject(_ subject: String) -> Bool {
        (1...255).contains(subject.utf8.count) && subject.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && !["null", "nil", "undefined", "none", "0", "-1", "NaN", "[object"].contains(subject)
    }

    static func text(_ value: String?, limit: Int) -> String? {
        guard let value else { return nil }
        var cleaned = String.UnicodeScalarView()
        var bytes = 0
        for scalar in value.unicodeScalars where scalar.properties.generalCategory != .control {
            bytes += UTF8.width(scalar)
            // Counted in bytes: one character may be as long as it likes, and everything here goes into tokens.
            guard bytes <= limit else { break }
            cleaned.append(scalar)
        }
        return cleaned.isEmpty ? nil : String(cleaned)
    }

    /// Apps put the picture into pages, so nothing but a web address gets through.
    private static func webURL(_ text: String) -> String? {
        text.utf8.starts(with: Array("https://".utf8)) || text.utf8.starts(with: Array("http://".utf8)) ? text : nil
    }
}
