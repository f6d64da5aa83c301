import Foundation
import PostgreSQLTesting
import ProviderKit
import Subprocess
import Testing

@Suite("A broker whose disk is full", .enabled(if: TestEngine.current == .sqlite), .timeLimit(.minutes(20)))
struct FullDiskTests {
    @Test(.enabled(if: StoreMount.isAllowed, "this host allows no mounts of one's own"))
    func `says so, keeps reading, has nothing half-written, and goes on when there is room`() async throws {
        try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
            try Self.makeDataFolder(broker)
            try await broker.serve(through: StoreMount.small(kibibytes: 8192)) { process, client in
                let first = try IdentityToolkitApp.Session(try await client.signUp())
                let filler = StoreMount.path(of: broker.folder.file("data/filler"), seenBy: process)
                try Self.fill(filler)

                let (sessions, refusals) = try await client.signUpUntilRefused()

                for refusal in refusals { refusal.expectUnavailable() }
                #expect(try await client.get("/healthz").status == 200)
                #expect(try await client.lookup(first.idToken).status == 200)
                try Self.fillTheRest(filler)
                try await Self.fillTheLog(client, first)
                try await client.becomes(ready: false)
                try FileManager.default.removeItem(atPath: filler)
                try await Self.expectNormality(client, first, sessions)
                let tables = try Self.copy(of: broker, seenBy: process)
                try StoreInvariants.check(tables)
                #expect(try tables.rows("SELECT count(*) FROM users") == [["\(sessions.count + 2)"]])
            }
        }
    }

    @Test func `whose files may not grow says so, and goes on when they may`() async throws {
        try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
            try await broker.serve { process, client in
                let first = try IdentityToolkitApp.Session(try await client.signUp())
                let log = try FileManager.default.attributesOfItem(atPath: broker.databaseFile + "-wal")
                let size = try #require(log[.size] as? NSNumber)
                try await Self.limitFiles(of: process, to: "\(size.int64Value + 100_000)")

                let (sessions, refusals) = try await client.signUpUntilRefused()

                for refusal in refusals { refusal.expectUnavailable() }
                #expect(try await client.lookup(first.idToken).status == 200)
                try await Self.limitFiles(of: process, to: "unlimited")
                try await Self.expectNormality(client, first, sessions)
                try await process.stop()
                let tables = StoreTables(of: broker)
                try StoreInvariants.check(tables)
                #expect(try tables.rows("SELECT count(*) FROM users") == [["\(sessions.count + 2)"]])
            }
        }
    }

    @Test(.enabled(if: StoreMount.isAllowed, "this host allows no mounts of one's own"))
    func `does not start, and says why`() async throws {
        try await Installation.run(isNew: true) { broker in
            try Self.makeDataFolder(broker)
            let result = try await broker.failedStart(through: StoreMount.small(kibibytes: 64))

            #expect(result.errors.contains("diskFull"), "\(result)")
            #expect(result.errors.contains("broker.sqlite"), "\(result)")
        }
    }

    @Test func `under its log loses lines, and nothing else`() async throws {
        try await Installation.run(anonymousSignIn: true, isNew: true) { broker in
            try await broker.serve(through: ["sh", "-c", #"exec "$@" 2>/dev/full"#, "sh"]) { process, client in
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                #expect(try await client.lookup(session.idToken).status == 200)
                try await process.stop()
            }
        }
    }

    /// The store as it lies there while the broker has no request: SQLite itself follows no path through a process.
    private static func copy(of broker: Installation, seenBy process: BrokerProcess) throws -> StoreTables {
        let copy = broker.folder.file("copy.sqlite")
        for suffix in ["", "-wal"] {
            let original = StoreMount.path(of: broker.databaseFile + suffix, seenBy: process)
            try FileManager.default.copyItem(atPath: original, toPath: copy + suffix)
        }
        return .sqlite(path: copy)
    }

    @Test func `whose log may not grow loses lines, and nothing else`() async throws {
        try await Installation.run(isNew: true) { broker in
            // A parent that ignores the signal of the limit passes that on to this process.
            let start = ["env", "--default-signal=XFSZ", "sh", "-c", #"exec "$@" 2>log"#, "sh"]
            try await broker.serve(through: start) { process, client in
                try await Self.limitFiles(of: process, to: "4096")

                for _ in 0..<100 {
                    let answer = try await client.get("/healthz")
                    try #require(answer.status == 200, "\(answer)")
                }

                #expect(try broker.folder.text(of: "log").utf8.count <= 4096)
                try await Self.limitFiles(of: process, to: "unlimited")
                try await process.stop()
            }
        }
    }

    private static func makeDataFolder(_ broker: Installation) throws {
        try FileManager.default.createDirectory(
            atPath: broker.folder.file("data"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
    }

    /// Fills the disk except for a little space, which the store then fills.
    private static func fill(_ path: String) throws {
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0xff, count: 4096)
        var size: off_t = 0
        while write(descriptor, page, page.count) == page.count { size += off_t(page.count) }
        try #require(errno == ENOSPC && size > 1 << 20)
        try #require(ftruncate(descriptor, size - 128 * 1024) == 0)
    }

    /// Takes what the store has left, too.
    private static func fillTheRest(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_APPEND)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 0xff, count: 512)
        while write(descriptor, bytes, bytes.count) > 0 {}
        try #require(errno == ENOSPC)
    }

    /// Takes what refused sign-ups have left in the write-ahead log by smaller writes: the probe's is the smallest, and would
    /// fit for minutes.
    private static func fillTheLog(_ client: IdentityToolkitApp, _ session: IdentityToolkitApp.Session) async throws {
        var number = 0
        var status = 200
        while status == 200 {
            number += 1
            status = try await client.post(
                "/v1/accounts:update", ["idToken": .string(session.idToken), "displayName": .string("\(number)")]
            ).status
        }
        #expect(status == 503)
    }

    /// `size` is in bytes, or `unlimited`.
    private static func limitFiles(of process: BrokerProcess, to size: String) async throws {
        let result = try await Subprocess.run(
            .name("prlimit"), arguments: ["--pid", "\(process.identifier)", "--fsize=\(size):"],
            output: .discarded, error: .string(limit: 4096))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
    }

    /// Everything that was acknowledged is there, and new things can be done.
    private static func expectNormality(
        _ client: IdentityToolkitApp, _ first: IdentityToolkitApp.Session, _ sessions: [IdentityToolkitApp.Session]
    ) async throws {
        #expect(try await client.signUp().status == 200)
        try await client.becomes(ready: true)
        #expect(try await client.refresh(first.refreshToken).status == 200)
        for session in sessions { #expect(try await client.lookup(session.idToken).status == 200) }
    }
}
