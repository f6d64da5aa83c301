import Broker
import ProviderKit

/// Names in one line, without characters that reorder or hide what a terminal shows.
struct PersonText: CustomStringConvertible {
    let description: String

    init(_ names: [String?]) {
        let text = names.compactMap(\.self).joined(separator: ", ")
        let hidden: Set<Unicode.GeneralCategory> = [.format, .control, .lineSeparator, .paragraphSeparator]
        let scalars = text.unicodeScalars.filter { !hidden.contains($0.properties.generalCategory) }
        description = scalars.isEmpty ? "somebody" : String(String.UnicodeScalarView(scalars))
    }

    /// Whom a provider named, with the subject that tells people of one name apart.
    init(_ proven: Link.Proven) {
        let names = PersonText([proven.displayName, proven.screenName, proven.email])
        description = "\(names) (subject \(proven.subject))"
    }
}
