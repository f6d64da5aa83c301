import Logging

/// The values of a request's line in the log.
struct RequestLine {
    static let message: Logger.Message = "request"

    let method: String
    let route: String
    let status: Int
    let microseconds: Int64
    /// A keyed hash of the client's address.
    let client: String

    fileprivate var metadata: Logger.Metadata {
        [
            "method": .string(method), "route": .string(route), "status": .stringConvertible(status),
            "microseconds": .stringConvertible(microseconds), "client": .string(client),
        ]
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
