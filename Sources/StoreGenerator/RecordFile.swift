import StoreSchema

/// The Swift file of a table's record: the type with its properties and initialisers, and its values in SQL.
struct RecordFile {
    let table: TableDefinition
    let record: String

    /// - Returns: nil for a table without a record.
    init?(_ table: TableDefinition) {
        guard let record = table.record else { return nil }
        self.table = table
        self.record = record
    }

    var name: String { "\(record).swift" }

    var text: String {
        var text = GeneratedFile.header(from: "`\(table.name)` in Sources/StoreSchema")
        text += """
            package import StoreSchema

            \(documentation(table.text, ""))package struct \(record): Record {
            \(groups)\(properties(of: table.fields, "    "))
            \(initializer(of: table.fields, "    "))
            }

            extension \(record) {
                package static let table = TableDefinition.\(declaration)
                package static let statements = RecordStatements(table)

                package init(reading row: inout Row) throws(StoreError) {
            \(reading(of: table.fields))
                }

                package var values: [SQLValue] {
            \(values)
                }
            }

            """
        return text
    }

    /// The name of the declaration: `pending_merges` is `pendingMerges`.
    private var declaration: String { SwiftName.camelCase(table.name) }

    private var groups: String {
        table.fields.compactMap { field -> String? in
            guard let property = field.property, case .group(let type, let members) = property.form else { return nil }
            return """
                \(documentation(property.text, "    "))    package struct \(type): Sendable, Hashable {
                \(properties(of: members, "        "))
                \(initializer(of: members, "        "))
                    }


                """
        }.joined()
    }

    private func properties(of fields: [FieldDefinition], _ indent: String) -> String {
        fields.compactMap(\.property).map { property in
            // A group's text stands at its type.
            let text = if case .group = property.form { "" } else { property.text }
            return "\(documentation(text, indent))\(indent)package var \(property.name): \(type(of: property))\n"
        }.joined()
    }

    private func initializer(of fields: [FieldDefinition], _ indent: String) -> String {
        let properties = fields.compactMap(\.property)
        let parameters = properties.map { property in
            "\(property.name): \(type(of: property))" + (property.initial.map { " = \($0)" } ?? "")
        }
        let assignments = properties.map { "\(indent)    self.\($0.name) = \($0.name)\n" }.joined()
        let opening = SwiftLayout.bracketed(
            "\(indent)package init(", parameters, ") {", breaksBeforeClosing: true)
        return "\(opening)\n\(assignments)\(indent)}"
    }

    func reading(of fields: [FieldDefinition]) -> String {
        fields.compactMap(\.property).map { property in
            switch property.form {
            case .group(let type, let members) where property.isOptional:
                return optionalGroup(property.name, type, members)
            case .group(let type, let members):
                let arguments = members.compactMap(\.property).map { "\($0.name): \(read($0))" }
                return "        \(property.name) = try \(type)(\(arguments.joined(separator: ", ")))"
            case .type(let type):
                return "        \(property.name) = try \(type)(reading: &row)"
            default:
                return "        \(property.name) = try \(read(property))"
            }
        }.joined(separator: "\n")
    }

    private func optionalGroup(_ name: String, _ type: String, _ members: [FieldDefinition]) -> String {
        let properties = members.compactMap(\.property)
        func local(_ property: PropertyDefinition) -> String { name + SwiftName.capitalized(property.name) }
        let lines = properties.map { property in
            "        let \(local(property)) = try \(read(property, isOptional: isNullable(property)))"
        }
        let bound = properties.filter { !$0.isOptional && isNullable($0) }.map { "let \(local($0))" }
        let arguments = properties.map { "\($0.name): \(local($0))" }
        let test = "        if \(bound.joined(separator: ", ")) {"
        let condition =
            test.count <= SwiftLayout.width
            ? test : SwiftLayout.wrapped("        if ", bound, "            ") + "\n        {"
        return
            (lines + [
                condition,
                SwiftLayout.bracketed("            \(name) = \(type)(", arguments, ")", breaksBeforeClosing: false),
                "        } else {",
                "            \(name) = nil",
                "        }",
            ]).joined(separator: "\n")
    }

    /// Whether the column of a member of an optional group may be null.
    private func isNullable(_ member: PropertyDefinition) -> Bool { member.isOptional || member.initial == nil }

    private func read(_ property: PropertyDefinition, isOptional: Bool? = nil) -> String {
        let optional = isOptional ?? property.isOptional
        func call(_ name: String) -> String { "row.\(optional ? "optional\(SwiftName.capitalized(name))" : name)()" }
        switch property.form {
        case .integer: return call("integer")
        case .text: return call("text")
        case .blob: return call("blob")
        case .flag: return "row.flag()"
        case .time: return call("time")
        case .words: return "row.words()"
        case .choice(let type, nil): return "row.\(optional ? "optionalChoice" : "choice")(\(type).self)"
        case .choice(let type, let null?): return "row.optionalChoice(\(type).self) ?? .\(null)"
        case .group(let type, _), .type(let type): return "\(type)(reading: &row)"
        }
    }

    private var values: String {
        // Lists of values, and single names of properties that have values.
        var parts: [[String]] = []
        var plain: [String] = []
        func flush() {
            guard !plain.isEmpty else { return }
            parts.append(plain)
            plain = []
        }
        for property in table.fields.compactMap(\.property) {
            switch property.form {
            case .type:
                flush()
                parts.append(["\(property.name).values"])
            case .group(_, let members):
                let access = property.isOptional ? "\(property.name)?" : property.name
                plain += members.compactMap(\.property).map { value($0, of: access) }
            default: plain.append(value(property))
            }
        }
        flush()
        return parts.enumerated().map { index, items in
            let opening = index == 0 ? "        " : "            + "
            if items.count == 1, items[0].hasSuffix(".values") { return opening + items[0] }
            return SwiftLayout.bracketed(
                opening + "[", items, "]", breaksBeforeClosing: true, trailingComma: true)
        }.joined(separator: "\n")
    }

    /// The value of a property, or of a member of a group.
    private func value(_ property: PropertyDefinition, of owner: String? = nil) -> String {
        let isInOptional = owner?.hasSuffix("?") == true
        let access = owner.map { "\($0).\(property.name)" } ?? property.name
        let isOptional = property.isOptional || isInOptional && isNullable(property)
        // A required member of an optional group that is nil has its initial value.
        let known = isInOptional && !isNullable(property) ? "\(access) ?? \(property.initial ?? "false")" : access
        let label = isOptional ? "orNull: " : ""
        switch property.form {
        case .integer: return ".integer(\(label)\(known))"
        case .text: return ".text(\(label)\(known))"
        case .blob: return ".blob(\(label)\(known))"
        case .flag: return ".flag(\(known))"
        case .time: return ".time(\(label)\(known))"
        case .words: return ".words(\(known))"
        case .choice(_, nil): return ".text(\(label)\(access)\(isOptional ? "?" : "").rawValue)"
        case .choice(_, let null?): return ".text(orNull: \(access) == .\(null) ? nil : \(access).rawValue)"
        case .group, .type: return access
        }
    }

    func type(of property: PropertyDefinition) -> String {
        let name =
            switch property.form {
            case .integer: "Int64"
            case .text: "String"
            case .blob: "[UInt8]"
            case .flag: "Bool"
            case .time: "Timestamp"
            case .words: "[String]"
            case .choice(let type, _), .group(let type, _), .type(let type): type
            }
        return property.isOptional ? name + "?" : name
    }

    func documentation(_ text: String, _ indent: String) -> String {
        SwiftLayout.documentation(text, indent)
    }
}
