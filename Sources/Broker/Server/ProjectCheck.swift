import BrokerStore

extension StoreContext {
    /// Makes sure that the store belongs to the configured project: one broker is one project, and users of two would
    /// become one.
    ///
    /// - Throws: ``ConfigurationError`` when the store was made for another project. A store of an earlier broker, which
    ///   did not record its project, belongs to the first that opens it.
    func checkProject(_ project: String) async throws {
        let value = Array(project.utf8)
        let known = try await store.write { transaction -> [UInt8] in
            if let known = try transaction.setting("project") { return known }
            _ = try transaction.insertSetting("project", value)
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
