import Foundation
import HTTPTypes
import ProviderKit

/// `/auth/authorize`. Errors of a request are shown to the user; only a decision goes back to the site.
extension AppleState {
    mutating func authorize(_ request: SimulatorRequest) throws(Refusal) -> AuthorizationStep {
        let query = try request.queryFields()
        do throws(OAuthFailure) {
            guard let application = application(query["client_id"]), application.kind == .web else {
                throw .invalidClient
            }
            return .ask(try Self.authorization(query, for: application), clientName: application.name)
        } catch {
            return .answer(ApplePages.problem(error))
        }
    }

    mutating func grant(
        _ request: SimulatedAuthorizationRequest, to application: Application, by person: Person, _ form: FormFields
    ) -> SimulatorResponse {
        let hidesEmail = ["hide": true, "share": false][form["email"] ?? ""]
        return Self.redirect(request, response(to: request, consentedBy: person.id, hidesEmail: hidesEmail))
    }

    func denial(of request: SimulatedAuthorizationRequest) -> SimulatorResponse {
        Self.redirect(request, FormFields(["state": request.response.state, "error": "user_cancelled_authorize"]))
    }

    /// The fields of the response after consent. `user` comes the first time only.
    mutating func response(
        to request: SimulatedAuthorizationRequest, consentedBy personID: String, hidesEmail: Bool?
    ) -> FormFields {
        let (key, scopes) = (key(personID, request.clientID), request.scopes ?? [])
        let isFirst = consent(key, scopes: scopes, hidesEmail: hidesEmail)
        let code = issueCode(for: request, to: personID)
        let user = isFirst ? firstTimeUser(key, scopes: scopes) : nil
        let claims = AppleClaims(personID: personID, clientID: request.clientID, nonce: request.nonce, code: code)
        return FormFields([
            "state": request.response.state, "code": code,
            "id_token": request.responseTypes.contains("id_token") ? idToken(claims) : nil,
            "user": user?.serialized(),
        ])
    }

    /// The `user` field: unsigned, and never sent again.
    private mutating func firstTimeUser(_ key: ConsentKey, scopes: [String]) -> JSONValue? {
        guard let person = person(key.personID) else { return nil }
        var user = JSONObject()
        if scopes.contains("name") {
            user["name"] = ["firstName": .string(person.givenName ?? ""), "lastName": .string(person.familyName ?? "")]
        }
        if scopes.contains("email") { user["email"] = address(key).map { .string($0.email) } }
        return user.isEmpty ? nil : .object(user)
    }

    private static func redirect(_ request: SimulatedAuthorizationRequest, _ fields: FormFields) -> SimulatorResponse {
        let (target, place) = (request.response.target, request.response.place)
        return place == .formPost
            ? ApplePages.formPost(to: target, fields) : CallbackURI(target).redirect(carrying: fields, in: place)
    }

    private static func authorization(
        _ query: FormFields, for application: Application
    ) throws(OAuthFailure) -> SimulatedAuthorizationRequest {
        guard let redirectURI = query["redirect_uri"],
            application.returnURLs.contains(where: CallbackURI(redirectURI).equalsIgnoringLoopbackPort)
        else { throw .invalidRequest("Invalid web redirect url.") }
        let types = Set((query["response_type"] ?? "").split(separator: " ").map(String.init))
        guard types == ["code"] || types == ["code", "id_token"] else {
            throw OAuthFailure("unsupported_response_type")
        }
        let scopes = (query["scope"] ?? "").split(separator: " ").map(String.init)
        guard scopes.allSatisfy(["name", "email", "openid"].contains) else { throw .invalidScope }
        guard let place = CallbackURI.Place(rawValue: query["response_mode"] ?? "query") else {
            throw .invalidRequest("Invalid response mode.")
        }
        guard place == .formPost || !scopes.contains(where: ["name", "email"].contains) else {
            throw .invalidRequest("response_mode must be form_post when name or email scope is requested.")
        }
        guard place != .query || types == ["code"] else { throw .invalidRequest("Invalid response mode.") }
        return SimulatedAuthorizationRequest(
            clientID: application.clientID, redirectURI: redirectURI,
            response: SimulatedAuthorizationResponse(target: redirectURI, place: place, state: query["state"]),
            scopes: scopes,
            responseTypes: types, nonce: query["nonce"])
    }
}
