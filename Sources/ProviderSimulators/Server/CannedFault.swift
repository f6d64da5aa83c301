import Foundation
import HTTPTypes
import ProviderKit

extension SimulatorFault {
    /// The answer of a fault that needs neither the endpoint nor the connection.
    func cannedResponse(at now: Date) -> SimulatorResponse {
        let json = "application/json; charset=utf-8"
        switch self {
        case .status(let status, let body, let contentType):
            return SimulatorResponse(status: status, contentType: contentType, body: Array(body.utf8))
        case .response(let status, let headers, let body):
            var response = SimulatorResponse(status: status, body: body)
            for (name, value) in headers { response.headers[text: name] = value }
            return response
        case .htmlInsteadOfJSON:
            let page = "<!DOCTYPE html><title>Unicorn!</title><p>We are down for maintenance.</p>"
            return SimulatorResponse(status: 200, contentType: "text/html; charset=utf-8", body: Array(page.utf8))
        case .garbage(let count):
            // 0xFF never occurs in UTF-8.
            let bytes = [0xFF] + (0..<max(count, 1)).map { _ in UInt8.random(in: .min ... .max) }
            return SimulatorResponse(status: 200, contentType: json, body: bytes)
        case .redirect(let location):
            return .redirect(to: location)
        case .rateLimited(let status, let retryAfter, let reset):
            return .rateLimited(status: status, retryAfter: retryAfter, reset: reset ?? now.addingTimeInterval(3600))
        default:
            return SimulatorResponse(status: 200, contentType: json)
        }
    }
}

extension SimulatorResponse {
    fileprivate static func rateLimited(status: Int, retryAfter: Int?, reset: Date) -> SimulatorResponse {
        let message =
            retryAfter == nil ? "API rate limit exceeded." : "You have exceeded a secondary rate limit."
        var response = SimulatorResponse.json(["message": .string(message), "status": .string(String(status))])
        response.status = status
        if let retryAfter {
            response.headers[.retryAfter] = String(retryAfter)
        } else {
            response.headers[text: "x-ratelimit-remaining"] = "0"
            response.headers[text: "x-ratelimit-limit"] = "5000"
            response.headers[text: "x-ratelimit-used"] = "5000"
            response.headers[text: "x-ratelimit-reset"] = String(reset.epochSeconds)
            response.headers[text: "x-ratelimit-resource"] = "core"
        }
        return response
    }
}

extension Date {
    /// Whole seconds since 1970.
    var epochSeconds: Int64 { Int64(exactly: timeIntervalSince1970.rounded(.down)) ?? .max }
}
