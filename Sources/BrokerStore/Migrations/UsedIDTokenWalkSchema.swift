extension Migration {
    /// One index less to write with each sign-in: a walk over the table finds the tokens that have expired.
    static let usedIDTokenWalk = Migration(
        version: 50, name: "walk of used ID tokens", statements: ["DROP INDEX used_id_tokens_expires_at"])
}
