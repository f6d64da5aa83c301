extension CurrentSession {
    /// Does what is left for the app's data, once for all callers. A failure leaves the rest for the next time.
    func finishAccountData() async {
        // A handler that signs in or restores would wait for itself.
        if Self.isInHandler { return }
        if let runningWork { return await runningWork.value }
        let work = Task {
            while let session = try? await current(), let data = try? await data(),
                let step = AccountDataStep(data, in: session)
            {
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
            try await changeData { step.complete(in: &$0) }
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
    case separate(String, from: String)

    /// The first step that is left; `nil` when there is none.
    init?(_ data: LocalAccountData, in session: StoredSession) {
        // The data may be newer than the session, or older, where a process ended between the two.
        guard let userID = session.userID, data.userID == userID else { return nil }
        if let former = data.toMigrate.first {
            self = .migrate(from: former, to: userID)
        } else if !data.toAbsorb.isEmpty {
            self = .absorb(data.toAbsorb, into: userID)
        } else if data.hasAnonymousData, !session.isAnonymous {
            self = .upload(of: userID)
        } else if let other = data.toSeparate.first {
            self = .separate(other, from: userID)
        } else {
            return nil
        }
    }

    func run(with handler: any AccountDataHandler) async throws {
        switch self {
        case .migrate(let old, let new): try await handler.migrate(from: old, to: new)
        case .absorb(let subjects, let userID): try await handler.absorb(subjects, into: userID)
        case .upload(let userID): try await handler.uploadAnonymousData(of: userID)
        case .separate(let other, let userID): try await handler.separate(other, from: userID)
        }
    }

    /// Notes that the step is done, unless the data is for another user meanwhile.
    func complete(in data: inout LocalAccountData) {
        guard data.userID == userID else { return }
        switch self {
        case .migrate(let old, _):
            data.toMigrate.removeAll { $0 == old }
            data.userIDs.removeAll { $0 == old }
            data.finished.append(old)
        case .absorb(let subjects, _):
            data.toAbsorb.removeAll { subjects.contains($0) }
            data.finished += subjects
        case .upload: data.hasAnonymousData = false
        case .separate(let other, _): data.toSeparate.removeAll { $0 == other }
        }
    }

    private var userID: String {
        switch self {
        case .migrate(_, let userID), .absorb(_, let userID), .upload(let userID), .separate(_, let userID): userID
        }
    }

    var events: [SessionEvent] {
        switch self {
        case .migrate(let old, let new): [.merged(from: old, into: new)]
        case .absorb(let subjects, let userID): subjects.map { .merged(from: $0, into: userID) }
        case .upload: []
        case .separate(let other, let userID): [.separated(other, from: userID)]
        }
    }
}
