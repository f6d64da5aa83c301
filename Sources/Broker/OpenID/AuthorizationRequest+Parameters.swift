import BrokerStore
import Foundation

extension AuthorizationRequest {
    /// Validates the parameters of a request whose client and redirect URI are known.
    ///
    /// - Parameters:
    ///   - parameters: As they came, each once.
    ///   - client: The client.
    ///   - redirectURI: Where the response goes.
    ///   - expectedUser: The user of the verified `id_token_hint`.
    ///   - pushedAs: The secret of a pushed request.
    ///   - now: When the request came.
    /// - Throws: ``OAuthError``.
    init(
        _ parameters: [String: String], of client: Client, to redirectURI: RedirectURI,
        expecting expectedUser: String?, pushedAs: String?, at now: Timestamp
    ) throws(OAuthError) {
        func value(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
        try Self.checkShape(value)
        let prompts = try Self.prompts(value("prompt"))
        let scopes = try Self.scopes(value("scope"))
        let isProtected = scopes.contains(Scope.openid.rawValue) && value("nonce") != nil && !prompts.contains(.link)
        let challenge = try Self.challenge(value, isRequired: client.pkce == .required || !isProtected)
        let maxAge = try Self.maxAge(value("max_age"))
        if prompts.contains(.link) {
            guard pushedAs != nil, expectedUser != nil, value("provider") != nil, prompts.count == 1 else {
                throw .init(
                    .invalidRequest,
                    "prompt=link stands alone, in a request pushed to /oauth/par with id_token_hint and provider.")
            }
        }
        self.init(
            clientID: client.id, redirectURI: redirectURI.text, scopes: scopes,
            state: value("state"), nonce: value("nonce"), codeChallenge: challenge?.text, prompts: prompts,
            maxAge: maxAge, loginHint: value("login_hint"), provider: value("provider"), expectedUser: expectedUser,
            askedAt: now.milliseconds, pushedAs: pushedAs)
    }

    private static func checkShape(_ value: (String) -> String?) throws(OAuthError) {
        guard value("request") == nil else { throw .init(.requestNotSupported, "Request objects are not supported.") }
        guard let type = value("response_type") else { throw .init(.invalidRequest, "response_type is missing.") }
        guard type == "code" else { throw .init(.unsupportedResponseType, "response_type must be code.") }
        guard ["query", nil].contains(value("response_mode")) else {
            throw .init(.invalidRequest, "response_mode must be query.")
        }
        // They are sealed into links, and addresses end at eight kilobytes.
        for (name, limit) in [("state", 1024), ("nonce", 512), ("login_hint", 256)]
        where (value(name)?.utf8.count ?? 0) > limit {
            throw .init(.invalidRequest, "\(name) is longer than \(limit) bytes.")
        }
    }

    /// RFC 7636 §4.4.1: without a challenge a stolen code can be redeemed, unless the client compares the `nonce` of its
    /// ID token (RFC 9700 §2.1.1).
    private static func challenge(
        _ value: (String) -> String?, isRequired: Bool
    ) throws(OAuthError) -> CodeChallenge? {
        guard let text = value("code_challenge") else {
            guard !isRequired else {
                throw .init(
                    .invalidRequest,
                    "code_challenge is missing: PKCE is required. A client registered with --pkce optional may leave it "
                        + "out of requests with scope openid and a nonce.")
            }
            guard value("code_challenge_method") == nil else {
                throw .init(.invalidRequest, "code_challenge_method stands without code_challenge.")
            }
            return nil
        }
        guard value("code_challenge_method") == "S256" else {
            throw .init(.invalidRequest, "code_challenge_method must be S256.")
        }
        guard let challenge = CodeChallenge(text) else {
            throw .init(.invalidRequest, "code_challenge must be the base64url of a SHA-256 digest: 43 characters.")
        }
        return challenge
    }

    private static func prompts(_ text: String?) throws(OAuthError) -> [Prompt] {
        let names = text?.split(separator: " ").map(String.init) ?? []
        var prompts: [Prompt] = []
        for name in names {
            guard let prompt = Prompt(rawValue: name) else {
                throw .init(.invalidRequest, "prompt takes none, login, consent, select_account and link.")
            }
            prompts.append(prompt)
        }
        guard !prompts.contains(.none) || prompts.count == 1 else {
            throw .init(.invalidRequest, "prompt=none stands alone.")
        }
        return prompts
    }

    private static func maxAge(_ text: String?) throws(OAuthError) -> Int? {
        guard let text else { return nil }
        guard let seconds = Int(text), seconds >= 0, text.utf8.allSatisfy(URIParts.isDigit), seconds <= 1 << 31 else {
            throw .init(.invalidRequest, "max_age must be a number of seconds.")
        }
        return seconds
    }

    private static func scopes(_ text: String?) throws(OAuthError) -> [String] {
        let scopes = Scopes(text ?? "")
        guard !scopes.text.isEmpty else {
            throw .init(.invalidScope, "scope must name openid, profile, email or offline_access.")
        }
        return scopes.text.split(separator: " ").map(String.init)
    }
}
