import Hummingbird

/// The form in which an API answers errors.
struct ErrorEnvelope: Sendable {
    let response: @Sendable (WireError) -> Response

    init(_ response: @escaping @Sendable (WireError) -> Response) {
        self.response = response
    }
}
