public import Foundation

extension BrokerConfiguration {
    /// Reads the file that `broker clients plist` writes: `BrokerIssuer`, `BrokerClientID`, `BrokerRedirectURI`, and
    /// optionally `BrokerScopes`, an array, and `BrokerProviderRedirectURIs`, a dictionary by provider.
    ///
    /// - Parameter url: The property list in the app's bundle, XML or binary.
    /// - Throws: ``BrokerAuthError/notConfigured(_:)``, which names the missing or malformed key.
    public init(propertyList url: URL) throws(BrokerAuthError) {
        let values: [String: Any]
        do {
            let content = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
            guard let dictionary = content as? [String: Any] else {
                throw BrokerAuthError.notConfigured("\(url.lastPathComponent) is no dictionary")
            }
            values = dictionary
        } catch let error as BrokerAuthError {
            throw error
        } catch {
            throw .notConfigured("\(url.lastPathComponent) cannot be read as a property list")
        }
        func text(_ name: String) throws(BrokerAuthError) -> String {
            guard let text = values[name] as? String, !text.isEmpty else {
                throw .notConfigured("\(name) is missing in \(url.lastPathComponent)")
            }
            return text
        }
        guard let issuer = URL(string: try text("BrokerIssuer")) else {
            throw .notConfigured("BrokerIssuer in \(url.lastPathComponent) is no URL")
        }
        self.init(issuer: issuer, clientID: try text("BrokerClientID"), redirectURI: try text("BrokerRedirectURI"))
        if let redirectURIs = values["BrokerProviderRedirectURIs"] {
            guard let redirectURIs = redirectURIs as? [String: String] else {
                throw .notConfigured(
                    "BrokerProviderRedirectURIs in \(url.lastPathComponent) is no dictionary of strings")
            }
            providerRedirectURIs = Dictionary(
                uniqueKeysWithValues: redirectURIs.map { (ProviderID(rawValue: $0.key), $0.value) })
        }
        guard let scopes = values["BrokerScopes"] else { return }
        guard let scopes = scopes as? [String] else {
            throw .notConfigured("BrokerScopes in \(url.lastPathComponent) is no array of strings")
        }
        self.scopes = scopes
    }
}
