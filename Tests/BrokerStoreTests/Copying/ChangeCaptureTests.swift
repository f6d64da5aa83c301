import Testing

@testable import BrokerStore

@Suite("Changes that are captured for a copy")
struct ChangeCaptureTests {
    @Test func `what one process forgets late is never what another has not seen`() async throws {
        try await withStore { store in
            try await store.write { try $0.define(ChangeCapture.installation) }
            try await store.addUser()
            let first = try #require(try await store.read { try $0.capturedChanges(limit: 100) })
            // Another process applies the same changes, and then a row is written.
            try await store.write { try $0.forgetChanges(upTo: first.sequence) }
            try await store.addUser()

            try await store.write { try $0.forgetChanges(upTo: first.sequence) }

            // The user, and the word of the local id.
            #expect(try await store.read { try $0.capturedChangeCount() } == 2)
        }
    }
}
