extension Migration {
    /// The causes of refused requests, and the counts of sign-ins and refusals by the hour.
    static let refusals = Migration(
        version: 47, name: "refusals",
        statements: [
            """
            CREATE TABLE refusals (
                key bigint PRIMARY KEY,
                at bigint NOT NULL,
                request_id broker_text NOT NULL,
                route broker_text NOT NULL,
                status bigint NOT NULL,
                code broker_text NOT NULL,
                text broker_text,
                provider broker_text,
                client_id broker_text
            )
            """,
            "CREATE INDEX refusals_request_id ON refusals (request_id)",
            """
            CREATE TABLE outcome_counts (
                hour bigint NOT NULL,
                code broker_text NOT NULL,
                provider broker_text NOT NULL,
                client_id broker_text NOT NULL,
                holder broker_text NOT NULL,
                count bigint NOT NULL,
                PRIMARY KEY (hour, code, provider, client_id, holder)
            )
            """,
        ])
}
