extension ProviderCatalogue {
    static let google = #"""
        {
          "id": "google.com",
          "name": "Google",
          "use": "oidc",
          "options": {
            "issuer": "https://accounts.google.com",
            "scopes": ["openid", "email", "profile"],
            "authorizationParameters": { "access_type": "offline", "prompt": "consent" },
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "pictureUrl": "/picture"
            }
          },
          "trustEmail": true,
          "button": { "text": "Continue with Google", "background": "#FFFFFF", "foreground": "#1F1F1F" },
          "links": {
            "documentation": "https://developers.google.com/identity/openid-connect/openid-connect",
            "console": "https://console.cloud.google.com/auth/clients",
            "brand": "https://developers.google.com/identity/branding-guidelines"
          },
          "registration": [
            "Configure the consent screen in the Google Cloud console, with the scopes openid, email and profile.",
            "Create an OAuth client id of the type Web application.",
            "Add the redirect URI under Authorized redirect URIs.",
            "For one Workspace only, add requiredClaims with hd to the entry."
          ],
          "facts": [
            {
              "fact": "The discovery document is https://accounts.google.com/.well-known/openid-configuration, the issuer https://accounts.google.com.",
              "about": ["endpoints"],
              "page": "https://developers.google.com/identity/openid-connect/reference",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The discovery document has the authorization endpoint https://accounts.google.com/o/oauth2/v2/auth, the token endpoint https://oauth2.googleapis.com/token, userinfo https://openidconnect.googleapis.com/v1/userinfo and revocation https://oauth2.googleapis.com/revoke.",
              "about": ["endpoints"],
              "page": "https://accounts.google.com/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Clients authenticate with client_secret_post or client_secret_basic; PKCE with S256 is supported; ID tokens are signed with RS256.",
              "about": ["authentication"],
              "page": "https://accounts.google.com/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes are openid, email and profile.",
              "about": ["scopes"],
              "page": "https://accounts.google.com/.well-known/openid-configuration",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is unique among all Google accounts, never reused and the one to identify a user by.",
              "about": ["userinfo"],
              "page": "https://developers.google.com/identity/gsi/web/reference/js-reference",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "email comes with the scope email and may not be unique; email_verified is a Boolean.",
              "about": ["userinfo"],
              "page": "https://cloud.google.com/nodejs/docs/reference/google-auth-library/latest/google-auth-library/tokenpayload",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Google is authoritative for addresses of gmail.com, and where email_verified is true and hd is set; other addresses were verified once and may have changed hands.",
              "page": "https://developers.google.com/identity/gsi/web/reference/js-reference",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "access_type=offline with prompt=consent brings a refresh token at every sign-in.",
              "page": "https://developers.google.com/identity/openid-connect/openid-connect",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
