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
