import ProviderKit

extension ConformanceSuite {
    /// The checks of authorization URLs (RFC 6749 §4.1.1, RFC 7636 §4.3).
    static let redirectChecks = [
        ConformanceCheck(
            "redirect-carries-our-values", "the authorization URL has our state, challenge and redirect URI once"
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
            try require(query.filter { $0.name == "client_id" }.count == 1, "client_id does not appear once")
        },
        ConformanceCheck("redirect-carries-the-nonce", "a provider with ID tokens gets our nonce") {
            guard $0.issuer != nil else { throw Deviation.notApplicable("has no ID tokens") }
            let (query, attempt) = try await $0.authorizationQuery()
            let nonces = query.filter { $0.name == "nonce" }.map(\.value)
            try require(nonces == [attempt.nonce], "nonce does not appear once")
        },
        ConformanceCheck("redirect-cannot-be-overridden", "an app's parameters do not replace those of the protocol") {
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
        ConformanceCheck("redirect-holds-no-secret", "the authorization URL contains no secret") {
            let script = $0.script()
            let rehearsal = try Rehearsal($0, script)
            let url = try await rehearsal.authorizationURL(for: .rehearsed)
            try require(url.hasPrefix("https://"), "the browser is sent to \(url)")
            try require(!Marks(rehearsal).isMarked(url), "the authorization URL contains a secret")
        },
        ConformanceCheck(
            "redirect-names-its-issuer", "a provider that always sends iss has an expected issuer (RFC 9207)"
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
        parameters: [String: String] = [:]
    ) async throws -> (query: [(name: String, value: String)], attempt: SignInAttempt) {
        let attempt = SignInAttempt(
            state: Self.marked("state"), redirectURI: SignInAttempt.rehearsed.redirectURI,
            codeChallenge: SignInAttempt.rehearsed.codeChallenge, nonce: issuer == nil ? nil : Self.marked("nonce"),
            parameters: parameters)
        let url = try await Rehearsal(self, script()).authorizationURL(for: attempt)
        guard let query = FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()) else {
            throw Deviation.broken("the authorization URL's query cannot be read")
        }
        return (query, attempt)
    }
}
