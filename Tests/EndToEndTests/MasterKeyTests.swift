import Foundation
import Testing

@Suite("A broker without its master key does not start", .timeLimit(.minutes(20)))
struct MasterKeyTests {
    @Test func `the file is missing`() async throws {
        try await Installation.run(isNew: true) { broker in
            try FileManager.default.removeItem(atPath: broker.folder.file("master.key"))

            let result = try await broker.refusal()

            #expect(result.errors.contains("master.key"), "\(result)")
        }
    }

    @Test(arguments: [0o640, 0o604, 0o644])
    func `others on the host can read the file`(permissions: Int) async throws {
        try await Installation.run(isNew: true) { broker in
            try broker.folder.write(broker.masterKey, to: "master.key", permissions: permissions)

            let result = try await broker.refusal()

            #expect(result.errors.contains("master.key"), "\(result)")
            #expect(result.errors.contains("chmod 600"), "\(result)")
        }
    }

    @Test func `a credential that systemd hands over by an access control list is taken`() async throws {
        try await Installation.run(isNew: true) { broker in
            try broker.folder.write(broker.masterKey, to: "master.key", permissions: 0o440)

            let result = try await broker.command(
                "users", "list", environment: ["CREDENTIALS_DIRECTORY": broker.folder.path])

            #expect(result.exitCode == 0, "\(result)")
        }
    }

    @Test(arguments: [(0o444, true), (0o460, true), (0o440, false)])
    func `a credential that others can read all the same is not`(permissions: Int, isInside: Bool) async throws {
        try await Installation.run(isNew: true) { broker in
            try broker.folder.write(broker.masterKey, to: "master.key", permissions: permissions)
            let folder = isInside ? broker.folder.path : "\(broker.folder.path)-of-another-service"

            let result = try await broker.refusal(environment: ["CREDENTIALS_DIRECTORY": folder])

            #expect(result.errors.contains("chmod 600"), "\(result)")
        }
    }

    @Test(arguments: [
        "", "short", String(repeating: "A", count: 44), String(repeating: "!", count: 43),
    ])
    func `the file holds something else`(text: String) async throws {
        try await Installation.run(isNew: true) { broker in
            try broker.folder.write(text, to: "master.key")

            let result = try await broker.refusal()

            #expect(result.errors.contains("master.key"), "\(result)")
            #expect(text.isEmpty || !result.everything.contains(text))
        }
    }

    @Test func `the key is another one than the store was made with`() async throws {
        try await Installation.run(isNew: true) { broker in
            let before = try await broker.command("users", "list")
            let other = Installation.newMasterKey()
            try broker.folder.write(other, to: "master.key")

            let result = try await broker.refusal()
            try broker.folder.write(broker.masterKey, to: "master.key")
            let after = try await broker.command("users", "list")

            #expect(before.exitCode == 0, "\(before)")
            #expect(!result.everything.contains(other))
            #expect(after.exitCode == 0, "the right key still opens the store: \(after)")
        }
    }

    @Test func `the key may come from the environment instead, and must then be set`() async throws {
        try await Installation.run(isNew: true) { broker in
            let text = try broker.folder.text(of: "broker.json")
                .replacing(#"{"file":"master.key"}"#, with: #"{"env":"THE_MASTER_KEY"}"#)
            try broker.folder.write(text, to: "broker.json")
            try FileManager.default.removeItem(atPath: broker.folder.file("master.key"))

            let set = try await broker.command("users", "list", environment: ["THE_MASTER_KEY": broker.masterKey])
            let unset = try await broker.refusal()
            let half = String(broker.masterKey.dropLast())
            let malformed = try await broker.refusal(environment: ["THE_MASTER_KEY": half])

            #expect(set.exitCode == 0, "\(set)")
            #expect(unset.errors.contains("THE_MASTER_KEY"))
            #expect(malformed.errors.contains("THE_MASTER_KEY"))
            #expect(!malformed.everything.contains(half))
        }
    }
}
