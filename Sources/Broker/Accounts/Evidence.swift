import BrokerStore
import Foundation
import ProviderKit

/// A provider's assertions about a user, re-validated by the core: the only thing decisions are made from.
///
/// Guarantees: the subject is usable and stamped with provider and issuer, every text is bounded, and an address counts as
/// verified only where the operator trusts the provider.
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
    var grant: UpstreamGrant?
    /// The ID token the client sent, for SDKs that read it back from the answer.
    var presentedIDToken: String?
    /// The access token the client sent, for the same reason.
    var presentedAccessToken: String?
    /// The accounts of the user that the provider has merged.
    let merge: Merge?
    /// The subject by which the app's former owner announced the user to the new one.
    let transferSubject: String?
    /// The issuers of the app's former owners, whose identities the user may replace.
    let formerIssuers: [String]
    /// Whether the subject stands for a device so far, and for no account of a user.
    let isAnonymous: Bool
    /// Whether the provider's account began as such a device.
    let wasAnonymous: Bool

    struct Email: Sendable, Hashable {
        let address: EmailAddress
        /// The provider asserts that it is verified, and the operator trusts the provider.
        let isVerified: Bool
        /// The provider made it up to forward mail, so it never decides that two users are the same.
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
        transferSubject = identity.transferSubject.flatMap { Self.isSubject($0) ? $0 : nil }
        formerIssuers = (provider.provider as? any SubjectMigration)?.formerInstances ?? []
        isAnonymous = identity.isAnonymous
        wasAnonymous = identity.wasAnonymous
    }

    /// The assertions that an identity has from its latest sign-in.
    init(known identity: Identity) {
        key = identity.identity
        email = identity.email.flatMap(EmailAddress.init).map {
            .init(
                address: $0, isVerified: identity.isEmailVerified, isRelay: EmailAddress.isRelayDomain(of: $0.value))
        }
        displayName = identity.displayName
        screenName = identity.screenName
        photoURL = identity.photoURL
        profile = identity.profile
        merge = nil
        transferSubject = nil
        formerIssuers = []
        isAnonymous = identity.isAnonymous
        wasAnonymous = identity.wasAnonymous
    }

    /// 1 to 255 printable ASCII bytes that are neither a negative number nor the text of an absent value in some language
    /// (`null`, `None`, `Optional(5)`), which would be the same subject for every user.
    static func isSubject(_ subject: String) -> Bool {
        guard (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return false
        }
        let folded = subject.lowercasedASCII
        return !placeholders.contains(folded) && !placeholderPrefixes.contains(where: folded.hasPrefix)
            && !(folded.hasPrefix("-") && folded.wholeMatch(of: /-[0-9]+(\.[0-9]*)?/) != nil)
    }

    private static let placeholders: Set<String> = [
        "null", "nil", "undefined", "none", "nan", "0", "0.0", "true", "false", "{}", "[]", "()", #"""""#, "''",
    ]
    private static let placeholderPrefixes = ["optional(", "some(", "just(", "[object", "<null", "(null"]

    static func text(_ value: String?, limit: Int) -> String? {
        guard let value else { return nil }
        if value.utf8.count <= limit, value.isASCII(from: 0x20) { return value.isEmpty ? nil : value }
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

extension Evidence {
    /// Accounts that a provider has merged, as the core takes them: usable subjects only, each once.
    struct Merge: Sendable, Hashable {
        /// The number of absorbed accounts that are taken; of a longer list the first ones.
        static let limit = 100

        let survivor: String
        let absorbed: [String]
        /// The merged accounts, that of the credential included, whose user has proven to own both.
        let proven: Set<String>
    }

    /// Whether an identity is of a former owner of the app that the evidence is from.
    func isOfFormerOwner(_ identity: Identity) -> Bool {
        identity.provider.hasSameBytes(as: key.provider) && !identity.issuer.hasSameBytes(as: key.issuer)
            && formerIssuers.contains { $0.hasSameBytes(as: identity.issuer) }
    }

    /// Every subject of the user at the provider, in the order in which the store looks them up: the survivor of a merge,
    /// the one the credential is for, then the absorbed ones.
    var subjects: [IdentityKey] {
        guard let merge else { return [key] }
        var seen: Set<String> = []
        return ([merge.survivor, key.subject] + merge.absorbed).filter { seen.insert($0).inserted }.map {
            IdentityKey(provider: key.provider, issuer: key.issuer, subject: $0)
        }
    }
}

extension Evidence.Merge {
    /// Whether the user of two accounts has proven to own both, by the provider's word: every subject that leads to the
    /// absorbed user, and one that leads to the remaining one.
    func isProven(_ absorbed: AccountSnapshot.SubjectHolder, into survivor: AccountSnapshot.SubjectHolder) -> Bool {
        func isProven(_ subject: String) -> Bool { subject == self.survivor || proven.contains(subject) }
        return absorbed.subjects.contains(absorbed.identity.subject) && absorbed.subjects.allSatisfy(isProven)
            && survivor.subjects.contains(where: isProven)
    }

    /// - Throws: ``BrokerError/providerAnswerUnusable(_:)`` when any subject is unusable: the user a sign-in resolves to
    ///   must not depend on which half of the list was usable.
    fileprivate init(_ merge: ExternalIdentity.Merge, isSubject: (String) -> Bool) throws(BrokerError) {
        guard isSubject(merge.survivor), merge.absorbed.allSatisfy(isSubject) else {
            throw .providerAnswerUnusable("The provider named no usable subject among the merged ones.")
        }
        var seen: Set<String> = [merge.survivor]
        survivor = merge.survivor
        absorbed = Array(merge.absorbed.filter { seen.insert($0).inserted }.prefix(Self.limit))
        proven = Set(merge.proven)
    }
}
