extension Transfer {
    /// A use of a store that takes part in a copy.
    enum Use {
        case starting, reading, writing
    }

    /// The reason to refuse this use, with the remedy; nil if it is allowed.
    func refusal(of use: Use) -> StoreError? {
        switch (role, phase) {
        case (.outgoing, .copying), (.outgoing, .withdrawing), (.incoming, .complete): nil
        case (.outgoing, .switching): use == .reading ? nil : StoreError(.moved, switchingReason)
        case (.outgoing, _):
            StoreError(
                .moved,
                "this store was moved to \(other): serve with that configuration, or take the move back with "
                    + "broker store copy --rollback")
        case (.incoming, .restoring):
            StoreError(
                .unfinished, "a restore into this store has not ended: run broker store restore again, it starts over")
        case (.incoming, .withdrawing):
            StoreError(
                .unfinished, "a copy is being removed from this store: run broker store copy --rollback again")
        case (.incoming, _):
            StoreError(
                .unfinished,
                "the copy of \(other) into this store has not ended: run broker store copy again to go on with it, "
                    + "or with --rollback to take it back")
        }
    }

    private var switchingReason: String {
        "this store is being moved to \(other): run broker store copy again to finish that, or with --rollback to "
            + "take it back"
    }
}

extension Transaction {
    /// - Throws: `.moved` or `.unfinished` when the store must not be used like that.
    func refuseIfMoved(for use: Transfer.Use) throws(StoreError) {
        for transfer in try transfers() {
            if let refusal = transfer.refusal(of: use) { throw refusal }
        }
    }
}
