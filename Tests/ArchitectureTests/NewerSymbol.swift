/// A symbol of Apple's platforms that is newer than the first versions an app may have: iOS 16 and macOS 13.
///
/// Compilers for Linux know no versions of these platforms, so this table stands in for Apple's. The versions are those of
/// Apple's documentation and of the `@available` attributes in Swift's sources.
struct NewerSymbol: Sendable, CustomStringConvertible {
    /// An expression that finds it.
    let pattern: String
    let iOS: Double
    let macOS: Double

    init(_ pattern: String, _ iOS: Double, _ macOS: Double) {
        self.pattern = pattern
        self.iOS = iOS
        self.macOS = macOS
    }

    var description: String { pattern }

    /// The lines that name the symbol where nothing says that the system has it.
    ///
    /// - Parameters:
    ///   - lines: The lines of a file's bare text.
    ///   - path: The file's path.
    /// - Returns: The path with the number of each line, and the systems that it needs.
    /// - Throws: When the pattern is no expression.
    func violations(in lines: [String], of path: String) throws -> [String] {
        // The end of a word by Unicode's rules is looked for at each place, which holds up the other tests for seconds.
        let expression = try Regex(pattern).wordBoundaryKind(.simple)
        return lines.indices.filter { index in
            lines[index].contains(expression) && !isGuarded(index, in: lines)
        }.map { "\(path):\($0 + 1) needs iOS \(iOS) and macOS \(macOS)" }
    }

    /// Whether a declaration or an `if` around a line, or the attribute above one, names a version that is new enough.
    private func isGuarded(_ index: Int, in lines: [String]) -> Bool {
        var depth = Self.indentation(of: lines[index]) ?? 0
        if isAnnotated(index, in: lines) { return true }
        for outer in lines[..<index].indices.reversed() {
            guard let indentation = Self.indentation(of: lines[outer]), indentation < depth else { continue }
            depth = indentation
            if names(lines[outer]) || isAnnotated(outer, in: lines) { return true }
        }
        return false
    }

    /// Whether the attributes above a declaration name a version.
    private func isAnnotated(_ index: Int, in lines: [String]) -> Bool {
        lines[..<index].reversed().prefix { $0.contains(/^\s*@/) }.contains(where: names)
    }

    private func names(_ line: String) -> Bool {
        guard let match = line.firstMatch(of: /available\(iOS ([\d.]+), macOS ([\d.]+), \*\)/),
            let iOS = Double(match.1), let macOS = Double(match.2)
        else { return false }
        return iOS >= self.iOS && macOS >= self.macOS
    }

    /// Nil for a line without a word, which is inside whatever is around it.
    private static func indentation(of line: String) -> Int? { line.firstIndex { $0 != " " }?.utf16Offset(in: line) }
}

extension NewerSymbol {
    /// Ordered by their systems.
    static let all = [
        NewerSymbol(#"\bwebAuthenticationSession\b"#, 16.4, 13.3),
        NewerSymbol(#"\bStaticBigInt\b"#, 16.4, 13.3),
        NewerSymbol(#"@(Observable|Bindable|ObservationIgnored|ObservationTracked)\b"#, 17, 14),
        NewerSymbol(#"\b(withObservationTracking|ObservationRegistrar)\b"#, 17, 14),
        NewerSymbol(#"\b(with|withThrowing|Throwing)?DiscardingTaskGroup\b"#, 17, 14),
        NewerSymbol(#"\b(struct|class|enum|actor) \w+<[^>]*\beach\b"#, 17, 14),
        NewerSymbol(#"#Predicate\b|\bPredicate<"#, 17, 14),
        NewerSymbol(#"\bencodingInvalidCharacters:"#, 17, 14),
        NewerSymbol(#"\b(ExecutorJob|asUnownedSerialExecutor)\b"#, 17, 14),
        NewerSymbol(#"\bHPKE\b"#, 17, 14),
        NewerSymbol(#"\bonChange\(of: [^)]*initial:"#, 17, 14),
        NewerSymbol(#"\b(ContentUnavailableView|sensoryFeedback|scrollPosition|userAgeRange)\b"#, 17, 14),
        NewerSymbol(#"\bASWebAuthenticationSession\.Callback\b"#, 17.4, 14.4),
        NewerSymbol(#"\bcallback: [^)]*completionHandler:"#, 17.4, 14.4),
        NewerSymbol(#"\badditionalHeaderFields\b"#, 17.4, 14.4),
        NewerSymbol(#"\bimport Synchronization\b"#, 18, 15),
        NewerSymbol(#"\b(Atomic|AtomicLazyReference|WordPair)\b[<(]"#, 18, 15),
        NewerSymbol(#"\bU?Int128\b"#, 18, 15),
        NewerSymbol(#"\bvalidating: [^)]*, as:"#, 18, 15),
        NewerSymbol(#"\b(RangeSet|DiscontiguousSlice|removeSubranges|moveSubranges)\b"#, 18, 15),
        NewerSymbol(#"\.indices\((where|of):"#, 18, 15),
        NewerSymbol(#"\b(TaskExecutor|withTaskExecutorPreference|globalConcurrentExecutor|checkIsolated)\b"#, 18, 15),
        NewerSymbol(#"\bAsyncSequence<"#, 18, 15),
        NewerSymbol(#"#Expression\b"#, 18, 15),
        NewerSymbol(#"\bisolated deinit\b"#, 18.4, 15.4),
        NewerSymbol(#"\b(InlineArray|Observations|UTF8Span|utf8Span|MLDSA\d*|MLKEM\d*|XWingMLKEM\w*)\b"#, 26, 26),
        NewerSymbol(#"\bTask\.immediate\b|\baddImmediateTask\b"#, 26, 26),
    ]
}
