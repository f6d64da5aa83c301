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

        /// An address, unproven unless said otherwise.
        public init(_ address: String, isVerified: Bool = false) {
            self.address = address
            self.isVerified = isVerified
        }
    }

    /// The person's stable id at the provider: never an e-mail address, never a name that can change hands.
    public let subject: String
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
        subject: String, email: Email? = nil, displayName: String? = nil, givenName: String? = nil,
        familyName: String? = nil, screenName: String? = nil, pictureURL: String? = nil, profile: JSONValue = [:],
        grant: UpstreamGrant? = nil
    ) {
        self.subject = subject
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
