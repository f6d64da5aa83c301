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

    /// In the scope of an ``AccountView``: the providers one can sign in with.
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
