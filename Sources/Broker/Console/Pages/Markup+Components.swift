import BrokerStore
import Foundation

/// The parts that pages of the console are made of.
extension Markup {
    /// The title of a page, with what it offers at the end of the line.
    static func head(_ title: String, _ actions: Markup = "") -> Markup {
        "<div class=\"pagehead\"><h1>\(title)</h1>\(actions)</div>"
    }

    /// Leads back: the pages above this one, and its own name.
    static func breadcrumb(_ above: [ConsoleSection], _ name: String) -> Markup {
        let links = above.map { "<a href=\"\($0.path)\">\($0.title)</a> / " as Markup }.joined()
        return "<p class=\"crumb\">\(links)<bdi>\(name)</bdi></p>"
    }

    /// A section of a page.
    static func panel(_ title: String, aside: Markup = "", _ content: Markup) -> Markup {
        "<section class=\"panel block\"><header><h2>\(title)</h2>\(aside)</header>\(content)</section>"
    }

    /// Two columns, of which the first is wider; below each other on a narrow screen.
    static func columns(_ first: [Markup], _ second: [Markup]) -> Markup {
        """
        <div class="grid two"><div class="column">\(first.joined())</div><div class="column">\(second.joined())</div></div>
        """
    }

    /// What happened, in bold, and what follows. At most one stands on a page, at its top.
    static func banner(_ tone: PageTone, _ event: String, _ consequence: Markup = "") -> Markup {
        let role: Markup = tone == .bad ? "alert" : "status"
        let color = tone == .neutral ? "" : tone.rawValue
        return """
            <div class="banner \(color)" role="\(role)">\(tone.icon)<p><strong>\(event)</strong> \(consequence)</p></div>
            """
    }

    /// A list that is empty: what stands here otherwise, or that nothing is wrong.
    static func empty(_ sentence: String, isGood: Bool = false, _ action: Markup = "") -> Markup {
        let text: Markup = isGood ? .state(.good, sentence) : "<span>\(sentence)</span>"
        return "<p class=\"empty\">\(text)\(action)</p>"
    }
}

/// Words.
extension Markup {
    /// A state in one or two words. It is never a button.
    static func badge(_ tone: PageTone, _ text: String) -> Markup {
        "<span class=\"badge \(tone == .neutral ? "" : tone.rawValue)\">\(text)</span>"
    }

    /// A state in words with its icon.
    static func state(_ tone: PageTone, _ text: String) -> Markup {
        "<span class=\"state state-\(tone.rawValue)\">\(tone.icon)\(text)</span>"
    }

    /// A name that users or operators chose.
    static func name(_ text: String) -> Markup { "<bdi>\(text)</bdi>" }

    /// An id or a code, which one click selects.
    static func code(_ text: String) -> Markup { "<code class=\"pick\">\(text)</code>" }

    static func link(_ address: String, _ text: String) -> Markup {
        "<a class=\"calm\" href=\"\(PageLink(address).href)\">\(text)</a>"
    }

    /// A link that looks like a button, such as one to the page that confirms.
    ///
    /// `spoken` is the context that screen readers read with it, such as the object of a row.
    static func button(
        _ address: String, _ text: String, _ style: FormView.Style = .quiet, spoken: String? = nil
    ) -> Markup {
        let context: Markup? = spoken.map { "<span class=\"spoken\"> \($0)</span>" }
        return "<a class=\"button \(style.rawValue)\" href=\"\(PageLink(address).href)\">\(text)\(context)</a>"
    }

    /// The actions at the end of a line.
    static func actions(_ buttons: [Markup]) -> Markup {
        buttons.allSatisfy(\.isEmpty) ? "" : "<div class=\"actions\">\(buttons.joined())</div>"
    }

    /// A form that is sent by POST with its hidden fields, and then what `content` has.
    static func form(_ form: HiddenForm, _ content: Markup) -> Markup {
        let fields = form.fields.map { field -> Markup in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\" />"
        }
        return "<form method=\"post\" action=\"\(form.action.href)\">\(fields.joined())\(content)</form>"
    }

    /// Links of which one is the page that is shown.
    static func tabs(_ links: [(address: String, text: String)], current: String) -> Markup {
        let all = links.map { link -> Markup in
            let mark: Markup = link.address == current ? " aria-current=\"page\"" : ""
            return "<a href=\"\(PageLink(link.address).href)\"\(mark)>\(link.text)</a>"
        }
        return "<div class=\"tabs\">\(all.joined())</div>"
    }

    /// A moment: `21 November 2026, 14:55 UTC`.
    static func moment(_ moment: Timestamp) -> Markup {
        let date = PageDate(moment.date, .english)
        return "<time datetime=\"\(date.machine)\">\(date.text)</time>"
    }

    /// The day of a moment in UTC: `21 November 2026`, with the whole moment as its title.
    static func day(_ moment: Timestamp) -> Markup {
        let date = PageDate(moment.date, .english)
        let day = PageDate(day: moment.date, .english).text
        return "<time datetime=\"\(date.machine)\" title=\"\(date.text)\">\(day)</time>"
    }

    /// The hour and the minute of a moment whose day stands elsewhere: `14:55 UTC`.
    static func clock(_ moment: Timestamp) -> Markup {
        let machine = PageDate(moment.date, .english).machine
        return "<time datetime=\"\(machine)\">\(String(machine.dropFirst(11).prefix(5))) UTC</time>"
    }
}

/// Lists.
extension Markup {
    /// Names with their values.
    static func facts(_ rows: [(name: String, value: Markup)]) -> Markup {
        let all = rows.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" as Markup }
        return "<dl class=\"facts\">\(all.joined())</dl>"
    }

    /// Sentences below each other.
    static func bullets(_ sentences: [Markup]) -> Markup {
        "<ul class=\"bullets\">\(sentences.map { "<li>\($0)</li>" as Markup }.joined())</ul>"
    }

    /// Rows of a list, each made by ``row(mark:_:_:end:)``.
    static func rows(_ rows: [Markup]) -> Markup { "<ul class=\"rows\">\(rows.joined())</ul>" }

    /// A row: a mark, a title with a second line, and a state or an action at its end.
    static func row(mark: Markup = "", _ title: Markup, _ second: Markup? = nil, end: Markup = "") -> Markup {
        let line: Markup? = second.map { "<p class=\"soft tiny\">\($0)</p>" }
        return "<li>\(mark)<div class=\"about\"><p class=\"name\">\(title)</p>\(line)</div>\(end)</li>"
    }

    /// The mark of a provider.
    static func mark(kind: String, name: String) -> Markup {
        let mark = ProviderMark(kind: kind, name: name)
        guard let drawing = mark.drawing else {
            return "<span class=\"mark letter\" aria-hidden=\"true\">\(mark.letter)</span>"
        }
        return "<span class=\"mark\" aria-hidden=\"true\">\(Markup(drawing: drawing))</span>"
    }

    /// The end of a list: how much of it is shown, and the way to the rest.
    static func pager(_ count: String, next: (address: String, text: String)?) -> Markup {
        "<div class=\"pager\"><span>\(count)</span>\(next.map { button($0.address, $0.text) })</div>"
    }

    /// A column of a table.
    struct Column: Sendable, ExpressibleByStringLiteral {
        let title: String
        private let style: String

        init(stringLiteral title: String) { self.init(title, "") }

        private init(_ title: String, _ style: String) { (self.title, self.style) = (title, style) }

        /// Figures stand at the end.
        static func number(_ title: String) -> Column { Column(title, "n") }

        /// Of ``Markup/meter(_:)``, with a title for screen readers only.
        static func bar(_ title: String) -> Column { Column(title, "bars") }

        fileprivate var isNumber: Bool { style == "n" }

        fileprivate var head: Markup {
            let isSeen = style != "bars" && !title.isEmpty
            let text: Markup =
                isSeen ? "\(title)" : "<span class=\"spoken\">\(title.isEmpty ? "Actions" : title)</span>"
            return "<th scope=\"col\" role=\"columnheader\" class=\"\(style)\">\(text)</th>"
        }

        /// `isFirst` tells the cell with the row's link, which needs no title beside it.
        fileprivate func cell(_ content: Markup, isFirst: Bool) -> Markup {
            let label: Markup = isFirst || title.isEmpty ? "" : " data-title=\"\(title)\""
            return "<td role=\"cell\" class=\"\(style)\"\(label)>\(content)</td>"
        }
    }

    /// A table. The first cell of a row holds its link. On a narrow screen the cells of a row stand below each other, unless
    /// the table is one of figures. The roles keep it a table for screen readers then.
    static func table(_ columns: [Column], _ rows: [[Markup]]) -> Markup {
        let lines = rows.map { cells -> Markup in
            let all = zip(columns, cells).enumerated().map { $1.0.cell($1.1, isFirst: $0 == 0) }
            return "<tr role=\"row\">\(all.joined())</tr>"
        }
        let style: Markup = columns.contains(where: \.isNumber) ? "" : " class=\"stacks\""
        return """
            <div class="scroll" tabindex="0"><table role="table"\(style)><thead role="rowgroup"><tr role="row">\
            \(columns.map(\.head).joined())</tr></thead><tbody role="rowgroup">\(lines.joined())</tbody></table></div>
            """
    }

    /// The share of a whole as a bar; a figure beside it says it too.
    static func meter(_ share: Double) -> Markup {
        let width = Int((min(max(share, 0), 1) * 100).rounded())
        return """
            <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" \
            width="100" height="8" /><rect class="failed" width="\(width)" height="8" /></svg>
            """
    }
}

/// Key figures.
extension Markup {
    struct Figure: Sendable {
        let name, value, note: String
    }

    static func figures(_ figures: [Figure]) -> Markup {
        let all = figures.map { figure -> Markup in
            """
            <div><dt>\(figure.name)</dt><dd><p class="value">\(figure.value)</p><p class="note">\(figure.note)</p></dd></div>
            """
        }
        return "<dl class=\"panel kpis\">\(all.joined())</dl>"
    }
}
