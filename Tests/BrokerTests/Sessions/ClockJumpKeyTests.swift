import Broker
import BrokerStore
import Foundation
import GitHub
import JOSE
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("signing keys of a broker whose clock jumps")
struct ClockJumpKeyTests {
    @Test(arguments: ClockJumpTests.jumps)
    func `there is always one that signs, and its tokens are good`(jump: ClockJumpTests.Jump) async throws {
        try await TestBroker.run { broker in
            let old = try #require(try await broker.signingKeyID())
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .now, origin: Origin(.admin))
            let new = try #require(try await broker.signingKeyID())

            broker.clock.advance(seconds: jump.seconds)
            let during = try #require(try await broker.signingKeyID())
            let published = try await broker.publishedKeyIDs()
            broker.clock.advance(seconds: -jump.seconds)

            #expect(during == (jump.seconds < 0 ? old : new))
            #expect(published.contains(during))
            #expect(try await broker.signingKeyID() == new)
            #expect(try await broker.publishedKeyIDs() == [old, new])
        }
    }

    @Test func `one that had ended by a wrong clock is there again when a broker's clock is set right`() async throws {
        try await TestBroker.run { broker in
            let token = try await broker.signUp().string("idToken")
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .now, origin: Origin(.admin))
            broker.clock.advance(seconds: ClockJumpTests.decade)

            // Starts while the old key's tokens would long have expired.
            try await broker.withSecondBroker { other in
                broker.clock.advance(seconds: -ClockJumpTests.decade)

                let found = try await other.lookup(token)

                #expect(found.status == 200, "\(found.text)")
                #expect(try await other.publishedKeyIDs().count == 2)
            }
        }
    }

    @Test(arguments: ClockJumpTests.jumps)
    func `made at a first start with a wrong clock sign afterwards`(jump: ClockJumpTests.Jump) async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let url = try await folder.makeEmptyDatabase()
        try folder.write("plugins.json", #"{"providers":[]}"#)
        try folder.write("master.key", KeyMaterial.generateText())
        let clock = TestClock()
        clock.advance(seconds: jump.seconds)
        let core = try await BrokerCore.open(
            try folder.configuration(), plugins: [], environment: [:], now: { clock.now })

        clock.advance(seconds: -jump.seconds)
        let tokens = try await core.accounts.signUpAnonymously(origin: Origin(.client)).tokens
        let record = try await core.accounts.lookUp(tokens.idToken).record

        #expect(record.user.localID.utf8.count == 28)
        await core.close()
        if let url { try await PostgreSQLServer.shared.drop(url) }
    }
}

extension TestFolder {
    /// Where ``configuration(apiKey:)`` finds a database without even a schema, if it is to be PostgreSQL's.
    fileprivate func makeEmptyDatabase() async throws -> String? {
        try FileManager.default.createDirectory(
            atPath: path + "/data", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard TestEngine.current == .postgreSQL else { return nil }
        let url = try await PostgreSQLServer.shared.newEmptyDatabase()
        try write("data/url", url)
        return url
    }
}
