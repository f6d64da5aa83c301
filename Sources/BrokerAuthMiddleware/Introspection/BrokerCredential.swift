public import Foundation
import JOSE
import StrictJSON

/// The credential with which a backend asks the broker whether a session has ended (RFC 7662). It is in no description.
public struct BrokerCredential: Sendable {
    enum Secret: Sendable {
        case client(id: String, secret: String)
        case adminToken(String)
        case serviceAccount(ServiceAccountKey)
    }

    let secret: Secret

    /// A confidential client, which may ask about its own access tokens and nothing else.
    public static func client(id: String, secret: String) -> BrokerCredential {
        BrokerCredential(secret: .client(id: id, secret: secret))
    }

    /// An admin token (`broker admin token create --scope tokens:introspect`): may ask about every kind of token.
    public static func adminToken(_ token: String) -> BrokerCredential {
        BrokerCredential(secret: .adminToken(token))
    }

    /// A service account's key file (`broker admin service-account create --scope tokens:introspect`): may ask about every
    /// kind of token.
    ///
    /// - Parameter keyFile: The JSON file.
    /// - Returns: The credential.
    /// - Throws: ``BrokerTokensError`` when the file cannot be read or is no key file.
    public static func serviceAccount(keyFile: URL) throws(BrokerTokensError) -> BrokerCredential {
        guard let content = try? Data(contentsOf: keyFile) else {
            throw BrokerTokensError("the key file of the service account cannot be read")
        }
        return BrokerCredential(secret: .serviceAccount(try ServiceAccountKey(parsing: Array(content))))
    }

    /// - Throws: ``BrokerTokensError`` for a credential that cannot be for this broker.
    func check(_ issuer: IssuerURL) throws(BrokerTokensError) {
        switch secret {
        case .client(let id, let secret):
            guard !id.isEmpty, !secret.isEmpty else { throw BrokerTokensError("the client has no id or no secret") }
        case .adminToken(let token):
            guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw BrokerTokensError("the admin token is empty or malformed")
            }
        case .serviceAccount(let key):
            guard key.tokenURI.hasSameBytes(as: issuer.text + ServiceAccountKey.tokenPath) else {
                throw BrokerTokensError("the key file is for another broker: its token_uri is not below the issuer")
            }
        }
    }
}

extension BrokerCredential: CustomStringConvertible, CustomReflectable {
    /// Without the secret.
    public var description: String { "•••" }
    /// Without the secret.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
