/// The id of an identity provider in the broker's configuration.
public struct ProviderID: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The id, such as `github.com`.
    public let rawValue: String

    /// - Parameter rawValue: The id, such as `github.com`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes an id from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The id.
    public var description: String { rawValue }

    /// The name that users know the provider by; the id where the library knows none.
    public var displayName: String {
        switch self {
        case .gitHub: "GitHub"
        case .gitLab: "GitLab"
        case .apple: "Apple"
        case .onePass: "1Pass"
        default: rawValue
        }
    }

    /// GitHub.
    public static let gitHub: ProviderID = "github.com"
    /// GitLab.
    public static let gitLab: ProviderID = "gitlab.com"
    /// Sign in with Apple.
    public static let apple: ProviderID = "apple.com"
    /// 1Pass.
    public static let onePass: ProviderID = "1pass.dev"
}
