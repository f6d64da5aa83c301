public import StrictJSON

/// What one place of the options selected in a provider's answers, for `broker providers try`.
public struct ClaimReading: Sendable, Equatable {
    /// The claim's name in the options, such as `email`.
    public let claim: String
    /// The document and the place in it, such as `userinfo /email`.
    public let place: String
    /// The value there; absent when there is none.
    public let value: JSONValue?

    /// Makes a reading.
    public init(_ claim: String, at place: String, _ value: JSONValue?) {
        self.claim = claim
        self.place = place
        self.value = value
    }
}

extension ProviderContext {
    /// Reports what the options selected, so that `broker providers try` can show it. Without effect at any other time.
    ///
    /// - Parameter readings: One for each place that was looked at, in the order of preference.
    public func report(_ readings: @autoclosure () -> [ClaimReading]) { onReadings(readings) }
}
