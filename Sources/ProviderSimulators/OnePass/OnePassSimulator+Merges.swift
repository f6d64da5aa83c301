public import ProviderKit

extension OnePassSimulator {
    /// The reason for a merge.
    public enum MergeTrigger: String, Sendable, Hashable, CaseIterable {
        /// A device was linked.
        case deviceLink = "t1_device_link"
        /// Two accounts had one address.
        case emailMatch = "t2_email_match"
        /// The user proved it by a code.
        case oneTimePassword = "t3_otp"
        /// The user proved it on another device.
        case sessionToken = "session_token"
    }

    /// The reason a merge was refused.
    public struct MergeRefusal: Error, Sendable, Equatable {
        /// 1Pass's code: `self_merge_forbidden`, or `conflicting_credentials` for chains and cycles.
        public let code: String
    }

    /// Merges one account into another, as 1Pass does when it learns that both are one user's: the absorbed account's
    /// sessions are revoked, and the clients of both are notified.
    ///
    /// - Parameters:
    ///   - absorbed: The account that is merged.
    ///   - survivor: The account that stands for both from now on.
    ///   - trigger: The reason.
    /// - Returns: The events, already sent unless webhooks are held back.
    /// - Throws: ``MergeRefusal`` for accounts that cannot become one.
    @discardableResult
    public func merge(
        _ absorbed: Person, into survivor: Person, via trigger: MergeTrigger = .emailMatch
    ) async throws(MergeRefusal) -> [Event] {
        let eventID: String
        do throws(OAuthFailure) {
            eventID = try core.withState { state throws(OAuthFailure) in
                try state.merge(absorbed.id, into: survivor.id, via: trigger).eventID
            }
        } catch {
            throw MergeRefusal(code: error.code)
        }
        if !behaviour.holdsWebhooks { _ = await core.deliverWaiting() }
        return core.read { $0.events.filter { $0.id == eventID } }
    }

    /// The events for a client, oldest first.
    public func events(for application: Application) -> [Event] {
        core.read { $0.events.filter { $0.clientID == application.clientID } }
    }

    /// Notifies a client of an event that did not happen.
    @discardableResult
    public func emit(_ type: EventType, about person: Person, to application: Application) async -> [Event] {
        let events = core.withState { state in
            state.emit(type, about: ["sub": .string(person.subject)], to: [application.clientID])
        }
        if !behaviour.holdsWebhooks { _ = await core.deliverWaiting() }
        return events
    }

    /// Makes an event with other data than a user, such as the name of a compromised key. Its webhook waits.
    public func emit(_ type: EventType, data: JSONObject, to application: Application) -> [Event] {
        core.withState { $0.emit(type, about: data, to: [application.clientID]) }
    }

    /// Sends the webhooks that no listener has accepted yet.
    ///
    /// - Returns: The statuses of the answers, `nil` where none came.
    @discardableResult
    public func deliverWaiting() async -> [Int?] {
        await core.deliverWaiting()
    }

    /// Sends these webhooks in this order, as often as they are listed, whether or not they were accepted before.
    ///
    /// - Returns: The statuses of the answers, `nil` where none came.
    @discardableResult
    public func deliver(_ events: [Event]) async -> [Int?] {
        await core.deliver(events)
    }
}
