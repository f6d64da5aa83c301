import BrokerStore
import Foundation
import HTTPTypes
import ProviderKit
import Testing

@testable import Broker

/// The answers of every API to every error, compared with `ErrorAnswers.txt`. `TESTS_RECORD=1` writes the file
/// anew.
@Suite("the answers to errors")
struct ErrorTableTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ErrorAnswers.txt")

    @Test func `are on every wire what they were`() async throws {
        let answers = try await TestBroker.run { broker in
            var lines: [String] = []
            for error in BrokerError.samples { lines += try await Self.answers(to: error, of: broker) }
            for (name, error) in WireError.samples { lines += try await Self.answers(to: error, named: name) }
            for code in OAuthError.Code.allCases { lines += try await Self.answers(to: code) }
            lines += try await Self.operations()
            return lines
        }
        if RecordedPage.isRecording {
            try (answers.joined(separator: "\n") + "\n").write(to: Self.path, atomically: true, encoding: .utf8)
        }

        let recorded = try String(contentsOf: Self.path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(answers.filter { !$0.isEmpty }.difference(from: recorded).isEmpty, "\(Self.changes(answers, recorded))")
    }

    @Test func `have the statuses that WireErrors documents`() throws {
        let page = try Self.page()
        let business = page.matches(of: /(?m)^\| `([A-Z_]+)` \| ([0-9, ]+) \|/).map { row in
            (String(row.1), Set(row.2.split(separator: ", ").compactMap { Int($0) }))
        }
        var statuses: [String: Set<Int>] = [:]
        for error in BrokerError.samples {
            statuses[error.code.rawValue, default: []].insert(WireError(error).httpStatus.code)
        }
        let notification = NotificationRoutes.tooManyRequests(.tooManyAttempts(retryAfter: 7))
        statuses[ErrorCode.tooManyAttemptsTryLater.rawValue]?.insert(notification.httpStatus.code)
        for code in ErrorCode.allCases where statuses[code.rawValue] == nil {
            statuses[code.rawValue] = [WireError.code(code).httpStatus.code]
        }

        #expect(Dictionary(business) { $0.union($1) } == statuses)
        #expect(business.count == ErrorCode.allCases.count)
        for (name, error) in WireError.samples {
            let row = "| \(error.httpStatus.code) | `\(error.status?.rawValue ?? "")` |"
            #expect(page.contains(row), "\(name): \(row)")
        }
    }

    @Test func `to OAuth clients have the statuses that WireErrors documents`() throws {
        let page = try Self.page()
        let endpoint = try #require(page.firstRange(of: "## Errors of OAuth")).upperBound
        let redirect = try #require(page.firstRange(of: "### At the redirect URI")).lowerBound
        let rows = page[endpoint..<redirect].matches(of: /(?m)^\| (\d{3}) \| (`[^|]+) \|/).map { row in
            (Int(row.1) ?? 0, row.2.matches(of: /`(\w+)`/).map { String($0.1) })
        }
        // The endpoint answers a failure of the broker, which has no other status there.
        let failure = try #require(ErrorEnvelope.oauth.failure)
        let failed = failure().status.code

        for code in OAuthError.Code.allCases {
            let documented = Set(rows.filter { $0.1.contains(code.rawValue) }.map(\.0))
            let status = code == .serverError ? failed : OAuthError(code, "A text.").response().status.code
            guard !documented.isEmpty else {
                #expect(page[redirect...].contains("`\(code.rawValue)`"), "\(code.rawValue)")
                continue
            }
            #expect(documented.contains(status), "\(code.rawValue): \(status)")
        }
    }

    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Docs/WireErrors.md"), encoding: .utf8)
    }

    private static func changes(_ answers: [String], _ recorded: [String]) -> String {
        answers.filter { !$0.isEmpty }.difference(from: recorded).prefix(20).map { change in
            switch change {
            case .insert(let offset, let line, _): "+ \(offset) \(line)"
            case .remove(let offset, let line, _): "- \(offset) \(line)"
            }
        }.joined(separator: "\n")
    }

    private static func answers(to error: BrokerError, of broker: TestBroker) async throws -> [String] {
        let wire = WireError(error)
        let grant = OAuthError(refusedGrant: error)
        let authorization = OAuthError(error)
        let handler = SDKError(error)
        var lines = ["", "# \(error)"]
        lines.append("Identity Toolkit: \(text(of: ErrorEnvelope.identityToolkit.response(wire)))")
        lines.append("OAuth endpoint: \(text(of: ErrorEnvelope.oauth.response(wire)))")
        if let grant {
            lines.append("OAuth grant: \(text(of: grant.response())) proof \(grant.isProofRefused)")
        }
        lines.append("authorization: \(authorization.parameters.map { "\($0.name)=\($0.value)" })")
        lines.append("administration: \(try await administration(error))")
        lines.append("SDK handler: \(handler.code) \(handler.message)")
        lines.append("page: \(try await page(of: error, broker))")
        lines.append("page of a sign-in: \(ErrorPage.Cause(error, provider: "Acme"))")
        lines += try await records(of: error, broker)
        lines.append("metrics: \(FlowMetrics.code(of: error)), \(FlowMetrics.code(of: grant ?? error))")
        lines.append("proof: \(error.isProofRefused)")
        return lines
    }

    private static func answers(to error: WireError, named name: String) async throws -> [String] {
        [
            "", "# \(name)",
            "Identity Toolkit: \(text(of: ErrorEnvelope.identityToolkit.response(error)))",
            "OAuth endpoint: \(text(of: ErrorEnvelope.oauth.response(error)))",
            "administration: \(try await administration(error))", "proof: \(error.isProofRefused)",
        ]
    }

    private static func answers(to code: OAuthError.Code) async throws -> [String] {
        let error = OAuthError(code, "A text.")
        return [
            "", "# \(code.rawValue)",
            "OAuth: \(text(of: error.response())) proof \(error.isProofRefused)",
            "metrics: \(FlowMetrics.code(of: error))",
        ]
    }

    /// Errors of administrative operations that no flow has.
    private static func operations() async throws -> [String] {
        let errors: [(String, any Error)] = [
            ("invalid parameter", AdminFailure.parameter("limit", "takes 1 to 1000")),
            ("client registration", refusal { try ClientRegistration(kind: .native, name: "", redirectURIs: []) }),
            ("signing key", refusal { try ClientSigningKey(pem: "no key") }),
            ("configuration", ConfigurationError("plugins.json", at: "/providers", "is missing", fix: "add it")),
            ("provider", ProviderError(.upstream, at: .redeem, "status 500")),
        ]
        var lines: [String] = []
        for (name, error) in errors {
            lines += ["", "# operation: \(name)", "administration: \(try await administration(error))"]
        }
        return lines
    }

    private static func refusal<Value>(_ work: () throws -> Value) -> any Error {
        do {
            _ = try work()
            return CancellationError()
        } catch {
            return error
        }
    }

    private static func administration(_ error: any Error) async throws -> String {
        guard let failure = AdminFailure(error) else { return "none" }
        let response = text(of: ErrorEnvelope.identityToolkit.response(WireError(failure)))
        return "\(failure.code) \(failure.message) \(failure.kind), over HTTP \(response)"
    }

    private static func page(of error: BrokerError, _ broker: TestBroker) async throws -> String {
        let visit = Visit(
            session: nil, browser: "", knownAs: [""], cookies: RequestCookies(header: ""), language: .english,
            requestID: "request", target: "/sign-in", place: .own)
        let response = try await HostedRoutes.page(
            telling: error, to: visit, try BrokerServer(broker.core).hostedPages())
        let page = try PageMarkup(response.text)
        let startsAgain = page["a"].contains { $0.attributes["href"] == "/sign-in" }
        let wait = response.headers[.retryAfter].map { " after \($0)" } ?? ""
        return "\(response.status.code)\(wait) \(page["h1"].map(\.text)) starts again \(startsAgain)"
    }

    /// The decision records that `broker explain` shows.
    private static func records(of error: BrokerError, _ broker: TestBroker) async throws -> [String] {
        let origin = Origin(.client, requestID: "of \(error)")
        let decision = DecisionRecord(
            evidence: try AccountResolverTests.evidence(), rule: .knownIdentity, origin: origin)
        return try await broker.core.store.write { transaction in
            try decision.refused(error, about: nil, in: transaction)
            let recorded = try #require(try transaction.decisions(requestID: origin.requestID, at: nil, limit: 2).first)
            return ["decision: \(recorded.outcome)"]
        }
    }

    private static func text(of response: Response) -> String {
        let known = ["content-type: application/json; charset=utf-8", "cache-control: no-store"]
        let headers = response.headers.map { "\($0.name.canonicalName): \($0.value)" }
            .filter { !known.contains($0) && !$0.hasPrefix("content-length") }.sorted()
        return "\(response.status.code) \(response.text)\(headers.map { " [\($0)]" }.joined())"
    }
}
