import Foundation
import JOSE
import PostgreSQLTesting
import ProviderKit
import Testing

/// libpq and libcrypto are opened by those brokers alone that use them.
@Suite("Libraries of the system", .timeLimit(.minutes(20)))
struct SystemLibrariesTests {
    /// The libraries of the broker's process with one of these names.
    private static func mapped(_ process: BrokerProcess) throws -> Set<String> {
        let maps = try String(contentsOfFile: "/proc/\(process.identifier)/maps", encoding: .utf8)
        return Set(["libpq.so", "libssl.so", "libcrypto.so"].filter { maps.contains("/\($0)") })
    }

    private static func algorithm(of token: String) throws -> String {
        try CompactJWS(parsing: token).header.algorithm
    }

    @Test func `a broker on SQLite that signs with ES256 opens neither libpq nor libcrypto`() async throws {
        try await Installation.run(anonymousSignIn: true, engine: .sqlite) { installation in
            try await installation.serve { process, app in
                let session = try IdentityToolkitApp.Session(await app.signUp())

                #expect(try Self.algorithm(of: session.idToken) == "ES256")
                #expect(try Self.mapped(process) == [])
            }
        }
    }

    @Test func `libcrypto is opened with the first RS256 signature`() async throws {
        try await Installation.run(anonymousSignIn: true, policy: "firebase", engine: .sqlite) { installation in
            try await installation.serve { process, app in
                #expect(try await app.get("/healthz").status == 200)
                #expect(try Self.mapped(process) == [])

                let session = try IdentityToolkitApp.Session(await app.signUp())

                #expect(try Self.algorithm(of: session.idToken) == "RS256")
                #expect(try Self.mapped(process) == ["libcrypto.so"])
                #expect(try await app.lookup(session.idToken).status == 200)
            }
        }
    }

    @Test func `without libcrypto RS256 goes on, and the log says so once`() async throws {
        try await Installation.run(anonymousSignIn: true, policy: "firebase", engine: .sqlite) { installation in
            try installation.folder.write("no library", to: "libcrypto.so.3")
            let search = "LD_LIBRARY_PATH=\(installation.folder.path):\(Self.searchPath)"
            try await installation.serve(through: ["env", search]) { process, app in
                for _ in 0..<2 {
                    let session = try IdentityToolkitApp.Session(await app.signUp())
                    #expect(try Self.algorithm(of: session.idToken) == "RS256")
                    #expect(try await app.lookup(session.idToken).status == 200)
                }

                #expect(try Self.mapped(process) == [])
                process.terminate()
                #expect(try await process.exitCode() == 0)
                #expect(process.log.text.matches(of: /libcrypto cannot be opened; RS256 takes longer/).count == 1)
            }
        }
    }

    @Test func `without libpq a broker on PostgreSQL says what is missing, and nothing of its password`() async throws {
        try await Installation.run(engine: .sqlite) { installation in
            try installation.changeConfiguration {
                $0["database"] = ["url": "postgresql://broker:s3cret@database.example/broker"]
            }
            try installation.folder.write("no library", to: "libpq.so.5")

            let result = try await installation.command(
                "users", "list", environment: ["LD_LIBRARY_PATH": "\(installation.folder.path):\(Self.searchPath)"])

            #expect(result.exitCode != 0)
            #expect(result.errors.contains("libpq cannot be opened (Debian's package libpq5)"), "\(result)")
            #expect(!"\(result)".contains("s3cret"))
        }
    }

    /// That of the tests, which may name Swift's own libraries.
    private static var searchPath: String { ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "" }
}
