import ArgumentParser
import AsyncHTTPClient
import Broker
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OAuth
import ProviderKit

/// A broker that runs administrative operations over HTTP.
struct RemoteBroker {
    let url: String
    private let token: String
    /// For the broker's audit.
    private let reason: String?
    private let client: HTTPClient

    /// The maximum size of an answer: a page of 1000 users with all identities is below it.
    private static let answerLimits = JSONLimits(maximumBytes: 16 << 20).replacingNUL()

    /// Connects for `work` and closes the connections afterwards.
    ///
    /// - Throws: ``CommandFailure`` for a file of certificate authorities that cannot be used; an error of `work`.
    static func with<Value>(
        _ login: ServerLogins.Login, reason: String? = nil, _ work: (RemoteBroker) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        if let caFile = login.caFile {
            guard let certificates = try? NIOSSLCertificate.fromPEMFile(caFile), !certificates.isEmpty else {
                throw CommandFailure(
                    code: "CA_FILE", "\(caFile) is no file with certificates in PEM", exitCode: .validationFailure)
            }
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.additionalTrustRoots = [.certificates(certificates)]
        }
        // A redirect would carry the token to another place.
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(10), read: .seconds(60))
        // Before the broker does so, which ends idle connections after 15 seconds: commands wait for their user's answer.
        configuration.connectionPool.idleTimeout = .seconds(5)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await work(
                RemoteBroker(url: login.url, token: login.token, reason: reason, client: client))
            try? await client.shutdown()
            return value
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// Runs an operation at the broker.
    ///
    /// - Throws: ``CommandFailure``, with the code that the operation has on the broker's host.
    func run<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer {
        let body = try JSONValueEncoder().encode(operation).serialized()
        let (status, answer) = try await post(Operation.path, body)
        guard status == .ok else { throw failure(status, answer, of: Operation.name) }
        do {
            return try JSONValue.decode(Operation.Answer.self, parsing: answer, limits: Self.answerLimits)
        } catch {
            throw CommandFailure(
                code: "SERVER_ANSWER",
                "\(url) answered \(Operation.name) in an unknown form: it is no broker, or one of another version")
        }
    }

    /// Checks that a broker answers at the URL, without the token.
    ///
    /// - Throws: ``CommandFailure`` `NO_ANSWER` or `NO_BROKER`.
    func requireBroker() async throws(CommandFailure) {
        let (status, answer) = try await send(HTTPClientRequest(url: url + "/healthz"))
        let document = try? JSONValue(parsing: answer)
        guard status == .ok, document?["status"]?.string == "ok", document?["version"]?.string != nil else {
            throw CommandFailure(
                code: "NO_BROKER", "\(url) answers, and is no broker: --server takes the broker's publicURL")
        }
    }

    private func post(_ path: String, _ body: String) async throws(CommandFailure) -> (HTTPResponseStatus, [UInt8]) {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Authorization", value: BearerCredentials.header(token))
        if let reason {
            request.headers.add(name: AdministratorReason.header, value: AdministratorReason.encoded(reason))
        }
        request.body = .bytes(Array(body.utf8))
        return try await send(request)
    }

    private func send(_ request: HTTPClientRequest) async throws(CommandFailure) -> (HTTPResponseStatus, [UInt8]) {
        var request = request
        request.headers.add(name: "User-Agent", value: "broker/\(BrokerVersion.current)")
        do {
            let response = try await client.execute(request, timeout: .minutes(5))
            let bytes = try await response.body.collect(upTo: Self.answerLimits.maximumBytes)
            return (response.status, Array(buffer: bytes))
        } catch {
            throw CommandFailure(code: "NO_ANSWER", "\(url) does not answer: \(Self.reason(error))")
        }
    }

    /// The cause of a failed connection, without values of the request.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            "its TLS certificate was not accepted, or it speaks no TLS"
        case let error as HTTPClientError where error == .connectTimeout: "no connection within 10 seconds"
        case let error as HTTPClientError where error == .readTimeout || error == .deadlineExceeded:
            "no response in time; the operation may have been done"
        case is NIOConnectionError: "the connection was refused or the host is unknown"
        default: "the connection failed (\(type(of: error)))"
        }
    }

    private func failure(_ status: HTTPResponseStatus, _ answer: [UInt8], of operation: String) -> CommandFailure {
        let error = (try? JSONValue(parsing: answer))?["error"]
        let message = error?["message"]?.string
        switch (status, message) {
        case (.unauthorized, _):
            return CommandFailure(
                code: "UNAUTHENTICATED", "\(url) does not accept the admin token: it is revoked, expired or another's")
        case (.forbidden, let message?):
            return CommandFailure(
                code: "PERMISSION_DENIED", Self.failure(message, nil).message)
        case (.notFound, _):
            return CommandFailure(
                code: "UNKNOWN_OPERATION",
                "\(url) does not know \(operation): it is no broker, or one older than \(BrokerVersion.current)")
        case (.badRequest, let message?):
            return CommandFailure(Self.failure(message, error?["status"]?.string))
        default:
            return CommandFailure(
                code: "SERVER_FAILED",
                "\(url) answered \(operation) with status \(status.code). The reason is in its log.")
        }
    }
    /// The failure that stands for an answer. The only place that splits a message: the API has code and text in one
    /// (Docs/WireErrors.md).
    private static func failure(_ message: String, _ status: String?) -> AdminFailure {
        let code = message.prefix { $0 != " " }
        let text = message.dropFirst(code.count)
        let kind = AdminFailure.Kind(answered: status)
        guard text.isEmpty || text.hasPrefix(" : ") else {
            // An error of the transport has no code of its own.
            return AdminFailure(code: status ?? "BAD_REQUEST", message, kind: kind)
        }
        return AdminFailure(code: String(code), String(text.isEmpty ? code : text.dropFirst(3)), kind: kind)
    }
}
