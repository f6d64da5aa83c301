extension ProviderCatalogue {
    static let kanidm = #"""
        {
          "id": "oidc.kanidm",
          "name": "Kanidm",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}/oauth2/openid/{client}",
            "algorithms": ["ES256"],
            "scopes": ["openid", "email", "profile"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "screenName": "/preferred_username"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "The host of Kanidm.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "idm.example"
            },
            {
              "name": "client",
              "description": "The name of the client at Kanidm: the client id.",
              "pattern": "^[a-z0-9_-]+$",
              "example": "broker"
            }
          ],
          "button": { "text": "Continue with Kanidm", "background": "#1A5FB4", "foreground": "#FFFFFF" },
          "links": { "documentation": "https://kanidm.github.io/kanidm/stable/integrations/oauth2.html" },
          "registration": [
            "Create the client with kanidm system oauth2 create, and add the redirect URL.",
            "Give a group the scopes openid, email and profile with update-scope-map.",
            "Show the secret with show-basic-secret."
          ],
          "facts": [
            {
              "fact": "The endpoints are https://{host}/ui/oauth2 for the browser, /oauth2/token, /oauth2/token/revoke and /oauth2/openid/{client id}/userinfo.",
              "about": ["endpoints", "userinfo"],
              "page": "https://github.com/kanidm/kanidm/blob/03ce2a0c329b0bd053249fd6aadf34d80e488350/book/src/integrations/oauth2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer and the discovery document have the client's id in their path.",
              "about": ["endpoints"],
              "page": "https://github.com/kanidm/kanidm/blob/03ce2a0c329b0bd053249fd6aadf34d80e488350/book/src/integrations/oauth2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Clients have to use HTTP Basic, PKCE with S256, and ES256 for ID tokens.",
              "about": ["authentication"],
              "page": "https://github.com/kanidm/kanidm/blob/03ce2a0c329b0bd053249fd6aadf34d80e488350/book/src/integrations/oauth2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The subject is the UUID of the account; preferred_username can change.",
              "page": "https://github.com/kanidm/kanidm/blob/03ce2a0c329b0bd053249fd6aadf34d80e488350/book/src/integrations/oauth2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client needs a scope map with openid; email gives email and email_verified, profile the names.",
              "about": ["scopes"],
              "page": "https://github.com/kanidm/kanidm/blob/03ce2a0c329b0bd053249fd6aadf34d80e488350/book/src/integrations/oauth2.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer in ID tokens has no slash at its end.",
              "page": "https://kanidm.github.io/kanidm/stable/integrations/oauth2.html",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
