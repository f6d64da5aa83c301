import Foundation
import ProviderKit

/// An event of 1Pass, as webhooks and the event feed have it:
/// `{"event_id", "event_type", "occurred_at", "data": {…}}`.
struct OnePassEvent: Sendable {
    let event: ProviderEvent

    /// - Parameters:
    ///   - document: The event.
    ///   - removalDelay: Seconds until the identity of a deleted account is removed.
    /// - Throws: ``ProviderError`` when it is malformed.
    init(_ document: JSONValue, removalDelay: Int) throws(ProviderError) {
        guard let id = document["event_id"]?.string, (1...255).contains(id.utf8.count),
            let type = document["event_type"]?.string, type.utf8.count <= 255
        else { throw .webhook("the event has no event_id or event_type") }
        guard let text = document["occurred_at"]?.string, let occurredAt = Self.time(text) else {
            throw .webhook("occurred_at is not a time (RFC 3339)")
        }
        let data = document["data"]?.object ?? [:]
        let kind = try Self.kind(type, data, removalDelay: removalDelay)
        let subject = Self.subject(of: kind, in: data)
        guard subject != nil || !kind.needsSubject else { throw .webhook("\(type) names no user") }
        event = ProviderEvent(id: id, kind, subject: subject, occurredAt: occurredAt)
    }

    private static func kind(
        _ type: String, _ data: JSONObject, removalDelay: Int
    ) throws(ProviderError) -> ProviderEvent.Kind {
        switch type {
        case "user.deleted": return .accountDeleted(removalDelay: removalDelay)
        // Removing the application from the account withdraws consent; both events follow it.
        case "consent.revoked", "user.unlinked": return .consentRevoked
        case "user.grants_revoked": return .grantsRevoked
        case "token.revoked": return .accessTokenRevoked
        case "user.merged":
            guard let survivor = subject(survivorNames, in: data), let absorbed = subject(absorbedNames, in: data)
            else { throw .webhook("user.merged does not name both accounts") }
            let proven = JSONValue.object(data).isProvenLink ? [absorbed] : []
            return .accountsMerged(.init(survivor: survivor, absorbed: [absorbed], proven: proven))
        case "webhook_key.compromised":
            guard let keyID = ["kid", "key_id"].lazy.compactMap({ data[$0]?.string }).first else {
                throw .webhook("webhook_key.compromised names no kid")
            }
            return .signingKeyCompromised(keyID: keyID)
        default: return .unknown(type)
        }
    }

    // The documentation names the members of `data` differently from page to page.
    private static let survivorNames = ["survivor_canonical_sub", "canonical_sub", "survivor_sub", "primary_user_id"]
    private static let absorbedNames = ["merged_canonical_sub", "merged_sub", "absorbed_sub", "linked_user_id"]
    private static let subjectNames = ["sub", "canonical_sub", "user_id"]

    private static func subject(of kind: ProviderEvent.Kind, in data: JSONObject) -> String? {
        if case .accountsMerged(let merge) = kind { return merge.survivor }
        return subject(subjectNames, in: data)
    }

    private static func subject(_ names: [String], in data: JSONObject) -> String? {
        names.lazy.compactMap { data[$0]?.subject }.first { $0.utf8.count <= 255 }
    }

    private static func time(_ text: String) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        return (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}

extension ProviderEvent.Kind {
    fileprivate var needsSubject: Bool {
        switch self {
        case .signingKeyCompromised, .unknown: false
        default: true
        }
    }
}
