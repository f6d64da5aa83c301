extension ProviderCatalogue {
    static let auth0 = #"""
        {
          "id": "oidc.auth0",
          "name": "Auth0",
          "use": "oidc",
          "options": {
            "issuer": "https://{domain}/",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "email", "profile", "offline_access"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "screenName": "/nickname",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "domain",
              "description": "The domain of the tenant, or its custom domain.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "acme.eu.auth0.com"
            }
          ],
          "button": { "text": "Continue with Auth0", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://auth0.com/docs/api/authentication",
            "console": "https://manage.auth0.com/"
          },
          "registration": [
            "Create an application of the type Regular Web Application.",
            "Add the callback URL.",
            "Under Advanced Settings, OAuth, leave RS256 selected; set the authentication method Post."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is /authorize of the tenant's domain, the token endpoint POST /oauth/token with a form that has client_id and client_secret.",
              "about": ["endpoints", "authentication"],
              "page": "https://github.com/auth0/docs/blob/248e42383953ba1c88f243bdcf08b78ced6863ca/articles/api/authentication/api-authz/_auth-code-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; profile, email and offline_access are among them.",
              "about": ["scopes"],
              "page": "https://github.com/auth0/docs/blob/248e42383953ba1c88f243bdcf08b78ced6863ca/articles/api/authentication/api-authz/_auth-code-flow.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET /userinfo with a bearer token answers sub, email, email_verified, name, nickname and picture; it needs the scope openid.",
              "about": ["scopes", "userinfo"],
              "page": "https://github.com/auth0/docs/blob/0013673605d7615ec2bb640729609a4499dad744/articles/api/authentication/_userinfo.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the user's id with the connection in front, such as auth0|58454.",
              "about": ["userinfo"],
              "page": "https://github.com/auth0/docs/blob/0013673605d7615ec2bb640729609a4499dad744/articles/api/authentication/_userinfo.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "name, nickname, picture, email and email_verified are standard claims of the ID token.",
              "page": "https://github.com/auth0/docs/blob/5b5684ae82b77b44cb70b5bb58b93a85b60b95bf/articles/tokens/references/id-token-structure.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer is https:// and the tenant's domain with a slash at its end; ID tokens are signed with RS256 unless the application says HS256.",
              "page": "https://auth0.com/docs/api/authentication",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
