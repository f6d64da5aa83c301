import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

/// What a user or an app can do on a wire. A feature without a cell on each wire does not compile.
enum Feature: String, CaseIterable, Sendable {
    case isNewUser = "whether the sign-in created the user"
    case providerTokens = "the provider's access token"
    case firstTimeProfile = "the name that a provider sends once"
    case deletion = "deletion with withdrawal, and its outcome"
    case mergeNotices = "who was merged into the user"
    case stepUp = "step-up"
    case signOut = "sign-out of one session"
    case signOutEverywhere = "sign-out of all sessions"
    case authorizationCode = "takes an authorization code"
    case idToken = "takes an ID token"
    case accessToken = "takes an access token"
    case deviceSecret = "introduces a device, takes its secret"
    case customToken = "takes a custom token"
    case pendingToken = "takes a pending token"
    case appAuthorization = "has a provider answer to the app's own redirect URI"

    enum Cell: Sendable {
        case tested(@Sendable () async throws -> Void)
        /// The section that keeps the feature away.
        case excluded(String)
    }

    private static let credentialInBrowser = Cell.excluded(
        "RFC 6749 §4.1: the user logs in at the provider, in a user agent; the client's request has no credential of theirs"
    )

    func cell(on wire: Wire) -> Cell {
        switch self {
        case .isNewUser: .tested { try await FeatureChecks(wire).isNewUser() }
        case .providerTokens: .tested { try await FeatureChecks(wire).providerTokens() }
        case .firstTimeProfile: .tested { try await FeatureChecks(wire).firstTimeProfile() }
        case .deletion: .tested { try await FeatureChecks(wire).deletion() }
        case .mergeNotices: .tested { try await FeatureChecks(wire).mergeNotices() }
        case .stepUp:
            switch wire {
            case .signInWithIdp, .authorizationCode, .tokenExchange, .deviceGrant:
                .tested { try await FeatureChecks(wire).stepUp() }
            case .commandLine:
                .excluded("RFC 9470 §3: it answers an access token; an administrator has none of the user's")
            }
        case .signOut: .tested { try await FeatureChecks(wire).signOut(everywhere: false) }
        case .signOutEverywhere: .tested { try await FeatureChecks(wire).signOut(everywhere: true) }
        case .authorizationCode: .tested { try await FeatureChecks(wire).takesCode() }
        case .idToken:
            switch wire {
            case .signInWithIdp, .tokenExchange, .commandLine:
                .tested { try await FeatureChecks(wire).takes("id_token") }
            case .authorizationCode, .deviceGrant: Self.credentialInBrowser
            }
        case .accessToken:
            switch wire {
            case .signInWithIdp, .tokenExchange, .commandLine:
                .tested { try await FeatureChecks(wire).takes("access_token") }
            case .authorizationCode, .deviceGrant: Self.credentialInBrowser
            }
        case .deviceSecret:
            switch wire {
            case .signInWithIdp, .tokenExchange: .tested { try await FeatureChecks(wire).introducesDevice() }
            case .authorizationCode, .deviceGrant: Self.credentialInBrowser
            case .commandLine: .excluded("RFC 6819 §4.1.1: a device's secret stays on the device")
            }
        case .customToken:
            switch wire {
            case .signInWithIdp, .tokenExchange: .tested { try await FeatureChecks(wire).takesCustomToken() }
            case .authorizationCode, .deviceGrant: Self.credentialInBrowser
            case .commandLine: .excluded("RFC 7523 §3: it is an assertion for a session; it has no identity to link")
            }
        case .pendingToken:
            switch wire {
            case .signInWithIdp, .tokenExchange: .tested { try await FeatureChecks(wire).takesPendingToken() }
            case .authorizationCode, .deviceGrant: Self.credentialInBrowser
            case .commandLine: .excluded("RFC 9700 §2.2: it is bound to the client that got it")
            }
        case .appAuthorization:
            switch wire {
            case .signInWithIdp, .tokenExchange: .tested { try await FeatureChecks(wire).answersApp() }
            case .authorizationCode, .deviceGrant: Self.credentialInBrowser
            case .commandLine: .excluded("RFC 8252 §7: the system knows an app by its redirect URI; a command has none")
            }
        }
    }
}

@Suite("Features on every wire")
struct FeatureTests {
    @Test(arguments: Feature.allCases, Wire.allCases)
    func `work wherever no standard forbids it`(feature: Feature, wire: Wire) async throws {
        guard case .tested(let check) = feature.cell(on: wire) else { return }
        try await check()
    }

    @Test func `have few cells that a standard closes, each with its section`() {
        var closed = 0
        for feature in Feature.allCases {
            for wire in Wire.allCases {
                guard case .excluded(let section) = feature.cell(on: wire) else { continue }
                #expect(section.contains("§"))
                closed += 1
            }
        }
        #expect(closed == 17)
    }
}

/// The checks of one wire.
struct FeatureChecks: Sendable {
    let wire: Wire

    init(_ wire: Wire) {
        self.wire = wire
    }

    private func run(
        _ change: (inout Configuration) -> Void = { _ in },
        _ test: (TestBroker, TestProviders) async throws -> Void
    ) async throws {
        try await TestProviders.run(
            {
                $0.policy.providerTokens = .client
                // Elsewhere the simulators' apps have redirect URIs of their own, whose codes any wire redeems.
                if wire.isInBrowser { $0.publicURL = TestBrowser.publicURL }
                change(&$0)
            },
            entries: TestProviders.signsDevicesIn(at: "anonymousBootstrap"), test)
    }

    func isNewUser() async throws {
        try await run { broker, providers in
            let ada = providers.person(providers.gitLab.people()[0])
            let first = try await wire.signIn(ada, at: broker)
            broker.clock.advance(seconds: 5)
            let second = try await wire.signIn(ada, at: broker)

            #expect(first.isNewUser == true && second.isNewUser == false)
            #expect(first.localID == second.localID)
        }
    }

    func providerTokens() async throws {
        try await run { broker, providers in
            let session = try await wire.signIn(try providers.withCode(at: "gitlab.com"), at: broker)
            let token: String?
            switch wire {
            case .signInWithIdp: token = session.tokens?["oauthAccessToken"]?.string
            case .authorizationCode, .tokenExchange, .deviceGrant:
                token = session.tokens?["provider_token"]?["access_token"]?.string
            case .commandLine:
                let backend = try await TestBackend(broker, scopes: [.readProviderTokens])
                let answer = try await backend.send(
                    .POST, "/v1/broker/users/\(session.localID)/providers/gitlab.com:token", [:])
                token = answer["accessToken"]?.string
            }
            #expect(providers.gitLab.isLive(token: try #require(token)))
        }
    }

    func firstTimeProfile() async throws {
        try await run { broker, providers in
            let person = providers.apple.people()[0]
            let account = TestPerson(
                provider: "apple.com",
                subject: providers.apple.subject(of: person, for: providers.apple.nativeApplication),
                account: person.id
            ) { providers.nativeCredential(of: person) }
            let session = try await wire.signIn(account, at: broker)

            #expect(
                try await session.read(.usersShow)["displayName"]?.string
                    == "\(person.givenName ?? "") \(person.familyName ?? "")")
        }
    }

    func deletion() async throws {
        try await run { broker, providers in
            let session = try await wire.signIn(try providers.withCode(at: "gitlab.com"), at: broker)
            let withdrawals: JSONValue?
            if let app = session.app, let tokens = session.tokens {
                withdrawals = try await NativeApp(app: app).post(":delete", tokens)["broker"]?["withdrawals"]
            } else if let tokens = session.tokens {
                withdrawals = try await broker.delete(tokens)["broker"]?["withdrawals"]
            } else {
                let answer = try await TestBackend(broker).send(
                    .POST, "/v1/broker/admin/users.delete", ["user": .string(session.localID)])
                withdrawals = answer["withdrawals"]
            }

            let receipt = withdrawals?.array?.first
            #expect(receipt?["providerId"] == "gitlab.com" && receipt?["state"] == "queued", "\(withdrawals ?? .null)")
            let stored = try await broker.withdrawals()
            #expect(stored.map(\.id) == [receipt?["receipt"]?.string])
        }
    }

    func mergeNotices() async throws {
        try await TestBroker.runWithMerges({ $0.publicURL = TestBrowser.publicURL }) { broker in
            let ada = try broker.person("ada")
            let simulator = broker.simulator
            let person = TestPerson(provider: "github.com", subject: String(ada.id), account: String(ada.id)) {
                [
                    ("access_token", simulator.accessToken(for: ada, application: simulator.defaultApplication)),
                    ("providerId", "github.com"),
                ]
            }
            let stays = try await broker.signIn(person)
            let goes = try await broker.signIn(MergingAccount("9"))
            let gone = try goes.string("localId")
            _ = try await broker.core.accounts.mergeAccounts(
                .idToken(stays.string("idToken")), with: .session(.idToken(goes.string("idToken"))),
                survivor: stays.string("localId"), origin: Origin(.user))

            let session = try await wire.signIn(person, at: broker)

            guard let tokens = session.tokens else {
                let shown = try await ShowUser(user: gone).run(
                    for: AdminCall(broker.core.admin, origin: Origin(.admin)))
                #expect(shown["broker"]?["mergedInto"] == stays["localId"])
                return
            }
            #expect(tokens["broker"]?["mergedFrom"] == [.string(gone)], "\(tokens.text)")
        }
    }

    func stepUp() async throws {
        let policy = try Policy(reading: [
            "preset": "strict",
            "stepUp": [
                [
                    "acr": "urn:example:minute", "maxAge": 60, "scopes": ["email"],
                    "routes": ["accounts:lookup"],
                ]
            ],
        ])
        try await run({ $0.policy = policy }) { broker, providers in
            let session = try await wire.signIn(providers.person(providers.gitLab.people()[0]), at: broker)
            let tokens = try #require(session.tokens)
            func ask() async throws -> Answer {
                session.isIdentityToolkit
                    ? try await broker.lookup(tokens.string("idToken"))
                    : try await broker.userInfo(tokens.string("access_token"))
            }
            #expect(try await ask().status == 200)
            providers.advance(100, with: broker)

            let refused = try await ask()

            #expect(
                refused.text.contains("urn:example:minute")
                    || refused.headers.description.contains("urn:example:minute"))
            #expect(
                session.isIdentityToolkit
                    ? refused.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
                    : refused.oauthError == "insufficient_user_authentication", "\(refused.text)")
        }
    }

    func signOut(everywhere: Bool) async throws {
        try await run { broker, providers in
            let ada = providers.person(providers.gitLab.people()[0])
            // Another family's session of the user, which a sign-out of one leaves alone.
            let other = try await broker.signIn(ada)
            let session = try await wire.signIn(ada, at: broker)
            switch (session.app, session.tokens) {
            case (let app?, let tokens?):
                let native = NativeApp(app: app)
                let path = everywhere ? "/sessions:signOutAll" : "/sessions:signOut"
                #expect(try await native.post(path, tokens).status == 200)
                #expect(try await app.refresh(tokens.string("refresh_token")).oauthError == "invalid_grant")
            case (nil, let tokens?):
                let path = everywhere ? "/v1/broker/sessions:signOutAll" : "/v1/broker/sessions:signOut"
                let body: JSONValue = ["idToken": .string(try tokens.string("idToken"))]
                #expect(try await broker.post(path, body).status == 200)
                #expect(try await broker.lookup(tokens.string("idToken")).code == "TOKEN_EXPIRED")
            case (_, nil):
                let backend = try await TestBackend(broker)
                let begun = try await broker.signIn(ada)
                let id = try broker.claims(of: begun)["broker"]?["sid"]
                let answer =
                    everywhere
                    ? try await backend.send(
                        .POST, "/v1/broker/admin/sessions.revoke-all", ["user": .string(session.localID)])
                    : try await backend.send(.POST, "/v1/broker/admin/sessions.revoke", ["session": id ?? .null])
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try await broker.lookup(begun.string("idToken")).code == "TOKEN_EXPIRED")
            }

            #expect(try await broker.lookup(other.string("idToken")).status == (everywhere ? 400 : 200))
        }
    }

    func takesCode() async throws {
        try await run { broker, providers in
            let person = try providers.withCode(at: "gitlab.com")
            let session = try await wire.signIn(person, at: broker)

            #expect(try await broker.user(session.localID)?.identities.map(\.subject) == [person.subject])
            #expect(try await broker.storedGrants(ofUser: session.localID).map(\.provider) == ["gitlab.com"])
        }
    }

    func takes(_ kind: String) async throws {
        try await run { broker, providers in
            let person = providers.gitLab.people()[0]
            let account = TestPerson(provider: "gitlab.com", subject: String(person.id), account: String(person.id)) {
                (try? kind == "id_token"
                    ? providers.idTokenCredential(at: "gitlab.com", forging: nil)
                    : providers.person(person).credential()) ?? []
            }
            let session = try await wire.signIn(account, at: broker)

            #expect(try await broker.user(session.localID)?.identities.map(\.subject) == [String(person.id)])
        }
    }

    func introducesDevice() async throws {
        try await run { broker, _ in
            let native = try await NativeApp(at: broker)
            func introduce(_ secret: String?) async throws -> (localID: String?, secret: String?, isNewUser: Bool?) {
                guard wire == .tokenExchange else {
                    var body: JSONObject = [
                        "providerId": "1pass.dev", "deviceId": "6f1d0f52-device-one", "platform": "ios",
                    ]
                    body["deviceSecret"] = secret.map(JSONValue.string)
                    let answer = try await broker.post("/v1/broker/devices:bootstrap", .object(body))
                    return (
                        answer["localId"]?.string, answer["deviceSecret"]?.string, answer["isNewUser"]?.bool ?? false
                    )
                }
                let form: [String: String?] = [
                    "subject_token": "6f1d0f52-device-one", "provider": "1pass.dev", "platform": "ios",
                    "subject_token_type": "urn:broker:oauth:token-type:device", "device_secret": secret,
                ]
                let answer = try await native.exchange([], form)
                return (
                    try answer.claims()["sub"]?.string, answer["device_secret"]?.string, answer["is_new_user"]?.bool
                )
            }

            let first = try await introduce(nil)
            let again = try await introduce(try #require(first.secret))

            #expect(first.localID != nil && first.localID == again.localID && again.secret == nil)
            #expect(first.isNewUser == true && again.isNewUser == false)
        }
    }

    func takesCustomToken() async throws {
        try await TestBroker.runWithServiceAccount { broker, fixture in
            let token = try fixture.token(
                ServiceAccountFixture.claims("employee-7", at: broker.clock.now, ["amr": ["mfa"]]))
            let native = try await NativeApp(at: broker)
            let answer =
                wire == .tokenExchange
                ? try await native.exchange(
                    [],
                    ["subject_token": token, "subject_token_type": "urn:ietf:params:oauth:token-type:jwt"])
                : try await broker.signIn(customToken: token)

            let claims = try answer.claims(wire == .tokenExchange ? "id_token" : "idToken")
            #expect(claims["sub"] == "employee-7" && claims["amr"] == ["mfa"], "\(answer.text)")
        }
    }

    func answersApp() async throws {
        try await AppAuthorization.run { broker, providers, native in
            let ada = try #require(providers.onePass.person(named: "ada"))
            let localID: String?
            if wire == .tokenExchange {
                let answer = try await AppAuthorization.begin(native, providers).finish()
                localID = try answer.claims()["sub"]?.string
            } else {
                let started = try await AppSignIn.start(
                    broker, "1pass.dev", extra: ["continueUri": .string(AppAuthorization.redirectURI)])
                let back = providers.onePass.openUniversalLink(
                    try started.string("authUri"), deciding: .approve(ada))
                let answer = try await broker.post(
                    "/v1/accounts:signInWithIdp",
                    [
                        "requestUri": .string(try #require(back)), "sessionId": started["sessionId"] ?? .null,
                        "returnSecureToken": true,
                    ])
                localID = answer["localId"]?.string
            }

            let user = try #require(try await broker.user(localID ?? ""))
            #expect(user.identities.map(\.subject) == [ada.subject])
            #expect(
                try await broker.storedGrants(ofUser: user.user.localID).map(\.clientID) == [AppAuthorization.clientID])
        }
    }

    func takesPendingToken() async throws {
        try await run { broker, providers in
            let email = try #require(providers.gitLab.people()[0].email)
            let holder = try await wire.signIn(try providers.person(at: "github.com", email: email), at: broker)
            let tokens = try #require(holder.tokens)
            let credential = try providers.codeCredential(at: "gitlab.com")
            if let app = holder.app {
                let native = NativeApp(app: app)
                let refused = try await native.exchange(credential)
                let linked = try await native.exchange(
                    [], actor: tokens,
                    [
                        "subject_token": try refused.string("pending_token"),
                        "subject_token_type": "urn:broker:oauth:token-type:pending_token",
                    ])
                #expect(refused["providers"] == ["github.com"] && linked.status == 200, "\(linked.text)")
            } else {
                let refused = try await broker.signIn(postBody: credential)
                let linked = try await broker.usePending(
                    try refused.string("pendingToken"), idToken: try tokens.string("idToken"))
                #expect(refused["verifiedProvider"] == ["github.com"] && linked.status == 200, "\(linked.text)")
            }
            #expect(try await broker.user(holder.localID)?.identities.count == 2)
        }
    }
}

extension TestProviders {
    /// A person of GitLab, with an access token each time.
    func person(_ person: GitLabSimulator.Person) -> TestPerson {
        TestPerson(provider: "gitlab.com", subject: String(person.id), account: String(person.id)) {
            [
                ("access_token", gitLab.accessToken(for: person, application: gitLab.defaultApplication)),
                ("providerId", "gitlab.com"),
            ]
        }
    }

    /// The first person of a provider, with an authorization code each time.
    fileprivate func withCode(at provider: String) throws -> TestPerson {
        let person = gitLab.people()[0]
        return TestPerson(provider: provider, subject: String(person.id), account: String(person.id)) {
            (try? codeCredential(at: provider)) ?? []
        }
    }
}
