import HTTPTypes
import Hummingbird
import ProviderKit

extension ErrorEnvelope {
    /// The envelope of contract §1.5.
    static let identityToolkit = ErrorEnvelope { $0.response() }
}

extension WireError {
    /// The answer to an Identity Toolkit client.
    func response() -> Response {
        var detail = JSONObject([("message", .string(message)), ("reason", .string(reason))])
        detail["domain"] = domain.map(JSONValue.string)
        if httpStatus == .unauthorized {
            detail["location"] = "Authorization"
            detail["locationType"] = "header"
        }
        var error = JSONObject([("code", .integer(Int64(httpStatus.code))), ("message", .string(message))])
        error["errors"] = [.object(detail)]
        error["status"] = status.map { .string($0.rawValue) }
        var response = Response.json(["error": .object(error)], status: httpStatus)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}
