extension Migration {
    /// The times at which users or administrators set the name and the picture, which no provider's replaces then.
    static let editedProfiles = Migration(
        version: 44, name: "edited profiles",
        statements: [
            "ALTER TABLE users ADD COLUMN display_name_edited_at bigint",
            "ALTER TABLE users ADD COLUMN photo_url_edited_at bigint",
        ])
}
