import Foundation
import JOSE
import ProviderKit

extension Configuration {
    /// Brings the entries of `serviceAccounts` to life.
    ///
    /// - Throws: ``ConfigurationError`` for an address that is none or named twice, and for keys that are no RSA public
    ///   keys.
    static func serviceAccounts(
        _ entries: [ConfigurationFile.ServiceAccount], in path: String, resolve: (String) -> String
    ) throws(ConfigurationError) -> [ServiceAccount] {
        var accounts: [ServiceAccount] = []
        for (index, entry) in entries.enumerated() {
            let place = "/serviceAccounts/\(index)"
            guard EmailAddress(entry.email)?.canonical != nil else {
                throw ConfigurationError(path, at: place + "/email", "is no e-mail address.")
            }
            guard !accounts.contains(where: { $0.email.hasSameBytes(as: entry.email) }) else {
                throw ConfigurationError(
                    path, at: place + "/email", "is named by an earlier entry.", fix: "Give one entry all its keys.")
            }
            guard (1...ServiceAccount.maximumKeys).contains(entry.publicKeys.count) else {
                throw ConfigurationError(
                    path, at: place + "/publicKeys", "must have 1 to \(ServiceAccount.maximumKeys) keys.")
            }
            var keys: [JSONWebKey] = []
            for (position, value) in entry.publicKeys.enumerated() {
                keys.append(try key(value, in: path, at: "\(place)/publicKeys/\(position)", resolve: resolve))
            }
            accounts.append(ServiceAccount(email: entry.email, keys: keys))
        }
        return accounts
    }

    private static func key(
        _ value: JSONValue, in path: String, at place: String, resolve: (String) -> String
    ) throws(ConfigurationError) -> JSONWebKey {
        let file = value.object?.count == 1 ? value["file"]?.string.map(resolve) : nil
        // An account that can change it can sign custom tokens.
        if let file { try FileExposure.requirePrivateWriting(file, named: "a service account's key") }
        do throws(JOSEError) {
            if let text = value.string { return try ServiceAccount.key(text: text) }
            guard let file else { return try ServiceAccount.key(jwk: value) }
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw JOSEError(.malformedKey, "the file cannot be read")
            }
            return try ServiceAccount.key(text: text)
        } catch {
            throw ConfigurationError(
                path, at: place, "is no RSA public key of 2048 to 4096 bits (\(error.reason)).",
                fix: #"Write {"file": "key.pem"}, PEM of a public key or certificate, or a JSON Web Key."#)
        }
    }
}
