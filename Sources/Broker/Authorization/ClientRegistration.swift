package import BrokerStore
import Foundation

/// What an operator says about an app that is to be registered, checked.
package struct ClientRegistration: Sendable {
    let kind: Client.Kind
    let name: String
    let redirectURIs: [RedirectURI]
    let postLogoutRedirectURIs: [RedirectURI]
    let algorithm: Client.Algorithm

    /// Why an app cannot be registered, for the operator.
    package struct Refusal: Error, Sendable, Equatable {
        package let reason: String
    }

    /// - Parameters:
    ///   - kind: What kind of app it is.
    ///   - name: What people see: 1 to 100 characters on one line.
    ///   - redirectURIs: Where codes may be sent; public clients have one at least.
    ///   - postLogoutRedirectURIs: Where browsers may be sent after signing out.
    ///   - algorithm: What its tokens are signed with.
    /// - Throws: ``Refusal``.
    package init(
        kind: Client.Kind, name: String, redirectURIs: [String], postLogoutRedirectURIs: [String] = [],
        algorithm: Client.Algorithm = .es256
    ) throws(Refusal) {
        let isOneLine = name.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        guard isOneLine, (1...100).contains(name.unicodeScalars.count),
            !name.trimmingCharacters(in: .whitespaces).isEmpty
        else { throw Refusal(reason: "A name has 1 to 100 characters on one line.") }
        guard kind != .public || !redirectURIs.isEmpty else {
            throw Refusal(reason: "A public client needs a redirect URI: nothing else says that a code is its own.")
        }
        self.kind = kind
        self.name = name
        self.redirectURIs = try Self.checked(redirectURIs, for: kind)
        self.postLogoutRedirectURIs = try Self.checked(postLogoutRedirectURIs, for: kind)
        self.algorithm = algorithm
    }

    /// What an operator should think about twice: a page of an identity provider is no page of the app's.
    ///
    /// - Parameter providerHosts: The hosts of the configured identity providers.
    /// - Returns: A sentence for each doubtful address.
    package func warnings(providerHosts: Set<String>) -> [String] {
        (redirectURIs + postLogoutRedirectURIs).compactMap { uri in
            guard let authority = URIParts(uri.text)?.authority, let (host, _) = URIParts.hostAndPort(authority),
                uri.text.utf8.starts(with: "https:".utf8), providerHosts.contains(host)
            else { return nil }
            return "\(uri.text) is at \(host), an identity provider of this broker: whoever can have a page there "
                + "could be sent codes of this client"
        }
    }

    private static func checked(_ texts: [String], for kind: Client.Kind) throws(Refusal) -> [RedirectURI] {
        var result: [RedirectURI] = []
        for text in texts {
            do {
                let uri = try RedirectURI(registering: text, for: kind)
                if !result.contains(uri) { result.append(uri) }
            } catch {
                throw Refusal(reason: "\(text.debugDescription) cannot be registered: \(error.reason).")
            }
        }
        return result
    }
}
