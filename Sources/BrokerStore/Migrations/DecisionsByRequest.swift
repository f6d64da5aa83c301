extension Migration {
    /// Decision records are asked for by the request that led to them.
    static let decisionsByRequest = Migration(
        version: 4, name: "decisions by request",
        statements: ["CREATE INDEX decisions_request_id ON decisions (request_id, key)"])
}
