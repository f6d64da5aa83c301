extension ProviderCatalogue {
    static let orcid = #"""
        {
          "id": "oidc.orcid",
          "name": "ORCID",
          "use": "oidc",
          "options": {
            "issuer": "https://orcid.org",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid"],
            "claims": { "displayName": "/name", "givenName": "/given_name", "familyName": "/family_name" }
          },
          "button": { "text": "Continue with ORCID", "background": "#3F6B00", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://info.orcid.org/documentation/api-tutorials/api-tutorial-get-and-authenticated-orcid-id/",
            "console": "https://orcid.org/developer-tools",
            "brand": "https://info.orcid.org/brand-guidelines/"
          },
          "registration": [
            "Register the public API in ORCID's developer tools; a verified address is needed there.",
            "Add the redirect URI.",
            "The sandbox is another provider: its iDs are not those of orcid.org."
          ],
          "facts": [
            {
              "fact": "The discovery document is /.well-known/openid-configuration, the authorization endpoint /oauth/authorize, the token endpoint POST /oauth/token, userinfo /oauth/userinfo; the page writes them with the sandbox's host, sandbox.orcid.org.",
              "about": ["endpoints"],
              "page": "https://github.com/ORCID/ORCID-Source/blob/16e6c59a8a0f3d69e029ba7a2d6df746af632139/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer in ID tokens is https://orcid.org; they are signed with RS256.",
              "about": ["endpoints"],
              "page": "https://github.com/ORCID/ORCID-Source/blob/16e6c59a8a0f3d69e029ba7a2d6df746af632139/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The form of the token request has client_id, client_secret, grant_type, code and redirect_uri.",
              "about": ["authentication"],
              "page": "https://github.com/ORCID/ORCID-Source/blob/16e6c59a8a0f3d69e029ba7a2d6df746af632139/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scope is openid alone, in place of /authenticate; the public and the member API work the same way.",
              "about": ["scopes"],
              "page": "https://github.com/ORCID/ORCID-Source/blob/16e6c59a8a0f3d69e029ba7a2d6df746af632139/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the ORCID iD; userinfo takes a bearer token and answers sub, name, family_name and given_name.",
              "about": ["userinfo"],
              "page": "https://github.com/ORCID/ORCID-Source/blob/16e6c59a8a0f3d69e029ba7a2d6df746af632139/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has orcid and name beside id_token.",
              "page": "https://github.com/ORCID/ORCID-Source/blob/16e6c59a8a0f3d69e029ba7a2d6df746af632139/orcid-web/ORCID_AUTH_WITH_OPENID_CONNECT.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "An ORCID iD belongs to one person for ever; no address is given.",
              "page": "https://info.orcid.org/documentation/api-tutorials/api-tutorial-get-and-authenticated-orcid-id/",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
