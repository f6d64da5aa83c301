import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

/// What documents show of a user and a login, whatever wire the session began on.
enum ShownFeature: String, CaseIterable, Sendable {
    case customClaims = "custom claims"
    case identityProvider = "provider of the sign-in"
    case methods = "methods"
    case loginTime = "time of the login"
    case authenticationContext = "authentication context"
    case anonymity
    case preferredUsername = "preferred username"

    /// What a document does with a feature.
    enum Cell {
        /// The member that shows it.
        case member([String])
        /// The section of a standard that keeps it out.
        case excluded(String)
    }

    func cell(in document: Document, isIdentityToolkit: Bool) -> Cell {
        switch self {
        case .customClaims:
            switch document {
            case .idToken, .accessToken, .introspection: .member(["role"])
            case .userRecord: .member([isIdentityToolkit ? "customAttributes" : "role"])
            case .usersShow: .member(["customAttributes"])
            }
        case .identityProvider:
            switch document {
            case .idToken, .accessToken: .member(isIdentityToolkit ? ["firebase", "sign_in_provider"] : ["idp"])
            case .userRecord, .introspection, .usersShow: Self.login("idp", in: document, isIdentityToolkit)
            }
        case .methods: Self.login("amr", in: document, isIdentityToolkit)
        case .loginTime: Self.login("auth_time", in: document, isIdentityToolkit)
        case .authenticationContext: Self.login("acr", in: document, isIdentityToolkit)
        case .anonymity:
            switch document {
            case .idToken, .accessToken: .member(isIdentityToolkit ? ["provider_id"] : ["broker", "anonymous"])
            case .userRecord, .introspection, .usersShow: .member(["broker", "anonymous"])
            }
        case .preferredUsername:
            switch document {
            case .idToken: .member(["preferred_username"])
            case .accessToken:
                isIdentityToolkit
                    ? .member(["preferred_username"])
                    : .excluded(
                        "RFC 9068 §6: clients read access tokens, which have no more of the user than is needed")
            case .userRecord:
                .member(isIdentityToolkit ? ["providerUserInfo", "screenName"] : ["preferred_username"])
            case .introspection: .excluded("RFC 7662 §5: no more of the user than the resource server needs")
            case .usersShow: .member(["providerUserInfo", "screenName"])
            }
        }
    }

    private static func login(_ claim: String, in document: Document, _ isIdentityToolkit: Bool) -> Cell {
        switch document {
        case .idToken, .accessToken, .introspection: .member([claim])
        case .userRecord: .member(isIdentityToolkit ? ["broker", "login", claim] : [claim])
        case .usersShow: .member(["broker", "sessions", claim])
        }
    }
}

@Suite("What documents show of a login")
struct ShownFeatureTests {
    private static let stepUp = "urn:example:login"

    @Test(arguments: Wire.allCases, ShownFeature.allCases.filter { $0 != .anonymity })
    func `every document shows a feature, whatever the wire`(wire: Wire, feature: ShownFeature) async throws {
        let policy = try Policy(reading: [
            "preset": "strict", "stepUp": [["acr": .string(Self.stepUp), "maxAge": 600]],
        ])
        try await TestProviders.runHosted({ $0.policy = policy }) { broker, providers in
            let person = providers.gitLab.people()[0]
            let ada = providers.person(person)
            let localID = try await broker.signIn(ada).string("localId")
            _ = try await SetUserClaims(user: localID, claims: ["role": "editor", "groups": ["x"]])
                .run(for: AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test")))

            let session = try await wire.signIn(ada, at: broker)

            #expect(session.localID == localID)
            let expected: JSONValue =
                switch feature {
                case .customClaims: "editor"
                case .identityProvider: "gitlab.com"
                case .methods: wire.isInBrowser ? ["fed", "user"] : ["fed"]
                case .loginTime: .integer(Timestamp(broker.clock.now).seconds)
                case .authenticationContext: .string(Self.stepUp)
                case .anonymity: true
                case .preferredUsername: .string(person.username)
                }
            try await Self.expect(feature, expected, in: session)
        }
    }

    @Test func `every document says that the user is only a device`() async throws {
        try await TestBroker.runWithMerges { broker in
            let answer = try await broker.signIn(MergingAccount("7", isAnonymous: true))
            let localID = try answer.string("localId")
            let record = try #require(try await broker.user(localID))
            let native = try await NativeApp(at: broker)
            let code = try await native.app.signIn(record.user)
            let exchanged = try await native.exchange([
                ("access_token", try MergingAccount("7", isAnonymous: true).accessToken()),
                ("providerId", MergingProvider.id),
            ])

            for (answer, app) in [(answer, nil), (code, native.app), (exchanged, native.app)] {
                let session = WireSession(
                    broker: broker, localID: localID, tokens: answer, app: app, isNewUser: nil)
                try await Self.expect(.anonymity, true, in: session)
                let entry = try await session.read(.usersShow)["providerUserInfo"]?.array?.first
                #expect(entry?["broker"]?["anonymous"] == true)
            }
        }
    }

    private static func expect(
        _ feature: ShownFeature, _ expected: JSONValue, in session: WireSession
    ) async throws {
        for document in Document.allCases where session.tokens != nil || document == .usersShow {
            let shown = try await session.read(document)
            guard
                case .member(let path) = feature.cell(in: document, isIdentityToolkit: session.isIdentityToolkit)
            else {
                #expect(shown["preferred_username"] == nil, "\(document.rawValue): \(shown.serialized())")
                continue
            }
            var value: JSONValue? = shown
            for name in path { value = value?.array?.first?[name] ?? value?[name] }
            if path == ["customAttributes"] { value = try value?.string.flatMap { try JSONValue(parsing: $0)["role"] } }
            if path == ["provider_id"] { value = value == "anonymous" ? true : value }
            #expect(value == expected, "\(document.rawValue): \(shown.serialized())")
        }
    }
}
