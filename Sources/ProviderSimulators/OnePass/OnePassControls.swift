import ProviderKit

/// 1Pass's control calls. Users are named by their preferred name or their number.
///
/// | call | body | answer |
/// |---|---|---|
/// | `POST authorization-codes` | `{person, clientId?, redirectUri?, scopes?, codeChallenge, nonce?}` | `{code, redirectUri}` |
/// | `POST tokens` | `{person, clientId?, scopes?, nonce?}` | `{accessToken, refreshToken, idToken}` |
/// | `POST merges` | `{absorbed, survivor, mergedVia?}` | `{eventId}` |
/// | `POST webhooks` | `{eventIds}`: sends these again, in this order | 204 |
/// | `POST behaviour` | `{linkedSubjects?, writesNumericSubjects?, …}` | 204 |
extension OnePassState {
    static func addControls(to controls: ProviderControls<OnePassState>) {
        controls.post("behaviour", BehaviourChange.self) { state, body throws(Refusal) in
            try body.apply(to: &state.behaviour)
            return nil
        }
        controls.credential("authorization-codes", userKey: "person") { state, order throws(Refusal) in
            guard order.members.codeChallenge != nil else {
                throw .control("codeChallenge is missing: 1Pass insists on PKCE")
            }
            let request = order.request(redirectURI: order.application.redirectURIs.first ?? "")
            let scopes = order.members.scopes ?? OnePassSimulator.usualScopes
            return [
                "code": .string(state.issueCode(for: request, to: order.person.id, scopes: scopes)),
                "redirectUri": JSONValue(request.redirectURI),
            ]
        }
        controls.credential("tokens", userKey: "person") { state, order in
            let tokens = state.signIn(
                order.person.id, to: order.application.clientID,
                scopes: order.members.scopes ?? OnePassSimulator.usualScopes, nonce: order.members.nonce)
            return [
                "accessToken": .string(tokens.accessToken), "refreshToken": JSONValue(tokens.refreshToken),
                "idToken": JSONValue(tokens.idToken),
            ]
        }
        let core = controls.core
        controls.post("merges", MergeOrder.self) { state, body throws(Refusal) in
            // Runs after this handler has left the state's lock.
            defer { Task { core.sendWaiting() } }
            return ["eventId": .string(try body.merge(in: &state))]
        }
        controls.post("webhooks", WebhookOrder.self) { state, body in
            let ordered = body.eventIds.flatMap { id in state.events.filter { $0.id == id } }
            Task { await core.deliver(ordered) }
            return nil
        }
    }

    private struct MergeOrder: Decodable, Sendable {
        let absorbed: String, survivor: String, mergedVia: String?

        func merge(in state: inout OnePassState) throws(Refusal) -> String {
            let name = mergedVia ?? OnePassSimulator.MergeTrigger.emailMatch.rawValue
            guard let trigger = OnePassSimulator.MergeTrigger(rawValue: name) else {
                throw .control("mergedVia must be t1_device_link, t2_email_match, t3_otp or session_token")
            }
            guard let absorbed = state.person(named: absorbed), let survivor = state.person(named: survivor) else {
                throw .control("nobody is called that", status: 404)
            }
            do throws(OAuthFailure) {
                return try state.merge(absorbed.id, into: survivor.id, via: trigger).eventID
            } catch {
                throw .control(error.code, status: error.status)
            }
        }
    }

    private struct WebhookOrder: Decodable, Sendable {
        let eventIds: [String]
    }

    private struct BehaviourChange: Decodable, Sendable {
        let linkedSubjects: String?
        let writesNumericSubjects: Bool?
        let namesUserinfoEndpoint: Bool?
        let rotatesRefreshTokens: Bool?
        let refreshesIDTokens: Bool?
        let holdsWebhooks: Bool?

        func apply(to behaviour: inout OnePassSimulator.Behaviour) throws(Refusal) {
            if let linkedSubjects {
                guard let style = OnePassSimulator.LinkedSubjects(rawValue: linkedSubjects) else {
                    throw .control("linkedSubjects must be objects, strings, integers or absent")
                }
                behaviour.linkedSubjects = style
            }
            behaviour.writesNumericSubjects = writesNumericSubjects ?? behaviour.writesNumericSubjects
            behaviour.namesUserinfoEndpoint = namesUserinfoEndpoint ?? behaviour.namesUserinfoEndpoint
            behaviour.rotatesRefreshTokens = rotatesRefreshTokens ?? behaviour.rotatesRefreshTokens
            behaviour.refreshesIDTokens = refreshesIDTokens ?? behaviour.refreshesIDTokens
            behaviour.holdsWebhooks = holdsWebhooks ?? behaviour.holdsWebhooks
        }
    }
}

extension OnePassSimulator.Person: SimulatorPerson, ControlRecord {
    struct Draft: Decodable, Sendable {
        let name: String?, fullName: String?, email: String?, emailVerified: Bool?, isAnonymous: Bool?
    }

    init(_ draft: Draft) {
        self.init(
            preferredName: draft.name, fullName: draft.fullName,
            email: draft.email.map { .init($0, verified: draft.emailVerified ?? true) },
            isAnonymous: draft.isAnonymous ?? false)
    }

    var json: JSONValue {
        [
            "id": .integer(id), "sub": .string(subject), "name": JSONValue(preferredName),
            "fullName": JSONValue(fullName), "email": JSONValue(email?.address),
            "emailVerified": .bool(email?.verified ?? false), "isAnonymous": .bool(isAnonymous),
        ]
    }
}

extension OnePassSimulator.Application: SimulatorApplication, ControlRecord {
    struct Draft: Decodable, Sendable {
        let name: String?, type: ClientType?, redirectUris: [String]?, webhookUrl: String?
        let scopePolicy: ScopePolicy?, allowsAnonymousGrants: Bool?
    }

    init(_ draft: Draft) {
        self.init(
            type: draft.type ?? .confidential, scopePolicy: draft.scopePolicy ?? .block,
            allowsAnonymousGrants: draft.allowsAnonymousGrants ?? false, webhookURL: draft.webhookUrl)
        name = draft.name ?? name
        redirectURIs = draft.redirectUris ?? redirectURIs
    }

    var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": JSONValue(clientSecret), "name": .string(name),
            "type": .string(type.rawValue), "redirectUris": .array(redirectURIs.map(JSONValue.string)),
            "webhookSecret": .string(webhookSecret),
            "webhookKeys": .array(webhookKeys.map { ["id": .string($0.id), "secret": .string($0.secret)] }),
        ]
    }
}
