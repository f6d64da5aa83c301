import BenchmarkLoad
import Foundation

/// Another server that users could choose, run by a script of Benchmarks/Peers.
final class Peer {
    /// How many users or sessions it has: fewer than the broker, since most peers are slow to make them.
    static let users = 200

    let question: Question
    private let script: ServerProcess

    /// What the script says to ask the server.
    struct Question: Decodable, Sendable {
        let port: Int
        let process: Int32
        let path: String
        let contentType: String
        /// What precedes a token in the body of a request, and what follows it.
        let prefix: String
        let suffix: String
        /// Refresh tokens; absent where people sign in with the issuer's ID tokens.
        let tokens: [String]?
        /// Whether every answer has the next refresh token.
        let rotates: Bool
        /// What every answer contains.
        let expects: String
    }

    /// Starts the server and fills it.
    ///
    /// - Throws: ``BenchmarkFailure`` with what the script said when it could not.
    init(_ name: String, of folder: String, in files: String, issuer: Issuer) throws {
        var announced: Question?
        script = try ServerProcess(
            folder + "/" + name, [files, String(Self.users), issuer.url, BrokerFiles.clientID],
            log: files + "/script.log"
        ) { line in
            announced = try? JSONDecoder().decode(Question.self, from: line)
            return announced?.port
        }
        guard let announced else { throw BenchmarkFailure("\(name) does not say what to ask") }
        question = announced
    }

    /// The server's, without the script's.
    var processes: [Int32] { ProcessTree.identifiers(of: question.process) }

    func stop() { script.stop() }
}
