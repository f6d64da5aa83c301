import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// An installation with 1Pass, where the accounts of two users were merged.
struct MergedPeople {
    let broker: Installation
    let onePass: OnePassSimulator
    /// The account that stands for both.
    let new: OnePassSimulator.Person
    let survivor, absorbed: String

    static func run(_ body: (MergedPeople) async throws -> Void) async throws {
        try await Installation.run { broker in
            let onePass = try await OnePassSimulator.start()
            do {
                try broker.offer(onePass)
                try await body(try await MergedPeople(broker, onePass))
                await onePass.stop()
            } catch {
                await onePass.stop()
                throw error
            }
        }
    }

    private init(_ broker: Installation, _ onePass: OnePassSimulator) async throws {
        self.broker = broker
        self.onePass = onePass
        let old = onePass.add(.init(preferredName: "old-\(randomText())"))
        new = onePass.add(.init(preferredName: "new-\(randomText())"))
        absorbed = try await broker.signIn(old, at: onePass)
        survivor = try await broker.signIn(new, at: onePass)
        try await onePass.merge(old, into: new)
        #expect(try await broker.signIn(new, at: onePass) == survivor)
    }

    func signIn(_ person: OnePassSimulator.Person) async throws -> String {
        try await broker.signIn(person, at: onePass)
    }

    func ids(_ option: String...) async throws -> [String] {
        let result = try await CommandResult.broker(["merges", "list", "--json"] + option, in: broker.folder)
        return try JSONValue(parsing: result.output)["merges"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
}

extension Installation {
    /// Adds the simulator to the providers on offer.
    fileprivate func offer(_ onePass: OnePassSimulator) throws {
        let plugins = try JSONValue(parsing: try folder.text(of: "plugins.json"))
        let entry: JSONValue = [
            "use": "1pass", "allowInsecureLoopback": true,
            "options": [
                "url": .string(onePass.url), "clientId": .string(onePass.defaultApplication.clientID),
                "clientSecret": .string(onePass.defaultApplication.clientSecret ?? ""),
            ],
        ]
        try folder.write(
            JSONValue.object(["providers": .array((plugins["providers"]?.array ?? []) + [entry])]).serialized(),
            to: "plugins.json")
    }

    /// The user that a user's new access token leads to.
    fileprivate func signIn(_ person: OnePassSimulator.Person, at onePass: OnePassSimulator) async throws -> String {
        let token = onePass.accessToken(for: person, application: onePass.defaultApplication)
        let answer = try await document("link", "--provider", "1pass", input: token)
        return try #require(answer["user"]?["localId"]?.string, "\(answer)")
    }
}
