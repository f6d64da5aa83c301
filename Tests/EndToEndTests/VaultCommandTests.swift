import Foundation
import JOSE
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@Suite("broker vault", .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct VaultCommandTests {
    @Test(arguments: TestEngine.allCases)
    func `a rotation that is killed at every step ends no session of two brokers`(on engine: TestEngine) async throws {
        try await Installation.run(anonymousSignIn: true, engine: engine) { broker in
            let former = broker.masterKey
            try broker.addMasterKey(file: "new.key")
            try await broker.serve { _, one in
                try await broker.serve { _, other in
                    var sessions: [IdentityToolkitApp.Session] = []
                    for login in ["ada", "ben"] { sessions.append(try await broker.session(of: login, at: one)) }
                    for _ in 0..<4 { sessions.append(try .init(try await other.signUp())) }
                    let byCode = try await broker.signInWithCode("ada", at: one)
                    let pending = try #require(byCode.body["pendingToken"]?.string, "\(byCode)")
                    // The evidence of a refused link waits in the store, sealed.
                    let conflict = try await one.post(
                        "/v1/accounts:signInWithIdp",
                        [
                            "requestUri": "http://localhost", "returnIdpCredential": true,
                            "idToken": .string(sessions[1].idToken),
                            "postBody": .string(
                                FormEncoding.encode([
                                    ("access_token", try broker.accessToken("ada")), ("providerId", "github.com"),
                                ])),
                        ])
                    let waiting = try #require(conflict.body["pendingToken"]?.string, "\(conflict)")

                    let load = VaultLoad(one, other)
                    try await load.during(sessions) { try await Self.killEverywhere(broker) }

                    let rotated = try await broker.document("vault", "rotate")
                    let status = try await broker.document("vault", "status")
                    let verified = try await broker.document("vault", "verify")
                    #expect(rotated["unopened"]?.array == [])
                    #expect(status["rowsUnderOtherKeys"] == 0)
                    #expect(status["sealing"] == status["configured"]?.array?.first)
                    #expect(status["brokers"]?.array?.count == 2)
                    #expect(verified["ok"] == true)
                    #expect(load.refreshes > sessions.count, "\(load.refreshes)")
                    let redeemed = try await other.signIn(pendingToken: pending)
                    #expect(redeemed.status == 200, "\(redeemed)")
                    #expect(try await other.signIn(pendingToken: waiting).status == 200)
                    #expect(!"\(rotated)\(status)\(verified)".contains(former))
                    // The former key alone is refused from now on, the new one alone is enough.
                    try broker.configure { $0["previousMasterKey"] = nil }
                    try await broker.serve { _, third in
                        for session in load.latest {
                            let refreshed = try await third.refresh(session)
                            #expect(refreshed.status == 200, "\(refreshed)")
                        }
                    }
                    try broker.configure { $0["masterKey"] = ["file": "master.key"] }
                    let refused = try await broker.refusal()
                    #expect(refused.errors.contains("a rotation has replaced it"), "\(refused)")
                }
            }
        }
    }

    /// Kills the command after each thing it reports, and at random moments.
    private static func killEverywhere(_ broker: Installation) async throws {
        let steps = [
            "the store changed", "waiting for brokers", "values of wrapped_keys", "values of signing_keys",
            "values of provider_grants", "values of pending_tokens",
        ]
        for step in steps {
            try await BrokerProcess.run(["vault", "rotate"], in: broker.folder) { rotation in
                _ = await rotation.log.firstLine { $0.contains(step) }
                rotation.kill()
                _ = try await rotation.exitCode()
            }
        }
        for _ in 0..<CrashRounds.count {
            try await BrokerProcess.run(["vault", "rotate"], in: broker.folder) { rotation in
                // From before it runs to after its end.
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...600)))
                rotation.kill()
                _ = try await rotation.exitCode()
            }
        }
    }

    @Test func `a compromised key ends all sessions at running brokers`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try broker.addMasterKey(file: "new.key")
            try await broker.serve { _, client in
                let session = try await broker.session(of: "ada", at: client)

                let rotated = try await broker.document("vault", "rotate", "--compromised", "--yes")

                let refreshed = try await client.refresh(session.refreshToken)
                let found = try await client.lookup(session.idToken)
                #expect(rotated["endedSessions"] == 1, "\(rotated)")
                #expect(refreshed.errorCode == "INVALID_REFRESH_TOKEN", "\(refreshed)")
                #expect(found.status == 400, "\(found)")
                let again = try await broker.session(of: "ada", at: client)
                #expect(try await client.refresh(again.refreshToken).status == 200)
            }
        }
    }

    @Test func `a running broker without the new key keeps the rotation from beginning`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try await broker.serve { _, client in
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                try broker.addMasterKey(file: "new.key")

                let refused = try await broker.document("vault", "rotate", exitCode: 1)

                #expect(refused["error"]?["code"] == "BROKERS_WITHOUT_KEY", "\(refused)")
                #expect(try await client.refresh(session.refreshToken).status == 200)
                let status = try await broker.command("vault", "status")
                #expect(status.output.contains("masterKey is not in use yet"), "\(status)")
            }
        }
    }

    @Test func `a command may print the key, and neither log nor output repeat it`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try broker.folder.write("#!/bin/sh\ncat \"$1\"\n", to: "fetch-key", permissions: 0o700)
            try broker.configure {
                $0["masterKey"] = [
                    "command": [.string(broker.folder.file("fetch-key")), .string(broker.folder.file("master.key"))]
                ]
            }

            let said = try await broker.serve(logLevel: "debug") { process, client in
                let signedUp = try await client.signUp()
                #expect(signedUp.status == 200)
                return process.everything
            }
            try broker.configure { $0["masterKey"] = ["command": ["fetch-key"]] }
            let unnamed = try await broker.refusal()
            try broker.folder.write("#!/bin/sh\ncat master.key\nexit 4\n", to: "fetch-key", permissions: 0o700)
            try broker.configure { $0["masterKey"] = ["command": [.string(broker.folder.file("fetch-key"))]] }
            let failed = try await broker.refusal()

            #expect(!said.contains(broker.masterKey))
            #expect(unnamed.errors.contains("absolute path"), "\(unnamed)")
            #expect(failed.errors.contains("status 4"), "\(failed)")
        }
    }

    @Test func `a copy of the database tells no credential, before and after a rotation`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            let secrets = Secrets(broker)
            try broker.addMasterKey(file: "new.key")
            secrets.note(try broker.folder.text(of: "new.key").trimmingCharacters(in: .newlines), "new master key")
            try await broker.serve { _, client in
                let signedIn = try await broker.signInWithCode("ada", at: client, secrets)
                if let token = signedIn.body["oauthAccessToken"]?.string {
                    secrets.note(token, "access token behind the code")
                }
                secrets.note(try #require(signedIn.body["pendingToken"]?.string), "pending token")
                let session = secrets.note(try IdentityToolkitApp.Session(signedIn))
                try await Self.register(broker, client, secrets)
                secrets.expectNone(in: try broker.storeBytes(), "the database before the rotation")

                _ = try await broker.document("vault", "rotate")

                let refreshed = try await client.refresh(session.refreshToken)
                secrets.note(try #require(refreshed.body["refresh_token"]?.string), "refresh token")
                secrets.note(try #require(refreshed.body["id_token"]?.string), "ID token")
                secrets.note(try .init(try await client.signUp()))
                secrets.expectNone(in: try broker.storeBytes(), "the database after the rotation")
                for name in ["master.key", "new.key"] {
                    let text = try broker.folder.text(of: name).trimmingCharacters(in: .newlines)
                    let key = try #require(Base64URL.decode(text.utf8))
                    let found = try broker.storeBytes().range(of: Data(key))
                    #expect(found == nil, "the bytes of \(name)")
                }
            }
        }
    }

    /// A client with its secret, a device that waits, and an admin token.
    private static func register(_ broker: Installation, _ client: IdentityToolkitApp, _ secrets: Secrets) async throws
    {
        let added = try await broker.document(
            "clients", "add", "--type", "confidential", "--name", "Shop", "--redirect-uri",
            "https://shop.example/callback")
        let secret = secrets.note(try #require(added["clientSecret"]?.string), "client secret")
        let id = try #require(added["client"]?["clientId"]?.string)
        let admin = try await broker.document(
            "admin", "token", "create", "--name", "Calendar", "--scope", "provider-tokens:read")
        secrets.note(try #require(admin["token"]?.string), "admin token")
        let device = try await client.send(
            "POST", "/oauth/device_authorization",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: FormEncoding.encode([("client_id", id), ("client_secret", secret), ("scope", "openid")]))
        secrets.note(try #require(device.body["device_code"]?.string, "\(device)"), "device code")
        secrets.note(try #require(device.body["user_code"]?.string), "user code")
        secrets.note(try #require(device.body["user_code"]?.string).replacing("-", with: ""), "user code")
    }
}

/// Clients that refresh their sessions at two brokers in turn.
private final class VaultLoad: Sendable {
    private struct State {
        var isOver = false
        var refreshes = 0
        var latest: [Int: String] = [:]
    }

    private let brokers: [IdentityToolkitApp]
    private let state = Mutex(State())

    init(_ brokers: IdentityToolkitApp...) {
        self.brokers = brokers
    }

    /// How many refreshes were answered.
    var refreshes: Int { state.withLock(\.refreshes) }
    /// The refresh tokens that the clients have.
    var latest: [String] { state.withLock { Array($0.latest.values) } }

    /// Refreshes sessions until `body` has ended; each has to succeed.
    func during(_ sessions: [IdentityToolkitApp.Session], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, session) in sessions.enumerated() {
                group.addTask { try await self.refresh(session.refreshToken, number) }
            }
            do {
                try await body()
            } catch {
                state.withLock { $0.isOver = true }
                throw error
            }
            state.withLock { $0.isOver = true }
            try await group.waitForAll()
        }
    }

    private func refresh(_ first: String, _ number: Int) async throws {
        var (token, turn) = (first, number)
        while !state.withLock(\.isOver) {
            let answer = try await brokers[turn % brokers.count].refresh(token)
            // Rate limits are no refusal.
            guard answer.errorCode != "TOO_MANY_ATTEMPTS_TRY_LATER" else { continue }
            token = try #require(answer.body["refresh_token"]?.string, "\(answer)")
            turn += 1
            state.withLock { [token] state in
                state.refreshes += 1
                state.latest[number] = token
            }
        }
    }
}

extension Installation {
    /// Writes a new master key, and configures it beside the present one.
    fileprivate func addMasterKey(file name: String) throws {
        try folder.write(Self.newMasterKey() + "\n", to: name)
        try configure {
            $0["previousMasterKey"] = $0["masterKey"]
            $0["masterKey"] = ["file": .string(name)]
        }
    }

    /// Signs a user in with an authorization code, whose answer has a pending token.
    fileprivate func signInWithCode(
        _ login: String, at client: IdentityToolkitApp, _ secrets: Secrets? = nil
    ) async throws -> IdentityToolkitApp.Answer {
        let (challenge, callback) = (CodeChallenge(), "http://127.0.0.1:4000/oauth/callback/github.com")
        let code = github.authorizationCode(
            for: try person(login), application: github.defaultApplication, redirectURI: callback,
            codeChallenge: challenge.value)
        secrets?.note(code, "code")
        secrets?.note(challenge.verifier, "code verifier")
        return try await client.signIn(
            [("code", code), ("code_verifier", challenge.verifier)], requestURI: callback)
    }

    /// Changes `broker.json`.
    fileprivate func configure(_ change: (inout JSONObject) -> Void) throws {
        var configuration = try #require(try JSONValue(parsing: try folder.text(of: "broker.json")).object)
        change(&configuration)
        try folder.write(JSONValue.object(configuration).serialized(), to: "broker.json")
    }
}
