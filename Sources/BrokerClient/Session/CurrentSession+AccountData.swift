extension CurrentSession {
    /// Does what is left for the app's data, once for all callers. A failure leaves the rest for the next time.
    func finishAccountData() async {
        // A handler that signs in or restores would wait for itself.
        if Self.isInHandler { return }
        if let runningWork { return await runningWork.value }
        let work = Task {
            while let session = try? await current(), let step = AccountDataStep(session) {
                guard await finish(step) else { break }
            }
            runningWork = nil
        }
        runningWork = work
        await work.value
    }

    /// Does one step, and stores that it is done.
    private func finish(_ step: AccountDataStep) async -> Bool {
        do {
            if let accountData {
                try await Self.$isInHandler.withValue(true) { try await step.run(with: accountData) }
            }
            try await change { step.complete(in: &$0) }
        } catch {
            return false
        }
        for event in step.events { events.send(event) }
        return true
    }
}

/// The next thing to do for the app's data, in the order of ``AccountDataHandler``.
enum AccountDataStep: Sendable, Equatable {
    case migrate(from: String, to: String)
    case absorb([String], into: String)
    case upload(of: String)

    /// The first step that is left; `nil` when there is none.
    init?(_ session: StoredSession) {
        guard let userID = session.userID else { return nil }
        if let local = session.localUserID, local != userID {
            self = .migrate(from: local, to: userID)
        } else if !session.toAbsorb.isEmpty {
            self = .absorb(session.toAbsorb, into: userID)
        } else if session.hasAnonymousData, !session.isAnonymous {
            self = .upload(of: userID)
        } else {
            return nil
        }
    }

    func run(with handler: any AccountDataHandler) async throws {
        switch self {
        case .migrate(let old, let new): try await handler.migrate(from: old, to: new)
        case .absorb(let subjects, let userID): try await handler.absorb(subjects, into: userID)
        case .upload(let userID): try await handler.uploadAnonymousData(of: userID)
        }
    }

    /// Notes that the step is done, unless the session is another user's meanwhile.
    func complete(in session: inout StoredSession) {
        switch self {
        case .migrate(let old, let new):
            if session.localUserID == old, session.userID == new { session.localUserID = new }
        case .absorb(let subjects, let userID):
            if session.userID == userID { session.toAbsorb.removeAll { subjects.contains($0) } }
        case .upload(let userID):
            if session.userID == userID { session.hasAnonymousData = false }
        }
    }

    var events: [SessionEvent] {
        switch self {
        case .migrate(let old, let new): [.merged(from: old, into: new)]
        case .absorb(let subjects, let userID): subjects.map { .merged(from: $0, into: userID) }
        case .upload: []
        }
    }
}
