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
    let origins: EmulatorOrigins
    let client: HTTPClient

    static let maximumBody = 64 << 20
    static let warning = "The emulator accepts unsigned tokens: for tests on this machine only."

    func respond(to request: Request, context: Context) async throws -> Response {
        if let refusal = origins.refusal(of: request) { return Self.error(.forbidden, "PERMISSION_DENIED", refusal) }
        if request.method == .options { return Self.decorated(Self.preflight(request), for: request) }
        let body = try await request.body.collect(upTo: Self.maximumBody)
        let call = EmulatorRequest(
            method: request.method, target: request.head.path ?? "/", headers: request.headers,
            authority: request.head.authority, body: Array(buffer: body))
        do {
            return Self.decorated(try await answer(call), for: request)
        } catch let error as CommandFailure {
            return Self.decorated(Self.error(.badRequest, nil, "\(error.code) : \(error.message)"), for: request)
        } catch {
            let failure = CommandFailure(error)
            return Self.decorated(Self.error(.badRequest, nil, "\(failure.code) : \(failure.message)"), for: request)
        }
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
        let result: Result<Response, any Error>
        do {
            result = .success(try await answer(call, of: project))
        } catch {
            result = .failure(error)
        }
        await projects.end(project)
        return try result.get()
    }

    private func answer(_ call: EmulatorRequest, of project: EmulatedProject) async throws -> Response {
        let translation = EmulatorTranslation(project: project)
        if call.path.hasPrefix("/emulator/v1/projects/") { return try await maintain(call, translation) }
        if call.path == AccountChooser.path(of: project.id) {
            return try await AccountChooser(project: project, origins: origins).answer(call)
        }
        if call.path.hasSuffix("/tenants"), call.method == .get { return Self.json(["tenants": []]) }
        if let collection = Self.providerConfigurations(in: call.path) {
            return try await providerConfigurations(collection, call, translation)
        }
        if call.path.hasSuffix("accounts:batchGet"), call.headers[.authorization] != nil,
            call.query.contains(where: { $0.name == "maxResults" && $0.value == "-1" })
        {
            let users = try await project.users().map(JSONValue.object)
            return Self.json(["kind": "identitytoolkit#DownloadAccountResponse", "users": .array(users)])
        }
        return try await forward(call, translation)
    }

    /// Begins the request to the project of the path, else that of a token in the body, else the default.
    private func project(of call: EmulatorRequest) async throws -> EmulatedProject {
        if let id = call.projectID { return try await projects.begin(id) }
        if let token = call["idToken", "id_token"], let id = UnsignedToken.claims(of: token)?["aud"]?.string {
            return try await projects.begin(id)
        }
        if let token = call["refresh_token", "refreshToken"],
            let project = try await projects.begin(ofRefreshToken: token)
        {
            return project
        }
        if let id = call["targetProjectId", "target_project_id"] { return try await projects.begin(id) }
        return try await projects.begin(projects.defaultID)
    }

    func forward(_ call: EmulatorRequest, _ translation: EmulatorTranslation) async throws -> Response {
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
        headers[.location] = headers[.location].map { translation.atHost(of: call, $0) }
        let isPage = headers[.contentType]?.hasPrefix("text/html") == true
        return Response(
            status: .init(code: Int(answer.status.code)), headers: headers,
            body: .init(
                byteBuffer: ByteBuffer(bytes: isPage ? translation.page(bytes, for: call) : translation.answer(bytes))))
    }

    private static let ofTheConnection: Set<String> = [
        "connection", "content-length", "date", "keep-alive", "server", "transfer-encoding",
        "access-control-allow-origin", "access-control-allow-private-network", "vary",
    ]

    func send(_ call: EmulatorRequest, to project: EmulatedProject) async throws -> HTTPClientResponse {
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

extension EmulatorGateway {
    static func json(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: value.serialized())))
    }

    static func error(_ status: HTTPResponse.Status, _ name: String?, _ message: String) -> Response {
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
