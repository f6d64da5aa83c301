/// A metric of the broker, as Prometheus knows it. What is not defined is not exported, so that no library and no
/// request can add a series.
package struct MetricDefinition: Sendable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    package let name: String
    package let kind: Kind
    let help: String

    /// The upper bounds of the buckets of durations, in seconds.
    static let buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    fileprivate init(_ kind: Kind, _ name: String, _ help: String) {
        (self.name, self.kind, self.help) = (name, kind, help)
    }

    /// Every metric, by its name.
    package static let all: [MetricDefinition] = [
        .init(.gauge, "broker_build_info", "The version of the running broker; always 1."),
        .init(.counter, "broker_http_requests_total", "Answered requests by route, method and class of status."),
        .init(.histogram, "broker_http_request_duration_seconds", "Time from a request's head to its answer."),
        .init(.gauge, "broker_http_requests_in_flight", "Requests that are being answered."),
        .init(.gauge, "broker_http_connections", "Open client connections."),
        .init(.counter, "broker_rate_limit_refusals_total", "Requests that met a rate limit, by limit."),
        .init(
            .counter, "broker_http_unknown_clients_total",
            "Requests whose trusted proxy forwarded no client; they have no limit by address."),
        .init(.counter, "broker_flow_outcomes_total", "Outcomes of flows by provider; success or a stable code."),
        .init(
            .counter, "broker_upstream_requests_total",
            "Requests to providers by operation and class of status; none where no response arrived."),
        .init(.histogram, "broker_upstream_request_duration_seconds", "Time of requests to providers."),
        .init(.counter, "broker_plugin_overruns_total", "Calls of plugins that were cancelled at their deadline."),
        .init(
            .gauge, "broker_plugin_unended_calls",
            "Calls of plugins that were cancelled at their deadline and have not ended."),
        .init(
            .counter, "broker_store_transactions_total",
            "Transactions by engine, kind and outcome; refused by their own error, or the kind of the store's error."),
        .init(.histogram, "broker_store_transaction_duration_seconds", "Time of transactions, waiting included."),
        .init(.counter, "broker_store_retries_total", "Transactions that ran again after a conflict."),
        .init(.counter, "broker_worker_turns_total", "Turns of background work."),
        .init(.counter, "broker_worker_failures_total", "Failed turns of background work."),
        .init(.histogram, "broker_worker_turn_duration_seconds", "Time of turns of background work."),
        .init(.gauge, "broker_worker_last_turn_timestamp_seconds", "End of the last turn of background work."),
        .init(.gauge, "broker_withdrawals", "Withdrawals of grants that are queued, and dead letters."),
        .init(.gauge, "broker_event_deliveries", "Events that wait for webhooks and clients, and dead letters."),
        .init(.gauge, "broker_store_up", "Whether the store answered when the metrics were read."),
        .init(.counter, "process_cpu_seconds_total", "Processor time of the process."),
        .init(.gauge, "process_resident_memory_bytes", "Resident memory of the process."),
        .init(.gauge, "process_virtual_memory_bytes", "Virtual memory of the process."),
        .init(.gauge, "process_open_fds", "Open file descriptors of the process."),
        .init(.gauge, "process_max_fds", "The limit of open file descriptors."),
        .init(.gauge, "process_start_time_seconds", "Start of the process since 1970."),
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
