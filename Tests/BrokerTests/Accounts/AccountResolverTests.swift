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

    static func evidence(
        email: String? = nil, verified: Bool = true, isRelay: Bool = false, provider: String = "github.com"
    ) throws
        -> Evidence
    {
        try Evidence(
            ExternalIdentity(subject: "7", email: email.map { .init($0, isVerified: verified, isRelay: isRelay) }),
            from: ConfiguredProvider(
                id: provider, kind: "github", trustsEmail: true, provider: StaticProvider()))
    }

    /// A user with an identity of a provider.
    static func holder(
        _ user: User, at provider: String = "github.com", under issuer: String = ""
    ) -> AccountSnapshot.SubjectHolder {
        .init(
            user: user,
            identity: Identity(
                key: 1, userKey: user.key, identity: .init(provider: provider, issuer: issuer, subject: "7"),
                profile: "{}",
                linkedAt: user.createdAt, lastSignInAt: user.createdAt))
    }

    static func signIn(
        _ evidence: Evidence, owner: User? = nil, holder: User? = nil, holderHas: [String] = [],
        createsUser: Bool = true, isAnnounced: Bool = false, policy: Policy
    ) -> (rule: String, decision: String) {
        let resolution = AccountResolver.signIn(
            evidence,
            .init(
                owner: owner.map { Self.holder($0) }, isOwnerAnnounced: isAnnounced, emailHolder: holder,
                emailHolderProviders: holderHas),
            createsUser: createsUser, policy: policy.emailCollision)
        let decision =
            switch resolution.decision {
            case .signIn(let owner): "sign in \(owner.user.localID)"
            case .createUser(let holder, let withEmail):
                "create\(holder.map { ", take e-mail of \($0.localID)" } ?? "")\(withEmail ? "" : ", without e-mail")"
            case .join(let user, let strips): "join \(user.localID)\(strips ? ", strip" : "")"
            case .needConfirmation(let holder, let discloses, let isRecycled):
                "confirm \(holder.localID)\(discloses ? "" : ", undisclosed")\(isRecycled ? ", recycled" : "")"
            case .refuse(let error): "refuse \(error)"
            }
        return (resolution.rule.rawValue, decision)
    }

    static func link(
        _ evidence: Evidence, to user: User, having providers: [String] = [], under issuer: String = "",
        owner: User? = nil, holder: User? = nil, policy: Policy
    ) -> (rule: String, decision: String) {
        let identities = providers.map { Self.holder(user, at: $0, under: issuer).identity }
        let resolution = AccountResolver.link(
            evidence, to: UserRecord(user: user, identities: identities),
            .init(owner: owner.map { Self.holder($0) }, emailHolder: holder), policy: policy.linkEmail)
        let decision =
            switch resolution.decision {
            case .link(let takesEmail, let verifies):
                "link \(user.localID)\(takesEmail ? ", take e-mail" : "")\(verifies ? ", verify e-mail" : "")"
            case .relink: "relink \(user.localID)"
            case .refuse(let error): "refuse \(error)"
            }
        return (resolution.rule.rawValue, decision)
    }

    @Test(arguments: AccountPolicyTable.signIn)
    func `signing in follows the table`(row: AccountPolicyTable.Row) throws {
        for (policy, expected) in [(Policy.strict, row.strict), (.firebase, row.firebase)] {
            let evidence = try Self.evidence(email: "a@example.com", verified: row.isProven, isRelay: row.isRelay)
            let holder = row.holder.map { Self.user(2, email: "a@example.com", verified: $0 == .verified) }
            let (rule, decision) = Self.signIn(
                evidence, owner: row.isKnown ? Self.ann : nil, holder: holder,
                holderHas: row.holderHasProvider ? ["github.com"] : [], createsUser: row.createsUser,
                isAnnounced: row.isAnnounced, policy: policy)
            #expect(decision == expected, "\(row.situation), \(rule)")
            #expect((rule == "S1-migrated") == row.isAnnounced)
        }
    }

    @Test(arguments: AccountPolicyTable.link)
    func `linking follows the table`(row: AccountPolicyTable.Row) throws {
        for (policy, expected) in [(Policy.strict, row.strict), (.firebase, row.firebase)] {
            let evidence = try Self.evidence(email: "a@example.com", verified: row.isProven, isRelay: row.isRelay)
            let me = Self.user(1, email: row.ownsAddress ? "a@example.com" : nil)
            let other = row.holder.map { Self.user(2, email: "a@example.com", verified: $0 == .verified) }
            let holder = row.ownsAddress ? me : other
            let (rule, decision) = Self.link(
                evidence, to: me, having: row.holderHasProvider ? ["github.com"] : [],
                under: row.isOfFormerOwner ? StaticProvider.former : "", owner: row.isKnown ? Self.bob : nil,
                holder: holder, policy: policy)
            #expect(decision == expected, "\(row.situation), \(rule)")
        }
    }

    @Test func `a disabled account is refused before anything is written`() throws {
        let proven = try Self.evidence(email: "a@example.com")
        let unproven = try Self.evidence(email: "a@example.com", verified: false)
        let disabled = Self.user(1, email: "a@example.com", disabled: true)
        for policy in [Policy.strict, .firebase] {
            #expect(Self.signIn(proven, owner: disabled, policy: policy).decision == "refuse userDisabled")
            #expect(Self.signIn(proven, holder: disabled, policy: policy).decision == "refuse userDisabled")
            let unprovenHere = Self.signIn(unproven, holder: disabled, policy: policy).decision
            #expect(unprovenHere == (policy == .strict ? "create, without e-mail" : "confirm user-1"))
            #expect(Self.link(proven, to: disabled, policy: policy).decision == "refuse userDisabled")
        }
    }

    @Test(arguments: [
        "", " ", "null", "undefined", "0", "é", "a b", String(repeating: "1", count: 256), "a\u{0}", "Optional(5)",
        #"Optional("a")"#, "None", "NULL", "NaN", "True", "-1", "-5", "-9223372036854775808", "-0.5", "{}", "[]",
        "[object", "<null>", "(null)", "Some(5)",
    ])
    func `a subject that is no identifier is refused`(subject: String) {
        #expect(throws: BrokerError.self) {
            try Evidence(
                ExternalIdentity(subject: subject),
                from: ConfiguredProvider(
                    id: "github.com", kind: "github", trustsEmail: true, provider: StaticProvider()))
        }
    }

    @Test(arguments: ["5", "00", "-a", "-", "a-1", "Noneother", "urn:uuid:0-0", "jo@example.org", "-_k3"])
    func `a subject that is an identifier is taken as it is`(subject: String) throws {
        let evidence = try Evidence(
            ExternalIdentity(subject: subject),
            from: ConfiguredProvider(id: "x", kind: "github", trustsEmail: true, provider: StaticProvider()))

        #expect(evidence.key.subject == subject)
    }

    @Test(arguments: [
        ("https://p.example/ada.png?s=64&x=%20#f", true), ("HTTPS://p.example:8443", true), ("https://[::1]/a", true),
        ("http://p.example/a", true), ("javascript:alert(1)", false), ("https:/p.example", false), ("https://", false),
        ("https:///a", false), ("https://?a", false), ("https://u@p.example/a", true),
        ("https://p.example/\u{E9}", true), ("https://p.example/\u{9F}", false),
        (" https://p.example/a", false), ("https://p.example/a\nb", false),
        ("data:image/png;base64,AA", false), ("/a.png", false),
        ("https://p.example/" + String(repeating: "x", count: 2031), false),
    ])
    func `a picture is an http or https URL, whole and unchanged, or none`(url: String, isTaken: Bool) throws {
        let evidence = try Evidence(
            ExternalIdentity(subject: "7", pictureURL: url),
            from: ConfiguredProvider(id: "x", kind: "github", trustsEmail: true, provider: StaticProvider()))

        #expect(evidence.photoURL == (isTaken ? url : nil))
    }

    @Test func `a name of one character and any length is cut in bytes`() throws {
        let identity = ExternalIdentity(subject: "7", displayName: "a" + String(repeating: "\u{301}", count: 20_000))
        let evidence = try Evidence(
            identity,
            from: ConfiguredProvider(
                id: "x", kind: "github", trustsEmail: true, provider: StaticProvider()))
        #expect((evidence.displayName?.utf8.count ?? 0) <= 256)
    }

    @Test func `an address counts as verified only when the operator trusts the provider`() throws {
        let identity = ExternalIdentity(subject: "7", email: .init("a@example.com", isVerified: true))
        let distrusted = ConfiguredProvider(
            id: "x", kind: "github", trustsEmail: false, provider: StaticProvider())

        #expect(try Evidence(identity, from: distrusted).email?.isVerified == false)
    }
}

/// A provider that verifies nothing: the policy never asks it.
private struct StaticProvider: SubjectMigration {
    struct Options: Decodable, Sendable {}
    typealias MigrationOptions = Options

    static let kind: ProviderKind = "static"
    static let former = "https://former.example"
    let formerInstances = [former]
    let instance = "https://static.example"
    let clientID = "client"
    let accepts: Set<Credential.Kind> = []

    init() {}

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {}

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        throw ProviderError(.credential, at: .redeem, "verifies nothing")
    }

    func migrator(_ options: Options) throws(ProviderError) -> any SubjectMigrator {
        throw ProviderError(.configuration, at: .configure, "migrates no user")
    }
}
