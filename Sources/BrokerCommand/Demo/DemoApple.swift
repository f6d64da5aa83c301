import Broker
import OAuth
import ProviderKit
import ProviderSimulators

/// The demo's Apple, with the credential that an Apple device gives an app.
struct DemoApple: DemoProvider {
    static let id = "apple.com"
    static let name = "Apple"

    let simulator: AppleSimulator
    private let people: [DemoUser: AppleSimulator.Person]

    static func start(_ stored: DemoRecord?, callbackURL: String) async throws -> DemoApple {
        let settings = stored?.settings ?? [:]
        var key: AppleSimulator.Key?
        if let pem = settings["privateKey"], let keyID = settings["keyId"], let teamID = settings["teamId"] {
            key = try AppleSimulator.Key(pem: pem, keyID: keyID, teamID: teamID)
        }
        let people = DemoUser.allCases.map { user in
            (
                user,
                AppleSimulator.Person(
                    id: stored?.people[user.rawValue], givenName: user.givenName, familyName: "Example",
                    email: user.email(at: id))
            )
        }
        let simulator = try await AppleSimulator.start(
            .init(
                port: stored?.port ?? 0, teamID: settings["teamId"], key: key,
                application: .init(clientID: settings["servicesId"], returnURLs: [callbackURL], name: "Broker demo"),
                nativeApplication: .init(clientID: settings["clientId"], kind: .native, name: "Broker demo"),
                people: people.map(\.1)))
        return DemoApple(simulator: simulator, people: Dictionary(people) { first, _ in first })
    }

    var url: String { simulator.url }

    var record: DemoRecord {
        DemoRecord(
            port: port,
            settings: [
                "teamId": simulator.teamID, "keyId": simulator.key.keyID, "privateKey": simulator.key.pem,
                "servicesId": simulator.defaultApplication.clientID,
                "clientId": simulator.nativeApplication.clientID,
            ],
            people: Dictionary(people.map { ($0.rawValue, $1.id) }) { first, _ in first })
    }

    var use: (kind: String, options: JSONObject) {
        (
            "apple",
            [
                "url": .string(url), "teamId": .string(simulator.teamID), "keyId": .string(simulator.key.keyID),
                "privateKey": .string(simulator.key.pem),
                "servicesId": .string(simulator.defaultApplication.clientID),
                "clientIds": [.string(simulator.nativeApplication.clientID)],
            ]
        )
    }

    func credential(of user: DemoUser) -> [(name: String, value: String)] {
        people[user].map(credential) ?? []
    }

    /// Adds an account for as long as the simulator runs.
    func newPerson() -> AppleSimulator.Person {
        simulator.add(.init(givenName: "Eve", familyName: "Example", email: "eve@\(Self.id).example"))
    }

    /// Issues a new credential of an account, with a code, so that the broker gets a refresh token to revoke.
    func credential(of person: AppleSimulator.Person) -> [(name: String, value: String)] {
        let nonce = RandomText.alphanumeric(32)
        let native = simulator.nativeCredential(
            for: person, application: simulator.nativeApplication, rawNonce: nonce)
        var fields = [
            (name: "id_token", value: native.idToken), (name: "nonce", value: nonce),
            (name: "code", value: native.authorizationCode), (name: "providerId", value: Self.id),
        ]
        if let givenName = native.givenName, let familyName = native.familyName {
            let profile: JSONValue = ["name": ["firstName": .string(givenName), "lastName": .string(familyName)]]
            fields.append((name: "user", value: profile.serialized()))
        }
        return fields
    }

    func stop() async { await simulator.stop() }
}
