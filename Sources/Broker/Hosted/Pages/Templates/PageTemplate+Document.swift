extension PageTemplate {
    static let documentSource = """
        <!DOCTYPE html>
        <html lang="{{language}}">
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
