import BrokerStore
import Foundation

/// Events, the latest first, grouped by day.
struct Timeline: Sendable {
    let entries: [Entry]
    let now: Timestamp

    struct Entry: Sendable {
        let at: Timestamp
        let tone: PageTone
        let icon: PageIcon
        /// One sentence.
        let text: Markup
        /// What stands below it, beside the time: the rule, the device, the request number.
        var meta: [Markup] = []
    }

    var markup: Markup {
        var days: [(day: PageDate, entries: [Markup])] = []
        for entry in entries {
            let day = PageDate(day: entry.at.date, .english)
            if days.last?.day.machine != day.machine { days.append((day, [])) }
            days[days.count - 1].entries.append(Self.row(entry))
        }
        return days.map { day in
            """
            <h3 class="day"><time datetime="\(day.day.machine)">\(name(of: day.day))</time></h3>\
            <ol class="timeline">\(day.entries.joined())</ol>
            """ as Markup
        }.joined()
    }

    private static func row(_ entry: Entry) -> Markup {
        let meta = ([Markup.clock(entry.at)] + entry.meta).joined(separator: " ")
        return """
            <li><span class="dot \(entry.tone.rawValue)">\(entry.icon)</span><div><p class="text">\(entry.text)</p>\
            <p class="meta">\(meta)</p></div></li>
            """
    }

    /// In UTC, as all times of the console.
    private func name(of day: PageDate) -> String {
        if day.machine == PageDate(day: now.date, .english).machine { return "Today" }
        return day.machine == PageDate(day: now.date - 86_400, .english).machine ? "Yesterday" : day.text
    }
}
