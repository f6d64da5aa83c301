import Broker
import BrokerStore
import Foundation
import GitHub
import JOSE
import ProviderKit

/// An account at a provider that merges accounts, with what the provider says about it at one sign-in.
struct MergingAccount: Codable, Sendable {
    var subject: String
    var survivor: String?
    var absorbed: [String] = []
    /// The merged accounts whose user has proven to own both.
    var proven: [String] = []
    var isAnonymous = false
    var wasAnonymous = false
    var email: String?

    /// A new account.
    init(_ subject: String, email: String? = nil, isAnonymous: Bool = false, wasAnonymous: Bool = false) {
        self.subject = subject
        self.email = email
        self.isAnonymous = isAnonymous
        self.wasAnonymous = wasAnonymous
    }

    /// An account after a merge.
    init(
        _ subject: String, survivor: String, absorbed: [String] = [], proven: [String] = [], email: String? = nil
    ) {
        self.init(subject, email: email)
        self.survivor = survivor
        self.absorbed = absorbed
        self.proven = proven
    }
}

extension MergingAccount {
    /// The assertions of the provider about this account.
    func accessToken() throws -> String { Base64URL.encode(Array(try JSONEncoder().encode(self))) }
}

/// A provider that asserts the account its access token names.
struct MergingProvider: IdentityProvider {
    struct Options: Decodable, Sendable {}

    static let kind: ProviderKind = "merging"
    static let id = "merging.test"

    let instance = "https://merging.example"
    let clientID = "client"
    let accepts: Set<Credential.Kind> = [.accessToken]

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {}

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .accessToken(let token) = credential.proof, let bytes = Base64URL.decode(token),
            let account = try? JSONDecoder().decode(MergingAccount.self, from: Data(bytes))
        else { throw ProviderError(.credential, at: .introspect, "no token of this provider") }
        return ExternalIdentity(
            subject: account.subject,
            merge: account.survivor.map {
                .init(survivor: $0, absorbed: account.absorbed, proven: account.proven)
            },
            isAnonymous: account.isAnonymous, wasAnonymous: account.wasAnonymous,
            email: account.email.map { .init($0, isVerified: true) },
            grant: UpstreamGrant(clientID: clientID, accessToken: token))
    }
}

extension TestBroker {
    static let mergingPlugins: [ProviderPlugin] = [.github, ProviderPlugin(MergingProvider.self)]

    /// Runs a broker that offers a provider that merges accounts, and GitHub.
    static func runWithMerges<Value>(
        autoMerge: Bool = false, _ change: (inout Configuration) -> Void = { _ in },
        _ test: (TestBroker) async throws -> Value
    ) async throws -> Value {
        let merging: JSONValue = [
            "id": .string(MergingProvider.id), "use": "merging", "trustEmail": true, "autoMerge": .bool(autoMerge),
        ]
        return try await run(
            change, plugins: mergingPlugins,
            entries: { [merging, gitHub($0), gitHub($0, id: "github.work")] }, test)
    }

    func signIn(_ account: MergingAccount, extra: JSONObject = JSONObject()) async throws -> Answer {
        try await signIn(
            postBody: [("access_token", try account.accessToken()), ("providerId", MergingProvider.id)], extra: extra)
    }

    func link(_ account: MergingAccount, to session: Answer) async throws -> Answer {
        try await signIn(account, extra: ["idToken": .string(try session.string("idToken"))])
    }

    /// The merges that wait, or every one.
    func merges(all: Bool = false) async throws -> [MergeCandidate] {
        try await core.accounts.pendingMerges(includingDismissed: all, limit: 1000)
    }

    /// The user with this local id and their identities, if there is one.
    func user(_ localID: String) async throws -> UserRecord? {
        try await core.store.read { transaction in
            try transaction.user(localID: localID).map {
                UserRecord(user: $0, identities: try transaction.identities(of: $0.key))
            }
        }
    }

    /// The decisions that led to a user as rule and outcome, latest first.
    func decisions(about localID: String) async throws -> [String] {
        try await core.store.read { try $0.decisions(localID: localID, limit: 100) }.map { "\($0.rule) \($0.outcome)" }
    }
}
