import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// `/v1/broker/me:merge` and `/v1/broker/me/merges`: joins another account of the same user, who has logged in to both, and
/// takes them apart again, for OAuth clients.
struct OwnMergeRoutes: Sendable {
    let openID: OpenIDContext

    private var callers: AccountCallers { AccountCallers(openID: openID) }

    func add(to routes: Routes) {
        callers.on(.post, ":previewMerge", in: routes) { call, request, _ in
            let other = try await otherLogin(try OtherLoginBody(try await RequestFields(request)), call)
            return JSONObject(try await openID.accounts.previewMerge(call.session, with: other))
        }
        callers.on(.post, ":merge", in: routes) { call, request, _ in
            let body = try MergeBody(try await RequestFields(request))
            let other = try await otherLogin(body.other, call)
            let merged = try await openID.accounts.mergeAccounts(
                call.session, with: other, survivor: body.survivor, origin: call.origin)
            return [
                "kind": "broker#Merge", "id": .string(merged.id), "absorbedLocalId": .string(merged.absorbedLocalID),
                "undoableUntil": .string(merged.undoableUntil.date.formatted(.iso8601)),
                "survivor": .object(try await openID.accountDocument(of: merged.survivor)),
            ]
        }
        callers.on(.get, "/merges", in: routes) { call, _, _ in
            let merges = try await openID.accounts.ownMerges(call.session)
            return ["kind": "broker#Merges", "merges": .array(merges.map { .object(JSONObject($0)) })]
        }
        callers.on(.post, "/merges/{mergeId}:undo", in: routes) { call, request, context in
            let other = try await otherLogin(try OtherLoginBody(try await RequestFields(request)), call)
            let outcome = try await openID.accounts.undoOwnMerge(
                context.parameters[PathParameter.mergeID.name] ?? "", call.session, with: other, origin: call.origin)
            return [
                "kind": "broker#MergeUndo", "localId": .string(outcome.survivor.user.localID),
                "restoredLocalId": .string(outcome.restored.user.localID),
                "conflicts": JSONObject.conflicts(outcome.conflicts),
            ]
        }
    }

    /// The login to the other account: an access token or an ID token of this client, or an ID token of Identity Toolkit.
    private func otherLogin(_ body: OtherLoginBody, _ call: AccountCallers.Call) async throws -> OtherLogin {
        let token = body.token
        let now = openID.now
        for kind in [OpenIDTokenVerifier.Kind.accessToken, .idToken] {
            guard let claims = try await openID.verifier.claims(of: token, kind, at: now) else { continue }
            guard !claims.isExpired(at: now), claims.clientID.hasSameBytes(as: call.client.id),
                kind == .idToken || claims.scopes.contains(.account)
            else { throw BrokerError.otherLoginEnded }
            return .session(.session(id: claims.sessionID, .oauth))
        }
        return .session(.idToken(token))
    }
}

/// A body that has the login to another account of the user.
struct OtherLoginBody: DeclaredRequest {
    private(set) var token = ""

    static let body = DeclaredBody<OtherLoginBody>([
        .text(
            "otherToken", orThrow: .badRequest("otherToken must be a token of a session of the other account."),
            "A token of a session of the other account: an access token or an ID token of this client, or an ID token of "
                + "Identity Toolkit."
        ) { $0.token = $1 }.example("<token of the other account>")
    ])
}

/// The body of a merge.
struct MergeBody: DeclaredRequest {
    private(set) var survivor = ""
    private(set) var other = OtherLoginBody()

    static let body = DeclaredBody<MergeBody>(
        [
            .text(
                "survivor", orThrow: .badRequest("survivor must be the localId of the user who remains."),
                "The id of the user who remains: this one or the other."
            ) { $0.survivor = $1 }.example("<user>")
        ], OtherLoginBody.body.of(\MergeBody.other))
}

extension JSONObject {
    fileprivate static func conflicts(_ conflicts: [UndoConflict]) -> JSONValue {
        .array(conflicts.map { ["code": .string($0.code), "message": .string($0.message)] })
    }

    fileprivate init(_ own: OwnMerge) {
        self = [
            "id": .string(own.merge.id), "absorbedLocalId": .string(own.merge.absorbed.user.localID),
            "mergedAt": .string(own.merge.mergedAt.date.formatted(.iso8601)),
            "undoableUntil": .string(own.merge.expiresAt.date.formatted(.iso8601)),
            "provingProviders": .array(own.provingProviders.map(JSONValue.string)),
            "conflicts": Self.conflicts(own.merge.conflicts),
        ]
    }

    fileprivate init(_ preview: MergePreview) {
        self = [
            "kind": "broker#MergePreview",
            "users": .array([preview.own, preview.other].map { .object(JSONObject($0)) }),
            "choices": .array(preview.choices.map { .object(JSONObject($0)) }),
        ]
    }

    private init(_ account: MergePreview.Account) {
        let user = account.record.user
        self = ["localId": .string(user.localID), "sessions": .integer(Int64(account.liveSessions))]
        self["email"] = user.email.map(JSONValue.string)
        self["displayName"] = user.displayName.map(JSONValue.string)
        self["providers"] = .array(account.record.identities.map { .string($0.provider) })
        self["customClaims"] = .array(user.customClaims.names.map(JSONValue.string))
    }

    private init(_ choice: MergePreview.Choice) {
        self = ["survivor": .string(choice.survivor), "absorbed": .string(choice.absorbed)]
        self["email"] = choice.email.map(JSONValue.string)
        self["differingClaims"] = .array(choice.differingClaims.map(JSONValue.string))
        if let refusal = choice.refusal {
            self["refusal"] = ["code": .string(refusal.code.rawValue), "message": .string(refusal.message)]
        }
    }
}
