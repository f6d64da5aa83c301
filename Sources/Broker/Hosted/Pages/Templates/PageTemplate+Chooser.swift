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
