import Broker
import BrokerStore
import ProviderKit
import Testing

@Suite("Anonymous users of a provider")
struct AnonymousIdentityTests {
    @Test func `becoming known is recorded once and never taken back`() async throws {
        try await TestBroker.runWithMerges { broker in
            let localID = try await broker.signIn(.init("7", isAnonymous: true)).string("localId")
            func isAnonymous() async throws -> Bool? { try await broker.user(localID)?.identities.first?.isAnonymous }
            func promotions() async throws -> Int {
                try await broker.events(of: localID).filter { $0 == "identity.promoted" }.count
            }

            _ = try await broker.signIn(.init("7", isAnonymous: true))
            #expect(try await isAnonymous() == true)
            #expect(try await promotions() == 0)

            for known in [true, false, true] {
                let answer = try await broker.signIn(.init("7", isAnonymous: !known))
                #expect(answer["localId"]?.string == localID)
                #expect(try await isAnonymous() == false)
                #expect(try await promotions() == 1)
            }
        }
    }

    @Test func `a user known from the start is never promoted`() async throws {
        try await TestBroker.runWithMerges { broker in
            let localID = try await broker.signIn(.init("7")).string("localId")

            _ = try await broker.signIn(.init("7", isAnonymous: true))
            _ = try await broker.signIn(.init("7"))

            #expect(try await broker.user(localID)?.identities.first?.isAnonymous == false)
            #expect(try await !broker.events(of: localID).contains("identity.promoted"))
        }
    }

    @Test func `of several sign-ins at once one is the promotion`() async throws {
        try await TestBroker.runWithMerges { broker in
            for round in 0..<20 {
                let subject = "device-\(round)"
                let localID = try await broker.signIn(.init(subject, isAnonymous: true)).string("localId")

                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 1...4 { group.addTask { _ = try await broker.signIn(.init(subject)) } }
                    try await group.waitForAll()
                }

                let events = try await broker.events(of: localID)
                #expect(events.filter { $0 == "identity.promoted" }.count == 1, "round \(round)")
            }
        }
    }

    @Test func `is shown wherever the user is, until the user is known`() async throws {
        try await TestBroker.runWithMerges { broker in
            let session = try await broker.signIn(.init("7", isAnonymous: true))
            let localID = try session.string("localId")
            _ = try await broker.signIn(.init("8"))
            _ = try await broker.signIn(.init("7"))
            let device = try await broker.signIn(.init("9", isAnonymous: true))
            let deviceID = try device.string("localId")
            let none = try await broker.signUp().string("localId")
            func call<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
                try await operation.run(for: AdminCall(broker.core.admin, origin: Origin(.admin)))
            }

            let anonymous = try await call(ListUsers(after: nil, limit: nil, anonymous: true)).users
            let all = try await call(ListUsers(after: nil, limit: nil)).users
            let record = try await broker.record(device)
            let shown = try await call(ShowUser(user: deviceID))

            #expect(anonymous.compactMap { $0["localId"]?.string } == [deviceID, none].sorted())
            #expect(all.count == 4)
            for known in all where !anonymous.contains(known) { #expect(known["broker"]?["anonymous"] == nil) }
            for user in [record, .object(shown)] {
                #expect(user["broker"]?["anonymous"] == true, "\(user)")
                #expect(user["providerUserInfo"]?.array?.first?["broker"]?["anonymous"] == true, "\(user)")
            }
            #expect(all.contains { $0["localId"]?.string == localID && $0["broker"] == nil })
            let page = try await call(ListUsers(after: nil, limit: 1, anonymous: true))
            #expect(page.total == 2 && page.next == [deviceID, none].sorted().first)
        }
    }
}
