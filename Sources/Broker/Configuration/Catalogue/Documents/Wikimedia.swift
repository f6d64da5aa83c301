extension ProviderCatalogue {
    static let wikimedia = #"""
        {
          "id": "oauth2.wikimedia",
          "name": "Wikimedia",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://meta.wikimedia.org/w/rest.php/oauth2/authorize",
            "tokenUrl": "https://meta.wikimedia.org/w/rest.php/oauth2/access_token",
            "userinfoUrl": "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile",
            "tokenEndpointAuthMethod": "client_secret_post",
            "pkce": true,
            "claims": {
              "subject": "/sub",
              "email": "/email",
              "emailVerified": "/confirmed_email",
              "displayName": "/username",
              "screenName": "/username"
            }
          },
          "button": { "text": "Continue with Wikimedia", "background": "#000000", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://www.mediawiki.org/wiki/OAuth/For_Developers",
            "console": "https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration/propose/oauth2"
          },
          "registration": [
            "Propose an OAuth 2.0 consumer on Meta-Wiki, for user identity verification with access to the address.",
            "Enter the callback URL.",
            "Until its approval only your own account can sign in."
          ],
          "facts": [
            {
              "fact": "The endpoints below https://meta.wikimedia.org/w/rest.php/oauth2 are authorize, access_token and resource/profile.",
              "about": ["endpoints"],
              "page": "https://www.mediawiki.org/wiki/OAuth/For_Developers",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The client sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://www.mediawiki.org/wiki/OAuth/For_Developers",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The rights are those of the consumer; without a scope all of them are asked for.",
              "about": ["scopes"],
              "page": "https://www.mediawiki.org/wiki/OAuth/For_Developers",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "resource/profile with a bearer token answers sub, the global id of the user, username, email and confirmed_email; a name may change, sub does not.",
              "about": ["userinfo"],
              "page": "https://www.mediawiki.org/wiki/OAuth/For_Developers",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "confirmed_email says whether the address is confirmed.",
              "page": "https://www.mediawiki.org/wiki/OAuth/For_Developers",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
