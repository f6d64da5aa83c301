import BrokerStore
import BrowserTesting
import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@testable import Broker

@Suite("Logout tokens for apps")
struct LogoutTokenTests {
    /// What ends the session of an app.
    enum Cause: String, CaseIterable, Sendable {
        case logoutByApp, signOutAtAccountPage, revokedSession, revokedUser, disabled, deleted, revokedToken
        case withdrawnConsent
    }

    private static let admin = Origin(.admin, actor: "test")

    @Test(arguments: Cause.allCases)
    func `the app gets a logout token when its session ends`(by cause: Cause) async throws {
        try await Self.run { app, browser, tokens, receiver in
            let broker = app.broker
            let claims = try TestApp.claims(try tokens.string("id_token"))
            try await Self.end(cause, app, browser, tokens, claims)

            try await broker.eventWorker().turn()

            let visits = receiver.visits.filter { $0.path == "/logout" }
            #expect(visits.count == 1, "\(visits)")
            let visit = try #require(visits.first)
            #expect(visit.method == "POST" && visit.headers["content-type"] == "application/x-www-form-urlencoded")
            let form = try #require(FormEncoding.decode(visit.body.utf8))
            #expect(form.map(\.name) == ["logout_token"])
            let token = try await broker.openIDClaims(form[0].value, type: "logout+jwt")
            #expect(token["iss"]?.string == broker.core.openID.issuer && token["aud"]?.string == app.clientID)
            #expect(token["sub"] == claims["sub"] && token["sid"] == claims["sid"] && token["jti"]?.string != nil)
            #expect(token["events"] == ["http://schemas.openid.net/event/backchannel-logout": [:]])
            #expect(token["nonce"] == nil)
            let (issued, expires) = (try #require(token["iat"]?.integer), try #require(token["exp"]?.integer))
            #expect(expires - issued == 120 && issued == Timestamp(broker.clock.now).seconds)
            #expect(try await broker.deliveries().allSatisfy { $0.state == .delivered })
        }
    }

    @Test func `a failed logout is repeated with a fresh token`() async throws {
        try await Self.run(statuses: [500]) { app, _, tokens, receiver in
            let session = try #require(try TestApp.claims(try tokens.string("id_token"))["sid"]?.string)
            _ = try await app.broker.core.sessions.revokeSession(session, origin: Self.admin)
            let worker = app.broker.eventWorker()
            try await worker.turn()
            app.broker.clock.advance(seconds: 600)
            try await worker.turn()

            let texts = receiver.visits.filter { $0.path == "/logout" }.map { String($0.body.dropFirst(13)) }
            #expect(texts.count == 2 && texts[0] != texts[1])
            let last = try await app.broker.openIDClaims(try #require(texts.last), type: "logout+jwt")
            #expect(last["iat"]?.integer == Timestamp(app.broker.clock.now).seconds)
        }
    }

    @Test func `an app without a logout URI gets nothing, and one that was removed neither`() async throws {
        try await Self.run { app, browser, tokens, receiver in
            let broker = app.broker
            let session = try #require(try TestApp.claims(try tokens.string("id_token"))["sid"]?.string)
            _ = try await broker.core.sessions.revokeSession(session, origin: Self.admin)
            _ = try await broker.core.openID.clients.update(
                id: app.clientID, ClientChanges(backChannelLogoutURI: ""), origin: Self.admin)
            try await broker.eventWorker().turn()

            #expect(receiver.visits.allSatisfy { $0.path != "/logout" })
            let deliveries = try await broker.deliveries()
            #expect(deliveries.map(\.state) == [.dropped], "\(deliveries)")
        }
    }

    @Test func `discovery names it`() async throws {
        try await TestBroker.run { broker in
            let document = try await broker.get("/.well-known/openid-configuration")
            #expect(document["backchannel_logout_supported"] == true)
            #expect(document["backchannel_logout_session_supported"] == true)
        }
    }

    private static func end(
        _ cause: Cause, _ app: TestApp, _ browser: TestBrowser, _ tokens: Answer, _ claims: JSONObject
    ) async throws {
        let core = app.broker.core
        let session = try #require(claims["sid"]?.string)
        let localID = try #require(claims["sub"]?.string)
        switch cause {
        case .logoutByApp:
            _ = try await browser.visit(
                "/oauth/logout?" + FormEncoding.encode([("id_token_hint", try tokens.string("id_token"))]))
        case .signOutAtAccountPage:
            let web = try await core.store.read { try $0.session(id: session)?.parentID }
            try await core.sessions.signOut(
                .session(id: try #require(web), .web), .session, origin: Origin(.user, actor: localID))
        case .revokedSession: _ = try await core.sessions.revokeSession(session, origin: admin)
        case .revokedUser: _ = try await core.sessions.revokeSessions(of: localID, origin: admin)
        case .disabled: _ = try await core.accounts.disableUser(localID: localID, origin: admin)
        case .deleted: _ = try await core.accounts.deleteAccount(localID: localID, origin: admin)
        case .revokedToken:
            _ = try await app.post("/oauth/revoke", [("token", try tokens.string("refresh_token"))])
        case .withdrawnConsent:
            try await core.store.write(at: Timestamp(core.clock())) { transaction in
                let user = try #require(try transaction.user(localID: localID))
                let identity = try #require(try transaction.identities(of: user.key).first)
                try transaction.endSessions(begunWith: identity, of: user, reason: "consent withdrawn")
            }
        }
    }

    /// An app with a logout URI on this machine, and a user signed in.
    private static func run(
        statuses: [Int] = [], _ test: (TestApp, TestBrowser, Answer, LocalSite) async throws -> Void
    ) async throws {
        let failures = statuses.count
        let number = Mutex(0)
        try await LocalSite.run { _ in
            let attempt = number.withLock { number in
                defer { number += 1 }
                return number
            }
            return LocalSite.Page("", status: attempt < failures ? statuses[attempt] : 200)
        } _: { receiver in
            try await TestProviders.runHosted({ $0.allowsInsecureLoopbackDeliveries = true }) { broker, providers in
                let app = try await TestApp(broker)
                _ = try await broker.core.openID.clients.update(
                    id: app.clientID,
                    ClientChanges(backChannelLogoutURI: "http://127.0.0.1:\(receiver.port)/logout"), origin: admin)
                let browser = TestBrowser(broker)
                let ann = try providers.person(at: "github.com", email: "ann@example.com")
                try await test(app, browser, try await app.signIn(ann, in: browser), receiver)
            }
        }
    }
}
