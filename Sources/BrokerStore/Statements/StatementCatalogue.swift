/// The statements that the declaration of a table or its kind gives. Those of one method stand there; the tests prepare all
/// of both on both engines.
package enum StatementCatalogue {
    package static let all: [Statement] =
        RecordStatements.all + TableStatements.all + SealedColumn.statements + SingleUseStatements.all
        + OpenTableStatements.all + Withdrawal.queue.all + EventDelivery.queue.all + UserOrder.statements
        + AccountRewrite.all + SearchedTable.statements + UserSearchStep.statements + DisclosureStatements.all
        + Invariant.all.map(\.statement)
}
