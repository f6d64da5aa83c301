import NIOHTTP1
import ProviderKit
import Testing

extension IdentityToolkitApp.Answer {
    /// Fails unless this is what clients are told while the store cannot serve: nothing an SDK could take for a judgement on
    /// its session, and when to come back.
    func expectUnavailable() {
        #expect(status == 503, "\(self)")
        #expect(headers.first(name: "Content-Type")?.hasPrefix("text/plain") == true, "\(headers)")
        #expect(headers.first(name: "Retry-After") == "1", "\(headers)")
        #expect(body == .null, "\(self)")
    }
}

extension IdentityToolkitApp {
    /// Signs users up, some at a time, until one of them is refused.
    ///
    /// - Returns: those who were not, and the refusals.
    func signUpUntilRefused(width: Int = 8) async throws -> (sessions: [Session], refusals: [Answer]) {
        var sessions: [Session] = []
        var refusals: [Answer] = []
        while refusals.isEmpty {
            try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<width { group.addTask { try await signUp() } }
                for try await answer in group {
                    if answer.status == 200 {
                        sessions.append(try Session(answer))
                    } else {
                        refusals.append(answer)
                    }
                }
            }
            try #require(sessions.count < 20_000, "the store never filled up")
        }
        return (sessions, refusals)
    }
}
