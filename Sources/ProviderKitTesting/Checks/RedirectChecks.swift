import ProviderKit

extension ConformanceSuite {
    /// The checks of authorization URLs (RFC 6749 §4.1.1, RFC 7636 §4.3).
    static let redirectChecks = [
        ConformanceCheck(
            "redirect-carries-our-values", "the authorization URL has our state, challenge and redirect URI once",
            fix: "Make the URL with OAuth2Client.authorizationURL(for:)."
        ) {
            let (query, attempt) = try await $0.authorizationQuery()
            let expected = [
                "state": attempt.state, "redirect_uri": attempt.redirectURI, "code_challenge": attempt.codeChallenge,
                "code_challenge_method": "S256", "response_type": "code",
            ]
            for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
                let values = query.filter { $0.name == name }.map(\.value)
                try require(values == [value], "\(name) is \(values), not once \(value)")
            }
            let provider = try Rehearsal($0, $0.script()).provider
            let clients = query.filter { $0.name == "client_id" }.map(\.value)
            try require(clients == [provider.clientID], "client_id is \(clients), not once \(provider.clientID)")
            let scopes = (provider as? any RedirectSignIn)?.scopes ?? []
            let wanted = query.first { $0.name == "scope" }?.value ?? ""
            try require(
                (scopes + attempt.scopes).allSatisfy { wanted.contains($0) }, "scope is \(wanted), not all that count")
        },
        ConformanceCheck(
            "redirect-names-the-apps-client", "an app's client requests with its own id and redirect URI",
            fix: "Use SignInAttempt.clientID where it is set, and SignInAttempt.redirectURI always."
        ) {
            let rehearsal = try Rehearsal($0, $0.script())
            let rehearsed = SignInAttempt.rehearsed
            for clientID in try rehearsal.redirectSignIn.authorizationClientIDs {
                let attempt = SignInAttempt(
                    state: rehearsed.state, redirectURI: "com.example.app://callback",
                    codeChallenge: rehearsed.codeChallenge, nonce: rehearsed.nonce, clientID: clientID)
                let url = try await rehearsal.authorizationURL(for: attempt)
                let query = FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()) ?? []
                for (name, value) in [("client_id", clientID), ("redirect_uri", attempt.redirectURI)] {
                    let isThere = query.contains { $0.name == name && $0.value.utf8.elementsEqual(value.utf8) }
                    try require(isThere, "the request of client \(clientID) has another \(name)")
                }
            }
        },
        ConformanceCheck(
            "redirect-carries-the-nonce", "a provider with ID tokens gets our nonce",
            fix: "Make the URL with OAuth2Client.authorizationURL(for:), which adds the nonce."
        ) {
            guard $0.issuer != nil else { throw Deviation.notApplicable("has no ID tokens") }
            let (query, attempt) = try await $0.authorizationQuery()
            let nonces = query.filter { $0.name == "nonce" }.map(\.value)
            try require(nonces == [attempt.nonce], "nonce does not appear once")
            let rehearsal = try Rehearsal($0, $0.script())
            let isExpected = rehearsal.script.signIns.contains { signIn in
                guard case .authorizationCode(let code) = signIn.credential.proof else { return false }
                return code.expectedNonce != nil
            }
            let repeatsNonce = try rehearsal.redirectSignIn.repeatsNonce
            try require(repeatsNonce || !isExpected, "repeatsNonce is false, so the broker sends no nonce")
        },
        ConformanceCheck(
            "redirect-tells-how-it-is-answered", "response_mode=form_post is requested where the answer is posted",
            fix: "Return true from answersByPost exactly if the URL has response_mode=form_post."
        ) {
            let (query, _) = try await $0.authorizationQuery()
            let isAsked = query.contains { $0.name == "response_mode" && $0.value == "form_post" }
            let isTold = try Rehearsal($0, $0.script()).redirectSignIn.answersByPost
            try require(
                isAsked == isTold, "answersByPost is \(isTold), and form_post is \(isAsked ? "" : "not ")requested")
        },
        ConformanceCheck(
            "tells-whether-the-verifier-is-checked",
            "the plugin says that the provider checks the PKCE verifier if the fixture says so, and only then",
            fix:
                "Return from checksCodeVerifier what the provider's documentation says, and say the same in ProviderScript."
        ) {
            let rehearsal = try Rehearsal($0, $0.script())
            _ = try rehearsal.redirectSignIn
            let isTold = try await rehearsal.provider.checksCodeVerifier()
            let isScripted = rehearsal.script.checksCodeVerifier
            try require(isTold == isScripted, "checksCodeVerifier is \(isTold) here and \(isScripted) in the script")
        },
        ConformanceCheck(
            "redirect-asks-for-the-login-again",
            "a reauthentication asks for the login again as the fixture says, and a sign-in does not",
            fix:
                "Add the provider's parameters, such as prompt=login, where SignInAttempt.isReauthentication is true, and name them in ProviderScript.reauthenticationParameters."
        ) {
            let (query, _) = try await $0.authorizationQuery()
            let (again, _) = try await $0.authorizationQuery(isReauthentication: true)
            let before = Set(query.map { "\($0.name)=\($0.value)" })
            // Each attempt has a state and a nonce of its own.
            let added = again.filter { !["state", "nonce"].contains($0.name) }.map { "\($0.name)=\($0.value)" }
                .filter { !before.contains($0) }.sorted()
            let expected = $0.script().reauthenticationParameters.map { "\($0.key)=\($0.value)" }.sorted()
            try require(
                added == expected && again.count == query.count + added.count,
                "a reauthentication adds \(added.isEmpty ? "nothing" : added.joined(separator: "&")), not "
                    + (expected.isEmpty ? "nothing" : expected.joined(separator: "&")))
        },
        ConformanceCheck(
            "redirect-cannot-be-overridden", "an app's parameters do not replace those of the protocol",
            fix: "Leave out parameters for which OAuth2Client.isReserved is true."
        ) {
            let evil = "value-an-app-made-up"
            let names = [
                "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce", "redirect_uri",
                "response_type", "scope", "state",
            ]
            let (query, _) = try await $0.authorizationQuery(
                parameters: Dictionary(uniqueKeysWithValues: names.map { ($0, evil) }))
            for name in names where name != "client_secret" {
                let values = query.filter { $0.name == name }.map(\.value)
                try require(!values.contains(evil) && values.count <= 1, "an app can set \(name)")
            }
        },
        ConformanceCheck(
            "redirect-holds-no-secret", "the authorization URL contains no secret",
            fix: "Put nothing but public values into the authorization URL."
        ) {
            let script = $0.script()
            let rehearsal = try Rehearsal($0, script)
            let url = try await rehearsal.authorizationURL(for: .rehearsed)
            try require(url.hasPrefix("https://"), "the browser is sent to \(url)")
            try require(!Marks(rehearsal).isMarked(url), "the authorization URL contains a secret")
        },
        ConformanceCheck(
            "redirect-names-its-issuer", "a provider that always sends iss has an expected issuer (RFC 9207)",
            fix: "Return the provider's issuer from authorizationResponseIssuer."
        ) {
            let rehearsal = try Rehearsal($0, $0.script())
            let provider = try rehearsal.redirectSignIn
            guard try await provider.promisesAuthorizationResponseIssuer() else {
                throw Deviation.notApplicable("does not declare iss")
            }
            try require(provider.authorizationResponseIssuer != nil, "every authorization response would be refused")
        },
    ]
}

extension Rehearsal {
    fileprivate var redirectSignIn: any RedirectSignIn {
        get throws {
            guard let provider = provider as? any RedirectSignIn else {
                throw Deviation.notApplicable("has no authorization code flow")
            }
            return provider
        }
    }

    fileprivate func authorizationURL(for attempt: SignInAttempt) async throws -> String {
        try await redirectSignIn.authorizationURL(for: attempt)
    }
}

extension ProviderFixture {
    /// The parameters of an authorization URL, in order.
    fileprivate func authorizationQuery(
        parameters: [String: String] = [:], isReauthentication: Bool = false
    ) async throws -> (query: [(name: String, value: String)], attempt: SignInAttempt) {
        let attempt = SignInAttempt(
            state: Self.marked("state"), redirectURI: SignInAttempt.rehearsed.redirectURI,
            codeChallenge: SignInAttempt.rehearsed.codeChallenge, nonce: issuer == nil ? nil : Self.marked("nonce"),
            scopes: [PluginCall.scopeOfAnApp],
            parameters: parameters, isReauthentication: isReauthentication)
        let url = try await Rehearsal(self, script()).authorizationURL(for: attempt)
        guard let query = FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()) else {
            throw Deviation.broken("the authorization URL's query cannot be read")
        }
        return (query, attempt)
    }
}
