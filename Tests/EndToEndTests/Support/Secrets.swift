import Foundation
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
    func note(_ session: BrokerClient.Session) -> BrokerClient.Session {
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
    /// Every file of the store, the write-ahead log included.
    func storeBytes() throws -> Data {
        let data = folder.file("data")
        let names = try FileManager.default.contentsOfDirectory(atPath: data)
        try #require(names.contains("broker.sqlite"))
        return try names.reduce(into: Data()) { $0 += try Data(contentsOf: URL(filePath: "\(data)/\($1)")) }
    }
}
