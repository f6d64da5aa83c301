import Foundation
import HTTPTypes
import ProviderKit

/// `/api/v1/me/…`: the calls of the user's own app, with a personal key instead of an OAuth token.
enum OnePassAccountRoutes {
    private struct MergeRequest: Decodable {
        let target_user_id: Int64?
        let otp_code: String?
        let target_session_token: String?
    }

    static func add(to routes: ProviderRoutes<OnePassState>) {
        let core = routes.core
        routes.on(.post, "/api/v1/me/merge/session-token", as: .mergeSessionToken) { state, request in
            answer(request, &state) { key, state in
                let token = state.mergeCredentials.makeSessionToken(for: key.personID, now: state.now)
                return .json([
                    "session_token": .string(token), "expires_in": .integer(Int64(OnePassMergeCredentials.lifetime)),
                ])
            }
        }
        routes.on(.post, "/api/v1/me/merge", as: .merge) { state, request in
            // Runs after this handler has left the state's lock.
            defer { Task { core.sendWaiting() } }
            let body = try? request.json(MergeRequest.self)
            return answer(request, &state) { key, state throws(OAuthFailure) in
                try merge(body, into: key.personID, &state)
            }
        }
        routes.on(.delete, "/api/v1/me/connected_apps/{client_id}", as: .connectedApplications) { state, request in
            defer { Task { core.sendWaiting() } }
            return answer(request, scope: "profile:write", &state) { key, state throws(OAuthFailure) in
                guard state.disconnect(request.pathParameters["client_id"] ?? "", from: key.personID) else {
                    throw OAuthFailure("not_found", nil, status: 404)
                }
                return SimulatorResponse(status: 204)
            }
        }
    }

    /// Merges the account that the request proves to be the caller's too.
    private static func merge(
        _ body: MergeRequest?, into survivor: Int64, _ state: inout OnePassState
    ) throws(OAuthFailure) -> SimulatorResponse {
        let merge: OnePassMerge
        switch (body?.target_user_id, body?.otp_code, body?.target_session_token) {
        case (let absorbed?, let password?, nil):
            try state.mergeCredentials.consume(password: password, of: absorbed)
            merge = try state.merge(absorbed, into: survivor, via: .oneTimePassword)
        case (nil, nil, let token?):
            let absorbed = try state.mergeCredentials.consume(sessionToken: token, now: state.now)
            merge = try state.merge(absorbed, into: survivor, via: .sessionToken)
        case (nil, _, nil), (_, nil, nil): throw OAuthFailure("missing_credentials", nil, status: 422)
        default: throw OAuthFailure("conflicting_credentials", nil, status: 422)
        }
        return .json([
            "ok": true, "identity_link_id": .string(merge.eventID), "primary_user_id": .integer(merge.survivor),
            "linked_user_id": .integer(merge.absorbed), "merged_via": .string(merge.trigger.rawValue),
        ])
    }

    private static func answer(
        _ request: SimulatorRequest, scope: String? = nil, _ state: inout OnePassState,
        _ handler: (OnePassPersonalKey, inout OnePassState) throws(OAuthFailure) -> SimulatorResponse
    ) -> SimulatorResponse {
        SimulatedOnePassAPI.answer(&state) { state throws(OAuthFailure) in
            guard let value = request.authorization(scheme: "bearer"), value.isASCII,
                let key = state.personalKeys[value], key.expiresAt > state.now
            else { throw .onePassInvalidToken }
            if let scope, !key.scopes.contains(scope) {
                throw OAuthFailure("insufficient_scope", "The key lacks \(scope).", status: 403)
            }
            return try handler(key, &state)
        }
    }
}
