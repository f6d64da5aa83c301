import Foundation
import ProviderKit

/// An account that went into another one. Merges are flat: neither of the two takes part in another merge the other way
/// round.
struct OnePassMerge: Sendable {
    let survivor: Int64
    let absorbed: Int64
    let trigger: OnePassSimulator.MergeTrigger
    let occurredAt: Date
    let eventID: String
}

extension OnePassState {
    /// The account that stands for this one now.
    func survivor(of personID: Int64) -> Int64 {
        merges.first { $0.absorbed == personID }?.survivor ?? personID
    }

    /// Lets `absorbed` go into `survivor`, ends the sessions of the former and tells the applications of both.
    mutating func merge(
        _ absorbed: Int64, into survivor: Int64, via trigger: OnePassSimulator.MergeTrigger
    ) throws(OAuthFailure) -> OnePassMerge {
        guard absorbed != survivor else { throw OAuthFailure("self_merge_forbidden", nil, status: 422) }
        let takesPart = merges.contains {
            $0.absorbed == absorbed || $0.absorbed == survivor || $0.survivor == absorbed
        }
        guard !takesPart, person(absorbed) != nil, person(survivor) != nil else {
            throw OAuthFailure("conflicting_credentials", "Accounts merge once, without chains.", status: 422)
        }
        let merge = OnePassMerge(
            survivor: survivor, absorbed: absorbed, trigger: trigger, occurredAt: now,
            eventID: "evt_" + RandomText.alphanumeric(24))
        merges.append(merge)
        handOverGrants(of: merge)
        endSessions(of: absorbed)
        let clients = Set(grants.keys.filter { [absorbed, survivor].contains($0.personID) }.map(\.clientID))
        emit(.userMerged, about: merge.data, to: clients.sorted(), id: merge.eventID)
        return merge
    }

    /// Clients that knew only the absorbed account keep its subject.
    private mutating func handOverGrants(of merge: OnePassMerge) {
        for (key, grant) in grants where key.personID == merge.absorbed {
            let survivor = GrantKey(clientID: key.clientID, personID: merge.survivor)
            let known = grants[survivor]
            grants[survivor] = Grant(
                scopes: OnePassScopes.union(known?.scopes ?? [], grant.scopes), subject: known?.subject ?? grant.subject
            )
        }
    }
}

extension OnePassMerge {
    /// The data of the event.
    var data: JSONObject {
        [
            "survivor_canonical_sub": .string(String(survivor)), "merged_canonical_sub": .string(String(absorbed)),
            "merged_via": .string(trigger.rawValue), "idempotency_key": .string("merge:\(absorbed):\(survivor)"),
        ]
    }

    /// How `linked_subs` lists the absorbed account; `nil` for no list at all.
    func listed(as style: OnePassSimulator.LinkedSubjects) -> JSONValue? {
        switch style {
        case .objects:
            [
                "sub": .string(String(absorbed)), "merged_canonical_sub": .string(String(survivor)),
                "merged_via": .string(trigger.rawValue), "occurred_at": .string(occurredAt.ISO8601Format()),
                "source_event_id": .string(eventID),
            ]
        case .strings: .string(String(absorbed))
        case .integers: .integer(absorbed)
        case .absent: nil
        }
    }
}
