import Foundation
import HTTPTypes
import ProviderKit

/// The authorization endpoint (RFC 6749 §3.1): the page on which a user consents, and the decision.
enum ConsentEndpoint<State: SimulatedProvider> {
    /// Seconds a page awaits a decision.
    private static var lifetime: TimeInterval { 600 }

    /// Adds the endpoint to a provider's routes.
    static func add(to routes: ProviderRoutes<State>, as endpoint: State.Endpoint) {
        let path = routes.core.read { $0.pages.authorizePath }
        routes.on(.get, path, as: endpoint) { state, request in
            switch try state.authorize(request) {
            case .answer(let response): response
            case .ask(let request, let clientName, let selected):
                ask(request, clientName: clientName, selected: selected, &state)
            }
        }
        routes.on(.post, path, as: endpoint) { state, request in try decide(request.parameters(), &state) }
    }

    private static func ask(
        _ request: SimulatedAuthorizationRequest, clientName: String, selected: String?, _ state: inout State
    ) -> SimulatorResponse {
        let (id, now, pages) = (RandomText.hex(32), state.now, state.pages)
        state.memory.consents = state.memory.consents.filter { $0.value.expiresAt > now }
        state.memory.consents[id] = PendingConsent(request: request, expiresAt: now.addingTimeInterval(lifetime))
        let form = ConsentForm(
            action: pages.authorizePath, reference: ("consent", id), people: state.choices,
            permissions: state.permissions(request.scopes ?? []), preselected: selected,
            extra: state.consentExtra(request))
        let page = ConsentPage(provider: pages.provider, application: clientName, form: form).response
        return state.annotated(page, for: request)
    }

    private static func decide(_ form: FormFields, _ state: inout State) throws(Refusal) -> SimulatorResponse {
        guard let id = form["consent"], let consent = state.memory.consents.removeValue(forKey: id),
            consent.expiresAt > state.now, let application = state.application(consent.request.clientID)
        else { return SimulatorPage.expired }
        guard form["decision"] == "authorize" else { return state.denial(of: consent.request) }
        guard let person = state.person(form["person"]) else { return SimulatorPage.expired }
        let granted = try state.grant(consent.request, to: application, by: person, form)
        var response = state.annotated(granted, for: consent.request)
        if let cookie = state.pages.cookie {
            let session = state.memory.session(of: state.sessionOwner(person))
            response.headers[.setCookie] = "\(cookie.name)=\(session); Path=\(cookie.path); HttpOnly; SameSite=Lax"
        }
        return response
    }
}

extension SimulatedProvider {
    /// The users as consent pages offer them.
    var choices: [ConsentForm.Choice] {
        people.map { person in
            let (name, note) = choice(person)
            return ConsentForm.Choice(
                id: String(person.id), name: name, note: note,
                picturePath: pages.picturePath + FormEncoding.encode(String(person.id)))
        }
    }

    /// The scopes that a user may deselect.
    func permissions(_ scopes: [String]) -> [ConsentForm.Permission] {
        pages.offersScopes ? scopes.map { .init(scope: $0, meaning: meaning(ofScope: $0)) } : []
    }

    /// The scopes that a user has left selected.
    func selected(_ scopes: [String], in form: FormFields) -> [String] {
        guard pages.offersScopes else { return scopes }
        let selected = form.all("scope")
        return scopes.filter(selected.contains)
    }
}
