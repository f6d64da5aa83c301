package import BrokerStore
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
    }

    package struct URLType: Codable, Sendable {
        package let CFBundleURLSchemes: [String]
    }

    package init(client: String) {
        self.client = client
    }

    package func run(in context: AdminContext) async throws -> Answer {
        guard let found = try await context.flows.clients.client(id: client) else { throw AdminFailure.clientNotFound }
        guard found.kind == .native, let redirectURI = found.redirectURIs.first else {
            throw AdminFailure(
                code: "NO_NATIVE_CLIENT",
                "only a native client with a redirect URI is an app's: add one with broker clients add --type native")
        }
        let schemes = Set(found.redirectURIs.compactMap { URIParts($0)?.scheme }).subtracting(["http", "https"])
        let hasOnePass = context.flows.providers.current.providers.contains { $0.kind == "1pass" }
        return Answer(
            BrokerIssuer: context.flows.configuration.publicURL, BrokerClientID: found.id,
            BrokerRedirectURI: redirectURI,
            CFBundleURLTypes: schemes.isEmpty ? nil : [URLType(CFBundleURLSchemes: schemes.sorted())],
            // Without both an installed 1Pass is not entered.
            LSApplicationQueriesSchemes: hasOnePass ? ["onepass", "https"] : nil)
    }
}
