extension ProviderCatalogue {
    static let qq = #"""
        {
          "id": "oauth2.qq",
          "name": "QQ",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://graph.qq.com/oauth2.0/authorize",
            "tokenUrl": "https://graph.qq.com/oauth2.0/token",
            "userinfoUrl": "https://graph.qq.com/oauth2.0/me?fmt=json",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "tokenRequest": { "method": "GET", "parameters": {"fmt": "json"} },
            "userinfoToken": { "in": "query", "name": "access_token" },
            "claims": { "subject": "/openid" }
          },
          "button": { "text": "Continue with QQ", "background": "#12B7F5", "foreground": "#000000" },
          "links": {
            "documentation": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
            "console": "https://connect.qq.com/manage.html"
          },
          "registration": [
            "Register a website application at QQ Connect, and wait for its approval.",
            "Enter the callback URL.",
            "Copy the APP ID and the APP Key."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://graph.qq.com/oauth2.0/authorize.",
              "about": ["endpoints"],
              "page": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint is GET https://graph.qq.com/oauth2.0/token; with fmt=json it answers JSON, else a form.",
              "about": ["endpoints"],
              "page": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "client_id and client_secret are in the query.",
              "about": ["authentication"],
              "page": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Without a scope the permission get_user_info is asked for.",
              "about": ["scopes"],
              "page": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "GET https://graph.qq.com/oauth2.0/me with access_token in the query gives the openid of the user.",
              "about": ["userinfo"],
              "page": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "With fmt=json the answer is JSON, else JSONP; openid is another one for each app.",
              "about": ["userinfo"],
              "page": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "Names and pictures are at get_user_info, whose query needs the app id; there is no address.",
              "page": "https://wiki.connect.qq.com/openapi%e8%b0%83%e7%94%a8%e8%af%b4%e6%98%8e_oauth2-0",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
