/// The statements of `settings`: single values of the whole broker, such as the master key's check value.
enum SettingStatements {
    static let byName = Statement("setting", "SELECT value FROM settings WHERE name = $1", .text)

    static let insert = Statement(
        "insert_setting", "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name",
        .text, .blob)

    static let update = Statement("update_setting", "UPDATE settings SET value = $2 WHERE name = $1", .text, .blob)

    static let all = [byName, insert, update]
}

extension Transaction {
    /// The value of a setting, if it has one.
    package func setting(_ name: String) throws(StoreError) -> [UInt8]? {
        guard var row = try run(SettingStatements.byName, .text(name)).first else { return nil }
        return try row.blob()
    }

    /// Gives a setting its first value.
    ///
    /// - Returns: false if it has one; that stays.
    package func insertSetting(_ name: String, _ value: [UInt8]) throws(StoreError) -> Bool {
        try !run(SettingStatements.insert, .text(name), .blob(value)).isEmpty
    }

    /// Gives a setting that has a value another one.
    package func updateSetting(_ name: String, _ value: [UInt8]) throws(StoreError) {
        try run(SettingStatements.update, .text(name), .blob(value))
    }
}
