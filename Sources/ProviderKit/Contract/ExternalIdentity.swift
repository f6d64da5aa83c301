/// Whom a provider vouched for: raw evidence, from which the broker decides everything else.
///
/// A plugin reports what the provider said and adds nothing. The broker re-validates every field, ANDs
/// ``Email/isVerified`` with the operator's `trustEmail`, and stamps provider and instance into the identity key.
public struct ExternalIdentity: Sendable {
    /// An address as the provider asserts it.
    public struct Email: Sendable, Hashable {
        /// The address as the provider wrote it.
        public let address: String
        /// Whether the provider itself has proven that the person receives mail there. `false` unless it says so.
        public let isVerified: Bool
        /// Whether the provider made the address up to forward mail: it says nothing about who the person is
        /// elsewhere, so the broker never matches users by it.
        public let isRelay: Bool

        /// An address, unproven and the person's own unless said otherwise.
        public init(_ address: String, isVerified: Bool = false, isRelay: Bool = false) {
            self.address = address
            self.isVerified = isVerified
            self.isRelay = isRelay
        }
    }

    /// Accounts the provider has made one. All of them stand for the person from now on, and none is ever reassigned.
    public struct Merge: Sendable, Hashable {
        /// The subject of the account that survived, which may be ``ExternalIdentity/subject`` itself.
        public let survivor: String
        /// The subjects that went into it.
        public let absorbed: [String]

        /// What a provider says about a person's accounts.
        public init(survivor: String, absorbed: [String] = []) {
            self.survivor = survivor
            self.absorbed = absorbed
        }
    }

    /// The person's stable id at the provider: never an e-mail address, never a name that can change hands.
    public let subject: String
    /// Further subjects that are this person, for providers that merge accounts.
    public let merge: Merge?
    /// Whether the provider knows nobody behind the subject yet, only a device.
    public let isAnonymous: Bool
    /// The person's address, when the provider told one.
    public let email: Email?
    /// The person's whole name, for display.
    public let displayName: String?
    /// The given name, when the provider keeps names apart.
    public let givenName: String?
    /// The family name, when the provider keeps names apart.
    public let familyName: String?
    /// The name the person goes by at the provider, for display only: it may be renamed and reused.
    public let screenName: String?
    /// The web address of the person's picture.
    public let pictureURL: String?
    /// Everything the provider said about the person, unmodified, for the app (`rawUserInfo` on the wire).
    public let profile: JSONValue
    /// The tokens this proof brought along, kept sealed by the broker.
    public let grant: UpstreamGrant?

    /// What a provider said; only the subject is required.
    public init(
        subject: String, merge: Merge? = nil, isAnonymous: Bool = false, email: Email? = nil,
        displayName: String? = nil, givenName: String? = nil,
        familyName: String? = nil, screenName: String? = nil, pictureURL: String? = nil, profile: JSONValue = [:],
        grant: UpstreamGrant? = nil
    ) {
        self.subject = subject
        self.merge = merge
        self.isAnonymous = isAnonymous
        self.email = email
        self.displayName = displayName
        self.givenName = givenName
        self.familyName = familyName
        self.screenName = screenName
        self.pictureURL = pictureURL
        self.profile = profile
        self.grant = grant
    }
}
