import ProviderKit

extension ConformanceSuite {
    /// One check for every forgery of an ID token, in each flow that accepts one.
    static let idTokenChecks = forgeryChecks + [oddClaims]

    private static let oddClaims = ConformanceCheck(
        "withstands-odd-claims", "any claim of an ID token may be null or of another type",
        fix: "Read claims through JSONValue's typed members, which are nil for another type."
    ) { fixture in
        guard fixture.issuer != nil else { throw Deviation.notApplicable("has no ID tokens") }
        try await fixture.eachMintedClaim { position, name, value in
            let honest = try await Rehearsal(fixture, fixture.script()).identity(position)
            for odd: JSONValue in [.null, value.otherType, ["of": "another type"]] {
                let rehearsal = try Rehearsal(fixture, fixture.script(changing: [name: odd]))
                let ending = try await rehearsal.play(.signIn(position))
                let excesses = (try? ending.get())?.identity?.excesses(over: honest) ?? []
                try require(excesses.isEmpty, "\(odd.serialized()) at \(name) changes the \(excesses[0])")
            }
        }
    }

    private static let forgeryChecks = IDTokenForgery.allCases.map { forgery in
        ConformanceCheck(
            "refuses-id-token-\(forgery.name)", "an ID token is refused: \(forgery.words)",
            fix: "Verify it with context.tokens.verify, and a policy that names issuer and clients."
        ) { fixture in
            let script = fixture.script()
            guard fixture.issuer != nil else { throw Deviation.notApplicable("has no ID tokens") }
            var reasons: [String] = []
            var hasTried = false
            for (position, signIn) in script.signIns.enumerated() {
                let honest = try Rehearsal(fixture, script)
                _ = try await honest.identity(position)
                guard honest.hasIDToken(position) else { continue }
                if let reason = signIn.harmlessness(of: forgery) {
                    reasons.append("\(signIn.title): \(reason)")
                    continue
                }
                hasTried = true
                let forged = try Rehearsal(fixture, fixture.script(forging: forgery))
                let ending = try await forged.play(.signIn(position))
                try ending.requireFailure([forgery.expectedFault], "\(signIn.title), ID token: \(forgery.words)")
            }
            if reasons.isEmpty { try require(hasTried, "the fixture has an issuer and no sign-in with an ID token") }
            if !hasTried { throw Deviation.notApplicable(reasons.joined(separator: "; ")) }
        }
    }
}

extension HonestSignIn {
    /// The reason why a forgery is harmless here; `nil` when it is not.
    fileprivate func harmlessness(of forgery: IDTokenForgery) -> String? {
        if let reason = harmlessForgeries[forgery] { return reason }
        switch (forgery, credential.proof) {
        case (.wrongNonce, .authorizationCode(let code)), (.missingNonce, .authorizationCode(let code)):
            return code.expectedNonce == nil ? "no nonce was sent" : nil
        case (.wrongNonce, .accessToken), (.missingNonce, .accessToken): return "access tokens have no nonce"
        case (.missingNonce, .idToken(let token)): return token.rawNonce == nil ? "no nonce was sent" : nil
        case (.wrongAccessTokenHash, .idToken(let token)):
            return token.accessToken == nil ? "no access token came along" : nil
        case (.wrongAccessTokenHash, .accessToken): return "no other token came along"
        default: return nil
        }
    }
}

extension IDTokenForgery {
    /// The name in lower case with hyphens.
    fileprivate var name: String { separated(by: "-") }

    /// The name in words.
    fileprivate var words: String { separated(by: " ") }

    private func separated(by separator: String) -> String {
        rawValue.replacing("KeyID", with: "KeyId").reduce(into: "") { text, letter in
            text += letter.isUppercase ? separator + letter.lowercased() : String(letter)
        }
    }
}
