import BrokerStore
import JOSE
package import ProviderKit

/// A service account's key as the JSON file that Google's libraries read (`credentials.Certificate` of firebase-admin).
package struct ServiceAccountKeyFile: Sendable, CustomStringConvertible, CustomReflectable {
    /// The file's content. It contains the private key.
    package let document: JSONValue

    /// The name of the file unless the administrator chooses one.
    package let name: String

    /// The path of the endpoint that exchanges an assertion for an access token, below the public URL.
    static let tokenPath = "/oauth/service-accounts/token"

    init(
        projectID: String, publicURL: String, account: StoredServiceAccount, keyID: String,
        privateKey: PrivateSigningKey
    ) {
        name = "\(account.name)-\(keyID.prefix(8)).json"
        document = [
            "type": "service_account", "project_id": .string(projectID), "private_key_id": .string(keyID),
            // Some readers of PEM need the line end after the last line.
            "private_key": .string(privateKey.pkcs8PEM), "client_email": .string(account.email),
            "client_id": .string(account.id), "auth_uri": .string(publicURL + "/oauth/authorize"),
            "token_uri": .string(publicURL + Self.tokenPath),
            "auth_provider_x509_cert_url": .string(publicURL + "/oauth/jwks"), "universe_domain": "googleapis.com",
        ]
    }

    package var description: String { "•••" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
