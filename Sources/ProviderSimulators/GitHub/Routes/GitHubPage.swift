/// One page of a list, by `per_page` (30 unless asked, at most 100) and `page`.
struct GitHubPage<Element> {
    let elements: [Element]
    private let number: Int
    private let size: Int
    private let last: Int

    init(of all: [Element], _ query: FormFields) {
        size = min(max(query["per_page"].flatMap { Int($0) } ?? 30, 1), 100)
        last = max((all.count + size - 1) / size, 1)
        number = max(query["page"].flatMap { Int($0) } ?? 1, 1)
        elements = number > last ? [] : Array(all.dropFirst((number - 1) * size).prefix(size))
    }

    /// The `Link` field (RFC 8288); `nil` when one page holds everything.
    func link(to address: String) -> String? {
        guard last > 1 else { return nil }
        var links: [(relation: String, page: Int)] = []
        if number > 1 { links.append(("prev", min(number - 1, last))) }
        if number < last { links += [("next", number + 1), ("last", last)] }
        if number > 1 { links.append(("first", 1)) }
        return links.map { "<\(address)?per_page=\(size)&page=\($0.page)>; rel=\"\($0.relation)\"" }
            .joined(separator: ", ")
    }
}
