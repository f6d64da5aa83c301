import BrokerStore
import Foundation
import ProviderKit

/// `clients.plist`: what an iOS or macOS app needs to sign users in as a client.
package struct ClientPropertyList: AdminOperation {
    package static let name = "clients.plist"
    package static let summary = "Returns the property list of a native app."
    package static let scope: AdminScope? = .readConfiguration

    /// The client's id.
    let client: String

    /// The names are those of the property list.
    package struct Answer: Codable, Sendable {
        package let BrokerIssuer: String
        package let BrokerClientID: String
        package let BrokerRedirectURI: String
        /// For the app's Info.plist; nil without a scheme of its own.
        package let CFBundleURLTypes: [URLType]?
        package let LSApplicationQueriesSchemes: [String]?
        /// For the app's entitlements; nil without an https redirect URI. `applinks` opens the app, `webcredentials` lets
        /// its web session end at the URL.
        package let associatedDomains: [String]?

        private enum CodingKeys: String, CodingKey {
            case BrokerIssuer, BrokerClientID, BrokerRedirectURI, CFBundleURLTypes, LSApplicationQueriesSchemes
            case associatedDomains = "com.apple.developer.associated-domains"
        }
    }

    package struct URLType: Codable, Sendable {
        package let CFBundleURLSchemes: [String]
    }

    package init(client: String) {
        self.client = client
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let found = try await call.admin.openID.clients.client(id: client) else {
            throw AdminFailure.clientNotFound
        }
        // An app with a window does not listen at a loopback address (RFC 8252 §7.3).
        let callbacks = found.redirectURIs.compactMap { uri in URIParts(uri).map { (uri: uri, parts: $0) } }
            .filter { $0.parts.scheme != "http" }
        guard found.kind == .native, let redirectURI = callbacks.first?.uri else {
            throw AdminFailure(
                code: "NO_NATIVE_CLIENT",
                "only a native client with a scheme or an https address of its own is such an app's: register one with "
                    + "broker clients add --type native --redirect-uri com.example.app:/callback")
        }
        let schemes = Set(callbacks.map(\.parts.scheme)).subtracting(["https"])
        let hosts = Set(callbacks.compactMap { $0.parts.scheme == "https" ? URL(string: $0.uri)?.host() : nil })
        let hasOnePass = try await call.admin.providers.listProviders().contains {
            $0.isEnabled && $0.entry?.use == "1pass"
        }
        return Answer(
            BrokerIssuer: call.admin.configuration.publicURL, BrokerClientID: found.id,
            BrokerRedirectURI: redirectURI,
            CFBundleURLTypes: schemes.isEmpty ? nil : [URLType(CFBundleURLSchemes: schemes.sorted())],
            // Without both an installed 1Pass is not entered.
            LSApplicationQueriesSchemes: hasOnePass ? ["onepass", "https"] : nil,
            associatedDomains: hosts.isEmpty
                ? nil : hosts.sorted().flatMap { ["applinks:\($0)", "webcredentials:\($0)"] })
    }
}
