import Foundation
import HTTPTypes
import ProviderKit

/// The three ways by which a device gets a personal key; each documents other names for the same things.
enum OnePassDeviceKeyRoutes {
    private struct Device: Decodable {
        let device_uuid: String
        let platform: String
        let device_secret: String?
    }

    private struct AnonymousDevice: Decodable {
        let device_id: String
        let device_platform: String
        let device_secret: String?
    }

    static func add(to routes: ProviderRoutes<OnePassState>) {
        routes.on(.post, "/api/v1/devices", as: .devices) { state, request in
            answer(request, Device.self, &state) { body, state throws(OAuthFailure) in
                let session = try state.enter(
                    (body.device_uuid, body.platform), secret: body.device_secret, startsOver: false)
                return session.json([:])
            }
        }
        routes.on(.post, "/api/v1/auth/anonymous_bootstrap", as: .anonymousBootstrap) { state, request in
            answer(request, AnonymousDevice.self, &state) { body, state throws(OAuthFailure) in
                let session = try state.enter(
                    (body.device_id, body.device_platform), secret: body.device_secret, startsOver: true)
                return session.json([
                    "token_type": "Bearer", "expires_in": .integer(OnePassPersonalKey.lifetime),
                    "user": [
                        "id": .integer(session.person.id), "anonymous": .bool(session.person.isAnonymous),
                        "nickname": JSONValue(session.person.preferredName),
                    ],
                ])
            }
        }
        routes.on(.post, "/api/v1/me/device_keys/exchange", as: .deviceKeyExchange) { state, request in
            answer(request, Device.self, &state) { body, state throws(OAuthFailure) in
                let value = request.authorization(scheme: "bearer")
                guard let token = state.accessToken(value),
                    let person = state.person(state.survivor(of: token.grant.personID))
                else { throw .onePassInvalidToken }
                let session = try state.exchange(
                    for: person, deviceUUID: body.device_uuid, secret: body.device_secret)
                return session.json([
                    "token_type": "Bearer", "scopes": .array(session.scopes.map(JSONValue.string)),
                    "device": ["id": .integer(session.deviceID)],
                ])
            }
        }
    }

    private static func answer<Body: Decodable>(
        _ request: SimulatorRequest, _ type: Body.Type, _ state: inout OnePassState,
        _ handler: (Body, inout OnePassState) throws(OAuthFailure) -> JSONObject
    ) -> SimulatorResponse {
        SimulatedOnePassAPI.answer(&state) { state throws(OAuthFailure) in
            guard let body = try? request.json(type) else {
                throw .invalidRequest("The body is not JSON, or a member is missing.")
            }
            return .json(.object(try handler(body, &state)))
        }
    }
}

extension SimulatedOnePassDeviceSession {
    fileprivate func json(_ others: JSONObject) -> JSONObject {
        var members: JSONObject = ["access_token": .string(personalKey)]
        members["device_secret"] = newSecret.map(JSONValue.string)
        return members.merging(others)
    }
}
