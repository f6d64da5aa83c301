import Broker
import BrokerStore
import CryptoExtras
import Foundation
import JOSE
import ProviderKit
import Testing

@Suite("service accounts in broker.json")
struct ServiceAccountFileTests {
    private static func load(_ accounts: JSONValue, _ folder: TestFolder) throws -> [ServiceAccount] {
        let file: JSONValue = [
            "publicURL": "http://127.0.0.1:9099", "project": ["id": "p", "number": "1"],
            "apiKeys": [["key": "abcdefghij"]], "masterKey": ["file": "master.key"], "serviceAccounts": accounts,
        ]
        try folder.write("broker.json", file.serialized())
        return try Configuration.load(path: folder.path + "/broker.json", environment: [:]).serviceAccounts
    }

    private static func pem(_ key: PublicVerificationKey) throws -> String {
        guard case .rs256(let key) = key else { throw TestFailure("not an RSA key") }
        return key.pemRepresentation
    }

    @Test func `PEM, files, certificates and JSON Web Keys are read as the same key`() async throws {
        try await TestBroker.run { broker in
            let published = try #require(broker.core.sessions.signingKeys.published.first { $0.algorithm == .rs256 })
            let key = published.signer.key.publicKey
            let folder = broker.folder
            try folder.write("sa.pem", Self.pem(key) + "\n")
            try folder.write("sa.crt", published.certificate)

            let accounts = try Self.load(
                [
                    [
                        "email": "a@x.example",
                        "publicKeys": [
                            ["file": "sa.pem"], ["file": "sa.crt"], .string(try Self.pem(key)),
                            try key.jwk(keyID: "named").jsonValue,
                        ],
                    ]
                ], folder)

            let keys = try #require(accounts.first?.keys)
            #expect(keys.map(\.keyID) == [nil, nil, nil, "named"])
            #expect(Set(keys.map(\.thumbprint)) == [try key.jwk().thumbprint])
        }
    }

    @Test func `keys that are no RSA public keys are refused with their place`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let elliptic = try PrivateSigningKey.generate(.es256).publicKey.jwk(keyID: "e").jsonValue
        guard case .rs256(let rsa) = try ServiceAccountFixture.trusted.get().key else {
            throw TestFailure("not an RSA key")
        }
        let bad: [JSONValue] = [
            elliptic, "no PEM", .string(rsa.pemRepresentation), ["file": "absent.pem"], [:], 1,
            ["file": "a", "env": "B"],
        ]

        for value in bad {
            let accounts: JSONValue = [["email": "a@x.example", "publicKeys": [value]]]
            #expect { try Self.load(accounts, folder) } throws: { error in
                (error as? ConfigurationError)?.path == "/serviceAccounts/0/publicKeys/0"
                    && !"\(error)".contains("PRIVATE KEY-----")
            }
        }
    }

    @Test func `an account is named once, by an address, with one to ten keys`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let key = JSONValue.string(try Self.pem(try ServiceAccountFixture.trusted.get().key.publicKey))
        let good: JSONValue = ["email": "a@x.example", "publicKeys": [key]]
        let bad: [(JSONValue, String)] = [
            ([good, good], "/serviceAccounts/1/email"),
            ([["email": "nobody", "publicKeys": [key]]], "/serviceAccounts/0/email"),
            ([["email": "a@x.example", "publicKeys": []]], "/serviceAccounts/0/publicKeys"),
            (
                [["email": "a@x.example", "publicKeys": .array(Array(repeating: key, count: 11))]],
                "/serviceAccounts/0/publicKeys"
            ),
            ([["email": "a@x.example", "publicKey": [key]]], "/serviceAccounts/0/publicKey"),
        ]

        #expect(try Self.load([good], folder).count == 1)
        for (accounts, place) in bad {
            #expect { try Self.load(accounts, folder) } throws: { ($0 as? ConfigurationError)?.path == place }
        }
    }
}
