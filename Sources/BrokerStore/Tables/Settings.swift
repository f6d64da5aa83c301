/// Single values of the whole broker, such as the master key's check value.
extension Transaction {
    /// The value of a setting, if it has one.
    package func setting(_ name: String) throws(StoreError) -> [UInt8]? {
        try value("setting", "SELECT value FROM settings WHERE name = $1", .text(name)) { row throws(StoreError) in
            try row.blob()
        }
    }

    /// Gives a setting its first value.
    ///
    /// - Returns: false if it has one; that stays.
    package func insertSetting(_ name: String, _ value: [UInt8]) throws(StoreError) -> Bool {
        try run(
            "insert_setting",
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            .text(name), .blob(value)) > 0
    }

    /// Gives a setting that has a value another one.
    package func updateSetting(_ name: String, _ value: [UInt8]) throws(StoreError) {
        try run("update_setting", "UPDATE settings SET value = $2 WHERE name = $1", .text(name), .blob(value))
    }
}
