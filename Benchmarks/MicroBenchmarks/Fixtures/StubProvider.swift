import ProviderKit

/// A provider without a network: whoever brings a number as access token is the person with that number.
struct StubProvider: IdentityProvider {
    struct Options: Decodable, Sendable {}

    static let kind: ProviderKind = "stub"
    static let entryID = "benchmark.stub"
    static let serviceURL = "https://stub.example"
    static let displayName = "Ada Augusta Lovelace"
    static let pictureURL = "https://avatars.stub.example/u/583231?v=4"

    let instance = serviceURL
    let clientID = "Iv1.benchmark"
    let accepts: Set<Credential.Kind> = [.accessToken]

    init(_ options: Options, in context: ProviderContext) {}

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .accessToken(let text) = credential.proof, let number = Int(text) else {
            throw ProviderError(.credential, at: .introspect, "no number")
        }
        return ExternalIdentity(
            subject: Self.subject(number), email: .init(Self.email(number), isVerified: true),
            displayName: Self.displayName, screenName: "ada\(number)", pictureURL: Self.pictureURL,
            profile: Self.profile(number),
            grant: UpstreamGrant(clientID: clientID, accessToken: "gho_\(number)", scopes: ["read:user", "user:email"]))
    }

    static func subject(_ number: Int) -> String { String(10_000_000 + number) }

    static func email(_ number: Int) -> String { "ada\(number)@stub.example" }

    /// As long as the profiles that real providers send: a good kilobyte.
    static func profile(_ number: Int) -> JSONValue {
        let links = ["followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events"]
        var profile = JSONObject([
            ("login", .string("ada\(number)")), ("id", .integer(Int64(10_000_000 + number))),
            ("name", .string(displayName)), ("email", .string(email(number))), ("avatar_url", .string(pictureURL)),
            ("company", .null), ("location", "London"), ("site_admin", .bool(false)), ("public_repos", .integer(42)),
            ("created_at", "2011-01-25T18:44:36Z"), ("updated_at", "2026-10-22T14:23:26Z"),
        ])
        for link in links { profile["\(link)_url"] = .string("https://api.stub.example/users/ada\(number)/\(link)") }
        return .object(profile)
    }
}
