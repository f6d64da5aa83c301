package import ProviderKit

extension AdminOperation {
    /// The arguments as the type has them, in their declared order.
    ///
    /// - Throws: An error of ``JSONForm/init(of:)``.
    package static func members() throws -> [(declared: DeclaredArgument, member: JSONMember)] {
        let members = try JSONForm(of: Self.self).members
        return declaration.arguments.compactMap { declared in
            members.first { $0.name == declared.name }.map { (declared, $0) }
        }
    }

    /// JSON Schema of the body of a request. Unknown names are refused.
    ///
    /// - Throws: An error of ``JSONForm/init(of:)``.
    package static func bodySchema() throws -> JSONObject {
        let arguments = declaration.arguments
        return JSONForm.schema(try members().map { $0.member }) { member in
            let declared = arguments.first { $0.name == member.name }
            var schema = member.form.schema(describedBy: declared.map { MemberText($0.text) })
            schema["minimum"] = declared?.range.map { .integer($0.lowerBound) }
            schema["maximum"] = declared?.range.map { .integer($0.upperBound) }
            schema["default"] = declared?.initialValue
            schema["examples"] = declared?.example.map { [$0] }
            return schema
        }
    }

    /// JSON Schema of the answer.
    ///
    /// - Throws: An error of ``JSONForm/init(of:)``.
    package static func answerSchema() throws -> JSONObject {
        try JSONForm(of: Answer.self).schema(describedBy: declaration.answer)
    }

    /// A body with the example of each argument that has one.
    package static var exampleBody: JSONObject {
        JSONObject(declaration.arguments.compactMap { argument in argument.example.map { (argument.name, $0) } })
    }
}
