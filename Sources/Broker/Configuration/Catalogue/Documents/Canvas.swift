extension ProviderCatalogue {
    static let canvas = #"""
        {
          "id": "oauth2.canvas",
          "name": "Canvas LMS",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://{host}/login/oauth2/auth",
            "tokenUrl": "https://{host}/login/oauth2/token",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": false,
            "claims": {
              "subject": { "in": "token", "pointer": "/user/id" },
              "displayName": { "in": "token", "pointer": "/user/name" }
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the Canvas installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "canvas.mail.example"
            }
          ],
          "button": { "text": "Continue with Canvas", "background": "#0770A3", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://canvas.instructure.com/doc/api/file.oauth_endpoints.html",
            "console": "https://canvas.instructure.com/doc/api/file.developer_keys.html"
          },
          "registration": [
            "Let an administrator of Canvas create an API developer key.",
            "Enter the redirect URI.",
            "Leave the enforcement of scopes off, or add the scopes of the key to the entry.",
            "The ID of the key is the client id, and its key the secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://HOST/login/oauth2/auth with client_id, response_type=code, redirect_uri and state.",
              "about": ["endpoints"],
              "page": "https://github.com/instructure/canvas-lms/blob/01164c3c3fc302ca326f801f24c9552f8bbbd0f4/doc/api/oauth_endpoints.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://HOST/login/oauth2/token.",
              "about": ["endpoints"],
              "page": "https://github.com/instructure/canvas-lms/blob/01164c3c3fc302ca326f801f24c9552f8bbbd0f4/doc/api/oauth_endpoints.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret as parameters of the token request.",
              "about": ["authentication"],
              "page": "https://github.com/instructure/canvas-lms/blob/01164c3c3fc302ca326f801f24c9552f8bbbd0f4/doc/api/oauth_endpoints.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; without any, a developer key that does not enforce scopes gives access to everything the user may do.",
              "about": ["scopes"],
              "page": "https://github.com/instructure/canvas-lms/blob/01164c3c3fc302ca326f801f24c9552f8bbbd0f4/doc/api/oauth_endpoints.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has the member user with the id and the name of the user.",
              "about": ["userinfo"],
              "page": "https://github.com/instructure/canvas-lms/blob/01164c3c3fc302ca326f801f24c9552f8bbbd0f4/doc/api/oauth_endpoints.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "With the scope /auth/userinfo the access token is null, so the entry does not ask for it.",
              "page": "https://github.com/instructure/canvas-lms/blob/01164c3c3fc302ca326f801f24c9552f8bbbd0f4/doc/api/oauth_endpoints.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
