import Foundation
import OAuth
import ProviderKit

/// An `accounts:createAuthUri` request that names a provider (contract §2.4 b).
struct AuthorizationURLBody: Sendable {
    let request: AppSignInRequest

    /// - Throws: ``WireError``.
    init(
        _ fields: RequestFields, domains: AuthorizedDomains, providers: ProviderDirectory
    ) throws(WireError) {
        let provider = try ProviderIDField.check(try fields.nonEmpty("providerId") ?? "")
        guard let continueURI = try fields.nonEmpty("continueUri") else { throw .code(.missingContinueURI) }
        // The operator has registered an app's own for the provider, and the app has the session id.
        let isAppRedirect = providers.provider(provider)?.appClientID(at: continueURI) != nil
        var redirect = RedirectRequest(
            provider: provider,
            redirectURI: isAppRedirect ? continueURI : try Self.checked(continueURI, domains: domains))
        redirect.scopes = try ScopeField.scopes(try fields.string("oauthScope") ?? "", at: "/oauthScope")
        redirect.loginHint = try Self.limited(fields, "identifier", to: 256)
        redirect.parameters = try CustomParameters.read(try fields.value("customParameter"), at: "/customParameter")
        var request = AppSignInRequest(redirect)
        request.sessionID = try Self.limited(fields, "sessionId", to: 256)
        request.context = try Self.limited(fields, "context", to: 2048)
        request.idToken = try fields.nonEmpty("idToken")
        self.request = request
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

    private static func limited(_ fields: RequestFields, _ name: String, to limit: Int) throws(WireError) -> String? {
        guard let text = try fields.nonEmpty(name) else { return nil }
        guard text.utf8.count <= limit else { throw .field("/\(name)", "must be at most \(limit) bytes") }
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
            let isPlain = name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            guard isPlain, !name.isEmpty, name.utf8.count <= 64, text.utf8.count <= 1024 else {
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
