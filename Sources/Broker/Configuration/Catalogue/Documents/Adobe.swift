extension ProviderCatalogue {
    static let adobe = #"""
        {
          "id": "oidc.adobe",
          "name": "Adobe",
          "use": "oidc",
          "options": {
            "issuer": "https://ims-na1.adobelogin.com",
            "discovery": false,
            "endpoints": {
              "authorization": "https://ims-na1.adobelogin.com/ims/authorize/v2",
              "token": "https://ims-na1.adobelogin.com/ims/token/v3",
              "userinfo": "https://ims-na1.adobelogin.com/ims/userinfo/v2",
              "jwks": "https://ims-na1.adobelogin.com/ims/keys",
              "revocation": "https://ims-na1.adobelogin.com/ims/revoke"
            },
            "tokenEndpointAuthMethod": "client_secret_basic",
            "scopes": ["openid", "email", "profile"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name"
            }
          },
          "button": { "text": "Continue with Adobe", "background": "#EB1000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developer.adobe.com/developer-console/docs/guides/authentication/UserAuthentication/ims",
            "console": "https://developer.adobe.com/console"
          },
          "registration": [
            "Create a project in the Adobe Developer Console.",
            "Add a credential for OAuth Web App.",
            "Enter the default redirect URI and the redirect URI pattern, with dots escaped.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The discovery document is https://ims-na1.adobelogin.com/ims/.well-known/openid-configuration, the issuer https://ims-na1.adobelogin.com.",
              "about": ["endpoints"],
              "page": "https://github.com/AdobeDocs/adobe-dev-console/blob/0535ba0872c7dce4c2b47d3c9bd7b659dcda3448/src/pages/guides/authentication/UserAuthentication/ims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The authorization endpoint is https://ims-na1.adobelogin.com/ims/authorize/v2, the token endpoint POST https://ims-na1.adobelogin.com/ims/token/v3, userinfo GET https://ims-na1.adobelogin.com/ims/userinfo/v2.",
              "about": ["endpoints"],
              "page": "https://github.com/AdobeDocs/adobe-dev-console/blob/0535ba0872c7dce4c2b47d3c9bd7b659dcda3448/src/pages/guides/authentication/UserAuthentication/ims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A confidential client authenticates with HTTP Basic; client_secret_post is supported too.",
              "about": ["authentication"],
              "page": "https://github.com/AdobeDocs/adobe-dev-console/blob/0535ba0872c7dce4c2b47d3c9bd7b659dcda3448/src/pages/guides/authentication/UserAuthentication/ims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid, email and profile are separated by spaces or commas; offline_access brings a refresh token.",
              "about": ["scopes"],
              "page": "https://github.com/AdobeDocs/adobe-dev-console/blob/0535ba0872c7dce4c2b47d3c9bd7b659dcda3448/src/pages/guides/authentication/UserAuthentication/ims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the user ID; email and email_verified come with the scope email, name, given_name and family_name with profile.",
              "about": ["userinfo"],
              "page": "https://github.com/AdobeDocs/adobe-dev-console/blob/0535ba0872c7dce4c2b47d3c9bd7b659dcda3448/src/pages/guides/authentication/UserAuthentication/ims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "ID tokens are signed with RS256; PKCE with S256 is supported, and plain is the default method.",
              "page": "https://github.com/AdobeDocs/adobe-dev-console/blob/0535ba0872c7dce4c2b47d3c9bd7b659dcda3448/src/pages/guides/authentication/UserAuthentication/ims.md",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
