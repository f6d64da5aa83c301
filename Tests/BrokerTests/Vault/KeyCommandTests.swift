import Foundation
import Testing

@testable import Broker

@Suite("A command that prints the master key")
struct KeyCommandTests {
    /// Runs a program of these lines.
    private static func run(
        _ script: String, _ arguments: [String] = [], timeout: Duration = .seconds(60), permissions: Int = 0o700
    ) throws -> String {
        let folder = try TestFolder()
        let path = folder.path + "/fetch-key"
        try folder.write("fetch-key", "#!/bin/sh\n\(script)\n")
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        return try KeyCommand(
            [path] + arguments, environment: ["PATH": "/usr/bin:/bin", "FROM_BROKER": "inherited"], timeout: timeout
        ).run()
    }

    private static func refusal(
        _ script: String, timeout: Duration = .seconds(60), permissions: Int = 0o700
    ) throws -> String {
        do {
            return "ran: \(try run(script, timeout: timeout, permissions: permissions))"
        } catch let error as ConfigurationError {
            return "\(error)"
        }
    }

    @Test func `gets its arguments unread by any shell, an empty input and the environment`() throws {
        let text = try Self.run(#"cat; printf '%s|' "$@"; printf %s "$FROM_BROKER""#, ["$(id)", "a b", "*"])

        #expect(text == "$(id)|a b|*|inherited")
    }

    @Test func `fails the start when it fails, and none of its words are repeated`() throws {
        let failed = try Self.refusal("echo SECRET; echo SECRET >&2; exit 3")
        let verbose = try Self.refusal("head -c 5000 /dev/zero | tr '\\0' S")

        #expect(failed.contains("status 3") && !failed.contains("SECRET"))
        #expect(verbose.contains("prints more than a master key") && !verbose.contains("SSS"))
    }

    @Test func `is killed when it does not end`() throws {
        let slow = try Self.refusal("exec sleep 600", timeout: .milliseconds(300))
        let silent = try Self.refusal("exec >&-; exec sleep 600", timeout: .milliseconds(300))
        let orphan = try Self.refusal("sleep 20 & echo key", timeout: .milliseconds(300))

        for text in [slow, silent, orphan] { #expect(text.contains("did not end"), "\(text)") }
    }

    @Test func `is refused when others can change it, or when it is not there`() throws {
        let writable = try Self.refusal("echo key", permissions: 0o722)
        #expect(writable.contains("can write"))
        #expect(throws: ConfigurationError.self) { try KeyCommand(["/no/such/program"], environment: [:]).run() }
    }

    @Test func `its output is the key`() throws {
        let text = KeyMaterial.generateText()
        let folder = try TestFolder()
        try folder.write("fetch-key", "#!/bin/sh\necho \(text)")
        let path = folder.path + "/fetch-key"
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)

        let key = try KeyMaterial.load(.command([path]), environment: ["PATH": "/usr/bin:/bin"])

        #expect(key.id == KeyMaterial(text: text)?.id)
    }
}
