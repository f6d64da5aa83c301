extension ProviderCatalogue {
    static let identityserver = #"""
        {
          "id": "oidc.identityserver",
          "name": "Duende IdentityServer",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["openid", "profile", "email"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the IdentityServer installation.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "login.mail.example"
            }
          ],
          "button": { "text": "Continue with IdentityServer", "background": "#4F1787", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://docs.duendesoftware.com/identityserver/reference/endpoints/authorize/",
            "console": "https://docs.duendesoftware.com/identityserver/fundamentals/clients/"
          },
          "registration": [
            "Add a client with the grant type authorization_code, a secret and the redirect URI to the installation.",
            "Allow the scopes openid, profile and email to it."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /connect/authorize with client_id, scope, redirect_uri and response_type.",
              "about": ["endpoints"],
              "page": "https://github.com/DuendeSoftware/docs.duendesoftware.com/blob/15e11fe8df21396a2eeb7e846abb275fe2b0d830/src/content/docs/identityserver/reference/endpoints/authorize.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST /connect/token with a form.",
              "about": ["endpoints"],
              "page": "https://github.com/DuendeSoftware/docs.duendesoftware.com/blob/0774d2c52557e036028d61aa46ab99eb0b677c16/src/content/docs/identityserver/reference/endpoints/token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client secret is sent in the body or with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://github.com/DuendeSoftware/docs.duendesoftware.com/blob/0774d2c52557e036028d61aa46ab99eb0b677c16/src/content/docs/identityserver/reference/endpoints/token.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are the registered ones, openid at least, separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/DuendeSoftware/docs.duendesoftware.com/blob/15e11fe8df21396a2eeb7e846abb275fe2b0d830/src/content/docs/identityserver/reference/endpoints/authorize.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /connect/userinfo with a bearer token answers sub and the claims of the granted scopes, for example name, given_name and family_name.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/DuendeSoftware/docs.duendesoftware.com/blob/15e11fe8df21396a2eeb7e846abb275fe2b0d830/src/content/docs/identityserver/reference/endpoints/userinfo.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is supported.",
              "page": "https://github.com/DuendeSoftware/docs.duendesoftware.com/blob/15e11fe8df21396a2eeb7e846abb275fe2b0d830/src/content/docs/identityserver/reference/endpoints/authorize.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email and email_verified come with the scope email, as the installation maps them.",
              "page": "https://docs.duendesoftware.com/identityserver/reference/endpoints/authorize/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
