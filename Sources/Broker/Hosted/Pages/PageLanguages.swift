import Foundation
import ProviderKit
import Synchronization

/// The languages that the pages of a broker speak: those of the program, with the texts that its operator changes or adds.
///
/// A running server calls ``reload()`` every second, which adopts a changed folder as a whole or not at all.
final class PageLanguages: Sendable {
    /// The outcome of a reload.
    enum Reload: Sendable, Equatable {
        case adopted
        /// The previous texts stay.
        case refused(ConfigurationError)
    }

    private struct Watch {
        var seen: [TextFolder.State]
        /// Whether ``seen`` was adopted or refused.
        var isSettled = true
    }

    private let site: String
    private let folder: TextFolder?
    /// Nil until the program's own texts are asked for: most processes show no page.
    private let languages: Mutex<[PageLanguage]?>
    private let watch: Mutex<Watch>

    /// - Parameters:
    ///   - site: The name of the site, as its users know it.
    ///   - folder: The folder of the operator's texts, a file for each language.
    /// - Throws: ``ConfigurationError`` that names the file and the text.
    init(site: String, folder: String?) throws(ConfigurationError) {
        let folder = folder.map(TextFolder.init)
        self.site = site
        self.folder = folder
        watch = Mutex(Watch(seen: folder?.states ?? []))
        languages = Mutex(try folder == nil ? nil : Self.languages(site, folder))
    }

    /// Those of the program with its own texts.
    init(site: String) {
        self.site = site
        folder = nil
        watch = Mutex(Watch(seen: []))
        languages = Mutex(nil)
    }

    /// English first.
    var all: [PageLanguage] {
        languages.withLock { [site] languages in
            if let languages { return languages }
            do {
                let own = try Self.languages(site, nil)
                languages = own
                return own
            } catch {
                // They are part of the program, and a test decodes them.
                preconditionFailure("\(error)")
            }
        }
    }

    /// Looks whether the folder has changed, and follows it.
    ///
    /// A change counts at the second look that finds the same: the first may have come while a file was being written.
    ///
    /// - Returns: The outcome of a change; nil when there is none, or none yet.
    func reload() -> Reload? {
        guard let folder else { return nil }
        return watch.withLock { watch in
            let states = folder.states
            guard states == watch.seen else {
                watch = Watch(seen: states, isSettled: false)
                return nil
            }
            guard !watch.isSettled else { return nil }
            watch.isSettled = true
            do throws(ConfigurationError) {
                let next = try Self.languages(site, folder)
                languages.withLock { $0 = next }
                return .adopted
            } catch {
                return .refused(error)
            }
        }
    }

    private static func languages(
        _ site: String, _ folder: TextFolder?
    ) throws(ConfigurationError) -> [PageLanguage] {
        var sources = PageLanguage.embedded.map { (tag: $0.tag, grammar: $0.grammar, document: $0.document, path: "") }
        for file in try folder?.files() ?? [] {
            if let index = sources.firstIndex(where: { $0.tag == file.tag }) {
                sources[index].document = merged(sources[index].document, with: file.document)
                sources[index].path = file.path
            } else {
                sources.append((file.tag, file.grammar, file.document, file.path))
            }
        }
        var languages: [PageLanguage] = []
        for source in sources {
            do throws(JSONDecodingError) {
                let language = try PageLanguage(source.tag, source.grammar, document: source.document, site: site)
                try PageLanguage.checkPlaces(of: source.document, as: PageLanguage.embedded[0].document)
                languages.append(language)
            } catch {
                throw ConfigurationError(source.path, error)
            }
        }
        return languages
    }

    /// Texts with those of `changes` in their places.
    private static func merged(_ texts: JSONValue, with changes: JSONValue) -> JSONValue {
        guard var object = texts.object, let changed = changes.object else { return changes }
        for member in changed {
            object[member.name] = object[member.name].map { merged($0, with: member.value) } ?? member.value
        }
        return .object(object)
    }
}

extension PageLanguages {
    /// Those of the program with its own texts, for a site without a name.
    static let embedded = PageLanguages(site: "Broker")

    /// The language of a tag, by its primary subtag: `ko-KR` is Korean.
    func language(tagged tag: some StringProtocol) -> PageLanguage? { Self.language(tagged: tag, among: all) }

    private static func language(tagged tag: some StringProtocol, among all: [PageLanguage]) -> PageLanguage? {
        let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        let wanted = String(decoding: primary, as: UTF8.self).lowercased()
        return all.first { $0.tag == wanted }
    }

    /// The language a request asks for: the first known one of `ui_locales` (OpenID Connect Core §3.1.2.1, separated by
    /// spaces), else the one `Accept-Language` prefers (RFC 9110 §12.5.4), else English.
    func language(uiLocales: String?, acceptLanguage: String?) -> PageLanguage {
        let all = all
        return first(of: uiLocales) ?? Self.preferred(of: acceptLanguage, among: all) ?? all[0]
    }

    /// The first known one of `ui_locales`.
    func first(of uiLocales: String?) -> PageLanguage? {
        let all = all
        return uiLocales?.split(separator: " ").prefix(Self.longestList).lazy
            .compactMap { Self.language(tagged: $0, among: all) }.first
    }

    private static func preferred(of acceptLanguage: String?, among all: [PageLanguage]) -> PageLanguage? {
        let wishes = acceptLanguage?.split(separator: ",").prefix(longestList).compactMap { wish($0, among: all) }
        // A stable choice: of two equal weights the one that stands first.
        return wishes?.reduce(nil as Wish?) { best, wish in (best?.weight ?? 0) >= wish.weight ? best : wish }?.language
    }

    /// More entries than a browser sends; the rest of a longer list is not read.
    private static let longestList = 20

    /// One known language of an `Accept-Language` field, with its weight in thousandths.
    private typealias Wish = (language: PageLanguage, weight: Int)

    private static func wish(_ range: Substring, among all: [PageLanguage]) -> Wish? {
        let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard let tag = parts.first, let named = tag == "*" ? all[0] : language(tagged: tag, among: all) else {
            return nil
        }
        guard let quality = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
            return (named, 1000)
        }
        guard let value = Double(quality.dropFirst(2)), (0...1).contains(value) else { return nil }
        return (named, Int(value * 1000))
    }
}

/// A folder with the operator's texts: `ko.json` changes some of a language of the program, `fr.json` has all of another.
private struct TextFolder: Sendable {
    let path: String

    /// A file that may have changed when its state has.
    struct State: Sendable, Hashable {
        let name: String
        let modified: Date?
        let size: Int?
    }

    struct File: Sendable {
        let tag: String
        let grammar: PageGrammar
        let path: String
        let document: JSONValue
    }

    /// The files as they are this moment.
    var states: [State] {
        names.map { name in
            // Not of a link: its target changes.
            let file = URL(filePath: path).appending(path: name).resolvingSymlinksInPath()
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return State(
                name: name, modified: attributes?[.modificationDate] as? Date,
                size: (attributes?[.size] as? NSNumber)?.intValue)
        }
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.filter { $0.hasSuffix(".json") }.sorted() ?? []
    }

    func files() throws(ConfigurationError) -> [File] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw ConfigurationError(path, "is no folder.", fix: "Make it, or remove pages.texts from broker.json.")
        }
        var files: [File] = []
        for name in names {
            let file = URL(filePath: path).appending(path: name).path
            let tag = String(name.dropLast(".json".count))
            guard let grammar = PageGrammar(tag: tag) else {
                throw ConfigurationError(
                    file, "is named after no language whose plural rules are known.",
                    fix: "Name it by a language's tag, such as fr.json: \(PageGrammar.tags.joined(separator: ", ")).")
            }
            let document = try StrictFile.value(path: file, hint: "Write it.")
            guard document.object != nil else { throw ConfigurationError(file, "must be an object of texts.") }
            files.append(File(tag: tag, grammar: grammar, path: file, document: document))
        }
        return files
    }
}
