public import ProviderKit

extension UpstreamResponse {
    /// A response in JSON.
    public static func json(
        _ value: JSONValue, status: Int = 200, headers: [(String, String)] = []
    ) -> UpstreamResponse {
        text(value.serialized(), type: "application/json", status: status, headers: headers)
    }

    /// A response without a body.
    public static func status(_ status: Int, headers: [(String, String)] = []) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: headers.map { (name: $0.0, value: $0.1) })
    }

    /// A response with text of any type.
    public static func text(
        _ text: String, type: String = "text/plain", status: Int = 200, headers: [(String, String)] = []
    ) -> UpstreamResponse {
        UpstreamResponse(
            status: status, headers: ([("Content-Type", type)] + headers).map { (name: $0.0, value: $0.1) },
            body: Array(text.utf8))
    }
}
