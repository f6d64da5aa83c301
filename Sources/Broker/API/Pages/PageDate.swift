import Foundation

/// A moment as a person reads it and as a program does. Without scripts nobody knows the reader's time zone, so it is
/// said which one is meant.
struct PageDate: Sendable {
    /// `2026-11-21T14:55:00Z`
    let machine: String
    /// `21 November 2026, 14:55 UTC`
    let text: String

    init(_ date: Date, _ language: PageLanguage) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let (year, month, day) = (parts.year ?? 0, parts.month ?? 1, parts.day ?? 1)
        let time = "\(Self.padded(parts.hour)):\(Self.padded(parts.minute))"
        machine = "\(year)-\(Self.padded(month))-\(Self.padded(day))T\(time):00Z"
        text =
            switch language {
            case .english: "\(day) \(Self.months[(month - 1) % 12]) \(year), \(time) UTC"
            case .korean: "\(year)년 \(month)월 \(day)일 \(time) UTC"
            }
    }

    private static func padded(_ number: Int?) -> String {
        let text = String(number ?? 0)
        return text.utf8.count < 2 ? "0\(text)" : text
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
