import NIOCore

@testable import Broker

extension Response {
    /// The body as text.
    var text: String { String(buffer: body) }
}
