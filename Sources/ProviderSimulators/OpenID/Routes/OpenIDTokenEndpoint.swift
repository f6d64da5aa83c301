import HTTPTypes
import ProviderKit

/// `POST /token`: codes, refresh tokens and device codes become tokens; `POST /revoke`: tokens become nothing.
struct OpenIDTokenRoutes: Sendable {
    let core: OpenIDCore

    func add(to routes: SimulatorRoutes<OpenIDSimulator.Endpoint>) {
        routes.on(.post, OpenIDSimulator.Endpoint.token.path, as: .token, answer: token)
        routes.on(.post, OpenIDSimulator.Endpoint.revoke.path, as: .revoke, answer: revoke)
    }

    @Sendable
    private func token(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        do throws(OAuthFailure) {
            let (pair, person) = try core.withState {
                (state) throws(OAuthFailure) -> (OpenIDTokenPair, OpenIDSimulator.Person) in
                let now = core.clock.now
                let application = try state.client(form, request, now: now)
                let pair = try issue(form, to: application, &state)
                guard let person = state.person(pair.grant.subject) else { throw OAuthFailure("invalid_grant") }
                return (pair, person)
            }
            return SimulatorResponse.json(.object(answer(pair, about: person))).uncached
        } catch {
            var failure = error
            if core.options.quirks.contains(.errorsWithStatus200) { failure.status = 200 }
            return failure.response
        }
    }

    private func issue(
        _ form: FormFields, to application: OpenIDSimulator.Application, _ state: inout OpenIDState
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        let now = core.clock.now
        switch form["grant_type"] {
        case "authorization_code":
            return try state.redeem(
                form["code"] ?? "", for: application, redirectURI: form["redirect_uri"],
                verifier: form["code_verifier"], now: now)
        case "refresh_token":
            return try state.refresh(form["refresh_token"] ?? "", for: application, now: now)
        case "urn:ietf:params:oauth:grant-type:device_code":
            return try state.pollDevice(form["device_code"] ?? "", for: application, now: now)
        default: throw OAuthFailure("unsupported_grant_type")
        }
    }

    private func answer(_ pair: OpenIDTokenPair, about person: OpenIDSimulator.Person) -> JSONObject {
        let quirks = core.options.quirks
        let scopes = pair.grant.scopes
        var answer: JSONObject = [
            "access_token": .string(pair.accessToken), "token_type": "Bearer",
            "expires_in": quirks.contains(.numbersAsText)
                ? .string(String(OpenIDToken.lifetime)) : .integer(Int64(OpenIDToken.lifetime)),
            "refresh_token": .string(pair.refreshToken),
            "scope": quirks.contains(.scopesAsList)
                ? .array(scopes.map(JSONValue.string)) : .string(scopes.joined(separator: " ")),
        ]
        if core.options.mode == .openIDConnect, scopes.contains("openid") {
            let token = core.idToken(
                for: person, clientID: pair.grant.clientID, nonce: pair.grant.nonce, accessToken: pair.accessToken)
            answer["id_token"] = .string(token)
        }
        return answer
    }

    @Sendable
    private func revoke(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        do throws(OAuthFailure) {
            return try core.withState { state throws(OAuthFailure) in
                let application = try state.client(form, request, now: core.clock.now)
                let isKnown = state.revoke(form["token"] ?? "", of: application)
                guard isKnown || !core.options.quirks.contains(.refusesUnknownTokens) else {
                    throw OAuthFailure("invalid_token", "The token is unknown.")
                }
                return SimulatorResponse(status: 200)
            }
        } catch {
            return error.response
        }
    }
}
