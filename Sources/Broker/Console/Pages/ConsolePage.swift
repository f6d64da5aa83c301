import HTTPTypes
import Hummingbird
import NIOCore

/// A page of the console: what stands between the search field and the command that does the same.
struct ConsolePage: Sendable {
    /// Stands in the browser's tab.
    let title: String
    /// The place of the side list that it belongs to.
    let section: ConsoleSection?
    let content: Markup
    /// The command lines that do the same.
    var commands: [String] = []
    /// Stands in the search field.
    var query = ""
}

/// What stands around every page of the console.
struct ConsoleFrame: Sendable {
    /// The site's name.
    let site: String
    /// The administrator's name and role.
    let name, role: String
    /// Ends the administrator's session.
    let signOut: HiddenForm
    /// What waits for an administrator, by its place.
    var waiting: [ConsoleSection: Int] = [:]
}

extension ConsolePage {
    /// The page as an answer, with the headers that keep it from being framed, stored, sniffed or run.
    ///
    /// - Parameters:
    ///   - frame: What stands around it.
    ///   - isSecure: Whether browsers reach the console by https.
    ///   - status: The status of the answer.
    /// - Returns: The answer.
    func response(in frame: ConsoleFrame, isSecure: Bool, status: HTTPResponse.Status = .ok) -> Response {
        let policy = PagePolicy(formTargets: [], isSecure: isSecure)
        return Response(
            status: status, headers: policy.headers(.english),
            body: ByteBuffer(string: document(in: frame, nonce: policy.nonce).text))
    }

    /// The document alone; the content security policy calls its style sheet by `nonce`.
    func document(in frame: ConsoleFrame, nonce: String) -> Markup {
        let style = Markup(drawing: ConsoleStyle.text)
        return """
            <!DOCTYPE html>
            <html lang="en" dir="ltr">
            <head>
            <meta charset="utf-8" />
            <title>\(title) · \(frame.site) console</title>
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <meta name="robots" content="noindex" />
            <link rel="icon" href="\(DefaultIcon.path)" />
            <style nonce="\(nonce)">\(style)</style>
            </head>
            <body class="console">
            <a class="skip" href="#main">Skip to content</a>
            <div class="shell">
            \(frame.side(current: section))
            <main class="work" id="main">
            \(search)
            \(content)
            \(commandLines)
            </main>
            </div>
            </body>
            </html>

            """
    }

    private var search: Markup {
        """
        <form class="find" role="search" method="get" action="\(ConsoleSection.users.path)">\
        <div class="wrap">\(.search)<label class="spoken" for="find">Find a user or a request number</label>\
        <input class="entry" id="find" name="q" type="search" value="\(query)" placeholder="Find a user or request" \
        autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" /></div>\
        <button class="button" type="submit">Find</button></form>
        """
    }

    private var commandLines: Markup {
        guard !commands.isEmpty else { return "" }
        let lines = commands.map { "<code class=\"pick\">\($0)</code>" as Markup }.joined(separator: " ")
        return "<p class=\"cli\">Same on the command line \(lines)</p>"
    }
}

extension ConsoleFrame {
    /// The list of the console's places: beside the page, or behind a summary on a narrow screen.
    fileprivate func side(current: ConsoleSection?) -> Markup {
        let site: Markup = "<span class=\"site\">\(.merge)<span>\(self.site)</span></span>"
        let list = places(current: current)
        return """
            <header class="side">
            <details><summary>\(site)<span class="state">\(.menu)Menu</span></summary>
            \(list)
            \(own)
            </details>
            <div class="rail"><p>\(site)</p>
            \(list)
            \(own)
            </div>
            </header>
            """
    }

    private func places(current: ConsoleSection?) -> Markup {
        let rows = ConsoleSection.allCases.map { place -> Markup in
            let mark: Markup = place == current ? " aria-current=\"page\"" : ""
            let group: Markup = place.beginsGroup ? " class=\"first\"" : ""
            let count: Markup? = waiting[place].flatMap { number in
                number > 0 ? "<span class=\"count\">\(number)<span class=\"spoken\"> waiting</span></span>" : nil
            }
            return "<li\(group)><a href=\"\(place.path)\"\(mark)>\(place.icon)\(place.title)\(count)</a></li>"
        }
        return "<nav aria-label=\"Console\"><ul>\(rows.joined())</ul></nav>"
    }

    private var own: Markup {
        """
        <div class="self"><span class="avatar" aria-hidden="true">\(MonogramView(name).letters)</span>\
        <div class="about"><p class="name"><bdi>\(name)</bdi></p><p class="soft">\(role)</p></div>\
        \(Markup.form(signOut, "<button type=\"submit\">Sign out</button>"))</div>
        """
    }
}
