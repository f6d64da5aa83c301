/// How much attention a part of a page deserves. Colour repeats what its word and its icon say.
enum PageTone: String, Sendable {
    case neutral, good, warn, bad

    var icon: PageIcon {
        switch self {
        case .neutral: .info
        case .good: .check
        case .warn: .alert
        case .bad: .cross
        }
    }
}
