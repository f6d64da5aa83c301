import BrokerStore
import Foundation
import OAuth
import ProviderKit
import Synchronization
import Testing

@testable import Broker

@Suite("A rotation of the master key", .timeLimit(.minutes(20)))
struct MasterKeyRotationTests {
    /// What clients, browsers and devices hold from before a rotation.
    private struct Holdings {
        let session: Answer
        let app: OAuthApp
        var tokens: Answer
        let browser: TestBrowser
        let form: TestBrowser.Page
        let consent: TestBrowser.Page
        let consenting: TestBrowser
        let device: TestDevice
        let waiting: TestDevice

        init(at broker: TestBroker) async throws {
            // Only a code's answer has a pending token.
            session = try await broker.signInWithCode(
                broker.person("ada"), verifier: RandomText.alphanumeric(64),
                redirectURI: RotationScene.appRedirectURI)
            app = try await OAuthApp(at: broker)
            tokens = try await app.signIn(try await broker.signedInUser("ben"))
            browser = TestBrowser(broker)
            let provider = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
            _ = try await browser.submit(on: provider, ["person": try broker.account("ada")])
            form = try await browser.visit("/account")
            consenting = TestBrowser(broker)
            consent = try await consenting.follow("GitHub", on: try await consenting.visit("/sign-in"))
            device = try await TestDevice(at: broker)
            waiting = try await TestDevice(at: broker)
        }
    }

    @Test func `ends no session: forms, codes and pending tokens go on`() async throws {
        try await RotationScene.run { scene in
            let broker = scene.broker
            var held = try await Holdings(at: broker)

            try await scene.rotate()

            // This broker has not followed yet.
            #expect(try await broker.refresh(held.session.string("refreshToken")).status == 200)
            #expect(try await held.browser.visit("/account").status == 200)
            #expect(try await held.device.approve(in: held.browser, as: "").status == 200)
            var watch = MasterKeyWatch(broker.core.stored)
            try await watch.turn()
            held.tokens = try await held.app.refresh(held.tokens.string("refresh_token"))
            #expect(held.tokens.status == 200, "\(held.tokens.text)")
            #expect(try await held.device.poll().status == 200)
            let back = try await held.consenting.submit(on: held.consent, ["person": broker.account("ben")])
            #expect(back.status == 200 && back.url.hasSuffix("/account"), "\(back.html)")
            // From here on the new keys sign.
            broker.clock.advance(seconds: 61)
            let renewed = try await held.app.refresh(held.tokens.string("refresh_token"))
            #expect(renewed.status == 200, "\(renewed.text)")
            #expect(try await held.waiting.approve(in: held.browser, as: "").status == 200)
            #expect(try await held.waiting.poll().status == 200)
            let pending = try await broker.usePending(held.session.string("pendingToken"))
            #expect(pending.status == 200, "\(pending.text)")
            let signedOut = try await held.browser.submit("/account/sign-out", on: held.form)
            #expect(signedOut.status == 200, "the form of before the rotation has its effect: \(signedOut.html)")
            #expect(try await held.browser.visit("/account").url.contains("/sign-in"))

            // What was sealed before this broker followed is found by another run, and then the former key can go.
            try await scene.rotate()
            try await broker.withSecondBroker(RotationScene.withoutPrevious) { other in
                let further = try await held.app.through(other).refresh(renewed.string("refresh_token"))
                #expect(further.status == 200, "\(further.text)")
                let findings = try await scene.inspect(RotationScene.withoutPrevious).verify().findings
                #expect(findings == [])
            }
        }
    }

    @Test func `a stable refresh token of before stays valid, beside the one that answers it`() async throws {
        try await RotationScene.run({ $0.policy = .firebase }) { scene in
            let broker = scene.broker
            let token = try await broker.signIn(broker.person("ada")).string("refreshToken")
            let same = try await broker.refresh(token).string("refresh_token")
            try await scene.rotate()
            var watch = MasterKeyWatch(broker.core.stored)
            try await watch.turn()
            let unchanged = try await broker.refresh(token).string("refresh_token")
            broker.clock.advance(seconds: 400 * 86_400)

            let next = try await broker.refresh(token).string("refresh_token")

            #expect(same == token && unchanged == token, "until the new key signs, nothing changes")
            #expect(next != token)
            #expect(try await broker.refresh(next).string("refresh_token") == next)
            #expect(try await broker.refresh(token).status == 200)
        }
    }

    @Test func `leaves nothing under the former key, whatever table it stands in`() async throws {
        try await RotationScene.run { scene in
            _ = try await Holdings(at: scene.broker)
            _ = try await scene.broker.core.openID.requestDeviceIdentity(of: "github.com")
            _ = try await scene.broker.refusedLink(
                of: "ada", to: scene.broker.signIn(scene.broker.person("ben")))
            let before = try await scene.inspect().status()

            let outcome = try await scene.rotate()

            let after = try await scene.inspect().status()
            let tables = Set(before.counts.map(\.table))
            #expect(
                tables.isSuperset(of: [
                    "signing_keys", "provider_grants", "pending_tokens", "sign_in_attempts", "device_authorizations",
                ]))
            #expect(before.sealing == before.configured[1] && after.sealing == before.configured[0])
            #expect(outcome.keyID == after.sealing && outcome.unopened == [])
            #expect(outcome.resealed == Int(before.counts.reduce(0) { $0 + $1.rows }))
            #expect(after.rowsUnderOtherKeys == 0)
            #expect(try await scene.inspect().verify().findings == [])
            #expect(after.history.map(\.id) == [before.configured[1], before.configured[0]])
            #expect(after.history.allSatisfy { $0.compromisedAt == nil })
            #expect(after.history.first?.rewrappedAt != nil)
        }
    }

    @Test func `continues after an interruption at any step, while brokers go on`() async throws {
        for step in 1...7 {
            try await RotationScene.run { scene in
                let held = try await Holdings(at: scene.broker)
                let steps = Steps()
                let interrupted = Task {
                    try await scene.rotate(progress: { _ in
                        // The work of a killed process ends here.
                        if steps.next() == step { withUnsafeCurrentTask { $0?.cancel() } }
                    })
                }
                _ = await interrupted.result
                var watch = MasterKeyWatch(scene.broker.core.stored)
                try await watch.turn()

                #expect(try await scene.inspect().verify().findings == [], "step \(step)")
                #expect(try await scene.broker.refresh(held.session.string("refreshToken")).status == 200)
                try await scene.rotate()
                let status = try await scene.inspect().status()
                #expect(status.rowsUnderOtherKeys == 0 && status.sealing == status.configured[0], "step \(step)")
                #expect(try await held.app.refresh(held.tokens.string("refresh_token")).status == 200)
            }
        }
    }

    @Test func `the second one seals the keys of sessions again and keeps them`() async throws {
        try await RotationScene.run { scene in
            try await scene.rotate()
            var watch = MasterKeyWatch(scene.broker.core.stored)
            try await watch.turn()
            scene.broker.clock.advance(seconds: 61)
            let session = try await scene.broker.signIn(scene.broker.person("ada"))
            let first = try await scene.inspect().status()
            let third = try scene.newKey("third.key")

            func further(_ configuration: inout Configuration) {
                configuration.previousMasterKey = configuration.masterKey
                configuration.masterKey = third
            }
            try await scene.rotate(further)

            let second = try await scene.inspect(further).status()
            func names(_ status: InspectVault.Status) -> [String] {
                status.wrapped.map { "\($0.purpose) \($0.generation) \($0.id)" }
            }
            #expect(names(second) == names(first) && !names(first).isEmpty)
            #expect(second.sealing != first.sealing && second.rowsUnderOtherKeys == 0)
            try await scene.broker.withSecondBroker({
                $0.masterKey = third
                $0.previousMasterKey = nil
            }) { other in
                let refreshed = try await other.refresh(session.string("refreshToken"))
                #expect(refreshed.status == 200, "\(refreshed.text)")
            }
        }
    }

    @Test func `as compromised: ends every session and replaces every key`() async throws {
        try await RotationScene.run { scene in
            let broker = scene.broker
            let held = try await Holdings(at: broker)
            let keysBefore = try await broker.publishedKeyIDs()
            broker.clock.advance(seconds: 1)

            let outcome = try await scene.rotate(compromised: true)

            var watch = MasterKeyWatch(broker.core.stored)
            try await watch.turn()
            try await broker.core.sessions.signingKeys.reload()
            try await broker.core.sessions.openIDSigningKeys.reload()
            let ended = try #require(outcome.endedSessions)
            #expect(ended >= 3)
            #expect(try await broker.refresh(held.session.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
            #expect(try await held.app.refresh(held.tokens.string("refresh_token")).oauthError == "invalid_grant")
            #expect(try await broker.lookup(held.session.string("idToken")).code == "INVALID_ID_TOKEN")
            #expect(try await broker.userInfo(held.tokens.string("access_token")).status == 401)
            #expect(try await held.browser.visit("/account").url.contains("/sign-in"))
            let form = try await held.browser.submit("/account/sign-out", on: held.form)
            #expect(form.status == 400, "a form of before opens no more: \(form.html)")
            #expect(Set(try await broker.publishedKeyIDs()).isDisjoint(with: keysBefore))
            let status = try await scene.inspect().status()
            let replaced = status.wrapped.filter { $0.purpose != MasterKey.Purpose.auditSeals.rawValue }
            #expect(replaced.allSatisfy { $0.generation > 0 } && status.history.first?.compromisedAt != nil)
            // New sign-ins work at once, and another run ends nothing of theirs.
            let session = try await broker.signIn(broker.person("ada"))
            let again = try await scene.rotate(compromised: true)
            #expect(again.endedSessions == 0)
            #expect(try await broker.refresh(session.string("refreshToken")).status == 200)
        }
    }

    @Test func `a former key that turns out to be compromised is declared so afterwards`() async throws {
        try await RotationScene.run { scene in
            let broker = scene.broker
            let session = try await broker.signIn(broker.person("ada"))
            try await scene.rotate()
            broker.clock.advance(seconds: 1)

            let outcome = try await scene.rotate(compromised: true)

            var watch = MasterKeyWatch(broker.core.stored)
            try await watch.turn()
            #expect(outcome.endedSessions == 1)
            #expect(try await broker.refresh(session.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
        }
    }

    @Test func `is undone by the same steps, unless the former key is compromised`() async throws {
        try await RotationScene.run { scene in
            let session = try await scene.broker.signIn(scene.broker.person("ada"))
            func back(_ configuration: inout Configuration) {
                let present = configuration.masterKey
                configuration.masterKey = configuration.previousMasterKey ?? present
                configuration.previousMasterKey = present
            }
            try await scene.rotate()
            try await scene.rotate(back)
            try await scene.broker.withSecondBroker(RotationScene.onlyPrevious) { other in
                let refreshed = try await other.refresh(session.string("refreshToken"))
                #expect(refreshed.status == 200, "\(refreshed.text)")
            }

            try await scene.rotate(compromised: true)
            await #expect(throws: MasterKeyRotation.Refusal.self) { try await scene.rotate(back) }
        }
    }

    @Test func `keys that were replaced before the first session began are removed`() async throws {
        try await RotationScene.run { scene in
            let (broker, session) = (scene.broker, try await scene.broker.signIn(scene.broker.person("ada")))
            try await scene.rotate()
            var watch = MasterKeyWatch(broker.core.stored)
            func removed(at moment: Timestamp) async throws -> Int {
                try await broker.core.store.write {
                    try $0.removeReplacedWrappedKeys(by: moment, exceptOf: MasterKey.Purpose.auditSeals.rawValue)
                }
            }
            broker.clock.advance(seconds: 7200)
            let now = Timestamp(broker.clock.now)

            let whileThere = try await removed(at: now)
            try await watch.turn()
            #expect(try await broker.refresh(session.string("refreshToken")).status == 200)
            _ = try await broker.core.accounts.deleteAccount(localID: session.string("localId"), origin: Origin(.admin))
            let afterwards = try await removed(at: now)

            #expect(whileThere == 0)
            // The one of forms had no key from before, and that of the audit stays.
            #expect(afterwards == MasterKey.Purpose.wrapped.count - 2)
        }
    }
}

/// Counts what a rotation reports.
private final class Steps: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

extension OAuthApp {
    /// The same app at another broker of the store.
    fileprivate func through(_ broker: TestBroker) -> OAuthApp {
        OAuthApp(broker: broker, client: client, secret: secret)
    }
}
