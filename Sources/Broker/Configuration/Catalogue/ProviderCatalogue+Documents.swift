extension ProviderCatalogue {
    /// The documents of this build, each in a file of `Documents`.
    static let documents = [
        adfs, adobe, airtable, amazon, anilist, asana, atlassian, auth0, authelia, authentik, azureB2c, basecamp,
        battleNet, betterAuth, bitbucket, box, calendly, canvas, casdoor, clerk, clickup, cloudflareAccess,
        cloudfoundry, codeberg, cognito, dex, digitalocean, discord, dropbox, facebook, figma, figshare, forgejo,
        freesound, fusionauth, gitea, gitlab, google, heroku, hubspot, huggingface, identityserver, instagram, kakao,
        kanidm, keycloak, kick, kinde, lichess, line, linear, linkedin, linode, mailRu, mastodon, microsoft,
        microsoftTenant, naver, notion, okta, openstreetmap, orcid, ory, osu, patreon, paypal, polar, procore, qq,
        railway, raindrop, reddit, roblox, salesforce, shopify, simplelogin, slack, spotify, strava, stripe, supabase,
        tiktok, twitch, twitter, vault, vercel, vk, webflow, wechat, wikimedia, yahoo, yandex, zitadel, zoom,
    ]
}
