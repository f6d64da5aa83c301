import HTTPTypes

extension OnePassSimulator {
    /// What a user decides in 1Pass's app.
    public enum AppDecision: Sendable {
        /// The user consents, with this account of the app.
        case approve(Person)
        case decline
    }

    /// Plays 1Pass's installed app, which the system opens by a universal link to the authorization endpoint. The app has
    /// the user decide and opens the redirect URI of the request.
    ///
    /// - Parameters:
    ///   - link: The address of a link.
    ///   - decision: What the user decides.
    /// - Returns: The URL that the app opens; nil for a link that the app has not claimed, and for a request that names no
    ///   registered client and redirect URI.
    public func openUniversalLink(_ link: String, deciding decision: AppDecision) -> String? {
        core.withState { state -> String? in
            let endpoint = state.url + state.pages.authorizePath + "?"
            guard link.hasPrefix(endpoint) else { return nil }
            let request = SimulatorRequest(
                recorded: RecordedRequest(
                    method: "GET", path: state.pages.authorizePath, query: String(link.dropFirst(endpoint.count)),
                    headers: [], body: []), pathParameters: [:])
            let answer: SimulatorResponse?
            do throws(Refusal) {
                answer = try state.answer(of: request, decision)
            } catch {
                answer = error.response
            }
            return answer?.headers[.location]
        }
    }
}

extension OnePassState {
    fileprivate mutating func answer(
        of request: SimulatorRequest, _ decision: OnePassSimulator.AppDecision
    ) throws(Refusal) -> SimulatorResponse? {
        switch try authorize(request) {
        case .answer(let answer): return answer
        case .ask(let consent, _, _):
            guard case .approve(let person) = decision, let application = application(consent.clientID) else {
                return denial(of: consent)
            }
            var form = FormFields([:])
            for scope in consent.scopes ?? [] { form.append("scope", scope) }
            return try grant(consent, to: application, by: person, form)
        }
    }
}
