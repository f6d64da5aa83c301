/// Something that happened at a time.
struct MomentView: Sendable {
    let label: String
    let date: PageDate
}
