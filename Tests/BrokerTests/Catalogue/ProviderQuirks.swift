import Foundation
import ProviderKit
import Testing

/// The behaviour of a provider, as its documentation describes it: `Quirks/NAME.json`.
struct ProviderQuirks: Decodable {
    let authorization: Authorization
    let token: TokenEndpoint
    let userinfo: Endpoint?
    /// Where the addresses are, if the profile has none.
    let emails: Endpoint?
    let discovery: Discovery?
    /// The URL of the keys, where no discovery document names it.
    let jwks: String?
    let idToken: IDToken?
    /// The client's id, where it is part of other values.
    let clientId: String?
    /// The values of the document's variables in the URLs of this file.
    let variables: [String: String]?
    /// What the provider sends back beside code and state.
    let callback: [String: String]?
    let expects: Expectation

    struct Authorization: Decodable {
        let url: String
        /// `null` stands for any value.
        let requires: JSONObject?
        let refuses: [String]?
        let clientIdName: String?
    }

    struct TokenEndpoint: Decodable {
        let method: String
        let url: String
        let format: Format
        let clientAuthentication: ClientAuthentication
        let clientIdName: String?
        let clientSecretName: String?
        let requires: JSONObject?
        let refuses: [String]?
        let headers: [String: String]?
        let answer: JSONValue
        /// The place of the access token in the answer, where it is not `/access_token`.
        let accessToken: String?

        enum Format: String, Decodable { case form, json, query }
        enum ClientAuthentication: String, Decodable { case basic, body, none }
    }

    struct Endpoint: Decodable {
        let method: String?
        let url: String
        let token: Token?
        let headers: [String: String]?
        let format: TokenEndpoint.Format?
        let requestBody: JSONObject?
        let answer: JSONValue
        /// What follows, page by page.
        let pages: [Page]?

        struct Page: Decodable {
            let url: String
            let answer: JSONValue
        }

        struct Token: Decodable {
            let place: Place
            let name: String
            let scheme: String?

            enum Place: String, Decodable { case header, query, path }
            enum CodingKeys: String, CodingKey { case place = "in", name, scheme }
        }
    }

    struct Discovery: Decodable {
        let url: String
        let document: JSONObject
    }

    struct IDToken: Decodable {
        let alg: String
        let claims: JSONObject
    }

    /// The identity that the sample answers describe. What is absent is not compared; `null` stands for none.
    struct Expectation: Decodable {
        let values: JSONObject

        init(from decoder: any Decoder) throws {
            values = try decoder.singleValueContainer().decode(JSONObject.self)
        }
    }

    /// - Parameter name: The name of the provider in the catalogue.
    /// - Throws: An I/O error where there is no file, or the error of a file with another form.
    init(of name: String) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: name + ".json"))
        self = try JSONValueDecoder(unknownNames: .refused).decode(Self.self, from: try JSONValue(parsing: data))
    }

    /// The names of the providers with a file.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
            .map { String($0.dropLast(".json".count)) }.sorted()
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Quirks")

    /// What the stand-in checks, in the words of the table of the page.
    var checks: String {
        var parts = ["\(token.method) \(token.format.words), \(token.clientAuthentication.words)"]
        if authorization.refuses?.contains("code_challenge") == true { parts.append("no PKCE") }
        if let idToken { parts.append("ID token \(idToken.alg)") }
        for endpoint in [userinfo, emails].compactMap(\.self) { parts.append(endpoint.words) }
        return parts.joined(separator: "; ")
    }
}

extension ProviderQuirks.TokenEndpoint.Format {
    fileprivate var words: String { self == .query ? "with a query" : "with \(self == .form ? "a form" : "JSON")" }
}

extension ProviderQuirks.TokenEndpoint.ClientAuthentication {
    fileprivate var words: String {
        switch self {
        case .basic: "Basic"
        case .body: "secret among the parameters"
        case .none: "no secret"
        }
    }
}

extension ProviderQuirks.Endpoint {
    fileprivate var words: String {
        let place =
            switch token?.place {
            case .query: "token in the query as `\(token?.name ?? "")`"
            case .path: "token in the path"
            case .header, nil: "`\(token?.name ?? "Authorization"): \(token?.scheme ?? "Bearer")`"
            }
        return "\(method ?? "GET"), \(place)" + (pages.map { ", \(1 + $0.count) pages" } ?? "")
    }
}
