import ProviderKit

/// A rule for a plugin's requests in every plugin call, with every upstream fault.
enum RequestRule: String, Sendable, CaseIterable {
    case asksOnlyItsProvider = "asks-only-its-provider"
    case comesToAnEnd = "comes-to-an-end"
    case keepsSecretsOutOfURLs = "keeps-secrets-out-of-urls"
    case tellsSecretOnlyWhereDeclared = "tells-the-secret-only-where-declared"
    case tellsTokensOnlyWhereDeclared = "tells-tokens-only-where-declared"

    /// The rule.
    var sentence: String {
        switch self {
        case .asksOnlyItsProvider: "requests go only to the addresses of the fixture"
        case .comesToAnEnd: "no call sends more than \(Rehearsal.maximumCalls) requests"
        case .keepsSecretsOutOfURLs: "no URL contains a secret, code or token"
        case .tellsSecretOnlyWhereDeclared: "the client's secret goes only to endpoints declared to receive it"
        case .tellsTokensOnlyWhereDeclared: "a user's tokens go only to endpoints declared to receive them"
        }
    }

    /// The shortest way to follow it.
    var fix: String {
        switch self {
        case .asksOnlyItsProvider: "Request the provider's own endpoints only, or add the endpoint to the fixture."
        case .comesToAnEnd: "Bound every loop over requests."
        case .keepsSecretsOutOfURLs: "Send secrets in a header field or in the body."
        case .tellsSecretOnlyWhereDeclared: "Authenticate at the token endpoint alone, or declare what it receives."
        case .tellsTokensOnlyWhereDeclared: "Send a user's token where it is needed only, or declare what it receives."
        }
    }

    /// The violation in a rehearsal's requests so far; `nil` when there is none.
    func violation(in rehearsal: Rehearsal, _ marks: Marks) -> String? {
        let exchanges = rehearsal.upstream.exchanges
        if self == .comesToAnEnd {
            return exchanges.count > rehearsal.upstream.maximumCalls ? "sends requests without end" : nil
        }
        let offence = exchanges.first { isOffended(by: $0, marks) }
        return offence.map { "\(violation) \(marks.blanked($0.request.name))" }
    }

    private func isOffended(by exchange: ScriptedUpstream.Exchange, _ marks: Marks) -> Bool {
        let (request, endpoint) = (exchange.request, exchange.endpoint)
        func isTold(_ confidence: ScriptedEndpoint.Confidence) -> Bool {
            endpoint?.receives.contains(confidence) == true
        }
        return switch self {
        case .asksOnlyItsProvider: endpoint == nil
        case .keepsSecretsOutOfURLs: marks.isMarked(request.address)
        case .tellsSecretOnlyWhereDeclared: !isTold(.clientSecret) && marks.hasClientSecret(request.contents)
        case .tellsTokensOnlyWhereDeclared: !isTold(.personToken) && marks.hasPersonToken(request.contents)
        case .comesToAnEnd: false
        }
    }

    private var violation: String {
        switch self {
        case .asksOnlyItsProvider: "requests an address that is not in the script:"
        case .comesToAnEnd: "sends requests without end"
        case .keepsSecretsOutOfURLs: "puts a secret into the URL of"
        case .tellsSecretOnlyWhereDeclared: "sends the client's secret, which the fixture does not allow, to"
        case .tellsTokensOnlyWhereDeclared: "sends a user's token, which the fixture does not allow, to"
        }
    }
}
