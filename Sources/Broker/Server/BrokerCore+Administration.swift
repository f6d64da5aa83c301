extension BrokerCore {
    /// The flows of administrative operations.
    package var administration: AdminFlows {
        AdminFlows(configuration: configuration, store: store, now: now, explain: explain)
    }
}
