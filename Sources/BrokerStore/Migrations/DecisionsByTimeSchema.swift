extension Migration {
    /// One index less to write with each sign-in: the decisions of a request are found by its time, which its id says.
    static let decisionsByTime = Migration(
        version: 51, name: "decisions by time", statements: ["DROP INDEX decisions_request_id"])
}
