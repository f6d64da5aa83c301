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

    /// - Throws: ``BrokerError/providerAnswerUnusable(_:)`` for an unusable subject. Every other field that breaks a rule
    ///   is dropped, and a name that is too long is cut, since they decide nothing.
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
        photoURL = PictureURL(identity.pictureURL)?.text
        let raw = identity.profile.serialized()
        profile = raw.utf8.count <= 65_536 ? raw : "{}"
        grant = identity.grant
        merge = try identity.merge.map { merge throws(BrokerError) in try Merge(merge, isSubject: Self.isSubject) }
        isAnonymous = identity.isAnonymous
    }

    /// 1 to 255 printable ASCII bytes that are neither a negative number nor the text of an absent value in some language
    /// (`null`, `None`, `Optional(5)`), which would be the same subject for every user.
    private static func isSubject(_ subject: String) -> Bool {
        guard (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return false
        }
        let folded = subject.lowercasedASCII
        return !placeholders.contains(folded) && !placeholderPrefixes.contains(where: folded.hasPrefix)
            && folded.wholeMatch(of: /-[0-9]+(\.[0-9]*)?/) == nil
    }

    private static let placeholders: Set<String> = [
        "null", "nil", "undefined", "none", "nan", "0", "0.0", "true", "false", "{}", "[]", "()", #"""""#, "''",
    ]
    private static let placeholderPrefixes = ["optional(", "some(", "just(", "[object", "<null", "(null"]

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
}
