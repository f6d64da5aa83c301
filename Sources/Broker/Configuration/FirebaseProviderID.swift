/// The provider ids that Firebase's SDKs name and that no plugin of this build has (contract §2.2). Entries of `oidc` and
/// `oauth2` may have them, so that `GoogleAuthProvider` and its siblings work unchanged.
enum FirebaseProviderID: String, Sendable, CaseIterable {
    case google = "google.com"
    case microsoft = "microsoft.com"
    case yahoo = "yahoo.com"
    case facebook = "facebook.com"
    case twitter = "twitter.com"

    /// The name of the service on pages.
    var displayName: String {
        switch self {
        case .google: "Google"
        case .microsoft: "Microsoft"
        case .yahoo: "Yahoo"
        case .facebook: "Facebook"
        case .twitter: "X"
        }
    }
}
