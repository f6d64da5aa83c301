/// The identities that became one user, each with the reason. The curves repeat what the sentences say.
struct IdentityPicture: Sendable {
    /// The earliest first; no more than ``maximum``.
    let identities: [Identity]
    let user: User

    struct Identity: Sendable {
        /// The kind of its provider, for the mark.
        let kind: String
        let provider: String
        /// Its name there.
        let label: String?
        /// Why it belongs to the user.
        let reason: Markup
    }

    struct User: Sendable {
        let name: String
        let localID: String
    }

    /// How many are drawn.
    static let maximum = 8

    var markup: Markup {
        let rows = identities.map { identity -> Markup in
            let label: Markup? = identity.label.map { "<span class=\"soft\">\(Markup.name($0))</span>" }
            return """
                <li>\(Markup.mark(kind: identity.kind, name: identity.provider))<div><p class="name">\(identity.provider) \
                \(label)</p><p class="because">\(identity.reason)</p></div></li>
                """
        }
        return """
            <div class="join"><ul class="from">\(rows.joined())</ul>\(Self.curves(identities.count))\
            <div class="whole"><span class="avatar" aria-hidden="true">\(MonogramView(user.name).letters)</span>\
            <div><p class="name">\(Markup.name(user.name))</p><p class="soft tiny"><code>\(user.localID)</code></p></div></div></div>
            """
    }

    private static func curves(_ count: Int) -> Markup {
        let height = 300
        let middle = height / 2
        let path = (0..<count).map { index -> String in
            let y = height * (2 * index + 1) / (2 * count)
            return y == middle ? "M0 \(y)H100" : "M0 \(y)C60 \(y) 40 \(middle) 100 \(middle)"
        }
        return """
            <svg class="curves" viewBox="0 0 100 \(height)" preserveAspectRatio="none" aria-hidden="true">\
            <path d="\(path.joined())" /></svg>
            """
    }
}
