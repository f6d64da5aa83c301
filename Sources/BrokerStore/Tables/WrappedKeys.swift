extension Transaction {
    /// All keys, by purpose and generation; empty before the first rotation.
    package func wrappedKeys() throws(StoreError) -> [WrappedKey] {
        try all("wrapped_keys", "SELECT \(WrappedKey.columns) FROM wrapped_keys ORDER BY purpose, generation")
    }

    /// Removes every generation of a purpose, which invalidates what they have signed.
    package func removeWrappedKeys(of purpose: String) throws(StoreError) {
        try run("remove_wrapped_keys_of_purpose", "DELETE FROM wrapped_keys WHERE purpose = $1", .text(purpose))
    }

    /// Removes the generations that were replaced before the first session in the store began, so that nothing they
    /// signed is left.
    ///
    /// - Parameters:
    ///   - moment: Nothing that was replaced later goes, even where there is no session.
    ///   - lasting: The purpose whose earlier generations stay, because what they signed stays.
    /// - Returns: How many went.
    /// - Throws: ``StoreError``.
    package func removeReplacedWrappedKeys(
        by moment: Timestamp, exceptOf lasting: String
    ) throws(StoreError) -> Int {
        let firstSession = try value("first_session", "SELECT created_at FROM sessions ORDER BY key LIMIT 1") {
            row throws(StoreError) in try row.time()
        }
        return try run(
            "remove_replaced_wrapped_keys",
            """
            DELETE FROM wrapped_keys WHERE purpose <> $2 AND EXISTS (
                SELECT 1 FROM wrapped_keys AS later WHERE later.purpose = wrapped_keys.purpose
                    AND later.generation > wrapped_keys.generation AND later.activates_at <= $1)
            """, .time(min(moment, firstSession ?? moment)), .text(lasting))
    }
}
