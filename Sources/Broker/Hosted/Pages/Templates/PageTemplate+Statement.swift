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
