import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators

extension TestProviders {
    /// What an app on a device sends: the first time with the name.
    func nativeCredential(
        of person: AppleSimulator.Person, sendsCode: Bool = true
    ) -> [(String, String)] {
        let nonce = RandomText.alphanumeric(32)
        let native = apple.nativeCredential(for: person, application: apple.nativeApplication, rawNonce: nonce)
        var fields = [("id_token", native.idToken), ("nonce", nonce), ("providerId", "apple.com")]
        if sendsCode { fields.append(("code", native.authorizationCode)) }
        if let given = native.givenName, let family = native.familyName {
            let user: JSONValue = ["name": ["firstName": .string(given), "lastName": .string(family)]]
            fields.append(("user", user.serialized()))
        }
        return fields
    }

    /// Lets time pass at the broker and at its providers: a client secret lives for five minutes only.
    func advance(_ seconds: TimeInterval, with broker: TestBroker) {
        broker.clock.advance(seconds: seconds)
        clock.advance(by: .seconds(Int(seconds)))
    }

    /// A fresh authorization code, as a device gives it to the app.
    func nativeCode(of person: AppleSimulator.Person) -> String {
        apple.nativeCredential(for: person, application: apple.nativeApplication).authorizationCode
    }
}

extension TestBroker {
    /// The grants of a user.
    func storedGrants(ofUser localID: String) async throws -> [ProviderGrant] {
        try await core.store.read { transaction in
            guard let user = try transaction.user(localID: localID) else { return [] }
            return try transaction.grants(of: user.key)
        }
    }
}
