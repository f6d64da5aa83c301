extension ProviderCatalogue {
    static let casdoor = #"""
        {
          "id": "oidc.casdoor",
          "name": "Casdoor",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "email": "/email",
              "displayName": "/name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the Casdoor installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "door.mail.example"
            }
          ],
          "button": { "text": "Continue with Casdoor", "background": "#5734D3", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://casdoor.org/docs/how-to-connect/oidc-client",
            "console": "https://door.casdoor.com/applications"
          },
          "registration": [
            "Create an application in the administration of Casdoor.",
            "Add the redirect URI under Redirect URLs.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The issuer is the address of the installation; the authorization endpoint is /login/oauth/authorize, the token endpoint POST /api/login/oauth/access_token, userinfo /api/userinfo and the keys /.well-known/jwks.",
              "about": ["endpoints"],
              "page": "https://github.com/casdoor/casdoor-website/blob/13441eafa5646116a09fd6e75d26fd550fa8950e/docs/how-to-connect/oidc-client.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client sends client_id and client_secret in the body of the token request.",
              "about": ["authentication"],
              "page": "https://github.com/casdoor/casdoor-website/blob/02cbe66c56b70472864c36c0eb0dd75bf7f61ce1/docs/how-to-connect/oauth.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256, and PKCE with S256 is supported.",
              "page": "https://github.com/casdoor/casdoor-website/blob/13441eafa5646116a09fd6e75d26fd550fa8950e/docs/how-to-connect/oidc-client.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid, profile and email are separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/casdoor/casdoor-website/blob/13441eafa5646116a09fd6e75d26fd550fa8950e/docs/how-to-connect/oidc-client.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the Id of the user, a UUID; preferred_username is the name, name the display name, picture the avatar.",
              "about": ["userinfo"],
              "page": "https://github.com/casdoor/casdoor-website/blob/13441eafa5646116a09fd6e75d26fd550fa8950e/docs/how-to-connect/oidc-client.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "No claim says that the address is verified.",
              "page": "https://github.com/casdoor/casdoor-website/blob/13441eafa5646116a09fd6e75d26fd550fa8950e/docs/how-to-connect/oidc-client.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
