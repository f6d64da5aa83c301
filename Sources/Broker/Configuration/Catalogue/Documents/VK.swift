extension ProviderCatalogue {
    static let vk = #"""
        {
          "id": "oauth2.vk",
          "name": "VK ID",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://id.vk.com/authorize",
            "tokenUrl": "https://id.vk.com/oauth2/auth",
            "userinfoUrl": "https://id.vk.com/oauth2/user_info",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["vkid.personal_info", "email"],
            "tokenRequest": { "callbackParameters": ["device_id"] },
            "userinfoRequest": { "method": "POST", "format": "form", "body": { "client_id": "{app}" } },
            "claims": {
              "subject": "/user/user_id",
              "email": "/user/email",
              "givenName": "/user/first_name",
              "familyName": "/user/last_name",
              "pictureUrl": "/user/avatar"
            }
          },
          "variables": [
            {
              "name": "app",
              "description": "The app's id, the same as the client's id.",
              "pattern": "^[0-9]{1,20}$",
              "example": "7915193"
            }
          ],
          "button": { "text": "Continue with VK ID", "background": "#0066DB", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description",
            "console": "https://id.vk.com/about/business/go"
          },
          "registration": [
            "Create an app for the web in the console of VK ID.",
            "Enter the redirect URI as a trusted redirect URL.",
            "Give the app access to the address of its users, where it needs one.",
            "Copy the app's id and its protected key, which is the client's secret."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is GET https://id.vk.com/authorize with response_type, client_id, redirect_uri, state, code_challenge and code_challenge_method.",
              "about": ["endpoints"],
              "page": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "Scopes are separated by spaces; vkid.personal_info is the one that every app has, email gives the address.",
              "about": ["scopes"],
              "page": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "The authorization response has device_id beside the code, and the exchange of the code needs both.",
              "page": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/work-with-user-info/user-info",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "id.vk.com/oauth2/user_info tells of an access token what its scopes allow: names, picture and address.",
              "about": ["endpoints", "userinfo"],
              "page": "https://id.vk.ru/about/faq/business/vkid/user_data/30008",
              "read": "2026-11-27",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://id.vk.com/oauth2/auth with a form that has grant_type, code, code_verifier, client_id, device_id and redirect_uri; the app's protected key may stand in it.",
              "about": ["endpoints", "authentication"],
              "page": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description",
              "read": "2026-11-27",
              "verified": "memory"
            },
            {
              "fact": "user_info is a POST with client_id in a form; its response has user with user_id, first_name, last_name, avatar and email, without a word about verification.",
              "about": ["userinfo"],
              "page": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/work-with-user-info/user-info",
              "read": "2026-11-27",
              "verified": "memory"
            },
            {
              "fact": "A refresh needs device_id too, which a grant does not keep: the access token ends after an hour.",
              "page": "https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description",
              "read": "2026-11-27",
              "verified": "memory"
            }
          ]
        }
        """#
}
