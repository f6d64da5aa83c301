/// A user's identity as a provider asserts it: the evidence from which the broker decides.
///
/// A plugin reports the provider's values and adds none. The broker validates every field again, combines
/// ``Email/isVerified`` with the operator's `trustEmail`, and adds provider and instance to the identity key.
public struct ExternalIdentity: Sendable {
    /// An e-mail address as the provider asserts it.
    public struct Email: Sendable, Hashable {
        /// The address in the provider's spelling.
        public let address: String
        /// Whether the provider asserts that it verified the address. `false` unless it says so.
        public let isVerified: Bool
        /// Whether the address is a relay address of the provider. It does not identify the user elsewhere, so the
        /// broker never matches users by it.
        public let isRelay: Bool

        /// Makes an address, by default unverified and not a relay.
        public init(_ address: String, isVerified: Bool = false, isRelay: Bool = false) {
            self.address = address
            self.isVerified = isVerified
            self.isRelay = isRelay
        }
    }

    /// Accounts that the provider merged. All subjects identify the user from now on, and none is ever reassigned.
    public struct Merge: Sendable, Hashable {
        /// The subject of the remaining account, which may be ``ExternalIdentity/subject``.
        public let survivor: String
        /// The subjects of the merged accounts.
        public let absorbed: [String]
        /// The merged accounts, ``ExternalIdentity/subject`` included, whose user has proven to own both accounts, in
        /// the provider's words. A merge that rests on equal e-mail addresses, or for an unknown reason, is not proven:
        /// the broker ends the sessions of its absorbed user.
        public let proven: [String]

        /// Makes a merge; no account is proven unless named.
        public init(survivor: String, absorbed: [String] = [], proven: [String] = []) {
            self.survivor = survivor
            self.absorbed = absorbed
            self.proven = proven
        }
    }

    /// The user's stable id at the provider: never an e-mail address or a reusable name.
    public let subject: String
    /// Further subjects of this user, for providers that merge accounts.
    public let merge: Merge?
    /// The subject by which the app's former owner announced this user to the new one (``SubjectMigration``), while the
    /// provider sends it.
    public let transferSubject: String?
    /// Whether the subject is only a device, without a known user.
    public let isAnonymous: Bool
    /// Whether the account began as a device without a known user (``isAnonymous``).
    public let wasAnonymous: Bool
    /// The user's address, if the provider sends one.
    public let email: Email?
    /// The user's full name, for display: composed of given and family name where the provider sends none.
    public let displayName: String?
    /// The given name, if the provider separates names.
    public let givenName: String?
    /// The family name, if the provider separates names.
    public let familyName: String?
    /// The user name at the provider, for display only: it may be renamed and reused.
    public let screenName: String?
    /// The URL of the user's picture.
    public let pictureURL: String?
    /// The provider's profile of the user, unmodified, for the app (`rawUserInfo` on the wire).
    public let profile: JSONValue
    /// The provider's tokens from this sign-in, which the broker stores sealed.
    public let grant: UpstreamGrant?

    /// Makes an identity; only the subject is required.
    public init(
        subject: String, merge: Merge? = nil, transferSubject: String? = nil, isAnonymous: Bool = false,
        wasAnonymous: Bool = false, email: Email? = nil, displayName: String? = nil, givenName: String? = nil,
        familyName: String? = nil, screenName: String? = nil, pictureURL: String? = nil, profile: JSONValue = [:],
        grant: UpstreamGrant? = nil
    ) {
        self.subject = subject
        self.merge = merge
        self.transferSubject = transferSubject
        self.isAnonymous = isAnonymous
        self.wasAnonymous = wasAnonymous
        self.email = email
        self.displayName =
            displayName.flatMap { $0.isEmpty ? nil : $0 } ?? Self.displayName(given: givenName, family: familyName)
        self.givenName = givenName
        self.familyName = familyName
        self.screenName = screenName
        self.pictureURL = pictureURL
        self.profile = profile
        self.grant = grant
    }

    /// The full name of a given and a family name; nil where both are missing or empty.
    package static func displayName(given: String?, family: String?) -> String? {
        let names = [given, family].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: " ")
    }
}
