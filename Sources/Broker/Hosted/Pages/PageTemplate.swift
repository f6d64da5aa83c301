import Mustache

/// The templates of the pages. They stand in the program itself, so the binary needs no files beside it.
enum PageTemplate: String, Sendable, CaseIterable {
    /// The layout of all pages.
    case document
    case chooser
    case account
    /// The whole history of an account.
    case history
    /// The form of the name and the picture.
    case profile
    /// The form for the code that a device shows.
    case deviceCode
    /// One card that says something and may ask something.
    case statement
    /// The broker's own start.
    case start
    /// The explanation of the codes of `broker doctor`.
    case diagnoses
    /// The description of the API.
    case operations
    /// Parts of the others.
    case device, notice, form, mark, monogram, logo, tile, who, provider, moment, deviceGroup, happening

    /// The template's text, in which `{{…}}` is escaped and `{{{…}}}` stands only for markup of our own.
    var source: String {
        switch self {
        case .document: Self.documentSource
        case .chooser: Self.chooserSource
        case .account: Self.accountSource
        case .deviceCode: Self.deviceCodeSource
        case .statement: Self.statementSource
        case .start: Self.startSource
        case .diagnoses: Self.diagnosesSource
        case .operations: Self.operationsSource
        case .device: Self.deviceSource
        case .deviceGroup: Self.deviceGroupSource
        case .happening: Self.happeningSource
        case .history: Self.historySource
        case .profile: Self.profileSource
        case .notice: Self.noticeSource
        case .form: Self.formSource
        case .mark: Self.markSource
        case .monogram: Self.monogramSource
        case .logo: Self.logoSource
        case .tile: Self.tileSource
        case .who: Self.whoSource
        case .provider: Self.providerSource
        case .moment: Self.momentSource
        }
    }

    /// All templates, compiled for the first page that is asked for, each with our escaping.
    static let library: MustacheLibrary = {
        var library = MustacheLibrary()
        for template in allCases {
            do {
                try library.register(PageEscaping.pragma + template.source, named: template.rawValue)
            } catch {
                // They are constants of the program, and the first page of any test compiles all of them.
                preconditionFailure("The template \(template) is malformed: \(error)")
            }
        }
        return library
    }()
}

extension PageTemplate {
    /// In the scope of a ``DocumentView``.
    static let documentSource = """
        <!DOCTYPE html>
        <html lang="{{language}}" dir="{{direction}}">
        <head>
        <meta charset="utf-8" />
        <title>{{title}} · {{siteName}}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="{{icon}}" />
        <style nonce="{{nonce}}">{{{style}}}</style>
        </head>
        <body class="hosted {{layout}}">
        {{#contents}}<a class="skip" href="#main">{{skip}}</a>{{/contents}}
        <header class="top">
        {{#brand}}
        {{#homeHref}}<a class="lockup" href="{{.}}">{{#logo}}{{> logo}}{{/logo}}<span>{{siteName}}</span></a>{{/homeHref}}
        {{^homeHref}}<p class="lockup">{{#logo}}{{> logo}}{{/logo}}<span>{{siteName}}</span></p>{{/homeHref}}
        {{/brand}}
        {{#action}}{{> form}}{{/action}}
        </header>
        <div class="frame">
        {{#contents}}
        <nav class="toc" aria-label="{{label}}"><ul>
        {{#anchors}}<li><a href="#{{id}}">{{text}}</a></li>{{/anchors}}
        </ul></nav>
        {{/contents}}
        <main id="main">
        {{#view}}{{> *main}}{{/view}}
        </main>
        </div>
        <footer class="foot">
        {{^empty(footLinks)}}<ul>{{#footLinks}}<li><a href="{{href}}">{{text}}</a></li>{{/footLinks}}</ul>{{/empty(footLinks)}}
        {{#switches}}
        <nav aria-label="{{label}}"><details class="menu"><summary>{{{drawing}}}{{current}}</summary><ul>
        {{#languages}}<li><a lang="{{tag}}" dir="{{direction}}" hreflang="{{tag}}" href="{{href}}">{{name}}</a></li>{{/languages}}
        </ul></details></nav>
        {{/switches}}
        </footer>
        {{#script}}<script nonce="{{nonce}}" data-moment="{{momentPattern}}">{{{.}}}</script>{{/script}}
        </body>
        </html>

        """

    /// In the scope of a ``LogoView``.
    static let logoSource = """
        <picture>{{#darkHref}}<source media="(prefers-color-scheme: dark)" srcset="{{.}}" />{{/darkHref}}\
        <img src="{{lightHref}}" alt="" /></picture>
        """

    /// In the scope of a ``TileView``.
    static let tileSource = """
        <span class="tile {{tone}}" aria-hidden="true">{{#picture}}{{> logo}}{{/picture}}{{^picture}}{{{sign}}}{{/picture}}</span>
        """
}

extension PageTemplate {
    /// In the scope of a ``ChooserView``.
    static let chooserSource = """
        <div class="card">
        <div class="head">{{#tile}}{{> tile}}{{/tile}}<h1>{{heading}}</h1>{{#explanation}}<p>{{.}}</p>{{/explanation}}</div>
        {{#notice}}{{> notice}}{{/notice}}
        {{#known}}
        <div class="continue">
        {{#person}}{{> who}}{{/person}}
        {{#form}}{{> form}}{{/form}}
        </div>
        {{/known}}
        {{#usedLast}}
        <p class="eyebrow" id="used-last">{{caption}}</p>
        {{#provider}}{{> provider}}{{/provider}}
        {{/usedLast}}
        {{#or}}<p class="or">{{.}}</p>{{/or}}
        {{^empty(providers)}}
        <ul class="stack">
        {{#providers}}<li>{{> provider}}</li>{{/providers}}
        </ul>
        {{/empty(providers)}}
        {{#further}}
        <details class="more"><summary class="button wide">{{caption}}</summary>
        <ul class="stack">
        {{#providers}}<li>{{> provider}}</li>{{/providers}}
        </ul>
        </details>
        {{/further}}
        {{^empty(legal)}}<ul class="legal">{{#legal}}<li><a href="{{href}}">{{text}}</a></li>{{/legal}}</ul>{{/empty(legal)}}
        </div>
        {{#cancel}}<p class="back"><a class="button plain" href="{{href}}">{{text}}</a></p>{{/cancel}}
        """

    /// In the scope of a ``ProviderView``.
    static let providerSource = """
        <a class="provider {{mark.style}}" data-provider="{{id}}" href="{{href}}"{{#isUsedLast}} aria-describedby="used-last"{{/isUsedLast}}>\
        {{#mark}}{{> mark}}{{/mark}}<span>{{caption}}</span></a>
        """

    /// In the scope of a ``PersonView``.
    static let whoSource = """
        <div class="who">{{#monogram}}{{> monogram}}{{/monogram}}<div class="about">\
        {{#caption}}<p class="soft small">{{.}}</p>{{/caption}}<p class="name"><bdi>{{name}}</bdi></p>\
        {{#email}}<p class="soft small"><bdi>{{.}}</bdi></p>{{/email}}</div>\
        {{#switchAccount}}<a href="{{href}}">{{text}}</a>{{/switchAccount}}</div>

        """
}

extension PageTemplate {
    /// In the scope of an ``AccountView``.
    static let accountSource = """
        <h1>{{heading}}</h1>
        {{#notice}}{{> notice}}{{/notice}}
        <section class="panel" id="profile" aria-labelledby="profile-heading"><h2 class="spoken" id="profile-heading">{{profileHeading}}</h2>
        <div class="person">{{#person}}{{#monogram}}{{> monogram}}{{/monogram}}<div class="about"><p class="name">{{name}}</p>\
        {{#email}}<p class="soft">{{address}} <span class="badge {{tone}}">{{state}}</span></p>{{/email}}</div>{{/person}}\
        {{#profile}}<a class="button {{style}}" href="{{href}}">{{text}}</a>{{/profile}}</div>
        </section>
        <section class="panel" id="ways" aria-labelledby="ways-heading">
        <div class="intro"><h2 id="ways-heading">{{connectedHeading}}</h2><p>{{connectedText}}</p></div>
        {{^empty(connections)}}
        <ul class="rows">
        {{#connections}}
        <li>{{#mark}}{{> mark}}{{/mark}}<div class="about"><p class="name">{{name}}{{#label}} <span class="soft small">{{.}}</span>{{/label}}</p>
        {{#used}}{{> moment}}{{/used}}
        {{#permissions}}<p class="soft small">{{.}}</p>{{/permissions}}
        </div>{{#form}}{{> form}}{{/form}}</li>
        {{/connections}}
        </ul>
        {{/empty(connections)}}
        {{#offersHeading}}
        <div class="footer"><p class="soft small">{{.}}</p>
        {{#offers}}
        <a class="button compact" href="{{href}}">{{#mark}}{{> mark}}{{/mark}}<span><span class="spoken">{{caption}} </span>{{name}}</span></a>
        {{/offers}}
        </div>
        {{/offersHeading}}
        </section>
        <section class="panel" id="devices" aria-labelledby="devices-heading">
        <div class="intro"><h2 id="devices-heading">{{sessionsHeading}}</h2></div>
        <ul class="rows">
        {{#devices}}{{> deviceGroup}}{{/devices}}
        </ul>
        {{#furtherDevices}}
        <details><summary>{{summary}}</summary>
        <ul class="rows">
        {{#devices}}{{> deviceGroup}}{{/devices}}
        </ul>
        </details>
        {{/furtherDevices}}
        <div class="footer">{{#signOutEverywhere}}{{> form}}{{/signOutEverywhere}}</div>
        </section>
        <section class="panel" id="history" aria-labelledby="history-heading">
        <div class="intro"><h2 id="history-heading">{{historyHeading}}</h2>{{#nothing}}<p>{{.}}</p>{{/nothing}}</div>
        {{^empty(happenings)}}
        <ul class="rows">
        {{#happenings}}{{> happening}}{{/happenings}}
        </ul>
        {{/empty(happenings)}}
        {{#changesHeading}}
        <h3>{{.}}</h3>
        <ul class="rows">
        {{#changes}}{{> happening}}{{/changes}}
        </ul>
        {{/changesHeading}}
        <div class="footer">{{#wholeHistory}}<a class="button {{style}}" href="{{href}}">{{text}}</a>{{/wholeHistory}}</div>
        </section>
        <section class="panel act" id="data" aria-labelledby="data-heading">
        <div class="intro"><h2 id="data-heading">{{dataHeading}}</h2><p>{{dataText}}</p></div>
        {{#download}}{{> form}}{{/download}}
        </section>
        <section class="panel" id="merge" aria-labelledby="merge-heading">
        <div class="act"><div class="intro"><h2 id="merge-heading">{{mergeHeading}}</h2><p>{{mergeText}}</p></div>
        {{#merge}}{{> form}}{{/merge}}</div>
        {{^empty(merges)}}
        <ul class="rows">
        {{#merges}}
        <li><div class="about"><p class="name">{{name}}</p>
        {{#since}}{{> moment}}{{/since}}
        </div>{{#form}}{{> form}}{{/form}}</li>
        {{/merges}}
        </ul>
        {{/empty(merges)}}
        </section>
        <section class="panel act" id="delete" aria-labelledby="delete-heading">
        <div class="intro"><h2 id="delete-heading">{{deletionHeading}}</h2><p>{{deletionText}}</p></div>
        {{#deletion}}{{> form}}{{/deletion}}
        </section>
        """

    /// In the scope of a ``DeviceGroupView``.
    static let deviceGroupSource = """
        {{#single}}{{> device}}{{/single}}
        {{#several}}
        <li>{{{drawing}}}<div class="about"><p class="name">{{title}} <span class="soft small">{{count}}</span></p>
        {{#used}}{{> moment}}{{/used}}
        <details><summary>{{review}}<span class="spoken"> {{title}}</span></summary>
        <ul class="rows">
        {{#devices}}{{> device}}{{/devices}}
        </ul>
        </details>
        </div></li>
        {{/several}}

        """

    /// In the scope of a ``HappeningView``.
    static let happeningSource = """
        <li class="state-{{tone}}">{{{drawing}}}<div class="about"><p class="name">{{title}}</p>
        <p class="soft small">{{#date}}<time datetime="{{machine}}">{{text}}</time>{{/date}}{{#detail}} · {{.}}{{/detail}}</p>
        </div></li>

        """

    /// In the scope of an ``AccountHistoryView``.
    static let historySource = """
        <h1>{{heading}}</h1>
        <section class="panel" aria-label="{{heading}}">
        {{#nothing}}<p class="soft">{{.}}</p>{{/nothing}}
        {{^empty(happenings)}}
        <ul class="rows">
        {{#happenings}}{{> happening}}{{/happenings}}
        </ul>
        {{/empty(happenings)}}
        <div class="footer">
        {{#older}}<a class="button {{style}}" href="{{href}}">{{text}}</a>{{/older}}
        {{#back}}<a class="button {{style}}" href="{{href}}">{{text}}</a>{{/back}}
        </div>
        </section>
        """

    /// In the scope of a ``ProfileView``.
    static let profileSource = """
        <div class="card">
        <div class="head"><h1>{{heading}}</h1></div>
        <form class="stack" method="post" action="{{action}}">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}" />{{/fields}}
        <div class="field"><label for="name">{{nameLabel}}</label>
        <input class="entry" type="text" id="name" name="name" value="{{name}}" dir="auto" autocomplete="name" \
        aria-describedby="{{nameDescription}}"{{#nameProblem}} aria-invalid="true"{{/nameProblem}} />
        {{#nameProblem}}<p class="problem" id="name-problem" role="alert">{{.}}</p>{{/nameProblem}}
        <p class="soft small" id="name-hint">{{nameHint}}</p></div>
        <fieldset class="choices"><legend>{{pictureLabel}}</legend>
        {{#pictures}}
        <label class="check" for="{{id}}"><input type="radio" id="{{id}}" name="picture" value="{{value}}"{{#isChosen}} checked="checked"{{/isChosen}} /><span>{{text}}</span></label>
        {{/pictures}}
        </fieldset>
        <div class="field"><label for="address">{{addressLabel}}</label>
        <input class="entry" type="text" inputmode="url" id="address" name="address" value="{{address}}" dir="ltr" \
        autocomplete="off" autocapitalize="none" spellcheck="false"\
        {{#addressProblem}} aria-invalid="true" aria-describedby="address-problem"{{/addressProblem}} />
        {{#addressProblem}}<p class="problem" id="address-problem" role="alert">{{.}}</p>{{/addressProblem}}</div>
        <button type="submit" class="button primary wide">{{save}}</button>
        {{#cancel}}<a class="button wide {{style}}" href="{{href}}">{{text}}</a>{{/cancel}}
        </form>
        </div>
        """

    /// In the scope of a ``DeviceView``.
    static let deviceSource = """
        <li>{{{drawing}}}<div class="about"><p class="name">{{title}}{{#current}} <span class="badge good">{{.}}</span>{{/current}}</p>
        {{#origin}}<p class="soft small">{{.}}</p>{{/origin}}
        {{#moments}}{{> moment}}{{/moments}}
        </div>{{#form}}{{> form}}{{/form}}
        {{^empty(apps)}}
        <ul class="apps">
        {{#apps}}
        <li><div class="about"><p class="name">{{name}}</p>
        {{#used}}{{> moment}}{{/used}}
        </div>{{#form}}{{> form}}{{/form}}</li>
        {{/apps}}
        </ul>
        {{/empty(apps)}}
        </li>
        """

    /// In the scope of a ``MomentView``.
    static let momentSource = """
        <p class="soft small">{{label}} · {{#date}}<time datetime="{{machine}}">{{text}}</time>{{/date}}</p>

        """
}

extension PageTemplate {
    /// In the scope of a ``StatementView``.
    static let statementSource = """
        <div class="card">
        <div class="head">
        {{#pairing}}<span class="pairing">{{#app}}{{> tile}}{{/app}}{{{drawing}}}{{#site}}{{> tile}}{{/site}}</span>{{/pairing}}
        {{#symbol}}{{> tile}}{{/symbol}}
        <h1>{{heading}}</h1>
        {{#paragraphs}}<p>{{.}}</p>{{/paragraphs}}
        </div>
        {{#code}}<p class="code">{{.}}</p>{{/code}}
        {{#who}}{{> who}}{{/who}}
        {{#receives}}
        <div class="receives"><h2>{{caption}}</h2>
        <ul class="rows">
        {{#rows}}
        <li>{{{drawing}}}<div class="about"><p class="name">{{name}}</p>{{#detail}}<p class="soft small">{{.}}</p>{{/detail}}</div></li>
        {{/rows}}
        </ul>
        </div>
        {{/receives}}
        {{^empty(facts)}}
        <dl class="facts">
        {{#facts}}<div><dt>{{label}}</dt><dd><bdi>{{value}}</bdi></dd></div>{{/facts}}
        </dl>
        {{/empty(facts)}}
        {{#notice}}{{> notice}}{{/notice}}
        {{^empty(links)}}
        <div class="stack">
        {{#links}}<a class="button wide {{style}}" href="{{href}}">{{text}}</a>{{/links}}
        </div>
        {{/empty(links)}}
        {{#form}}{{> form}}{{/form}}
        {{#alternatives}}<a class="button wide plain" href="{{href}}">{{text}}</a>{{/alternatives}}
        {{#legal}}
        <div class="legal">{{#sentence}}<p>{{.}}</p>{{/sentence}}
        {{^empty(links)}}<ul>{{#links}}<li><a href="{{href}}">{{text}}</a></li>{{/links}}</ul>{{/empty(links)}}</div>
        {{/legal}}
        {{#details}}
        <details class="details"><summary>{{caption}}</summary>
        <dl class="facts">
        {{#rows}}<div><dt>{{label}}</dt><dd><bdi>{{value}}</bdi></dd></div>{{/rows}}
        </dl>
        </details>
        {{/details}}
        {{#reference}}<p class="reference">{{label}} <code>{{#groups}}<span>{{.}}</span>{{/groups}}</code></p>{{/reference}}
        </div>
        """

    /// In the scope of a ``DeviceCodeView``.
    static let deviceCodeSource = """
        <div class="card">
        <div class="head">{{#symbol}}{{> tile}}{{/symbol}}<h1>{{heading}}</h1><p>{{explanation}}</p></div>
        <form class="stack" method="post" action="{{action}}">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}" />{{/fields}}
        <div class="field"><label for="user_code">{{label}}</label>
        <input class="entry user-code" type="text" id="user_code" name="user_code" value="{{code}}" required="required" \
        maxlength="32" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" \
        autofocus="autofocus" aria-describedby="{{describedBy}}"{{#problem}} aria-invalid="true"{{/problem}} />
        {{#problem}}<p class="problem" id="problem" role="alert">{{.}}</p>{{/problem}}
        <p class="soft small" id="hint">{{hint}}</p></div>
        <button type="submit" class="button primary wide">{{caption}}</button>
        </form>
        </div>
        """
}

extension PageTemplate {
    /// In the scope of a ``NoticeView``.
    static let noticeSource = """
        <div class="banner {{tone}}" role="{{role}}">{{{drawing}}}<p>{{text}}</p></div>

        """

    /// In the scope of a ``FormView``.
    static let formSource = """
        <form method="post" action="{{action}}">
        {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}" />{{/fields}}
        <div class="{{arrangement}}">
        {{#consent}}
        <label class="check" for="{{field}}"><input type="checkbox" id="{{field}}" name="{{field}}" value="yes" required="required" /><span>{{text}}</span></label>
        {{/consent}}
        {{#buttons}}
        <button type="submit" class="button {{size}} {{style}}"{{#answer}} name="{{field}}" value="{{value}}"{{/answer}}>{{caption}}{{#spoken}}<span class="spoken"> {{.}}</span>{{/spoken}}</button>
        {{/buttons}}
        {{#leave}}<a class="button {{size}}" href="{{href}}">{{text}}</a>{{/leave}}
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
        <span class="avatar" aria-hidden="true">{{letters}}</span>
        """
}
