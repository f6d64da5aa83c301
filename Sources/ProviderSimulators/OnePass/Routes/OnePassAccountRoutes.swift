import Foundation
import HTTPTypes
import ProviderKit

/// `/api/v1/me/…`: what a person's own app does with a personal key. OAuth tokens are not taken here.
struct OnePassAccountRoutes: Sendable {
    private struct MergeRequest: Decodable {
        let target_user_id: Int64?
        let otp_code: String?
        let target_session_token: String?
    }

    let core: OnePassCore

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        routes.on(.post, "/api/v1/me/merge/session-token", as: .mergeSessionToken) { request in
            answer(request) { key, state in
                let token = state.mergeCredentials.makeSessionToken(for: key.personID, now: core.clock.now)
                return .json([
                    "session_token": .string(token), "expires_in": .integer(Int64(OnePassMergeCredentials.lifetime)),
                ])
            }
        }
        routes.on(.post, "/api/v1/me/merge", as: .merge) { request in
            let body = try? request.json(MergeRequest.self)
            let response = answer(request) { key, state throws(OAuthFailure) in
                try merge(body, into: key.personID, &state)
            }
            core.sendWaiting()
            return response
        }
        routes.on(.delete, "/api/v1/me/connected_apps/{client_id}", as: .connectedApplications) { request in
            let response = answer(request, scope: "profile:write") { key, state throws(OAuthFailure) in
                let clientID = request.pathParameters["client_id"] ?? ""
                guard state.disconnect(clientID, from: key.personID, now: core.clock.now) else {
                    throw OAuthFailure("not_found", nil, status: 404)
                }
                return SimulatorResponse(status: 204)
            }
            core.sendWaiting()
            return response
        }
    }

    /// The caller's account takes in the one that the request proves to be theirs too.
    private func merge(
        _ body: MergeRequest?, into survivor: Int64, _ state: inout OnePassState
    ) throws(OAuthFailure) -> SimulatorResponse {
        let now = core.clock.now
        let merge: OnePassMerge
        switch (body?.target_user_id, body?.otp_code, body?.target_session_token) {
        case (let absorbed?, let password?, nil):
            try state.mergeCredentials.consume(password: password, of: absorbed)
            merge = try state.merge(absorbed, into: survivor, via: .oneTimePassword, now: now)
        case (nil, nil, let token?):
            let absorbed = try state.mergeCredentials.consume(sessionToken: token, now: now)
            merge = try state.merge(absorbed, into: survivor, via: .sessionToken, now: now)
        case (nil, _, nil), (_, nil, nil): throw OAuthFailure("missing_credentials", nil, status: 422)
        default: throw OAuthFailure("conflicting_credentials", nil, status: 422)
        }
        return .json([
            "ok": true, "identity_link_id": .string(merge.eventID), "primary_user_id": .integer(merge.survivor),
            "linked_user_id": .integer(merge.absorbed), "merged_via": .string(merge.trigger.rawValue),
        ])
    }

    private func answer(
        _ request: SimulatorRequest, scope: String? = nil,
        _ handler: (OnePassPersonalKey, inout OnePassState) throws(OAuthFailure) -> SimulatorResponse
    ) -> SimulatorResponse {
        OnePassAPI.answer(core) { () throws(OAuthFailure) in
            try core.withState { state throws(OAuthFailure) in
                guard let value = request.authorization(scheme: "bearer"), value.isASCII,
                    let key = state.personalKeys[value], key.expiresAt > core.clock.now
                else { throw .onePassInvalidToken }
                if let scope, !key.scopes.contains(scope) {
                    throw OAuthFailure("insufficient_scope", "The key lacks \(scope).", status: 403)
                }
                return try handler(key, &state)
            }
        }
    }
}
