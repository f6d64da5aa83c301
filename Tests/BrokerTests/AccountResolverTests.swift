import BrokerStore
import ProviderKit
import Testing

@testable import Broker

@Suite("the account policy")
struct AccountResolverTests {
    static let ann = user(1)
    static let bob = user(2)

    static func user(_ key: Int64, email: String? = nil, verified: Bool = false, disabled: Bool = false) -> User {
        User(
            key: key, localID: "user-\(key)", email: email, emailCanonical: email, isEmailVerified: verified,
            isDisabled: disabled, createdAt: Timestamp(seconds: 0))
    }

    static func evidence(email: String? = nil, verified: Bool = true, provider: String = "github.com") throws
        -> Evidence
    {
        try Evidence(
            ExternalIdentity(subject: "7", email: email.map { .init($0, isVerified: verified) }),
            from: ConfiguredProvider(
                id: provider, kind: "github", trustsEmail: true, provider: StaticProvider()))
    }

    static func decide(
        _ evidence: Evidence, owner: User? = nil, holder: User? = nil, linked: Set<String> = [],
        _ intent: AccountResolver.Intent
    ) -> (String, String) {
        let resolution = AccountResolver.decide(
            evidence, .init(owner: owner, emailHolder: holder, linkedProviders: linked), intent: intent)
        return (resolution.rule, name(resolution.decision))
    }

    static func name(_ decision: AccountResolver.Decision) -> String {
        switch decision {
        case .signIn(let user): "sign in \(user.localID)"
        case .createUser: "create"
        case .link(let user, let takesEmail, let verifies):
            "link \(user.localID)\(takesEmail ? ", take e-mail" : "")\(verifies ? ", verify e-mail" : "")"
        case .needConfirmation(let holder, let discloses):
            "confirm \(holder.localID)\(discloses ? "" : ", undisclosed")"
        case .refuse(let error): "refuse \(error)"
        }
    }

    @Test func `signing in`() throws {
        let signIn = AccountResolver.Intent.signIn(createsUser: true)
        let address = "a@example.com"
        let proven = try Self.evidence(email: address)
        let unproven = try Self.evidence(email: address, verified: false)
        let disabled = Self.user(1, disabled: true)

        #expect(Self.decide(proven, owner: Self.ann, signIn) == ("S1", "sign in user-1"))
        #expect(Self.decide(proven, owner: Self.ann, holder: Self.bob, signIn) == ("S1", "sign in user-1"))
        #expect(Self.decide(proven, owner: disabled, signIn) == ("S1-disabled", "refuse userDisabled"))
        #expect(Self.decide(proven, holder: Self.bob, signIn) == ("S4", "confirm user-2"))
        #expect(Self.decide(unproven, holder: Self.bob, signIn) == ("S4", "confirm user-2, undisclosed"))
        #expect(Self.decide(proven, holder: disabled, signIn) == ("S4-disabled", "refuse userDisabled"))
        #expect(Self.decide(unproven, holder: disabled, signIn) == ("S4", "confirm user-1, undisclosed"))
        #expect(Self.decide(proven, signIn) == ("S5", "create"))
        #expect(Self.decide(proven, .signIn(createsUser: false)) == ("S7", "refuse noAccount"))
    }

    @Test func `linking`() throws {
        let address = "a@example.com"
        let proven = try Self.evidence(email: address)
        let owner = Self.user(1, email: address)
        let verifiedHolder = Self.user(2, email: address, verified: true)
        let unverifiedHolder = Self.user(2, email: address)

        #expect(Self.decide(proven, .link(Self.ann)) == ("L3", "link user-1, take e-mail"))
        #expect(Self.decide(proven, holder: owner, .link(owner)) == ("L3", "link user-1, verify e-mail"))
        #expect(Self.decide(proven, owner: Self.bob, .link(Self.ann)) == ("L1", "refuse identityAlreadyLinked"))
        #expect(Self.decide(proven, owner: Self.ann, .link(Self.ann)) == ("L1", "refuse identityAlreadyLinked"))
        #expect(
            Self.decide(proven, holder: verifiedHolder, .link(Self.ann)) == ("L2", "refuse emailHeldByAnotherUser"))
        #expect(Self.decide(proven, holder: unverifiedHolder, .link(Self.ann)) == ("L3", "link user-1"))
        #expect(
            Self.decide(proven, linked: ["github.com"], .link(Self.ann))
                == ("L-same-provider", "refuse providerAlreadyLinked"))
        #expect(Self.decide(proven, .link(Self.user(1, disabled: true))) == ("L0", "refuse userDisabled"))
    }

    @Test(arguments: ["", " ", "null", "undefined", "0", "é", "a b", String(repeating: "1", count: 256), "a\u{0}"])
    func `a subject nobody may be known by is refused`(subject: String) {
        #expect(throws: BrokerError.self) {
            try Evidence(
                ExternalIdentity(subject: subject),
                from: ConfiguredProvider(
                    id: "github.com", kind: "github", trustsEmail: true, provider: StaticProvider()))
        }
    }

    @Test func `an address counts as verified only when the operator trusts the provider`() throws {
        let identity = ExternalIdentity(subject: "7", email: .init("a@example.com", isVerified: true))
        let distrusted = ConfiguredProvider(
            id: "x", kind: "github", trustsEmail: false, provider: StaticProvider())

        #expect(try Evidence(identity, from: distrusted).email?.isVerified == false)
    }
}

/// A provider that vouches for nobody: the policy never asks it.
private struct StaticProvider: IdentityProvider {
    struct Options: Decodable, Sendable {}

    static let kind: ProviderKind = "static"
    let instance = "https://static.example"
    let clientID = "client"
    let accepts: Set<Credential.Kind> = []

    init() {}

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {}

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        throw ProviderError(.credential, at: .redeem, "vouches for nobody")
    }
}
