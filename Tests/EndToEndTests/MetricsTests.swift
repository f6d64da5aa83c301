import Foundation
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import Subprocess
import Testing

@Suite("metrics", .timeLimit(.minutes(20)))
struct MetricsTests {
    /// Runs a broker with `/metrics` on a port of its own.
    private static func run(
        _ body: (Installation, IdentityToolkitApp, _ metrics: IdentityToolkitApp) async throws -> Void
    ) async throws {
        try await Installation.run(anonymousSignIn: true) { installation in
            var file = try JSONValue(parsing: installation.folder.text(of: "broker.json")).object ?? JSONObject()
            file["metrics"] = ["listen": "127.0.0.1:0"]
            try installation.folder.write(JSONValue.object(file).serialized(), to: "broker.json")
            try await installation.serve { process, client in
                let line = try #require(
                    await process.log.firstLine { $0.contains("metrics served") }, "\(process.everything)")
                let url = try #require(try JSONValue(parsing: line)["url"]?.string)
                try await body(
                    installation, client,
                    IdentityToolkitApp(url: String(url.dropLast("/metrics".utf8.count)), apiKey: ""))
            }
        }
    }

    /// Has another program read a text and say what it thinks.
    private static func promtool(_ arguments: [String], input: String = "") async throws -> CommandResult {
        let result = try await Subprocess.run(
            .name("promtool"), arguments: Arguments(arguments), input: .string(input),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return CommandResult(
            exitCode: result.terminationStatus.exitCode, output: result.standardOutput, errors: result.standardError)
    }

    @Test func `everything is counted, promtool finds no fault, and no person is in it`() async throws {
        try await Self.run { installation, client, metrics in
            let token = try installation.accessToken("ada")
            let session = try IdentityToolkitApp.Session(try await client.signIn(accessToken: token))
            _ = try await client.refresh(session.refreshToken)
            _ = try await client.refresh("forged")
            _ = try await client.signIn(accessToken: "gho_forged")
            _ = try await client.get("/nowhere/\(session.localID)")
            _ = try await client.send("PUT", "/v1/token")

            let answer = try await metrics.get("/metrics")
            let text = answer.text
            let checked = try await Self.promtool(["check", "metrics"], input: text)

            #expect(answer.headers.first(name: "Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            #expect(checked.exitCode == 0, "\(checked)")
            for sample in [
                #"broker_http_requests_total{method="POST",route="/v1/accounts:signInWithIdp",status="2xx"} 1"#,
                #"broker_http_requests_total{method="POST",route="/v1/accounts:signInWithIdp",status="4xx"} 1"#,
                #"broker_http_requests_total{method="other",route="unmatched",status="4xx"} 2"#,
                #"broker_http_request_duration_seconds_count{method="POST",route="/v1/token"} 2"#,
                #"broker_flow_outcomes_total{flow="sign_in",outcome="new_user",provider="github.com"} 1"#,
                #"broker_flow_outcomes_total{flow="refresh",outcome="success",provider=""} 1"#,
                #"broker_flow_outcomes_total{flow="refresh",outcome="INVALID_REFRESH_TOKEN",provider=""} 1"#,
                #"broker_flow_outcomes_total{flow="verify",outcome="INVALID_IDP_RESPONSE",provider="github.com"} 1"#,
                #"broker_upstream_requests_total{operation="introspect",provider="github.com",status="2xx"} 1"#,
                #"broker_withdrawals{state="dead"} 0"#, "broker_store_up 1",
            ] {
                #expect(text.contains(sample + "\n"), "\(sample) is not in \(text)")
            }
            for name in [
                "broker_build_info{version=", "broker_store_transactions_total{engine=",
                "broker_worker_turns_total{worker=", "process_resident_memory_bytes ",
                "process_open_fds ", "process_start_time_seconds ", "broker_http_requests_in_flight 0",
            ] {
                #expect(text.contains("\n" + name), "\(name) is not in \(text)")
            }
            for secret in [session.localID, session.refreshToken, token, "ada", installation.apiKey, "127.0.0.1"] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }

    @Test func `metrics are served at their own address only, and nothing else is there`() async throws {
        try await Self.run { _, client, metrics in
            let answers = [
                try await client.get("/metrics"), try await metrics.get("/healthz"),
                try await metrics.post("/v1/accounts:signUp", [:]), try await metrics.get("/metrics"),
            ]

            #expect(answers.map(\.status) == [404, 404, 404, 200])
        }
    }

    @Test func `metrics are not for browsers, whatever name they come by`() async throws {
        try await Self.run { _, _, metrics in
            for (name, value) in [
                ("Origin", "https://evil.example"), ("Origin", "null"), ("Origin", metrics.url),
                ("Sec-Fetch-Site", "same-origin"), ("sec-fetch-mode", "navigate"), ("Sec-Fetch-Dest", "document"),
            ] {
                let answer = try await metrics.send("GET", "/metrics", headers: [(name, value)])
                #expect(answer.status == 403 && !answer.text.contains("broker_"), "\(name)")
            }
            for host in ["broker.internal:9464", "10.0.0.7"] {
                let answer = try await metrics.send("GET", "/metrics", headers: [("Host", host)])
                #expect(answer.status == 200 && answer.text.contains("broker_build_info"), "\(host)")
            }
        }
    }

    @Test(.oneEngine("Prometheus"))
    func `Prometheus scrapes a broker`() async throws {
        try await Self.run { installation, client, metrics in
            _ = try await client.signUp()
            let target = metrics.url.dropFirst("http://".utf8.count)
            try installation.folder.write(
                """
                global: { scrape_interval: 1s }
                scrape_configs:
                  - job_name: broker
                    static_configs: [{ targets: ["\(target)"] }]
                """, to: "prometheus.yml")
            try await FreePort.run { port in
                var options = PlatformOptions()
                options.createSession = true
                let configuration = Configuration(
                    executable: .name("prometheus"),
                    arguments: [
                        "--config.file=\(installation.folder.file("prometheus.yml"))",
                        "--storage.tsdb.path=\(installation.folder.file("tsdb"))",
                        "--web.listen-address=127.0.0.1:\(port)",
                    ], platformOptions: options)
                try await BrokerProcess.run(configuration) { process in
                    let prometheus = IdentityToolkitApp(url: "http://127.0.0.1:\(port)", apiKey: "")
                    let series = #"broker_http_requests_total{route="/v1/accounts:signUp"}"#
                    let query = "/api/v1/query?" + FormEncoding.encode([(name: "query", value: series)])
                    let deadline = ContinuousClock.now + .seconds(120)
                    var result: JSONValue?
                    while result == nil {
                        if process.log.text.contains("address already in use") { throw FreePort.Taken() }
                        try #require(ContinuousClock.now < deadline, "\(process.everything)")
                        let answer = try? await prometheus.get(query)
                        result = answer?.body["data"]?["result"]?.array?.first
                    }

                    #expect(result?["metric"]?["job"] == "broker" && result?["metric"]?["status"] == "2xx")
                    #expect(result?["value"]?.array?.last == "1")
                    let targets = try await prometheus.get("/api/v1/targets").body["data"]?["activeTargets"]?.array
                    #expect(targets?.first?["health"] == "up" && targets?.first?["lastError"] == "")
                }
            }
        }
    }

    @Test(arguments: ["prometheus-alerts.yml", "grafana-dashboard.json"])
    func `what is deployed names metrics that exist`(name: String) async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Deploy/\(name)"), encoding: .utf8)
        let source = try String(
            contentsOf: root.appending(path: "Sources/Broker/Metrics/MetricDefinition.swift"), encoding: .utf8)
        let defined = Set(source.matches(of: /"((?:broker|process)_[a-z_]+)"/).map { String($0.1) })
        let named = Set(text.matches(of: /\b((?:broker|process)_[a-z_]+)/).map { String($0.1) })
            .map { $0.hasSuffix("_bucket") ? String($0.dropLast("_bucket".utf8.count)) : $0 }

        #expect(named.count >= 10)
        #expect(Set(named).subtracting(defined).isEmpty)
        if name.hasSuffix("yml") {
            let checked = try await Self.promtool(["check", "rules", root.appending(path: "Deploy/\(name)").path])
            #expect(checked.exitCode == 0, "\(checked)")
        } else {
            #expect(try JSONValue(parsing: text)["panels"]?.array?.isEmpty == false)
        }
    }
}
