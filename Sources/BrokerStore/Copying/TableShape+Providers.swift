extension TableShape {
    static let providerDevices = TableShape(
        "provider_devices",
        [
            .integer("key"), .text("provider"), .blob("device_hash"), .blob("secret_hash"), .blob("sealed_secret"),
            .integer("identity_key"), .text("claim"), .integer("claimed_until"), .integer("created_at"),
            .integer("used_at"),
        ],
        parents: [Parent(column: "identity_key", table: "identities")],
        uniques: [Uniqueness("provider", "device_hash")])

    static let providerEntries = TableShape(
        "provider_entries",
        [
            .integer("key"), .text("id"), .blob("sealed_entry"), .integer("version"), .integer("created_at"),
            .integer("changed_at"),
        ], uniques: [Uniqueness("id")])

    static let subjectMappings = TableShape(
        "subject_mappings",
        [
            .text("provider"), .integer("version"), .text("instance"), .text("subject_rule"), .text("issuer"),
            .integer("in_force"), .integer("created_at"),
        ], key: ["provider", "version"], uniques: [Uniqueness("provider", "issuer")])
}
