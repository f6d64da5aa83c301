import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

extension ClientsCommand {
    struct Plist: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a property list with what an iOS or macOS app needs.",
            discussion: """
                The list has the issuer, the client id and the redirect URI for the app's code, and CFBundleURLTypes and
                LSApplicationQueriesSchemes for its Info.plist. It has no secret. Only native clients have one.

                Example:
                  broker clients plist 4fJqW8… > Broker.plist
                """.paragraphs)

        @Argument(help: "The client's id.")
        var client: String

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let (found, issuer, kinds) = try await options.withCore { core in
                    (
                        try await core.openID.clients.client(id: client), core.openID.issuer,
                        Set(core.providers.providers.map(\.kind))
                    )
                }
                guard let found else { throw AdminFailure.clientNotFound }
                let app = try AppPropertyList(of: found, issuer: issuer, kinds: kinds)
                let xml = try app.xml()
                output(app.document, text: TerminalText(escapingLines: xml))
            }
        }
    }
}

/// The settings of an app that signs users in with a broker.
struct AppPropertyList {
    let document: JSONValue

    /// - Throws: ``CommandFailure`` unless the client is an app's.
    init(of client: Client, issuer: String, kinds: Set<ProviderKind>) throws(CommandFailure) {
        guard client.kind == .native, let redirectURI = client.redirectURIs.first else {
            throw CommandFailure(
                code: "NO_NATIVE_CLIENT",
                "only a native client with a redirect URI is an app's: add one with "
                    + "broker clients add --type native")
        }
        var list: JSONObject = [
            "BrokerIssuer": .string(issuer), "BrokerClientID": .string(client.id),
            "BrokerRedirectURI": .string(redirectURI),
        ]
        let schemes = client.redirectURIs.compactMap { URL(string: $0)?.scheme }.filter {
            !["http", "https"].contains($0)
        }
        if !schemes.isEmpty {
            list["CFBundleURLTypes"] = [
                ["CFBundleURLSchemes": .array(Set(schemes).sorted().map(JSONValue.string))]
            ]
        }
        // Without both an installed 1Pass is not entered.
        if kinds.contains("1pass") { list["LSApplicationQueriesSchemes"] = ["onepass", "https"] }
        document = .object(list)
    }

    func xml() throws -> String {
        let data = try PropertyListSerialization.data(
            fromPropertyList: Self.plain(document), format: .xml, options: 0)
        return String(decoding: data, as: UTF8.self).replacing("\t", with: "    ")
    }

    private static func plain(_ value: JSONValue) -> Any {
        switch value {
        case .object(let object): Dictionary(uniqueKeysWithValues: object.map { ($0.name, plain($0.value)) })
        case .array(let values): values.map(plain)
        default: value.string ?? ""
        }
    }
}
