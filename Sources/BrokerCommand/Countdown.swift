/// The remaining time.
enum Countdown {
    static func time(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        guard seconds >= 3600 else { return "\(seconds / 60):\(two(seconds % 60)) min" }
        return "\(seconds / 3600):\(two(seconds / 60 % 60)) h"
    }
}
