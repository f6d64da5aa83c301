import ProviderKit

extension OnePassSimulator {
    /// Why two accounts became one.
    public enum MergeTrigger: String, Sendable, Hashable, CaseIterable {
        /// A device was linked.
        case deviceLink = "t1_device_link"
        /// Two accounts had one address.
        case emailMatch = "t2_email_match"
        /// The person proved it by a code.
        case oneTimePassword = "t3_otp"
        /// The person proved it on another device.
        case sessionToken = "session_token"
    }

    /// Why accounts were not merged.
    public struct MergeRefusal: Error, Sendable, Equatable {
        /// What 1Pass calls it: `self_merge_forbidden`, or `conflicting_credentials` for chains and cycles.
        public let code: String
    }

    /// Lets one account go into another, as 1Pass does when it learns that both are one person's: the absorbed
    /// account's sessions end, and the applications of both are told.
    ///
    /// - Parameters:
    ///   - absorbed: The account that ends.
    ///   - survivor: The account that stands for both from now on.
    ///   - trigger: Why.
    /// - Returns: The events, already sent unless webhooks are held back.
    /// - Throws: ``MergeRefusal`` for accounts that cannot become one.
    @discardableResult
    public func merge(
        _ absorbed: Person, into survivor: Person, via trigger: MergeTrigger = .emailMatch
    ) async throws(MergeRefusal) -> [Event] {
        let eventID: String
        do throws(OAuthFailure) {
            eventID = try core.withState { state throws(OAuthFailure) in
                try state.merge(absorbed.id, into: survivor.id, via: trigger, now: clock.now).eventID
            }
        } catch {
            throw MergeRefusal(code: error.code)
        }
        if !behaviour.holdsWebhooks { _ = await core.deliverWaiting() }
        return core.snapshot.events.filter { $0.id == eventID }
    }

    /// Everything an application was told, oldest first.
    public func events(for application: Application) -> [Event] {
        core.snapshot.events.filter { $0.clientID == application.clientID }
    }

    /// Tells an application something that did not happen.
    @discardableResult
    public func emit(_ type: EventType, about person: Person, to application: Application) async -> [Event] {
        let events = core.withState { state in
            state.emit(type, about: ["sub": .string(person.subject)], to: [application.clientID], now: clock.now)
        }
        if !behaviour.holdsWebhooks { _ = await core.deliverWaiting() }
        return events
    }

    /// Sends the webhooks nobody has taken yet.
    ///
    /// - Returns: The statuses of the answers, `nil` where none came.
    @discardableResult
    public func deliverWaiting() async -> [Int?] {
        await core.deliverWaiting()
    }

    /// Sends these webhooks in this order, as often as they are listed, whether or not they were taken before.
    ///
    /// - Returns: The statuses of the answers, `nil` where none came.
    @discardableResult
    public func deliver(_ events: [Event]) async -> [Int?] {
        await core.deliver(events)
    }
}
