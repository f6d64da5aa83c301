import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("The storage in files", .timeLimit(.minutes(20)))
struct FileSessionStorageTests {
    private static let key = StorageKey(service: "service", account: "account")
    private static let item = StoredItem(key: key, content: Data("content".utf8))

    /// A storage in a folder of its own.
    private static func run(_ body: (FileSessionStorage, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(FileSessionStorage(folder: folder.appending(path: "sessions")), folder)
    }

    private static func permissions(of url: URL) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    private static func files(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    @Test func `an item is found by service and account, replaced and removed`() async throws {
        try await Self.run { storage, _ in
            #expect(try await storage.load(Self.key) == nil)
            try await storage.remove(Self.key)

            try await storage.save(Self.item)
            try await storage.save(StoredItem(key: Self.key, content: Data("newer".utf8)))

            #expect(try await storage.load(Self.key)?.content == Data("newer".utf8))
            for other in [
                StorageKey(service: "service", account: "other"), StorageKey(service: "other", account: "account"),
            ] {
                #expect(try await storage.load(other) == nil)
            }
            try await storage.remove(Self.key)
            #expect(try await storage.load(Self.key) == nil)
        }
    }

    @Test func `folder and files are the user's alone, also where others could read them before`() async throws {
        try await Self.run { storage, _ in
            try await storage.save(Self.item)
            let file = try #require(try Self.files(in: storage.folder).first)
            #expect(try Self.permissions(of: storage.folder) == 0o700)
            #expect(try Self.permissions(of: file) == 0o600)

            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: file.path(percentEncoded: false))
            #expect(try await storage.load(Self.key) == Self.item)

            #expect(try Self.permissions(of: file) == 0o600)
        }
    }

    @Test func `a save leaves nothing but the item behind`() async throws {
        try await Self.run { storage, _ in
            for _ in 0..<3 { try await storage.save(Self.item) }

            #expect(try Self.files(in: storage.folder).count == 1)
        }
    }

    @Test(arguments: ["", "broken", "broker-session-1 00\ncontent"])
    func `a damaged file counts as absent and is kept aside`(content: String) async throws {
        try await Self.run { storage, _ in
            try await storage.save(Self.item)
            let file = try #require(try Self.files(in: storage.folder).first)
            try Data(content.utf8).write(to: file)

            #expect(try await storage.load(Self.key) == nil)
            #expect(try Self.files(in: storage.folder).map(\.pathExtension) == ["damaged"])
            try await storage.save(Self.item)
            #expect(try await storage.load(Self.key) == Self.item)
        }
    }

    @Test func `a removal leaves no file of the item, also none of a damaged or interrupted save`() async throws {
        try await Self.run { storage, _ in
            let other = StoredItem(key: StorageKey(service: "service", account: "other"), content: Data("other".utf8))
            try await storage.save(Self.item)
            let file = try #require(try Self.files(in: storage.folder).first)
            try await storage.save(other)
            try await storage.withExclusiveAccess(to: Self.key) {}
            // A save that was interrupted before its file was renamed, and one whose file was cut.
            try Data("token".utf8).write(to: file.appendingPathExtension("\(UUID().uuidString).new"))
            try Data("broker-session-1 00\ntoken".utf8).write(to: file)
            #expect(try await storage.load(Self.key) == nil)
            #expect(try Self.files(in: storage.folder).count == 4)

            try await storage.remove(Self.key)

            let left = try Self.files(in: storage.folder)
            #expect(Set(left.map(\.pathExtension)) == ["lock", "session"] && left.count == 2, "\(left)")
            #expect(try await storage.load(other.key) == other)
        }
    }

    @Test func `a symbolic link is not followed`() async throws {
        try await Self.run { storage, folder in
            try await storage.save(Self.item)
            let file = try #require(try Self.files(in: storage.folder).first)
            let moved = folder.appending(path: "moved")
            try FileManager.default.moveItem(at: file, to: moved)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: moved)

            let thrown = await failure { () async throws(BrokerAuthError) in try await storage.load(Self.key) }

            guard case .storageFailed = thrown else { throw try #require(thrown) }
        }
    }

    @Test func `one process at a time has the lock`() async throws {
        try await Self.run { storage, _ in
            let other = FileSessionStorage(folder: storage.folder)
            let counter = Counter()

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await (number.isMultiple(of: 2) ? storage : other).withExclusiveAccess(to: Self.key) {
                            await counter.enter()
                            await Task.yield()
                            await counter.leave()
                        }
                    }
                }
                try await group.waitForAll()
            }

            let (most, total) = (await counter.most, await counter.total)
            #expect(most == 1 && total == 20)
        }
    }

    private actor Counter {
        private var inside = 0
        var most = 0
        var total = 0

        func enter() {
            inside += 1
            total += 1
            most = max(most, inside)
        }

        func leave() { inside -= 1 }
    }

    @Test func `two apps that share the files refresh once between them`() async throws {
        try await Self.run { storage, _ in
            try await StandInBroker.run { broker in
                let clock = TestClock()
                var configuration = try broker.configuration
                configuration.scopes = ["openid", "offline_access"]
                let apps = (0..<2).map { _ in
                    BrokerAuth(
                        configuration, storage: FileSessionStorage(folder: storage.folder), presenter: nil,
                        accountData: nil, environment: clock.environment)
                }
                broker.answer { call in
                    call.path == "/oauth/token" ? .json(try broker.tokens(at: clock.now)) : nil
                }
                _ = try await apps[0].signInAnonymously()
                #expect(try await apps[1].restore()?.userID == "user-1")
                clock.advance(by: 3600)

                let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<20 { group.addTask { try await apps[number % 2].accessToken() } }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }

                #expect(tokens.count == 1 && broker.refreshes.count == 1)

                try await apps[0].signOut()
                clock.advance(by: 3600)
                let gone = await failure { () async throws(BrokerAuthError) in try await apps[1].accessToken() }
                #expect(gone == .signedOut && broker.refreshes.count == 1)
            }
        }
    }
}
