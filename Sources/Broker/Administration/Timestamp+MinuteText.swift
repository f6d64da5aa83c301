package import BrokerStore

extension Timestamp {
    /// For a column of a table: in UTC and to the minute.
    package var minuteText: String { String(text.prefix(16)).replacing("T", with: " ") }
}
