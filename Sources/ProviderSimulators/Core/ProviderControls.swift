import ProviderKit

/// The control interface of a provider: `/_simulator/…`, for drivers that use `curl` or another language.
///
/// | call | body | answer |
/// |---|---|---|
/// | `GET people` | | the users |
/// | `POST people` | a user's draft | the user |
/// | `GET applications` | | the clients |
/// | `POST applications` | a client's draft | the client |
///
/// Besides, everything in ``SimulatorControls``, and the credentials that each provider issues.
struct ProviderControls<State: SimulatedProvider> {
    let core: SimulatorCore<State>
    fileprivate let controls: SimulatorControls<State.Endpoint>

    init(core: SimulatorCore<State>, controls: SimulatorControls<State.Endpoint>) {
        self.core = core
        self.controls = controls
    }

    func addRegistry() {
        controls.addTestControls()
        controls.list("people") { [core] in core.read { $0.people.map(\.json) } }
        post("people", State.Person.Draft.self) { state, draft throws(Refusal) in
            let person = try State.Person(draft)
            state.memory.put(person)
            return person.json
        }
        controls.list("applications") { [core] in core.read { $0.applications.map(\.json) } }
        post("applications", State.Application.Draft.self) { state, draft throws(Refusal) in
            state.register(try State.Application(draft)).json
        }
    }

    /// Adds a call with a body; the answer `null` becomes status 204.
    func post<Body: Decodable & Sendable>(
        _ name: String, _ type: Body.Type,
        act: @escaping @Sendable (inout State, Body) throws(Refusal) -> JSONValue
    ) {
        controls.post(name, type) { [core] body throws(Refusal) in
            try core.withState { state throws(Refusal) in try act(&state, body) }
        }
    }

    /// Adds a call that issues a credential to a user (named by the member `key`) and a client: `clientId`, or the
    /// first one that satisfies `isSuitable`.
    func credential(
        _ name: String, userKey key: String,
        among isSuitable: @escaping @Sendable (State.Application) -> Bool = { _ in true },
        issue: @escaping @Sendable (inout State, CredentialOrder<State>) throws(Refusal) -> JSONValue
    ) {
        post(name, JSONValue.self) { state, body throws(Refusal) in
            guard let user = body[key]?.string,
                let members = try? JSONValueDecoder().decode(CredentialMembers.self, from: body)
            else { throw .controlBody }
            let order = try CredentialOrder(user, key, members, in: state, among: isSuitable)
            return try issue(&state, order)
        }
    }
}

/// The members that a credential call may have, besides the user's name.
struct CredentialMembers: Decodable, Sendable {
    let clientId: String?, redirectUri: String?, scopes: [String]?
    let codeChallenge: String?, nonce: String?, rawNonce: String?
    let event: String?, audience: String?
}

/// The credential that a control call asks for.
struct CredentialOrder<State: SimulatedProvider>: Sendable {
    let person: State.Person
    let application: State.Application
    let members: CredentialMembers

    fileprivate init(
        _ user: String, _ key: String, _ members: CredentialMembers, in state: State,
        among isSuitable: (State.Application) -> Bool
    ) throws(Refusal) {
        guard let person = state.person(named: user) else { throw .control("nobody has this \(key)", status: 404) }
        let application =
            members.clientId == nil ? state.applications.first(where: isSuitable) : state.application(members.clientId)
        guard let application else { throw .control("no application has this clientId", status: 404) }
        self.person = person
        self.application = application
        self.members = members
    }

    var key: SimulatorGrantKey<State.Person.ID> { .init(clientID: application.clientID, personID: person.id) }

    /// The authorization request behind a code.
    func request(redirectURI registered: String?) -> SimulatedAuthorizationRequest {
        SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: members.redirectUri ?? registered,
            codeChallenge: members.codeChallenge, nonce: members.nonce)
    }
}
