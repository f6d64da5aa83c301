extension Migration {
    /// One index less to write with each sign-in, whose decision is found by the time that the id of its request says.
    static let decisionsByTime = Migration(
        version: 51, name: "decisions by time",
        statements: [
            "DROP INDEX decisions_request_id",
            "CREATE INDEX decisions_of_request ON decisions (request_id, key) WHERE audited = 0",
        ])
}
