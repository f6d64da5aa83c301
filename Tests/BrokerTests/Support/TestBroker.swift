import Broker
import BrokerStore
import Foundation
import GitHub
import Logging
import OAuth
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

/// A real broker on port 0 with a store in a temporary folder and a GitHub simulator beside it.
struct TestBroker: Sendable {
    let core: BrokerCore
    let url: String
    let apiKey: String
    let simulator: GitHubSimulator
    let clock: TestClock
    let folder: TestFolder

    /// Starts one, hands it to the test and ends it whatever happens.
    static func run<Value>(
        _ change: (inout Configuration) -> Void = { _ in }, plugins: [ProviderPlugin] = [.github],
        entries: ((GitHubSimulator) -> JSONValue)? = nil, clock: TestClock = TestClock(),
        _ test: (TestBroker) async throws -> Value
    ) async throws -> Value {
        await TestSlots.shared.enter()
        do {
            let value = try await runNow(change, plugins, entries, clock, test)
            await TestSlots.shared.leave()
            return value
        } catch {
            await TestSlots.shared.leave()
            throw error
        }
    }

    private static func runNow<Value>(
        _ change: (inout Configuration) -> Void, _ plugins: [ProviderPlugin],
        _ entries: ((GitHubSimulator) -> JSONValue)?, _ clock: TestClock, _ test: (TestBroker) async throws -> Value
    ) async throws -> Value {
        let folder = try TestFolder()
        let simulator = try await GitHubSimulator.start()
        let providers = entries?(simulator) ?? [gitHub(simulator)]
        try folder.write("plugins.json", JSONValue.object(["providers": providers]).serialized())
        try await TestTemplate.shared.copy(into: folder)
        var configuration = try folder.configuration()
        change(&configuration)
        let core = try await BrokerCore.open(configuration, plugins: plugins, environment: [:], now: { clock.now })
        let apiKey = configuration.apiKeys.first?.key ?? ""
        return try await serve(core) { url in
            try await test(
                TestBroker(
                    core: core, url: url, apiKey: apiKey, simulator: simulator, clock: clock, folder: folder))
        } finally: {
            await core.close()
            await simulator.stop()
            try await folder.removeAll()
        }
    }

    /// The entry that trusts the simulator as github.com.
    static func gitHub(
        _ simulator: GitHubSimulator, id: String = "github.com", trustEmail: Bool = true, secret: String? = nil,
        application: GitHubSimulator.Application? = nil
    ) -> JSONValue {
        let application = application ?? simulator.application(of: id)
        return [
            "id": .string(id), "use": "github", "trustEmail": .bool(trustEmail), "allowInsecureLoopback": true,
            "options": [
                "url": .string(simulator.url), "apiUrl": .string(simulator.apiURL),
                "clientId": .string(application.clientID), "clientSecret": .string(secret ?? application.clientSecret),
            ],
        ]
    }

    /// Prints why a provider did not answer: no answer of the broker tells, and on a busy machine it may be the machine.
    private static func logger() -> Logger {
        let test = Test.current.map { "\($0.name)" } ?? "?"
        return Logger(label: "test") { label in
            JSONLogHandler(label: label, level: .warning) { line, _ in
                guard line.contains("\"fault\":\"upstream\"") else { return }
                FileHandle.standardError.write(Data("broker of \(test): \(line)\n".utf8))
            }
        }
    }

    /// Runs the HTTP side of a core while `body` works.
    static func serve<Value>(
        _ core: BrokerCore, intervals: BackgroundIntervals = .still, limit: ConnectionLimit = .current,
        logger: Logger = TestBroker.logger(),
        _ body: (String) async throws -> Value, finally: () async throws -> Void = {}
    ) async throws -> Value {
        let (urls, listening) = AsyncStream.makeStream(of: String.self)
        let server = Task {
            defer { listening.finish() }
            try await withLogger(logger) { _ in
                try await BrokerServer(core, intervals: intervals, connectionLimit: limit) { listening.yield($0) }
                    .run()
            }
        }
        do {
            guard let url = await urls.first(where: { _ in true }) else {
                throw TestFailure("the server did not start")
            }
            TestClients.open(url)
            let value: Value
            do {
                value = try await body(url)
            } catch {
                await TestClients.close(url)
                throw error
            }
            await TestClients.close(url)
            server.cancel()
            _ = await server.result
            try await finally()
            return value
        } catch {
            server.cancel()
            _ = await server.result
            try await finally()
            throw error
        }
    }
}

extension GitHubSimulator {
    /// The client of an entry with this id: two entries are never one client.
    func application(of id: String) -> Application {
        guard id != "github.com" else { return defaultApplication }
        let clientID = "\(defaultApplication.clientID)-\(id)"
        if let known = applications().first(where: { $0.clientID == clientID }) { return known }
        var application = defaultApplication
        application.clientID = clientID
        application.clientSecret = RandomText.alphanumeric(40)
        return register(application)
    }
}

extension BackgroundIntervals {
    /// Nothing happens again by itself: tests say when.
    static var still: BackgroundIntervals {
        var intervals = BackgroundIntervals()
        intervals.signingKeys = .seconds(86_400)
        intervals.providers = .seconds(86_400)
        intervals.readiness = .seconds(86_400)
        intervals.masterKey = nil
        intervals.providerEvents = nil
        intervals.housekeeping = nil
        intervals.withdrawals = nil
        intervals.events = nil
        intervals.grantProbes = nil
        intervals.auditSealing = nil
        intervals.erasures = nil
        intervals.userWords = nil
        intervals.rateLimits = nil
        return intervals
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A clock that moves when the test says so.
final class TestClock: Sendable {
    private let date: Mutex<Date>

    init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        self.date = Mutex(date)
    }

    var now: Date { date.withLock { $0 } }

    func advance(seconds: TimeInterval) {
        date.withLock { $0.addTimeInterval(seconds) }
    }

    func set(_ date: Date) {
        self.date.withLock { $0 = date }
    }
}

/// A folder of the test's own.
struct TestFolder: Sendable {
    let path: String

    init() throws {
        let base =
            ProcessInfo.processInfo.environment["TESTS_TMP"].map { URL(filePath: $0) }
            ?? FileManager.default.temporaryDirectory
        path = base.appending(path: "broker-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func write(_ name: String, _ text: String) throws {
        let isWritten = FileManager.default.createFile(
            atPath: path + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw TestFailure("cannot write \(name)") }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
