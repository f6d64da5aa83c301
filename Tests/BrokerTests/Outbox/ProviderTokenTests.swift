import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("reading a provider's token")
struct ProviderTokenTests {
    private struct Scene {
        let broker: TestBroker
        let providers: TestProviders
        let backend: TokenBackend
        let person: GitLabSimulator.Person
        let localID: String

        var gitLab: GitLabSimulator { providers.gitLab }

        /// Lets GitLab's access tokens expire, for the broker as well.
        func expire() {
            providers.clock.advance(by: 7200)
            broker.clock.advance(seconds: 7200)
        }

        func read(scopes: [String] = []) async throws -> Answer {
            try await backend.read(localID, scopes: scopes, at: broker)
        }

        func events() async throws -> [String] { try await broker.auditEvents(of: localID) }
    }

    private static func run(_ test: (Scene) async throws -> Void) async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.gitLab.people()[0]
            let signedIn = try await broker.signInWithCode(person, at: providers.gitLab)
            try await test(
                Scene(
                    broker: broker, providers: providers, backend: try await TokenBackend(of: broker), person: person,
                    localID: try signedIn.string("localId")))
        }
    }

    @Test func `a valid token comes from the store, audited and for no cache`() async throws {
        try await Self.run { scene in
            let hits = scene.gitLab.hits(.token)

            let answer = try await scene.read(scopes: ["read_user"])

            #expect(answer.status == 200 && answer["tokenType"] == "Bearer", "\(answer.text)")
            #expect(scene.gitLab.isLive(token: try answer.string("accessToken")))
            #expect(answer["scopes"]?.array?.contains("read_user") == true && answer["refreshToken"] == nil)
            let expiry = scene.broker.clock.now.addingTimeInterval(7200).formatted(.iso8601)
            #expect(answer["expiresAt"]?.string == expiry)
            #expect(answer.headers["Cache-Control"] == ["no-store"])
            #expect(scene.gitLab.hits(.token) == hits)
            let entry = try await scene.broker.core.store.read { [localID = scene.localID] in
                try $0.auditEntries(localID: localID, limit: 1).first
            }
            #expect(entry?.event == "provider-token.read" && entry?.actorKind == .admin)
            #expect(entry?.actor?.hasPrefix("credential:") == true && entry?.detail.text.contains("token") == true)
        }
    }

    @Test func `the largest audit entry that a caller can cause has 2 KB, and the answer names every scope`()
        async throws
    {
        try await Self.run { scene in
            let scopes = (0..<900).map { "scope-\($0)-" + String(repeating: "x", count: 50) }
            let headers: HTTPHeaders = [
                "Authorization": "Bearer \(scene.backend.token)", "Content-Type": "application/json",
                "X-Broker-Reason": String(repeating: "why ", count: 2000),
            ]
            let body: JSONValue = ["scopes": .array(scopes.map(JSONValue.string))]

            let answer = try await scene.broker.send(
                .POST, "/v1/broker/users/\(scene.localID)/providers/gitlab.com:token", headers: headers,
                body: Array(body.serialized().utf8))

            #expect(answer.code == "SCOPE_MISSING" && answer.message?.hasSuffix(scopes[899]) == true)
            let found = try await scene.broker.core.store.read { [localID = scene.localID] in
                try $0.auditEntries(localID: localID, limit: 1).first
            }
            let entry = try #require(found)
            let texts = [
                entry.event, entry.detail.text, entry.actor, entry.localID, entry.provider, entry.subjectHash,
                entry.requestID, entry.address, entry.reason, entry.actorKind.rawValue,
            ]
            #expect(entry.event == "provider-token.read" && entry.reason?.hasPrefix("why why") == true)
            #expect(texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } <= 2048, "\(entry)")
            let missing = try #require(try JSONValue(parsing: entry.detail.text)["missing"]?.array)
            #expect(missing.first?.string == scopes[0])
            #expect(missing.last == .string("… \(900 - (missing.count - 1)) more"))
        }
    }

    @Test func `an expired token is refreshed once, however many ask at two brokers`() async throws {
        try await Self.run { scene in
            try await scene.broker.withSecondBroker(plugins: TestProviders.plugins) { other in
                for _ in 0..<3 {
                    scene.expire()
                    let hits = scene.gitLab.hits(.token)

                    let answers = try await scene.backend.readAtOnce(scene.localID, at: [scene.broker, other])

                    let tokens = Set(answers.map { $0["accessToken"]?.string ?? $0.text })
                    #expect(tokens.count == 1 && tokens.allSatisfy(scene.gitLab.isLive), "\(tokens)")
                    #expect(scene.gitLab.hits(.token) == hits + 1)
                }
            }
        }
    }

    @Test func `a withdrawn grant is marked and never asked for again, until the user signs in`() async throws {
        try await Self.run { scene in
            scene.gitLab.revokeGrant(of: scene.person, application: scene.gitLab.defaultApplication)
            scene.expire()

            let first = try await scene.read()
            let hits = scene.gitLab.hits(.token)
            let second = try await scene.read()

            #expect(first.code == "REVOKED" && second.code == "REVOKED", "\(first.text)")
            #expect(scene.gitLab.hits(.token) == hits)
            #expect(try await scene.events().filter { $0 == "grant.refused" }.count == 1)
            _ = try await scene.broker.signInWithCode(scene.person, at: scene.gitLab)
            #expect(try await scene.read().status == 200)
        }
    }

    @Test func `an outage is no withdrawal`() async throws {
        try await Self.run { scene in
            scene.expire()
            scene.gitLab.fail(.token, with: .status(503), times: 1)

            let answer = try await scene.read()

            #expect(answer.code == "TEMPORARILY_UNAVAILABLE" && answer.headers["Retry-After"] == ["5"], "\(answer)")
            #expect(try await scene.read().status == 200)
        }
    }

    @Test func `a pair whose answer was lost needs the user again`() async throws {
        try await Self.run { scene in
            scene.expire()
            scene.gitLab.fail(.token, with: .lostAnswer, times: 1)

            let lost = try await scene.read()
            let refused = try await scene.read()
            let hits = scene.gitLab.hits(.token)
            let marked = try await scene.read()

            #expect(lost.code == "TEMPORARILY_UNAVAILABLE", "\(lost.text)")
            #expect(refused.code == "REAUTHORIZATION_REQUIRED" && marked.code == "REAUTHORIZATION_REQUIRED")
            #expect(scene.gitLab.hits(.token) == hits)
        }
    }

    @Test func `the refresh of a broker that died is repeated when its lease has run out`() async throws {
        try await Self.run { scene in
            scene.expire()
            let (store, localID) = (scene.broker.core.store, scene.localID)
            let now = Timestamp(scene.broker.clock.now)
            let isLeased = try await store.write { transaction in
                let user = try transaction.user(localID: localID)
                let grant = try user.flatMap { try transaction.grants(of: $0.key).first }
                let lease = GrantLease(holder: "dead", until: now.advanced(by: .seconds(30)))
                return try grant.map { try transaction.lease($0, to: lease, at: now) } ?? false
            }
            async let waiting = scene.read()
            scene.broker.clock.advance(seconds: 30)

            let answer = try await waiting

            #expect(isLeased && answer.status == 200, "\(answer.text)")
        }
    }

    @Test func `a missing scope is named, and granted by the next sign-in that asks for it`() async throws {
        try await Self.run { scene in
            let fewer = try await scene.broker.signInWithCode(
                scene.person, at: scene.gitLab, scopes: ["openid", "read_user"])
            let missing = try await scene.read(scopes: ["read_user", "email"])
            _ = try await scene.broker.signInWithCode(
                scene.person, at: scene.gitLab, scopes: ["openid", "read_user", "email"])
            let granted = try await scene.read(scopes: ["read_user", "email"])

            #expect(fewer.status == 200, "\(fewer.text)")
            #expect(missing.message == "SCOPE_MISSING : email", "\(missing.text)")
            #expect(granted.status == 200, "\(granted.text)")
            #expect(try await scene.events().filter { $0 == "grant.scopes-reduced" }.count == 1)
        }
    }

    @Test func `tokens that are issued to an identity that was unlinked meanwhile are withdrawn`() async throws {
        try await Self.run { scene in
            scene.expire()
            let gate = SimulatorGate()
            scene.gitLab.fail(.token, with: .hold(at: gate), times: 1)
            async let reading = scene.read()
            await gate.arrivals(1)
            _ = try await scene.broker.core.accounts.unlink(
                provider: "gitlab.com", from: scene.localID, leavesNoWayIn: true,
                origin: Origin(.admin, actor: "test"))
            gate.open()

            let answer = try await reading
            let queued = try await scene.broker.withdrawals()

            #expect(answer.code == "REAUTHORIZATION_REQUIRED", "\(answer.text)")
            #expect(queued.map(\.provider) == ["gitlab.com", "gitlab.com"])
        }
    }

    @Test func `a user or a provider that is not there is told apart from a grant that is not`() async throws {
        try await Self.run { scene in
            let other = try await scene.broker.signUp().string("localId")
            let (backend, broker) = (scene.backend, scene.broker)

            #expect(try await backend.read("nobody", at: broker).code == "USER_NOT_FOUND")
            #expect(try await backend.read(scene.localID, "gitlab.other", at: broker).code == "OPERATION_NOT_ALLOWED")
            #expect(try await backend.read(other, at: broker).code == "REAUTHORIZATION_REQUIRED")
            _ = try await broker.core.accounts.disableUser(
                localID: scene.localID, origin: Origin(.admin, actor: "test"))
            #expect(try await scene.read().code == "USER_DISABLED")
        }
    }

    @Test func `without an admin token nothing is read`() async throws {
        try await Self.run { scene in
            let path = "/v1/broker/users/\(scene.localID)/providers/gitlab.com:token"

            let none = try await scene.broker.post(path, [:])
            let unknown = try await scene.broker.post(path, [:], headers: ["Authorization": "Bearer owner"])

            #expect(none.status == 401 && none["error"]?["status"] == "UNAUTHENTICATED", "\(none.text)")
            #expect(unknown.status == 401 && unknown.headers["WWW-Authenticate"].isEmpty == false)
            #expect(try await !scene.events().contains("provider-token.read"))
        }
    }
}
