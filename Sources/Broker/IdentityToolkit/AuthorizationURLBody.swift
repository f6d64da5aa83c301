import Foundation
import OAuth
import ProviderKit

/// The body of `accounts:createAuthUri`: with a provider it begins a sign-in, without one it asks which providers an
/// address signs in with (contract §2.4).
struct AuthorizationURLBody: DeclaredRequest {
    private(set) var provider: String?
    private(set) var identifier: String?
    private(set) var sessionID: String?
    private(set) var idToken: String?
    private var continueURI: String?
    private var scopes = ""
    private var customParameter: JSONValue?
    private var context: String?

    static let body = DeclaredBody<AuthorizationURLBody>([
        .text("providerId", "The provider to sign in with; without it the answer is about `identifier`.") {
            $0.provider = $1
        },
        .text("identifier", upTo: 256, "The user's e-mail address; with `providerId` a hint for the provider.") {
            $0.identifier = $1
        }.example("ada@example.com"),
        .text(
            "continueUri",
            "The page that the provider redirects to: an https URL of an authorized domain without a fragment and without "
                + "a parameter `state`, or a redirect URI that the provider's entry has for apps."
        ) { $0.continueURI = $1 }.required().example("https://app.example/callback"),
        .text("sessionId", upTo: 256, "A secret of the app, which presents it with the answer; drawn when absent.") {
            $0.sessionID = $1
        },
        .text("oauthScope", "Further scopes in the provider's words, separated by spaces.") { $0.scopes = $1 ?? "" },
        .value(
            "customParameter", schema: ["type": "object", "additionalProperties": ["type": "string"]],
            "Further parameters of the authorization request; the provider's entry decides which are allowed."
        ) { (fields, body) throws(WireError) in body.customParameter = try fields.value("customParameter") },
        .text("context", upTo: 2048, "A text of the app, which comes back with the outcome.") { $0.context = $1 },
        .text("idToken", "An ID token of the only user that may sign in.") { $0.idToken = $1 },
    ])

    /// The request of a sign-in.
    ///
    /// - Throws: ``WireError`` in the order of contract §2.4 b.
    func request(domains: AuthorizedDomains, providers: ProviderDirectory) throws(WireError) -> AppSignInRequest {
        let provider = try ProviderIDField.check(provider ?? "")
        guard let continueURI else { throw .code(.missingContinueURI) }
        // The operator has registered an app's own for the provider, and the app has the session id.
        let isAppRedirect = providers.provider(provider)?.appClientID(at: continueURI) != nil
        var redirect = RedirectRequest(
            provider: provider,
            redirectURI: isAppRedirect ? continueURI : try Self.checked(continueURI, domains: domains))
        redirect.scopes = try ScopeField.scopes(scopes, at: "/oauthScope")
        redirect.loginHint = identifier
        redirect.parameters = try CustomParameters.read(customParameter, at: "/customParameter")
        var request = AppSignInRequest(redirect)
        (request.sessionID, request.context, request.idToken) = (sessionID, context, idToken)
        return request
    }

    /// The address whose providers are asked for.
    ///
    /// - Throws: ``WireError`` in the order of contract §2.4 a.
    func email() throws(WireError) -> EmailAddress {
        guard let identifier else { throw .code(.missingIdentifier) }
        guard let continueURI else { throw .code(.missingContinueURI) }
        guard let email = EmailAddress(identifier) else { throw .code(.invalidIdentifier) }
        guard continueURI.isASCII(from: 0x21), let url = URL(string: continueURI, encodingInvalidCharacters: false),
            url.scheme != nil,
            url.host()?.isEmpty == false
        else { throw .code(.invalidContinueURI) }
        return email
    }

    /// The address the provider may redirect to: a page of an authorized domain, whose URL leaves room for the
    /// answer.
    private static func checked(_ text: String, domains: AuthorizedDomains) throws(WireError) -> String {
        guard let page = AppURL(text), page.url.fragment() == nil,
            let query = FormEncoding.decode((page.url.query() ?? "").utf8),
            !query.contains(where: { $0.name == "state" })
        else {
            throw .code(
                .invalidContinueURI, "Send an absolute https URL without a fragment and without a parameter state.")
        }
        guard domains.contains(page.host) else {
            throw .code(.unauthorizedDomain, "The project's authorizedDomains do not have \(page.host).")
        }
        return text
    }
}

/// A provider's id as clients write it.
enum ProviderIDField {
    /// In lower case, as `plugins.json` has it.
    ///
    /// - Throws: ``WireError`` when no provider could have it.
    static func check(_ text: String) throws(WireError) -> String {
        let id = text.lowercasedASCII
        let isPlain = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, (1...128).contains(id.utf8.count) else { throw .code(.invalidProviderID) }
        return id
    }
}

/// Scopes an app asks for beyond the configured ones.
enum ScopeField {
    /// - Throws: ``WireError`` for what RFC 6749 §3.3 does not call a scope.
    static func scopes(
        _ text: String, separatedBy separator: UInt8 = UInt8(ascii: " "), at path: String
    ) throws(WireError) -> [String] {
        guard text.utf8.count <= 1024, let list = ScopeList(checking: text, separator: separator) else {
            throw .field(path, "must be scopes")
        }
        return list.scopes
    }
}

/// Parameters an application wants an authorization request to have; the provider's entry decides which are allowed.
enum CustomParameters {
    /// - Throws: ``WireError`` unless it is an object of strings.
    static func read(_ value: JSONValue?, at path: String) throws(WireError) -> [String: String] {
        guard let value, !value.isNull else { return [:] }
        guard let object = value.object, object.names.count <= 32 else { throw .field(path, "must be object") }
        var result: [String: String] = [:]
        for (name, value) in object {
            guard let text = value.string else { throw .field("\(path)/\(name)", "must be string") }
            guard name.isASCII(from: 0x21), !name.isEmpty, name.utf8.count <= 64, text.utf8.count <= 1024 else {
                throw .field(path, "has a member no provider could take")
            }
            let folded = name.lowercasedASCII
            guard !result.keys.contains(where: { $0.lowercasedASCII == folded }) else {
                throw .field(path, "has a parameter twice")
            }
            result[name] = text
        }
        return result
    }
}
