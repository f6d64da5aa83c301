extension ProviderCatalogue {
    static let supabase = #"""
        {
          "id": "oidc.supabase",
          "name": "Supabase",
          "use": "oidc",
          "options": {
            "issuer": "https://{project}.supabase.co/auth/v1",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "email", "profile"],
            "algorithms": ["RS256", "ES256"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "project",
              "description": "Reference of the Supabase project.",
              "pattern": "^[a-z0-9]{8,40}$",
              "example": "abcdefghijklmnopqrst"
            }
          ],
          "button": { "text": "Continue with Supabase", "background": "#1F1F1F", "foreground": "#3ECF8E" },
          "links": {
            "documentation": "https://supabase.com/docs/guides/auth/oauth-server/oauth-flows",
            "console": "https://supabase.com/dashboard/project/_/auth/oauth-server"
          },
          "registration": [
            "Enable the OAuth server in the project's authentication settings, and give it an authorization path.",
            "Switch the JWT signing key to an asymmetric one: the ID token of a symmetric key cannot be verified.",
            "Create an OAuth app of the type confidential with the redirect URI."
          ],
          "facts": [
            {
              "fact": "The issuer is https://PROJECT.supabase.co/auth/v1; below it lie /oauth/authorize, POST /oauth/token and GET /oauth/userinfo.",
              "about": ["endpoints"],
              "page": "https://github.com/supabase/supabase/blob/0a952745efe060e05420937124a49a3bbe08d6ac/apps/docs/content/guides/auth/oauth-server/oauth-flows.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A confidential client sends client_id and client_secret in the form of the token request.",
              "about": ["authentication"],
              "page": "https://github.com/supabase/supabase/blob/0a952745efe060e05420937124a49a3bbe08d6ac/apps/docs/content/guides/auth/oauth-server/oauth-flows.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is required.",
              "page": "https://github.com/supabase/supabase/blob/0a952745efe060e05420937124a49a3bbe08d6ac/apps/docs/content/guides/auth/oauth-server/oauth-flows.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid, email and profile are separated by spaces.",
              "about": ["scopes"],
              "page": "https://github.com/supabase/supabase/blob/0a952745efe060e05420937124a49a3bbe08d6ac/apps/docs/content/guides/auth/oauth-server/oauth-flows.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "sub is the user's id, a UUID; email, email_verified, name and picture are claims of the ID token.",
              "about": ["userinfo"],
              "page": "https://github.com/supabase/supabase/blob/0a952745efe060e05420937124a49a3bbe08d6ac/apps/docs/content/guides/auth/oauth-server/oauth-flows.mdx",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Anyone who administers the project decides what email_verified means there.",
              "page": "https://supabase.com/docs/guides/auth/oauth-server/oauth-flows",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
