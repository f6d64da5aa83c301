import Foundation
import OAuth
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("Bad credentials on every wire")
struct BadCredentialTests {
    private enum Kind: String, CaseIterable, Sendable {
        case idToken = "an ID token"
        case accessToken = "an access token"
        case code = "a code"
        case customToken = "a custom token"
        case pendingToken = "a pending token"
        case device = "a device"
    }

    private enum Badness: CaseIterable, Sendable {
        case malformed, foreign, expired, replayed
    }

    /// Every kind of credential with the providers that have it.
    private static let credentials: [(Kind, String)] =
        ["apple.com", "gitlab.com", "1pass.dev"].map { (.idToken, $0) }
        + ["github.com", "gitlab.com", "1pass.dev"].map { (.accessToken, $0) }
        + TestProviders.ids.map { (.code, $0) }
        + [(.customToken, "custom"), (.pendingToken, "gitlab.com"), (.device, "1pass.dev")]

    @Test(arguments: credentials.map { "\($0.0.rawValue) of \($0.1)" })
    func `a bad credential has one code on every wire, and leaves nothing`(name: String) async throws {
        let (kind, provider) = try #require(Self.credentials.first { "\($0.0.rawValue) of \($0.1)" == name })
        try await Scene.run { scene in
            for badness in Badness.allCases {
                for wire in Wire.allCases where wire.takes(kind) {
                    let credential = try await scene.credential(kind, of: provider, badness, for: wire)
                    let before = try await scene.rows()
                    let code = try await scene.send(credential, over: wire)

                    #expect(code == Self.code(of: kind, badness), "\(badness) over \(wire)")
                    if code != nil { #expect(try await scene.rows() == before, "\(badness) over \(wire)") }
                }
            }
        }
    }

    /// What refuses it; nil where the credential counts more than once.
    private static func code(of kind: Kind, _ badness: Badness) -> String? {
        switch (kind, badness) {
        case (.accessToken, .replayed), (.customToken, .replayed), (.device, .replayed): nil
        case (.idToken, _), (.accessToken, _), (.code, _): "INVALID_IDP_RESPONSE"
        case (.customToken, _): "INVALID_CUSTOM_TOKEN"
        case (.pendingToken, _): "INVALID_PENDING_TOKEN"
        case (.device, .malformed): "INVALID_DEVICE"
        case (.device, _): "INVALID_DEVICE_SECRET"
        }
    }

    /// The roads by which a credential comes to the broker.
    private enum Wire: CaseIterable, Sendable {
        case identityToolkit, tokenExchange, commandLine

        var other: Wire { self == .identityToolkit ? .tokenExchange : .identityToolkit }

        /// Whether it takes the kind: `broker link` takes a provider's credentials alone.
        func takes(_ kind: Kind) -> Bool {
            switch kind {
            case .idToken, .accessToken, .code: true
            case .customToken, .pendingToken, .device: self != .commandLine
            }
        }
    }

    /// A credential, as a test says it to both wires.
    private enum Credential: Sendable {
        case provider([(String, String)])
        case customToken(String)
        case pendingToken(String)
        case device(id: String, secret: String?)
    }

    private struct Scene: Sendable {
        let broker: TestBroker
        let providers: TestProviders
        let native: NativeApp
        let signer: ServiceAccountFixture

        static func run(_ test: (Scene) async throws -> Void) async throws {
            let signer = try ServiceAccountFixture.trusted.get()
            let account = try signer.account()
            try await TestProviders.run(
                { $0.serviceAccounts = [account] }, entries: TestProviders.signsDevicesIn(at: "devices")
            ) { broker, providers in
                try await test(
                    Scene(
                        broker: broker, providers: providers, native: try await NativeApp(at: broker), signer: signer))
            }
        }

        /// The keys of all users, identities, sessions and grants.
        func rows() async throws -> [[Int64]] {
            try await broker.core.store.read { transaction in
                func key(_ row: inout Row) throws(StoreError) -> Int64 { try row.integer() }
                return [
                    try transaction.rows("user_keys", "SELECT key FROM users ORDER BY key", decode: key),
                    try transaction.rows("identity_keys", "SELECT key FROM identities ORDER BY key", decode: key),
                    try transaction.rows("session_keys", "SELECT key FROM sessions ORDER BY key", decode: key),
                    try transaction.rows("grant_keys", "SELECT key FROM provider_grants ORDER BY key", decode: key),
                ]
            }
        }

        /// - Returns: The code of the refusal; nil for a sign-in.
        func send(_ credential: Credential, over wire: Wire) async throws -> String? {
            if case (.commandLine, .provider(let fields)) = (wire, credential) { return try await link(fields) }
            let answer =
                switch (wire, credential) {
                case (.identityToolkit, .provider(let fields)): try await broker.signIn(postBody: fields)
                case (.identityToolkit, .customToken(let token)): try await broker.signIn(customToken: token)
                case (.identityToolkit, .pendingToken(let token)): try await broker.usePending(token)
                case (.identityToolkit, .device(let id, let secret)): try await bootstrap(id, secret)
                case (.tokenExchange, .provider(let fields)): try await native.exchange(fields)
                case (.tokenExchange, .customToken(let token)):
                    try await exchange(token, "urn:ietf:params:oauth:token-type:jwt")
                case (.tokenExchange, .pendingToken(let token)):
                    try await exchange(token, "urn:broker:oauth:token-type:pending_token")
                case (.tokenExchange, .device(let id, let secret)):
                    try await exchange(
                        id, "urn:broker:oauth:token-type:device",
                        ["provider": "1pass.dev", "platform": "ios", "device_secret": secret])
                case (.commandLine, _): throw TestFailure("the command line takes no such credential")
                }
            guard answer.status != 200 else { return nil }
            guard wire == .tokenExchange else { return answer.code }
            #expect(answer.oauthError == "invalid_grant", "\(answer.text)")
            return answer.refusal
        }

        /// What `broker link` does without `--user`.
        private func link(_ fields: [(String, String)]) async throws -> String? {
            let provider = fields.first { $0.0 == "providerId" }?.1 ?? ""
            do {
                let verified = try await broker.core.accounts.verify(
                    try ProviderKit.Credential(postBody: fields), from: provider)
                guard
                    case .refused(let error) = try await broker.core.accounts.user(
                        of: verified, origin: Origin(.admin))
                else { return nil }
                return error.code.rawValue
            } catch let error as BrokerError {
                return error.code.rawValue
            }
        }

        private func exchange(
            _ token: String, _ type: String, _ changes: [String: String?] = [:]
        ) async throws -> Answer {
            try await native.exchange(
                [], changes.merging(["subject_token": token, "subject_token_type": type]) { $1 })
        }

        private func bootstrap(_ id: String, _ secret: String?) async throws -> Answer {
            var body: JSONObject = ["providerId": "1pass.dev", "deviceId": .string(id), "platform": "ios"]
            body["deviceSecret"] = secret.map(JSONValue.string)
            return try await broker.post("/v1/broker/devices:bootstrap", .object(body))
        }

        /// A credential that is bad in one way, when it is sent over one wire.
        func credential(
            _ kind: Kind, of provider: String, _ badness: Badness, for wire: Wire
        ) async throws -> Credential {
            switch kind {
            case .idToken: try await idToken(provider, badness, wire)
            case .accessToken: try await accessToken(provider, badness, wire)
            case .code: try await code(provider, badness, wire)
            case .customToken: try await customToken(badness, wire)
            case .pendingToken: try await pendingToken(badness, wire)
            case .device: try await device(badness, wire)
            }
        }

        /// The same once it was used over the other wire, as far as that takes it.
        private func used(_ credential: Credential, before wire: Wire) async throws -> Credential {
            #expect(try await send(credential, over: wire.other) == nil)
            providers.advance(61, with: broker)
            return credential
        }

        private func idToken(_ provider: String, _ badness: Badness, _ wire: Wire) async throws -> Credential {
            let forgery: IDTokenForgery? =
                switch badness {
                case .malformed: .notAToken
                case .foreign: .wrongAudience
                case .expired: .expired
                case .replayed: nil
                }
            let credential = Credential.provider(try providers.idTokenCredential(at: provider, forging: forgery))
            return badness == .replayed ? try await used(credential, before: wire) : credential
        }

        private func accessToken(_ provider: String, _ badness: Badness, _ wire: Wire) async throws -> Credential {
            var fields = try providers.accessToken(at: provider, isForeign: badness == .foreign)
            switch badness {
            case .malformed: fields[0].1 = "two words"
            case .foreign: break
            // GitHub's do not expire.
            case .expired where provider == "github.com": providers.gitHub.revoke(token: fields[0].1)
            case .expired: providers.advance(7201, with: broker)
            case .replayed: return try await used(.provider(fields), before: wire)
            }
            return .provider(fields)
        }

        private func code(_ provider: String, _ badness: Badness, _ wire: Wire) async throws -> Credential {
            var fields = try providers.codeCredential(at: provider, isForeign: badness == .foreign)
            switch badness {
            case .malformed: fields[0].1 = "code\u{E9}"
            case .foreign: break
            // The simulator of GitHub has a clock of its own: it does not know a code that has expired.
            case .expired where provider == "github.com": fields[0].1 = RandomText.alphanumeric(20)
            case .expired: providers.advance(601, with: broker)
            case .replayed: return try await used(.provider(fields), before: wire)
            }
            return .provider(fields)
        }

        private func customToken(_ badness: Badness, _ wire: Wire) async throws -> Credential {
            func token(_ changes: JSONObject = [:]) throws -> String {
                try signer.token(ServiceAccountFixture.claims("employee-7", at: broker.clock.now, changes))
            }
            switch badness {
            case .malformed: return .customToken("a.b.c")
            case .foreign: return .customToken(try token(["aud": "https://another.example"]))
            case .expired:
                let late = try token()
                providers.advance(3601, with: broker)
                return .customToken(late)
            case .replayed: return try await used(.customToken(token()), before: wire)
            }
        }

        /// A pending token of the wire; of the other one if it is to be foreign.
        private func pendingToken(_ badness: Badness, _ wire: Wire) async throws -> Credential {
            guard badness != .malformed else { return .pendingToken("pt1_x") }
            let token = try await refusedSignIn(over: badness == .foreign ? wire.other : wire)
            if badness == .expired { providers.advance(3600, with: broker) }
            guard badness == .replayed else { return .pendingToken(token) }
            _ = try await broker.core.store.write { transaction in
                for user in try transaction.users(after: nil, limit: 100) { try transaction.releaseEmail(of: user.key) }
            }
            #expect(try await send(.pendingToken(token), over: wire) == nil)
            return .pendingToken(token)
        }

        /// The pending token of a sign-in whose address another user holds.
        private func refusedSignIn(over wire: Wire) async throws -> String {
            let email = "\(RandomText.alphanumeric(12))@example.com".lowercased()
            _ = try await broker.signIn(providers.person(at: "github.com", email: email))
            let credential = try providers.person(at: "gitlab.com", email: email).credential()
            return switch wire {
            case .identityToolkit, .commandLine: try await broker.signIn(postBody: credential).string("pendingToken")
            case .tokenExchange: try await native.exchange(credential).string("pending_token")
            }
        }

        private func device(_ badness: Badness, _ wire: Wire) async throws -> Credential {
            guard badness != .malformed else { return .device(id: "short", secret: nil) }
            let (id, other) = (RandomText.alphanumeric(32), RandomText.alphanumeric(32))
            let secret = try await bootstrap(id, nil).string("deviceSecret")
            switch badness {
            case .foreign: return .device(id: id, secret: try await bootstrap(other, nil).string("deviceSecret"))
            case .expired: providers.onePass.replaceDeviceSecret(of: id)
            case .replayed: return try await used(.device(id: id, secret: secret), before: wire)
            case .malformed: break
            }
            return .device(id: id, secret: secret)
        }
    }
}
