import BrokerStore
import Foundation
import ProviderKit

/// `clients.plist`: what an iOS or macOS app needs to sign users in as a client.
package struct ClientPropertyList: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.plist", "Returns the property list of a native app.", .readConfiguration, .reads, [.client],
        command: DeclaredCommand(
            "plist", "Write a property list with what an iOS or macOS app needs.",
            """
            The list has the issuer, the client id and the redirect URI for the app's code, and CFBundleURLTypes and
            LSApplicationQueriesSchemes for its Info.plist. Where a redirect URI is an https address it has
            com.apple.developer.associated-domains for the app's entitlements. A loopback redirect URI is none of an app
            with a window, so it is left out. The list has no secret. Only native clients have one.

            Example:
              broker clients plist 4fJqW8… > Broker.plist
            """))

    let client: String

    /// The names are those of the property list.
    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "BrokerIssuer": "The broker's URL.",
            "BrokerClientID": "The client's id.",
            "BrokerRedirectURI": "Where the app is opened again.",
            "CFBundleURLTypes": "For the app's Info.plist; absent without a scheme of its own.",
            "LSApplicationQueriesSchemes": "The schemes that the app may ask for.",
            "com.apple.developer.associated-domains":
                "For the app's entitlements; absent without an https redirect URI. `applinks` opens the app, `webcredentials` lets its web session end at the URL.",
        ]

        package let BrokerIssuer: String
        package let BrokerClientID: String
        package let BrokerRedirectURI: String
        package let CFBundleURLTypes: [URLType]?
        package let LSApplicationQueriesSchemes: [String]?
        package let associatedDomains: [String]?

        private enum CodingKeys: String, CodingKey {
            case BrokerIssuer, BrokerClientID, BrokerRedirectURI, CFBundleURLTypes, LSApplicationQueriesSchemes
            case associatedDomains = "com.apple.developer.associated-domains"
        }
    }

    package struct URLType: DescribedObject {
        package static let texts: [String: MemberText] = ["CFBundleURLSchemes": "The schemes."]

        package let CFBundleURLSchemes: [String]
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

    package func text(of answer: Answer) throws -> TerminalText {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        // Control characters are escaped on a terminal, and the indentation is tabs.
        let xml = String(decoding: try encoder.encode(answer), as: UTF8.self).replacing("\t", with: "    ")
        return TerminalText(escapingLines: xml)
    }
}
