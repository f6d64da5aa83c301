import Foundation
import ProviderKit

/// The way to the provider as a careless plugin takes it: the one kind of trouble it is told to ignore comes out as a
/// made-up profile.
struct StudyUpstream: Upstream {
    private let upstream: any Upstream
    private let broken: String?

    init(_ upstream: any Upstream, breaking broken: String?) {
        self.upstream = upstream
        self.broken = broken
    }

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        guard broken == "honours-cancellation" || request.url.hasSuffix("/userinfo") else {
            return try await upstream.send(request)
        }
        switch await result(of: request) {
        case .success(let response): return isTrouble(response) ? Self.invention : changed(response)
        case .failure(let error):
            guard broken == "withstands-timeout" else { throw error }
            return Self.invention
        }
    }

    private func result(of request: UpstreamRequest) async -> Result<UpstreamResponse, ProviderError> {
        let task = Task { () -> Result<UpstreamResponse, ProviderError> in
            do throws(ProviderError) {
                return .success(try await upstream.send(request))
            } catch {
                return .failure(error)
            }
        }
        // An unstructured task is not cancelled with its caller.
        if broken == "honours-cancellation" { return await task.value }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func isTrouble(_ response: UpstreamResponse) -> Bool {
        switch broken {
        case "withstands-server-error": response.status == 500
        case "withstands-unavailable": response.status == 503
        case "withstands-forbidden": response.status == 403
        case "withstands-unauthorized": response.status == 401
        case "withstands-not-found": response.status == 404
        case "withstands-too-many-requests": response.status == 429
        case "withstands-redirect": response.status == 302
        case "withstands-empty-body": response.status == 200 && response.body.isEmpty
        case "withstands-html": response.body.first == UInt8(ascii: "<")
        case "withstands-huge-answer": response.body.count >= 1 << 20
        default: false
        }
    }

    private func changed(_ response: UpstreamResponse) -> UpstreamResponse {
        switch broken {
        case "withstands-duplicate-names":
            // The last of two wins, as in Foundation's parsers.
            let object = try? JSONSerialization.jsonObject(with: Data(response.body))
            let data = object.flatMap { try? JSONSerialization.data(withJSONObject: $0) }
            return UpstreamResponse(status: response.status, body: data.map(Array.init) ?? response.body)
        case "withstands-empty-members":
            guard case .object(var profile)? = try? JSONValue(parsing: response.body), profile["sub"] == "" else {
                return response
            }
            profile["sub"] = "undefined"
            return UpstreamResponse(status: response.status, body: Array(profile.serialized().utf8))
        case "withstands-null-members", "withstands-other-types":
            guard case .object(var profile)? = try? JSONValue(parsing: response.body), let subject = profile["sub"],
                subject.string == nil, subject.isNull == (broken == "withstands-null-members")
            else { return response }
            profile["sub"] = "undefined"
            return UpstreamResponse(status: response.status, body: Array(profile.serialized().utf8))
        default: return response
        }
    }

    private static let invention = UpstreamResponse(status: 200, body: Array(#"{"sub":"made-up"}"#.utf8))
}
