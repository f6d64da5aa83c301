import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

/// What must not be found anywhere, with a name for the message when it is.
final class Secrets: Sendable {
    private let known = Mutex<[String: String]>([:])

    /// Begins with what stands in an installation's files.
    init(_ broker: Installation) {
        note(broker.apiKey, "API key")
        note(broker.masterKey, "master key")
        note(broker.github.defaultApplication.clientSecret, "client secret")
    }

    @discardableResult
    func note(_ secret: String, _ name: String) -> String {
        known.withLock { $0[secret] = name }
        return secret
    }

    @discardableResult
    func note(_ session: IdentityToolkitApp.Session) -> IdentityToolkitApp.Session {
        note(session.idToken, "ID token")
        note(session.refreshToken, "refresh token")
        return session
    }

    /// Fails for every secret that stands in `bytes`, which come from `place`.
    func expectNone(in bytes: Data, _ place: String) {
        for (secret, name) in known.withLock({ $0 }) {
            guard let range = bytes.range(of: Data(secret.utf8)) else { continue }
            let before = bytes[..<range.lowerBound].suffix(160)
            Issue.record("\(name) in \(place), after: \(String(decoding: before, as: UTF8.self))")
        }
    }
}

extension Installation {
    /// Every byte of the store: its files with the write-ahead log, or every value in the database.
    func storeBytes() throws -> Data {
        if let url = database["url"]?.string { return try Self.databaseBytes(url) }
        let data = folder.file("data")
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
        try #require(names.contains("broker.sqlite"))
        return try names.reduce(into: Data()) { $0 += try Data(contentsOf: URL(filePath: "\(data)/\($1)")) }
    }

    private static func databaseBytes(_ url: String) throws -> Data {
        let database = try RawPostgreSQL(url)
        let tables = try database.run(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
        ).compactMap { $0.first ?? nil }
        try #require(tables.contains("users"))
        // Bytes as they are, which as text would be hexadecimal digits.
        try database.run("SET bytea_output = 'escape'")
        return try tables.flatMap { try database.run("SELECT * FROM \($0)") }.joined()
            .reduce(into: Data()) { $0 += Data(($1 ?? "").utf8) }
    }
}
