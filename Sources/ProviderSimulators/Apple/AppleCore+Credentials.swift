import Foundation
import ProviderKit
import ProviderKitTesting

extension AppleCore {
    /// What a device gives an app after the person agreed.
    func nativeCredential(
        for person: AppleSimulator.Person, _ clientID: String, rawNonce: String?, scopes: [String]
    ) -> AppleSimulator.NativeCredential {
        let (nonce, now) = (rawNonce.map(AppleSimulator.hashed), clock.now)
        let (isFirst, code, email) = withState { state in
            let key = state.key(person.id, clientID)
            let isFirst = state.consent(key, scopes: scopes, hidesEmail: nil)
            let code = state.makeCode(for: person.id, clientID, redirectURI: nil, nonce: nonce, now: now)
            return (isFirst, code, state.address(key)?.email)
        }
        let token = idToken(
            AppleClaims(personID: person.id, clientID: clientID, nonce: nonce, code: code, isFirstOnDevice: isFirst))
        let tellsName = isFirst && scopes.contains("name")
        return AppleSimulator.NativeCredential(
            idToken: token, authorizationCode: code, givenName: tellsName ? person.givenName : nil,
            familyName: tellsName ? person.familyName : nil, email: isFirst ? email : nil)
    }

    /// A code as the authorization page would give it to a web site, or the system to an app.
    func authorizationCode(
        for person: AppleSimulator.Person, _ application: AppleSimulator.Application, redirectURI: String?,
        nonce: String?, scopes: [String]
    ) -> String {
        let now = clock.now
        return withState { state in
            _ = state.consent(state.key(person.id, application.clientID), scopes: scopes, hidesEmail: nil)
            return state.makeCode(
                for: person.id, application.clientID, redirectURI: application.kind == .web ? redirectURI : nil,
                nonce: nonce, now: now)
        }
    }

    /// A signed notification. Unlike an ID token it has `events`, a text that is JSON itself.
    func notification(
        _ event: AppleSimulator.Event, about person: AppleSimulator.Person, _ clientID: String,
        _ options: AppleSimulator.NotificationOptions
    ) -> AppleSimulator.Notification {
        let now = clock.now
        let id = RandomText.alphanumeric(22)
        let claims = withState { state in
            let key = state.key(person.id, clientID)
            var details: JSONObject = [
                "type": .string(event.rawValue), "sub": .string(state.account(key).subject),
                "event_time": .integer((options.time ?? now).epochSeconds &* 1000),
            ]
            if [.emailEnabled, .emailDisabled].contains(event) {
                details["email"] = .string(state.account(key).relayAddress)
                details["is_private_email"] = state.behaviour.booleans.value(true)
            }
            let events: JSONValue = options.encodesEventsTwice ? .string(details.serialized()) : .object(details)
            return [
                "iss": .string(state.issuer), "aud": .string(options.audience ?? clientID),
                "iat": .integer(now.epochSeconds), "exp": .integer(now.epochSeconds + 86_400), "jti": .string(id),
                "events": events,
            ] as JSONObject
        }
        let payload = mint.keys.token(claims, type: nil, forging: options.forgery, now: now)
        return AppleSimulator.Notification(id: id, payload: payload)
    }
}
