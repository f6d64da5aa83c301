import ProviderKit

/// What a plugin never does to its provider and its users, whatever it is asked and whatever goes wrong.
enum Manner: String, Sendable, CaseIterable {
    case asksOnlyItsProvider = "asks-only-its-provider"
    case comesToAnEnd = "comes-to-an-end"
    case keepsSecretsOutOfURLs = "keeps-secrets-out-of-urls"
    case tellsSecretOnlyWhereDeclared = "tells-the-secret-only-where-declared"
    case tellsTokensOnlyWhereDeclared = "tells-tokens-only-where-declared"

    /// The rule.
    var sentence: String {
        switch self {
        case .asksOnlyItsProvider: "nobody is asked but the addresses of the fixture"
        case .comesToAnEnd: "no act takes more than \(Rehearsal.maximumCalls) calls"
        case .keepsSecretsOutOfURLs: "no secret, code or token stands in a URL"
        case .tellsSecretOnlyWhereDeclared: "the client's secret goes only to endpoints declared to receive it"
        case .tellsTokensOnlyWhereDeclared: "a person's tokens go only to endpoints declared to receive them"
        }
    }

    /// What is wrong with the calls of a rehearsal so far; `nil` when nothing is.
    func objection(to rehearsal: Rehearsal, _ marks: Marks) -> String? {
        let exchanges = rehearsal.upstream.exchanges
        if self == .comesToAnEnd {
            return exchanges.count > rehearsal.upstream.maximumCalls ? "asks its provider without end" : nil
        }
        let offence = exchanges.first { isOffended(by: $0, marks) }
        return offence.map { "\(objection) \(marks.blanked($0.request.name))" }
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

    private var objection: String {
        switch self {
        case .asksOnlyItsProvider: "asks an address that is in no script:"
        case .comesToAnEnd: "asks without end"
        case .keepsSecretsOutOfURLs: "puts a secret into the URL of"
        case .tellsSecretOnlyWhereDeclared: "tells the client's secret, which the fixture does not allow, to"
        case .tellsTokensOnlyWhereDeclared: "tells a person's token, which the fixture does not allow, to"
        }
    }
}
