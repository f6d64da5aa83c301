import BenchmarkLoad
import Foundation

/// The files of one broker: the only place that knows how a broker is configured.
///
/// They are what `broker init` writes, with what a benchmark needs changed.
struct BrokerFiles: Sendable {
    static let project = "benchmark"
    static let provider = "oidc.benchmark"
    static let clientID = "benchmark-client"

    /// Where a broker keeps what it remembers.
    enum Database: Sendable {
        /// A SQLite file in the folder.
        case sqlite
        /// A connection URL; it gets a file of its own.
        case postgresql(String)
    }

    /// What the broker signs its tokens with, by its policy.
    enum Signing: String, Sendable {
        case es256 = "strict"
        case rs256 = "firebase"
    }

    let folder: String
    let apiKey: String

    var configuration: String { folder + "/broker.json" }
    var databaseFile: String { folder + "/broker.sqlite" }

    /// Has `executable` write them and changes them.
    ///
    /// - Parameters:
    ///   - executable: the broker.
    ///   - folder: where they go.
    ///   - signing: what its tokens are to be signed with.
    ///   - database: where it keeps what it remembers.
    ///   - issuer: the URL of the one provider people sign in with.
    /// - Throws: ``BenchmarkFailure`` when the broker refuses to write them.
    init(
        of executable: String, in folder: String, signing: Signing, database: Database, issuer: String
    ) throws {
        self.folder = folder
        let output = try Program.run(
            executable, ["init", "--json", "--directory", folder, "--project", Self.project])
        guard let answer = try JSONSerialization.jsonObject(with: output) as? [String: Any],
            let apiKey = answer["apiKey"] as? String
        else { throw BenchmarkFailure("broker init does not say the API key") }
        self.apiKey = apiKey
        try Self.change(configuration) { file in
            file["policy"] = signing.rawValue
            switch database {
            case .sqlite: file["database"] = ["path": "broker.sqlite"]
            case .postgresql(let url):
                let secret = folder + "/database.url"
                try Data((url + "\n").utf8).write(to: URL(filePath: secret))
                file["database"] = ["url": ["file": secret]]
            }
        }
        try Self.change(folder + "/plugins.json") { file in
            let options: [String: Any] = [
                "issuer": issuer, "clientId": Self.clientID, "tokenEndpointAuthMethod": "none",
            ]
            let entry: [String: Any] = [
                "id": Self.provider, "use": "oidc", "trustEmail": true, "allowInsecureLoopback": true,
                "options": options,
            ]
            file["providers"] = [entry]
        }
    }

    /// Lets a credential ask as often as it likes.
    func liftCredentialLimit() throws {
        try Self.change(configuration) { $0["rateLimits"] = ["requestsPerCredential": 0] }
    }

    /// Gives the one provider another name, which a running broker follows.
    func rename(to name: String) throws {
        try Self.change(folder + "/plugins.json") { file in
            guard var entry = (file["providers"] as? [[String: Any]])?.first else { return }
            entry["displayName"] = name
            file["providers"] = [entry]
        }
    }

    private static func change(_ path: String, _ change: (inout [String: Any]) throws -> Void) throws {
        let url = URL(filePath: path)
        guard var file = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] else {
            throw BenchmarkFailure("\(path) is no JSON object")
        }
        try change(&file)
        try JSONSerialization.data(withJSONObject: file).write(to: url)
    }
}
