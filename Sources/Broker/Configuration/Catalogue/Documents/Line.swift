extension ProviderCatalogue {
    static let line = #"""
        {
          "id": "oidc.line",
          "name": "LINE",
          "use": "oidc",
          "options": {
            "issuer": "https://access.line.me",
            "tokenEndpointAuthMethod": "client_secret_post",
            "algorithms": ["HS256"],
            "scopes": ["openid", "profile", "email"],
            "userinfo": false,
            "claims": { "email": "/email", "displayName": "/name", "pictureUrl": "/picture" }
          },
          "button": { "text": "Continue with LINE", "background": "#06C755", "foreground": "#000000" },
          "links": {
            "documentation": "https://developers.line.biz/ja/reference/line-login/",
            "console": "https://developers.line.biz/console/",
            "brand": "https://developers.line.biz/en/docs/line-login/login-button/"
          },
          "registration": [
            "Create a LINE Login channel in the console, with the app type Web app.",
            "Enter the callback URL in the tab LINE Login.",
            "Apply for the permission Email address under OpenID Connect.",
            "Publish the channel."
          ],
          "facts": [
            {
              "fact": "The discovery document is https://access.line.me/.well-known/openid-configuration; the issuer is https://access.line.me.",
              "about": ["endpoints"],
              "page": "https://developers.line.biz/ja/docs/line-login/verify-id-token/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.line.me/oauth2/v2.1/token with a form that has grant_type, code, redirect_uri, client_id, client_secret and, with PKCE, code_verifier.",
              "about": ["endpoints", "authentication"],
              "page": "https://developers.line.biz/ja/reference/line-login/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens of web sign-ins are signed with HS256 and the channel secret; those of native apps with ES256.",
              "page": "https://developers.line.biz/ja/docs/line-login/verify-id-token/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client id is the channel id, the client secret the channel secret, 32 characters in the example.",
              "about": ["authentication"],
              "page": "https://developers.line.biz/ja/reference/line-login/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "openid brings the ID token, profile the claims name and picture, email the claim email; the answer's scope leaves email out.",
              "about": ["scopes"],
              "page": "https://developers.line.biz/ja/reference/line-login/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the id of the user; no claim says that the address is verified.",
              "about": ["userinfo"],
              "page": "https://developers.line.biz/ja/docs/line-login/verify-id-token/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "state and scope are required at the authorization endpoint; the nonce comes back in the ID token.",
              "page": "https://developers.line.biz/ja/docs/line-login/integrate-line-login/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is checked.",
              "page": "https://developers.line.biz/ja/docs/line-login/integrate-pkce/",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authorization endpoint is https://access.line.me/oauth2/v2.1/authorize, and the id of a user is another one for each provider of LINE's console.",
              "page": "https://developers.line.biz/ja/reference/line-login/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
