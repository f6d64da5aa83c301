import BrokerStore
import Foundation
import ProviderKit
import Synchronization

/// Sends the requests of one side of a migration: with a valid access token, at a limited rate, and again while the provider
/// is unavailable.
struct MigrationRequests: Sendable {
    /// Asks the provider about one user.
    ///
    /// Returns the user's next state; nil when the access token was refused.
    typealias Request =
        @Sendable (MigratingSubject, MigrationAuthorization) async throws(ProviderError) -> MigratingSubject?

    let migrator: any SubjectMigrator
    let side: MigrationSide
    let concurrency: Int
    let pace: RequestPace
    let clock: @Sendable () -> Date
    let sleep: @Sendable (Duration) async throws -> Void
    let request: Request

    /// The next states of a batch, in any order, and what kept the rest from an answer.
    struct Answers: Sendable {
        var finished: [MigratingSubject] = []
        var failure: ProviderError?
    }

    /// Repetitions after failures in a row, until the job pauses.
    private static let attempts = 8
    /// Seconds before its expiration in which an access token is not used any more.
    private static let margin: TimeInterval = 300

    /// Asks about a batch.
    ///
    /// - Parameters:
    ///   - batch: The users.
    ///   - authorization: The access token of the batch before; it is renewed when it expires.
    /// - Returns: What is known afterwards; all of it is to be stored before the failure is reported.
    func send(
        _ batch: [MigratingSubject], _ authorization: inout MigrationAuthorization?
    ) async -> Answers {
        var (answers, open, failures) = (Answers(), batch, 0)
        while !open.isEmpty {
            do throws(ProviderError) {
                let round = await round(open, try await current(&authorization))
                answers.finished += round.finished
                let done = Set(round.finished.map(\.identityKey))
                open.removeAll { done.contains($0.identityKey) }
                if !done.isEmpty { failures = 0 }
                if round.isUnauthorized { authorization = nil }
                if let failure = round.failure { throw failure }
                if round.isUnauthorized, done.isEmpty {
                    throw ProviderError(.upstream, at: .migrate, "the provider refuses its own access token")
                }
            } catch {
                failures += 1
                guard error.fault == .upstream, failures < Self.attempts, await wait(failures, error.retryAfter) else {
                    answers.failure = error
                    return answers
                }
            }
        }
        return answers
    }

    private func current(
        _ authorization: inout MigrationAuthorization?
    ) async throws(ProviderError) -> MigrationAuthorization {
        if let known = authorization, clock().addingTimeInterval(Self.margin) < known.expiresAt { return known }
        let renewed = try await migrator.authorize(side)
        authorization = renewed
        return renewed
    }

    private func wait(_ failures: Int, _ retryAfter: Int?) async -> Bool {
        let seconds = max(retryAfter ?? 0, min(60, 1 << failures))
        return (try? await sleep(.seconds(seconds))) != nil
    }

    private struct Round {
        var finished: [MigratingSubject] = []
        var isUnauthorized = false
        var failure: ProviderError?

        var goesOn: Bool { !isUnauthorized && failure == nil }
    }

    private enum Reply: Sendable {
        case finished(MigratingSubject)
        case unauthorized
        case failed(ProviderError)
    }

    /// Asks about each user once, until the first failure.
    private func round(_ subjects: [MigratingSubject], _ authorization: MigrationAuthorization) async -> Round {
        await withTaskGroup(of: Reply.self) { group in
            var (round, waiting) = (Round(), subjects[...])
            for _ in 0..<max(1, concurrency) {
                guard let next = waiting.popFirst() else { break }
                group.addTask { await reply(about: next, authorization) }
            }
            for await reply in group {
                switch reply {
                case .finished(let subject): round.finished.append(subject)
                case .unauthorized: round.isUnauthorized = true
                case .failed(let error): round.failure = error
                }
                if round.goesOn, let next = waiting.popFirst() {
                    group.addTask { await self.reply(about: next, authorization) }
                }
            }
            return round
        }
    }

    private func reply(about subject: MigratingSubject, _ authorization: MigrationAuthorization) async -> Reply {
        do throws(ProviderError) {
            await pace.turn(sleep)
            guard let next = try await request(subject, authorization) else { return .unauthorized }
            return .finished(next)
        } catch {
            return .failed(error)
        }
    }
}

/// A limit of requests per second, shared by concurrent ones.
final class RequestPace: Sendable {
    private let interval: Duration
    private let next = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter rate: Requests per second, at least one.
    init(rate: Int) {
        interval = .seconds(1) / max(1, rate)
    }

    /// Returns when the next request may be sent.
    func turn(_ sleep: @Sendable (Duration) async throws -> Void) async {
        let now = ContinuousClock.now
        let turn = next.withLock { next in
            let turn = max(next ?? now, now)
            next = turn + interval
            return turn
        }
        if turn > now { try? await sleep(turn - now) }
    }
}
