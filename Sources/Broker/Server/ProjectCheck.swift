import BrokerStore

/// Makes sure that a store belongs to the configured project: one broker is one project, and users of two would become
/// one.
struct ProjectCheck: Sendable {
    let store: Store

    private static let name = "project"

    /// - Throws: ``ConfigurationError`` when the store was made for another project. A store of an earlier broker, which
    ///   did not record its project, belongs to the first that opens it.
    func callAsFunction(_ project: String) async throws {
        let value = Array(project.utf8)
        let known = try await store.write { transaction -> [UInt8] in
            if let known = try transaction.setting(Self.name) { return known }
            _ = try transaction.insertSetting(Self.name, value)
            return value
        }
        guard known == value else {
            throw ConfigurationError(
                "project.id",
                "is \"\(project)\", and the database belongs to project \"\(String(decoding: known, as: UTF8.self))\".",
                fix: "Name the database of this project in broker.json, or the project of this database.")
        }
    }
}
