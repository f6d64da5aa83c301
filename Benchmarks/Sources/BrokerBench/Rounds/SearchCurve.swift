import BenchmarkLoad
import Foundation
import NIOCore
import NIOHTTP1

/// Measures `users.search` of one broker on stores of several sizes, each filled by `broker users import`.
struct SearchCurve {
    let settings: Settings

    /// What was measured at one size.
    struct Point: Sendable {
        let users: Int
        let database: Settings.DatabaseKind
        let importSeconds: Double
        /// From the start of the broker until it had looked at the words of all users.
        let repairSeconds: Double
        var figures: [(search: Search, result: LoadResult)] = []
    }

    /// A kind of search, with the texts of it in turn.
    struct Search: Sendable {
        let name: String
        let bodies: [String]

        init(_ name: String, _ texts: [String?], _ filters: [String: String] = [:]) {
            self.name = name
            bodies = texts.map { text in
                let members = filters.merging(text.map { ["text": $0] } ?? [:]) { $1 }
                return "{" + members.sorted { $0.key < $1.key }.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
                    + "}"
            }
        }
    }

    /// Fills a store with so many users and searches it.
    func point(_ users: Int) async throws -> Point {
        let folder = try RunFolder(in: settings.diskFolder)
        defer { folder.remove() }
        let cluster =
            try settings.database == .sqlite
            ? nil : settings.postgreSQLCluster.map { try PostgreSQLCluster($0, in: settings.diskFolder) }
        defer { cluster?.stop() }
        let files = try BrokerFiles(
            of: settings.broker, in: folder.folder("broker"), signing: .es256,
            database: try cluster.map { .postgresql(try $0.makeDatabase()) } ?? .sqlite,
            // It is not asked.
            issuer: "http://127.0.0.1:9")
        try files.liftCredentialLimit()
        let importTime = try UserImport.run(users, into: files, by: settings.broker, SearchedPeople.record)
        let token = try Self.token(files, of: settings.broker)
        let brokers = try await Brokers(files, command: [settings.broker], count: 1)
        defer { brokers.stop() }
        let start = ContinuousClock.now
        try await Self.awaitWords(at: brokers.ports[0], token)
        var point = Point(
            users: users, database: settings.database, importSeconds: importTime,
            repairSeconds: (ContinuousClock.now - start).inSeconds)
        for search in SearchedPeople.searches(of: users) {
            let conversation = SearchConversation(search, token: token)
            // One after the other: an administrator waits for an answer.
            let load = Load(ports: brokers.ports, connections: 1)
            let pace = Pace.asFastAsAnswered(for: .seconds(settings.seconds / 6))
            _ = try await load.run(conversation, at: pace)
            let result = try await load.run(conversation, at: .asFastAsAnswered(for: .seconds(settings.seconds)))
            point.figures.append((search, result))
        }
        return point
    }

    /// A token of an administrator who may search.
    static func token(_ files: BrokerFiles, of broker: String) throws -> String {
        let output = try Program.run(
            broker,
            [
                "admin", "token", "create", "--name", "benchmark", "--scope", "users:read", "--json", "--config",
                files.configuration,
            ])
        guard let answer = try JSONSerialization.jsonObject(with: output) as? [String: Any],
            let token = answer["token"] as? String
        else { throw BenchmarkFailure("broker admin token create does not say the token") }
        return token
    }

    /// Waits until a broker has passed over the words of all users.
    static func awaitWords(at port: Int, _ token: String) async throws {
        let conversation = SearchConversation(Search("all", [nil]), token: token)
        while true {
            let result = try await Load(ports: [port], connections: 1)
                .run(conversation, at: .asFastAsAnswered(for: .milliseconds(50)))
            guard result.answers > 0 else { throw BenchmarkFailure(result.firstFailure ?? "no answer") }
            if conversation.hasAllWords { return }
            try await Task.sleep(for: .milliseconds(450))
        }
    }
}

/// Searches with one text after the other.
private final class SearchConversation: Conversation {
    private let head: HTTPRequestHead
    private let bodies: Ring<ByteBuffer>
    private let complete = Ring([false])

    init(_ search: SearchCurve.Search, token: String) {
        var head = HTTPRequestHead.benchmark(.POST, "/v1/broker/admin/users.search", contentType: "application/json")
        head.headers.add(name: "Authorization", value: "Bearer \(token)")
        self.head = head
        bodies = Ring(search.bodies.map { ByteBuffer(string: $0) })
    }

    /// Whether the last answer said that all users can be found.
    var hasAllWords: Bool {
        guard let (place, value) = complete.take() else { return false }
        complete.putBack(place)
        return value
    }

    func ask() -> Question<Int>? {
        bodies.take().map { Question(head, $0.value, turn: $0.place) }
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        bodies.putBack(turn)
        let text = String(buffer: body)
        guard text.hasPrefix(#"{"users":["#) else { throw BenchmarkFailure("an answer without users") }
        if let (place, _) = complete.take() { complete.putBack(place, as: text.contains(#""complete":true"#)) }
    }
}

/// The made-up users of a search: 40 first names and 175 000 last ones, a part of them with addresses of a few large
/// domains.
enum SearchedPeople {
    private static let firstNames = """
        James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph \
        Jessica Thomas Sarah Charles Karen Ada Grace Alan Noor Mei Jia Ivan Olga Pedro Lucía Hans Greta Amara Kofi Yuki \
        Hana Omar Leila Ravi Zoë
        """.split(separator: " ").map(String.init)
    private static let syllables = """
        ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so ta te ti to va ve \
        vi vo za
        """.split(separator: " ").map(String.init)
    private static let domains = ["gmail.example", "outlook.example", "acme.example"]

    private static func firstName(_ number: Int) -> String { firstNames[number % firstNames.count] }

    private static func lastName(_ number: Int) -> String {
        // Spread by a multiplier that has no factor in common with the counts.
        var rest = number &* 2_654_435_761 & 0xFFFF_FFFF
        var name = ""
        for _ in 0..<(2 + number % 3) {
            name += syllables[rest % syllables.count]
            rest /= syllables.count
        }
        return name.capitalized
    }

    private static func address(_ number: Int) -> String {
        let domain = number % 4 == 3 ? "d\(number % 1009).example" : domains[number % 4]
        return "\(lastName(number).lowercased()).\(number)@\(domain)"
    }

    static func record(_ number: Int) -> String {
        """
        {"localId":"\(UserImport.localID(number))","email":"\(address(number))","emailVerified":true,\
        "displayName":"\(firstName(number)) \(lastName(number))","disabled":\(number % 1000 == 0),\
        "providerUserInfo":[{"providerId":"\(BrokerFiles.provider)","rawId":"subject-\(number)"}]}
        """
    }

    static func searches(of users: Int) -> [SearchCurve.Search] {
        let sample = (0..<200).map { $0 * max(users / 200, 1) % users }
        let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
        return [
            .init("one letter", letters),
            .init("three letters", sample.map { String(lastName($0).lowercased().prefix(3)) }),
            .init("a last name", sample.map(lastName)),
            .init("first and last name", sample.map { "\(firstName($0)) \(lastName($0))" }),
            .init("two beginnings", sample.map { "\(firstName($0).prefix(2)) \(lastName($0).prefix(3))" }),
            .init("two that no user has", sample.map { "\(firstName($0).prefix(2)) zz\($0 % 10)" }),
            .init("an address", sample.map(address)),
            .init("a domain", domains),
            .init("a local id", sample.map(UserImport.localID)),
            .init("a subject", sample.map { "subject-\($0)" }),
            .init("one letter, disabled", letters, ["state": "disabled"]),
            .init("a domain, no such provider", domains, ["provider": "nothing.example"]),
            .init("no text", [nil]),
            .init("no text, disabled", [nil], ["state": "disabled"]),
        ]
    }
}
