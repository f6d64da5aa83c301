import Foundation
import ProviderKit

/// A company's directory, which tells about a user in several calls: the account, the person behind it, pages of addresses
/// and the memberships, of which one is required. A plugin for the tests of the conformance suite.
struct DirectoryProvider: RedirectSignIn {
    static let kind: ProviderKind = "directory"

    struct Options: DeclaredOptions {
        var clientId = ""
        var clientSecret = Secret("")
        var url = ""
        var organization = ""

        static let declaration = DeclaredObject<Options>(
            "A client of a company's directory.",
            [
                .key("clientId", \.clientId, "the client's ID").required(),
                .key("clientSecret", \.clientSecret, "the client's secret").required(),
                .key("url", \.url, "the directory's base").required().narrowed(by: ProviderContext.baseURLs),
                .key("organization", \.organization, "the organization whose members may sign in").required(),
            ])
    }

    let accepts: Set<Credential.Kind> = [.authorizationCode]
    let instance: String
    let oauth: OAuth2Client
    let context: ProviderContext
    private let organization: String

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        func check(_ text: String, _ option: String) throws(ProviderError) {
            guard text.isEmpty else { return }
            throw ProviderError(.configuration, at: .configure, "options.\(option) must not be empty")
        }
        try check(options.clientId, "clientId")
        try check(options.clientSecret.reveal(), "clientSecret")
        try check(options.organization, "organization")
        instance = try context.baseURL(options.url, option: "url")
        organization = options.organization
        oauth = OAuth2Client(
            authorizeURL: instance + "/oauth/authorize", tokenURL: instance + "/oauth/token",
            clientID: options.clientId, authentication: .requestBody(options.clientSecret), scopes: ["directory.read"])
        self.context = context
    }

    var clientID: String { oauth.clientID }
    var scopes: [String] { oauth.scopes }
    var authorizationResponseIssuer: String? { nil }

    func authorizationURL(for attempt: SignInAttempt) -> String { oauth.authorizationURL(for: attempt) }

    func checksCodeVerifier() -> Bool { true }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .authorizationCode(let code) = credential.proof else {
            throw ProviderError(.credential, at: .redeem, "the directory proves users by codes only")
        }
        let grant = try await oauth.redeem(code, over: context.upstream, now: context.now())
        return try await identity(behind: grant)
    }

    private func identity(behind grant: UpstreamGrant) async throws(ProviderError) -> ExternalIdentity {
        let account = try await read(Account.self, "/v2/me", grant).value
        guard !account.person.isEmpty else {
            throw ProviderError(.upstream, at: .readProfile, "the directory named no person")
        }
        guard account.state == "enabled" else {
            throw ProviderError(.credential, at: .readProfile, "the account is not enabled")
        }
        try await checkMembership(of: account, grant)
        let (person, profile) = try await read(Person.self, "/v2/people/\(FormEncoding.encode(account.person))", grant)
        guard person.id.utf8.elementsEqual(account.person.utf8) else {
            throw ProviderError(.upstream, at: .readProfile, "the directory described another person")
        }
        let address = try await addresses(of: account, grant).first { $0.isPrimary && !$0.value.isEmpty }
        return ExternalIdentity(
            subject: account.person, email: address.map { .init($0.value, isVerified: $0.status == "confirmed") },
            displayName: person.fullName, givenName: person.givenName, familyName: person.familyName, profile: profile,
            grant: grant)
    }

    /// Refuses users who are not in the organization, or whose membership has ended.
    private func checkMembership(of account: Account, _ grant: UpstreamGrant) async throws(ProviderError) {
        let list = try await read(Page<Membership>.self, "/v2/people/\(account.person)/memberships", grant).value.items
        let isMember = list.contains { $0.organization.utf8.elementsEqual(organization.utf8) && $0.isActive }
        guard isMember else {
            throw ProviderError(.credential, at: .readProfile, "the user is no member of options.organization")
        }
    }

    /// All addresses of an account; a user has a few.
    private func addresses(of account: Account, _ grant: UpstreamGrant) async throws(ProviderError) -> [Address] {
        var addresses: [Address] = []
        var cursor: String?
        for _ in 0..<Self.maximumPages {
            let query = cursor.map { "?cursor=" + FormEncoding.encode($0) } ?? ""
            let page = try await read(Page<Address>.self, "/v2/people/\(account.person)/addresses" + query, grant).value
            addresses += page.items
            guard let next = page.next, !next.isEmpty else { return addresses }
            cursor = next
        }
        throw ProviderError(.upstream, at: .readProfile, "the user has too many addresses")
    }

    private func read<Answer: Decodable>(
        _ type: Answer.Type, _ path: String, _ grant: UpstreamGrant
    ) async throws(ProviderError) -> (value: Answer, document: JSONValue) {
        let response = try await context.upstream.send(
            UpstreamRequest(.get, instance + path, at: .fetchProfile).bearer(grant.accessToken))
        guard response.status == 200 else { throw response.refusal(at: .fetchProfile) }
        return (try response.decode(type, at: .readProfile), try response.jsonValue(at: .readProfile))
    }

    private static let maximumPages = 5
}

private struct Account: Decodable {
    let person: String
    let state: String
}

private struct Person: Decodable {
    let id: String
    let fullName: String?
    let givenName: String?
    let familyName: String?

    enum CodingKeys: String, CodingKey {
        case id
        case fullName = "full_name"
        case givenName = "given_name"
        case familyName = "family_name"
    }
}

private struct Page<Item: Decodable>: Decodable {
    let items: [Item]
    let next: String?
}

private struct Address: Decodable {
    let value: String
    let isPrimary: Bool
    let status: String

    enum CodingKeys: String, CodingKey {
        case value, status
        case isPrimary = "primary"
    }
}

private struct Membership: Decodable {
    let organization: String
    let isActive: Bool

    enum CodingKeys: String, CodingKey {
        case organization
        case isActive = "active"
    }
}

extension ProviderPlugin {
    static let directory = ProviderPlugin(DirectoryProvider.self)
}
