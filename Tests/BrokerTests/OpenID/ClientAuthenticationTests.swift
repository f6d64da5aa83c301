import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import Testing

@Suite("Client authentication")
struct ClientAuthenticationTests {
    @Test func `a secret counts in the header and in the form, but not in both`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let secret = try #require(app.secret)
            let user = try await broker.signedInUser()
            let basic = OAuthApp.basic(app.client.id, secret)
            let posted = [("client_id", app.client.id), ("client_secret", secret)]
            let ticket = try await app.ticket(for: user)

            let both = try await broker.postForm(
                "/oauth/token", ticket.form + posted, headers: ["Authorization": basic])
            let another = try await broker.postForm(
                "/oauth/token", ticket.form + [("client_id", "another")], headers: ["Authorization": basic])
            let repeated = try await broker.postForm(
                "/oauth/token", ticket.form + [posted[0]], headers: ["Authorization": basic])
            let form = try await broker.postForm("/oauth/token", try await app.ticket(for: user).form + posted)

            #expect(both.oauthError == "invalid_request" && another.oauthError == "invalid_request")
            #expect(repeated.status == 200 && form.status == 200, "\(repeated.text) \(form.text)")
        }
    }

    @Test func `id and secret are form-encoded inside the header`() async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let escaped = try #require(app.secret).utf8.map { "%" + String($0, radix: 16) }.joined()
            let header = "bAsIc " + Data("\(app.client.id):\(escaped)".utf8).base64EncodedString()

            let answer = try await broker.postForm(
                "/oauth/token", try await app.ticket(for: try await broker.signedInUser()).form,
                headers: ["Authorization": header])

            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(arguments: ["wrong secret", "no secret", "unknown client", "no client", "Bearer", "not Base64", "no colon"])
    func `an unauthenticated client receives 401 with a challenge`(mistake: String) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker)
            let id = app.client.id
            let headers: [String: String] = [
                "wrong secret": OAuthApp.basic(id, RandomText.secret()), "no secret": OAuthApp.basic(id, ""),
                "unknown client": OAuthApp.basic(RandomText.alphanumeric(22), RandomText.secret()),
                "Bearer": "Bearer x", "not Base64": "Basic !",
                "no colon": "Basic " + Data(id.utf8).base64EncodedString(),
            ]
            let ticket = try await app.ticket(for: try await broker.signedInUser())

            let answer = try await broker.postForm(
                "/oauth/token", ticket.form,
                headers: headers[mistake].map { ["Authorization": $0] } ?? [:])

            #expect(answer.status == 401 && answer.oauthError == "invalid_client", "\(answer.text)")
            #expect(answer.headers.first(name: "WWW-Authenticate")?.hasPrefix("Basic ") == true)
            #expect(try await app.token(ticket).status == 200, "the code is untouched")
        }
    }

    @Test(arguments: [Client.Kind.public, .native])
    func `clients that can keep no secret send their id alone`(kind: Client.Kind) async throws {
        try await TestBroker.run { broker in
            let app = try await OAuthApp(at: broker, kind)
            let user = try await broker.signedInUser()
            let claimed = OAuthApp(broker: broker, client: app.client, secret: RandomText.secret())

            #expect(try await app.token(try await app.ticket(for: user)).status == 200)
            let answer = try await claimed.token(try await app.ticket(for: user))
            #expect(answer.status == 401 && answer.oauthError == "invalid_client")
        }
    }

    @Test func `after a rotation the old secret counts for a day, or not at all`() async throws {
        try await TestBroker.run { broker in
            let old = try await OAuthApp(at: broker)
            let user = try await broker.signedInUser()
            let clients = broker.core.openID.clients
            let (_, secret) = try #require(
                try await clients.rotateSecret(ofClient: old.client.id, endingPrevious: false, origin: Origin(.admin)))
            let new = OAuthApp(broker: broker, client: old.client, secret: secret.text)

            #expect(try await new.token(try await new.ticket(for: user)).status == 200)
            broker.clock.advance(seconds: 24 * 3600 - 1)
            #expect(try await old.token(try await old.ticket(for: user)).status == 200)
            broker.clock.advance(seconds: 1)
            #expect(try await old.token(try await old.ticket(for: user)).oauthError == "invalid_client")

            let (_, last) = try #require(
                try await clients.rotateSecret(ofClient: old.client.id, endingPrevious: true, origin: Origin(.admin)))
            #expect(try await new.token(try await new.ticket(for: user)).oauthError == "invalid_client")
            let newest = OAuthApp(broker: broker, client: old.client, secret: last.text)
            #expect(try await newest.token(try await newest.ticket(for: user)).status == 200)
        }
    }

    @Test func `a removed client is unknown, and its tokens are invalid`() async throws {
        try await TestBroker.run { broker in
            let (app, other) = (try await OAuthApp(at: broker), try await OAuthApp(at: broker))
            let user = try await broker.signedInUser()
            let (mine, theirs) = (try await app.signIn(user), try await other.signIn(user))

            let ended = try await broker.core.openID.clients.remove(id: app.client.id, origin: Origin(.admin))

            #expect(ended == 1)
            #expect(try await broker.userInfo(mine.string("access_token")).status == 401)
            #expect(try await app.refresh(mine.string("refresh_token")).oauthError == "invalid_client")
            #expect(try await broker.userInfo(theirs.string("access_token")).status == 200)
            #expect(try await broker.core.openID.clients.remove(id: app.client.id, origin: Origin(.admin)) == nil)
        }
    }
}
