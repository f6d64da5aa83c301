import Logging

/// The values of a request's line in the log.
struct RequestLine {
    static let message: Logger.Message = "request"

    let requestID: String
    let method: String
    let route: String
    let status: Int
    let microseconds: Int64
    /// A keyed hash of the client's address.
    let client: String
    var trace: TraceContext?
    /// Of a refusal: why, and for which provider and client. No user is named.
    var refusal: RequestOutcome?

    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request_id": .string(requestID), "method": .string(method), "route": .string(route),
            "status": .stringConvertible(status), "microseconds": .stringConvertible(microseconds),
            "client": .string(client),
        ]
        metadata.merge(trace?.metadata ?? [:]) { first, _ in first }
        metadata["code"] = (refusal?.code).map(Logger.MetadataValue.string)
        metadata["client_id"] = (refusal?.clientID).map(Logger.MetadataValue.string)
        metadata["provider"] = (refusal?.provider).map(Logger.MetadataValue.string)
        return metadata
    }
}

extension Logger {
    /// Writes a request's line.
    func info(_ line: RequestLine) {
        // Metadata would be hashed, merged and sorted for each of them.
        if let handler = handler as? JSONLogHandler, handler.log(line) { return }
        info(RequestLine.message, metadata: line.metadata)
    }
}
