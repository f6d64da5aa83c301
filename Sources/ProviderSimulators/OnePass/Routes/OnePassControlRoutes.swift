import HTTPTypes
import ProviderKit

/// `/_simulator/…`: the simulator's own JSON interface, besides what every simulator's has.
///
/// | call | body | answer |
/// |---|---|---|
/// | `GET people` | | `[{id, name, fullName, email, emailVerified, isAnonymous}]` |
/// | `POST people` | `{name?, fullName?, email?, emailVerified?, isAnonymous?}` | the person |
/// | `GET applications` | | `[{clientId, clientSecret, …}]` |
/// | `POST applications` | `{name?, type?, redirectUris?, webhookUrl?, …}` | the application |
/// | `POST authorization-codes` | `{person, clientId?, redirectUri?, scopes?, codeChallenge, nonce?}` | `{code, redirectUri}` |
/// | `POST tokens` | `{person, clientId?, scopes?, nonce?}` | `{accessToken, refreshToken, idToken}` |
/// | `POST merges` | `{absorbed, survivor}` | `{eventId}` |
/// | `POST webhooks` | `{eventIds}`: sends these again, in this order | 204 |
/// | `POST behaviour` | `{linkedSubjects?, writesNumericSubjects?, …}` | 204 |
///
/// People are named by their preferred name or their number.
struct OnePassControlRoutes: Sendable {
    let core: OnePassCore

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        let controls = SimulatorControls(routes: routes)
        controls.addTestControls()
        controls.list("people") { [core] in core.snapshot.people.map(\.json) }
        controls.post("people", OnePassNewPerson.self) { [core] body in
            let person = body.person
            core.withState { $0.put(person) }
            return person.json
        }
        controls.list("applications") { [core] in core.snapshot.applications.map(\.json) }
        controls.post("applications", OnePassNewApplication.self) { [core] body in
            let application = body.application
            core.withState { $0.put(application) }
            return application.json
        }
        controls.post("behaviour", OnePassBehaviourChange.self) { [core] body throws(Refusal) in
            try core.withState { state throws(Refusal) in try body.apply(to: &state.behaviour) }
            return nil
        }
        addCredentials(to: controls)
        addMerges(to: controls)
    }

    private func addCredentials(to controls: SimulatorControls<OnePassSimulator.Endpoint>) {
        controls.post("authorization-codes", OnePassCredentialRequest.self) { [core] body throws(Refusal) in
            try core.withState { state throws(Refusal) in
                let (person, application) = try body.subject(in: state)
                let authorization = try body.authorization(for: application, now: core.clock.now)
                let code = state.makeCode(
                    for: person.id, scopes: body.grantedScopes, answering: authorization, now: core.clock.now)
                return ["code": .string(code), "redirectUri": .string(authorization.redirectURI)]
            }
        }
        controls.post("tokens", OnePassCredentialRequest.self) { [core] body throws(Refusal) in
            try core.withState { state throws(Refusal) in
                let (person, application) = try body.subject(in: state)
                let key = state.grant(body.grantedScopes, of: person.id, to: application.clientID)
                let tokens = state.issueTokens(
                    for: key, scopes: body.grantedScopes, nonce: body.nonce, family: RandomText.hex(16),
                    now: core.clock.now)
                return [
                    "accessToken": .string(tokens.accessToken), "refreshToken": JSONValue(tokens.refreshToken),
                    "idToken": JSONValue(tokens.idToken),
                ]
            }
        }
    }

    private func addMerges(to controls: SimulatorControls<OnePassSimulator.Endpoint>) {
        controls.post("merges", OnePassMergeOrder.self) { [core] body throws(Refusal) in
            let eventID = try core.withState { state throws(Refusal) in
                try body.merge(in: &state, now: core.clock.now)
            }
            core.sendWaiting()
            return ["eventId": .string(eventID)]
        }
        controls.post("webhooks", OnePassWebhookOrder.self) { [core] body in
            let events = core.snapshot.events
            let ordered = body.eventIds.flatMap { id in events.filter { $0.id == id } }
            Task { await core.deliver(ordered) }
            return nil
        }
    }
}
