import Mustache

/// The templates of the pages. They stand in the program itself, so the binary needs no files beside it.
enum PageTemplate: String, Sendable, CaseIterable {
    /// The layout of all pages.
    case document
    case chooser
    case account
    /// The form for the code that a device shows.
    case deviceCode
    /// One card that says something and may ask something.
    case statement
    /// The description of the API.
    case operations
    /// Parts of the others.
    case connections, device, notice, form, mark, monogram

    /// The template's text, in which `{{…}}` is escaped and `{{{…}}}` stands only for markup of our own.
    var source: String {
        switch self {
        case .document: Self.documentSource
        case .chooser: Self.chooserSource
        case .account: Self.accountSource
        case .deviceCode: Self.deviceCodeSource
        case .statement: Self.statementSource
        case .operations: Self.operationsSource
        case .connections: Self.connectionsSource
        case .device: Self.deviceSource
        case .notice: Self.noticeSource
        case .form: Self.formSource
        case .mark: Self.markSource
        case .monogram: Self.monogramSource
        }
    }

    /// All templates, compiled, each with our escaping.
    ///
    /// - Throws: An error of a template.
    static func library() throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for template in allCases {
            try library.register(PageEscaping.pragma + template.source, named: template.rawValue)
        }
        return library
    }
}

extension PageTemplate {
    static let documentSource = """
        <!DOCTYPE html>
        <html lang="{{language}}" dir="{{direction}}">
        <head>
        <meta charset="utf-8" />
        <title>{{title}} · {{siteName}}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <style nonce="{{nonce}}">{{{style}}}</style>
        </head>
        <body>
        <div class="page {{main}}">
        <header><p class="site">{{siteName}}</p></header>
        <main>
        {{#view}}{{> *main}}{{/view}}
        </main>
        {{#switches}}
        <footer><nav aria-label="{{label}}"><ul>
        {{#languages}}
        {{#isCurrent}}<li><span class="current" lang="{{tag}}" aria-current="true">{{name}}</span></li>{{/isCurrent}}
        {{^isCurrent}}<li><a lang="{{tag}}" hreflang="{{tag}}" href="{{href}}">{{name}}</a></li>{{/isCurrent}}
        {{/languages}}
        </ul></nav></footer>
        {{/switches}}
        </div>
        {{#script}}<script nonce="{{nonce}}">{{{.}}}</script>{{/script}}
        </body>
        </html>

        """
}

extension PageTemplate {
    /// In the scope of a ``ChooserView``.
    static let chooserSource = """
        <h1>{{heading}}</h1>
        {{#explanation}}<p class="soft">{{.}}</p>{{/explanation}}
        {{#notice}}{{> notice}}{{/notice}}
        {{#known}}
        <div class="continue">
        {{#person}}
        <div class="person">{{#monogram}}{{> monogram}}{{/monogram}}<div><p class="name">{{name}}</p>\
        {{#email}}<p class="soft small">{{.}}</p>{{/email}}</div></div>
        {{/person}}
        {{#form}}{{> form}}{{/form}}
        </div>
        {{#others}}<p class="or">{{.}}</p>{{/others}}
        {{/known}}
        {{^empty(providers)}}
        <ul class="stack">
        {{#providers}}
        <li><a class="provider {{mark.style}}" data-provider="{{id}}" href="{{href}}">{{#mark}}{{> mark}}{{/mark}}<span>{{caption}}</span></a></li>
        {{/providers}}
        </ul>
        {{/empty(providers)}}
        {{#nothing}}<div class="notice remark"><span class="sign" aria-hidden="true">i</span><p>{{.}}</p></div>{{/nothing}}
        {{#cancel}}<div class="stack"><a class="button plain" href="{{href}}">{{text}}</a></div>{{/cancel}}
        """
}

extension PageTemplate {
    /// In the scope of an ``AccountView``.
    static let accountSource = """
        <h1>{{heading}}</h1>
        {{#notice}}{{> notice}}{{/notice}}
        {{#person}}
        <div class="person">{{#monogram}}{{> monogram}}{{/monogram}}<div><p class="name">{{name}}</p>\
        {{#email}}<p class="soft">{{address}} <span class="badge {{tone}}">{{state}}</span></p>{{/email}}</div></div>
        {{/person}}
        <section aria-labelledby="connected"><h2 id="connected">{{connectedHeading}}</h2>
        {{#noConnections}}<p class="soft">{{.}}</p>{{/noConnections}}
        {{> connections}}
        </section>
        {{#offersHeading}}
        <section aria-labelledby="offers"><h2 id="offers">{{.}}</h2>
        <ul class="rows">
        {{#offers}}
        <li>{{#mark}}{{> mark}}{{/mark}}<div class="about"><p class="name">{{name}}</p></div><a class="button quiet" href="{{href}}">{{caption}}<span class="spoken"> {{name}}</span></a></li>
        {{/offers}}
        </ul>
        </section>
        {{/offersHeading}}
        <section aria-labelledby="sessions"><h2 id="sessions">{{sessionsHeading}}</h2>
        <ul class="rows">
        {{#devices}}{{> device}}{{/devices}}
        </ul>
        {{#furtherDevices}}
        <details><summary>{{summary}}</summary>
        <ul class="rows">
        {{#devices}}{{> device}}{{/devices}}
        </ul>
        </details>
        {{/furtherDevices}}
        <div class="stack">
        {{#signOut}}{{> form}}{{/signOut}}
        {{#signOutEverywhere}}{{> form}}{{/signOutEverywhere}}
        </div>
        </section>
        <section aria-labelledby="merge"><h2 id="merge">{{mergeHeading}}</h2>
        <p class="soft">{{mergeText}}</p>
        {{#merge}}{{> form}}{{/merge}}
        {{^empty(merges)}}
        <ul class="rows">
        {{#merges}}
        <li><div class="about"><p class="name">{{name}}</p>
        {{#since}}<p class="soft small">{{label}} · {{#date}}<time datetime="{{machine}}">{{text}}</time>{{/date}}</p>{{/since}}
        </div>{{#form}}{{> form}}{{/form}}</li>
        {{/merges}}
        </ul>
        {{/empty(merges)}}
        </section>
        <section aria-labelledby="deletion"><h2 id="deletion">{{deletionHeading}}</h2>
        <p class="soft">{{deletionText}}</p>
        {{#deletion}}{{> form}}{{/deletion}}
        </section>
        """

    /// In the scope of a ``DeviceView``.
    static let deviceSource = """
        <li><div class="about"><p class="name">{{title}}{{#current}} <span class="badge good">{{.}}</span>{{/current}}</p>
        {{#origin}}<p class="small">{{.}}</p>{{/origin}}
        {{#moments}}<p class="soft small">{{label}} · {{#date}}<time datetime="{{machine}}">{{text}}</time>{{/date}}</p>{{/moments}}
        </div>{{#form}}{{> form}}{{/form}}
        {{^empty(apps)}}
        <ul class="apps">
        {{#apps}}
        <li><div class="about"><p class="name">{{name}}</p>
        {{#used}}<p class="soft small">{{label}} · {{#date}}<time datetime="{{machine}}">{{text}}</time>{{/date}}</p>{{/used}}
        </div>{{#form}}{{> form}}{{/form}}</li>
        {{/apps}}
        </ul>
        {{/empty(apps)}}
        </li>
        """

    /// In the scope of an ``AccountView``: the connected providers.
    static let connectionsSource = """
        <ul class="rows">
        {{#connections}}
        <li>{{#mark}}{{> mark}}{{/mark}}<div class="about"><p class="name">{{name}}</p>
        {{#label}}<p class="small">{{.}}</p>{{/label}}
        {{#since}}<p class="soft small">{{label}} · {{#date}}<time datetime="{{machine}}">{{text}}</time>{{/date}}</p>{{/since}}
        </div>{{#form}}{{> form}}{{/form}}</li>
        {{/connections}}
        </ul>
        """
}

extension PageTemplate {
    /// In the scope of a ``StatementView``.
    static let statementSource = """
        {{#symbol}}<div class="symbol {{tone}}" aria-hidden="true">{{sign}}</div>{{/symbol}}
        <h1>{{heading}}</h1>
        {{#paragraphs}}<p>{{.}}</p>{{/paragraphs}}
        {{#code}}<p class="code">{{.}}</p>{{/code}}
        {{^empty(facts)}}
        <dl class="facts">
        {{#facts}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/facts}}
        </dl>
        {{/empty(facts)}}
        {{#notice}}{{> notice}}{{/notice}}
        {{^empty(links)}}
        <div class="stack">
        {{#links}}<a class="button {{style}}" href="{{href}}">{{text}}</a>{{/links}}
        </div>
        {{/empty(links)}}
        {{#form}}{{> form}}{{/form}}
        {{#alternatives}}<div class="alternative"><a class="button plain" href="{{href}}">{{text}}</a></div>{{/alternatives}}
        {{#reference}}<p class="reference small soft">{{label}} <code>{{value}}</code></p>{{/reference}}
        """

    /// In the scope of a ``DeviceCodeView``.
    static let deviceCodeSource = """
        <h1>{{heading}}</h1>
        <p>{{explanation}}</p>
        <form method="post" action="{{action}}">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}" />{{/fields}}
        <label for="user_code">{{label}}</label>
        <input class="entry" type="text" id="user_code" name="user_code" value="{{code}}" required="required" \
        maxlength="32" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" \
        autofocus="autofocus" aria-describedby="{{describedBy}}"{{#problem}} aria-invalid="true"{{/problem}} />
        {{#problem}}<p class="problem" id="problem" role="alert">{{.}}</p>{{/problem}}
        <p class="hint small soft" id="hint">{{hint}}</p>
        <div class="stack"><button type="submit" class="button primary">{{caption}}</button></div>
        </form>
        """
}

extension PageTemplate {
    /// In the scope of a ``NoticeView``.
    static let noticeSource = """
        <div class="notice {{tone}}" role="{{role}}"><span class="sign" aria-hidden="true">{{sign}}</span><p>{{text}}</p></div>

        """

    /// In the scope of a ``FormView``.
    static let formSource = """
        <form method="post" action="{{action}}">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}" />{{/fields}}
        {{#consent}}
        <label class="check" for="{{field}}"><input type="checkbox" id="{{field}}" name="{{field}}" value="yes" required="required" /><span>{{text}}</span></label>
        {{/consent}}
        <div class="{{arrangement}}">
        {{#buttons}}
        <button type="submit" class="button {{style}}"{{#answer}} name="{{field}}" value="{{value}}"{{/answer}}>{{caption}}{{#spoken}}<span class="spoken"> {{.}}</span>{{/spoken}}</button>
        {{/buttons}}
        {{#leave}}<a class="button plain" href="{{href}}">{{text}}</a>{{/leave}}
        </div>
        </form>

        """

    /// In the scope of a ``ProviderMark``.
    static let markSource = """
        {{#drawing}}<span class="mark" aria-hidden="true">{{{.}}}</span>{{/drawing}}\
        {{^drawing}}<span class="mark letter" aria-hidden="true">{{letter}}</span>{{/drawing}}
        """

    /// In the scope of a ``MonogramView``.
    static let monogramSource = """
        <span class="monogram" aria-hidden="true">{{letters}}</span>
        """
}
