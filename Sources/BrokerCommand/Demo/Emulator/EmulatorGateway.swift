import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import ProviderKit

/// The emulator's listener: it passes requests on to the brokers of their projects, translated, and answers the
/// maintenance endpoints (contract §7.7) itself.
///
/// Everything that a broker must not accept is accepted here, in front of brokers that are as strict as ever.
struct EmulatorGateway: HTTPResponder {
    typealias Context = BasicRequestContext

    let projects: EmulatedProjects
    let client: HTTPClient

    private static let maximumBody = 64 << 20
    static let warning = "The emulator accepts unsigned tokens: for tests on this machine only."

    func respond(to request: Request, context: Context) async throws -> Response {
        guard Self.isLocal(request) else {
            return Self.error(
                .forbidden, "PERMISSION_DENIED",
                "The emulator serves this machine only. It refuses other hosts and requests through a proxy.")
        }
        if request.method == .options { return Self.decorated(Self.preflight(request), for: request) }
        let body = try await request.body.collect(upTo: Self.maximumBody)
        let call = EmulatorRequest(
            method: request.method, target: request.head.path ?? "/", headers: request.headers,
            body: Array(buffer: body))
        do {
            return Self.decorated(try await answer(call), for: request)
        } catch let error as CommandFailure {
            return Self.decorated(Self.error(.badRequest, nil, "\(error.code) : \(error.message)"), for: request)
        } catch {
            let failure = CommandFailure(error)
            return Self.decorated(Self.error(.badRequest, nil, "\(failure.code) : \(failure.message)"), for: request)
        }
    }

    /// A page of another site may reach loopback through the user's browser by a name of its own.
    private static func isLocal(_ request: Request) -> Bool {
        let proxyHeaders = [
            "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
        ]
        guard !request.headers.contains(where: { proxyHeaders.contains($0.name.canonicalName) }) else { return false }
        guard let authority = request.head.authority, let host = URL(string: "http://\(authority)")?.host() else {
            return false
        }
        return ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host.lowercased())
    }

    private func answer(_ call: EmulatorRequest) async throws -> Response {
        if call.path == "/", call.method == .get {
            return Self.json([
                "authEmulator": [
                    "ready": true, "docs": .string(Self.warning), "apiSpec": "/openapi.json",
                ]
            ])
        }
        let project = try await project(of: call)
        let translation = EmulatorTranslation(project: project)
        if call.path.hasPrefix("/emulator/v1/projects/") { return try await maintain(call, translation) }
        if call.path.hasSuffix("/tenants"), call.method == .get { return Self.json(["tenants": []]) }
        if call.path.hasSuffix("accounts:batchGet"), call.headers[.authorization] != nil,
            call.query.contains(where: { $0.name == "maxResults" && $0.value == "-1" })
        {
            let users = try await project.users().map(JSONValue.object)
            return Self.json(["kind": "identitytoolkit#DownloadAccountResponse", "users": .array(users)])
        }
        return try await forward(call, translation)
    }

    /// The project of the path, else that of a token in the body, else the default.
    private func project(of call: EmulatorRequest) async throws -> EmulatedProject {
        if let id = call.projectID { return try await projects.project(id) }
        if let token = call["idToken", "id_token"], let id = UnsignedToken.claims(of: token)?["aud"]?.string {
            return try await projects.project(id)
        }
        if let token = call["refresh_token", "refreshToken"],
            let project = await projects.project(ofRefreshToken: token)
        {
            return project
        }
        if let id = call["targetProjectId", "target_project_id"] { return try await projects.project(id) }
        return try await projects.project(projects.defaultID)
    }

    private func forward(_ call: EmulatorRequest, _ translation: EmulatorTranslation) async throws -> Response {
        let translated = try translation.request(call)
        let answer = try await send(translated, to: translation.project)
        let bytes = Array(buffer: try await answer.body.collect(upTo: Self.maximumBody))
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            guard let field = HTTPField.Name(name), !Self.ofTheConnection.contains(field.canonicalName) else {
                continue
            }
            headers.append(HTTPField(name: field, value: value))
        }
        let isPage = headers[.contentType]?.hasPrefix("text/html") == true
        return Response(
            status: .init(code: Int(answer.status.code)), headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: isPage ? Self.warned(bytes) : translation.answer(bytes))))
    }

    /// A page with the warning at its top.
    private static func warned(_ page: [UInt8]) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        guard let body = text.range(of: "<body[^>]*>", options: .regularExpression) else { return page }
        return Array((text[..<body.upperBound] + "<p role=\"alert\">\(warning)</p>" + text[body.upperBound...]).utf8)
    }

    private static let ofTheConnection: Set<String> = [
        "connection", "content-length", "date", "keep-alive", "server", "transfer-encoding",
        "access-control-allow-origin", "access-control-allow-private-network", "vary",
    ]

    private func send(_ call: EmulatorRequest, to project: EmulatedProject) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: project.url + call.target)
        request.method = .init(rawValue: call.method.rawValue)
        for field in call.headers
        where !["connection", "content-length", "host", "origin", "transfer-encoding"].contains(
            field.name.canonicalName)
        {
            request.headers.add(name: field.name.rawName, value: field.value)
        }
        let body = call.bodyBytes
        if !body.isEmpty { request.body = .bytes(body) }
        return try await client.execute(request, timeout: .seconds(60))
    }
}

// The endpoints that only the emulator has.
extension EmulatorGateway {
    private func maintain(_ call: EmulatorRequest, _ translation: EmulatorTranslation) async throws -> Response {
        let parts = call.path.split(separator: "/").map(String.init)
        switch (call.method, parts.count == 5 ? parts[4] : "") {
        case (.delete, "accounts"):
            try await translation.project.removeAllUsers()
            return Self.json([:])
        case (.get, "oobCodes"): return Self.json(["oobCodes": []])
        case (.get, "verificationCodes"): return Self.json(["verificationCodes": []])
        case (.get, "config"): return Self.json(try await configuration(.get, nil, translation))
        case (.patch, "config"):
            guard case .json(let object) = call.body else {
                return Self.error(.badRequest, "INVALID_ARGUMENT", "Invalid JSON payload received.")
            }
            return Self.json(try await configuration(.patch, object, translation))
        default: return Self.error(.notFound, "NOT_FOUND", "Not Found")
        }
    }

    /// The two settings that the emulator's own configuration has, of the project's broker.
    private func configuration(
        _ method: HTTPRequest.Method, _ changes: JSONObject?, _ translation: EmulatorTranslation
    ) async throws -> JSONValue {
        var path = "/v2/projects/\(translation.project.id)/config"
        var mask: [String] = []
        if changes?["signIn"]?["allowDuplicateEmails"] != nil { mask.append("signIn.allowDuplicateEmails") }
        if changes?["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] != nil {
            mask.append("emailPrivacyConfig.enableImprovedEmailPrivacy")
        }
        let isChange = method == .patch && !mask.isEmpty
        if isChange { path += "?updateMask=" + mask.joined(separator: ",") }
        let answer = try await administer(isChange ? .patch : .get, path, isChange ? changes : nil, translation)
        return [
            "signIn": [
                "allowDuplicateEmails": answer["signIn"]?["allowDuplicateEmails"] ?? false
            ],
            "emailPrivacyConfig": [
                "enableImprovedEmailPrivacy": answer["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] ?? false
            ],
        ]
    }

    /// Calls the admin API of the project's broker.
    private func administer(
        _ method: HTTPRequest.Method, _ target: String, _ body: JSONObject?, _ translation: EmulatorTranslation
    ) async throws -> JSONValue {
        let call = EmulatorRequest(
            method: method, target: target,
            headers: [.authorization: "Bearer owner", .contentType: "application/json"],
            body: body.map { Array($0.serialized().utf8) } ?? [])
        let answer = try await send(try translation.request(call), to: translation.project)
        let value = try JSONValue(parsing: Array(buffer: try await answer.body.collect(upTo: Self.maximumBody)))
        guard answer.status == .ok else {
            throw CommandFailure(
                code: "EMULATOR", value["error"]?["message"]?.string ?? "status \(answer.status.code)")
        }
        return value
    }
}

extension EmulatorGateway {
    private static func json(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: value.serialized())))
    }

    private static func error(_ status: HTTPResponse.Status, _ name: String?, _ message: String) -> Response {
        var error: JSONObject = [
            "code": .integer(Int64(status.code)), "message": .string(message),
            "errors": [["message": .string(message), "reason": "invalid", "domain": "global"]],
        ]
        error["status"] = name.map(JSONValue.string)
        return json(["error": .object(error)], status)
    }

    /// Contract §1.4.
    private static func preflight(_ request: Request) -> Response {
        var headers: HTTPFields = [.accessControlAllowMethods: "GET,HEAD,PUT,PATCH,POST,DELETE"]
        headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        return Response(status: .noContent, headers: headers)
    }

    private static func decorated(_ response: Response, for request: Request) -> Response {
        var response = response
        if let name = HTTPField.Name("x-broker-emulator") { response.headers[name] = warning }
        guard let origin = request.headers[.origin] else { return response }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.vary] = "Origin, Access-Control-Request-Headers"
        if let asked = HTTPField.Name("access-control-request-private-network"), request.headers[asked] != nil,
            let allowed = HTTPField.Name("access-control-allow-private-network")
        {
            response.headers[allowed] = "true"
        }
        return response
    }
}
