"""An app that signs people in with Authlib, and the browser they do it in.

Reads a JSON object from standard input: the app's registration and the steps to take. Writes a JSON array with one
object for each step. Whatever an OpenID Connect client has to refuse ends it with a message instead.
"""

import base64
import hashlib
import json
import secrets
import sys
import time
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet


class Page(HTMLParser):
    """The forms and links of a page."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.links = [], []
        self._link = self._radio = self._button = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.forms.append({"action": attributes.get("action", ""), "method": attributes.get("method", "get"),
                               "fields": [], "choices": [], "buttons": []})
        elif tag == "a" and "href" in attributes:
            self._link = {"href": attributes["href"], "text": ""}
            self.links.append(self._link)
        elif tag == "input" and self.forms:
            kind, name, value = attributes.get("type"), attributes.get("name"), attributes.get("value", "on")
            if kind == "radio":
                self._radio = {"name": name, "value": value, "text": "", "checked": "checked" in attributes}
                self.forms[-1]["choices"].append(self._radio)
            elif name and (kind != "checkbox" or "checked" in attributes or "required" in attributes):
                self.forms[-1]["fields"].append((name, value))
        elif tag == "button" and self.forms:
            self._button = {"name": attributes.get("name"), "value": attributes.get("value", ""), "text": ""}
            self.forms[-1]["buttons"].append(self._button)

    def handle_endtag(self, tag):
        if tag == "a":
            self._link = None
        elif tag in ("label", "form"):
            self._radio = None
        elif tag == "button":
            self._button = None

    def handle_data(self, data):
        for place in (self._link, self._radio, self._button):
            if place is not None:
                place["text"] += data


class Person:
    """Somebody with a browser: keeps cookies, follows redirects, chooses whom to be on a provider's page."""

    def __init__(self, name, provider):
        self.name, self.provider = name, provider
        self.browser = requests.Session()
        self.browser.trust_env = False
        self.pages = []

    def go(self, url, until):
        """Visits an address and does what the pages ask for, until the address starts with `until`."""
        self.pages = []
        method, fields = "GET", None
        for _ in range(30):
            if url.startswith(until):
                return url
            origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
            headers = {} if method == "GET" else {"Origin": self.origin}
            answer = self.browser.request(method, url, data=fields, headers=headers, allow_redirects=False, timeout=30)
            self.origin = origin
            if answer.is_redirect:
                method, fields, url = "GET", None, urljoin(url, answer.headers["Location"])
                continue
            if answer.status_code != 200:
                raise SystemExit(f"{method} {url} was answered with {answer.status_code}: {answer.text[:2000]}")
            self.pages.append(url)
            method, url, fields = self.act(url, Page(answer.text))
        raise SystemExit(f"the browser went in circles: {self.pages}")

    def act(self, url, page):
        """The one thing to do on a page."""
        for form in page.forms:
            fields = list(form["fields"])
            people = [choice for choice in form["choices"] if choice["name"] == "person"]
            for choice in form["choices"]:
                chosen = self.name in choice["text"] if choice in people else choice["checked"]
                if chosen:
                    fields.append((choice["name"], choice["value"]))
            if people and not any(name == "person" for name, _ in fields):
                raise SystemExit(f"nobody is called {self.name}: {[choice['text'] for choice in people]}")
            if form["buttons"] and form["buttons"][0]["name"]:
                fields.append((form["buttons"][0]["name"], form["buttons"][0]["value"]))
            return form["method"].upper(), urljoin(url, form["action"]), fields
        for link in page.links:
            if self.provider and self.provider in link["text"]:
                return "GET", urljoin(url, link["href"]), None
        raise SystemExit(f"there is nothing to do at {url}: {[link['text'] for link in page.links]}")


class App:
    """A registered client."""

    def __init__(self, registration):
        self.registration = registration
        self.http = requests.Session()
        self.http.trust_env = False
        self.issuer = registration["issuer"]
        self.metadata = self.fetch(self.issuer.rstrip("/") + "/.well-known/openid-configuration")
        if self.metadata["issuer"] != self.issuer:
            raise SystemExit(f"the issuer calls itself {self.metadata['issuer']}")
        self.client = OAuth2Session(
            registration["client_id"], registration.get("client_secret"), scope=registration["scope"],
            redirect_uri=registration["redirect_uri"], code_challenge_method="S256",
            token_endpoint_auth_method=registration.get("authentication", "client_secret_basic"))
        self.client.trust_env = False
        self.token = {}
        self.person = Person(registration["person"], registration.get("provider_name"))

    def fetch(self, url):
        answer = self.http.get(url, timeout=30)
        answer.raise_for_status()
        return answer.json()

    def claims(self, nonce=None):
        """The claims of the ID token, once everything OpenID Connect Core §3.1.3.7 asks for holds."""
        keys = KeySet.import_key_set(self.fetch(self.metadata["jwks_uri"]))
        algorithms = self.metadata["id_token_signing_alg_values_supported"]
        token = jwt.decode(self.token["id_token"], keys, algorithms=algorithms)
        rules = {
            "iss": {"essential": True, "value": self.issuer},
            "aud": {"essential": True, "value": self.registration["client_id"]},
            "sub": {"essential": True}, "exp": {"essential": True}, "iat": {"essential": True},
        }
        if nonce:
            rules["nonce"] = {"essential": True, "value": nonce}
        jwt.JWTClaimsRegistry(leeway=5, **rules).validate(token.claims)
        digest = hashlib.sha256(self.token["access_token"].encode("ascii")).digest()
        at_hash = base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode("ascii")
        if token.claims.get("at_hash", at_hash) != at_hash:
            raise SystemExit("at_hash does not belong to the access token")
        return {"header": token.header, "claims": token.claims, "has_at_hash": "at_hash" in token.claims}

    def authorize(self, parameters):
        """Sends the person to the issuer; what the browser brings back, with `state` and `iss` checked."""
        self.verifier, self.nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
        url, state = self.client.create_authorization_url(
            self.metadata["authorization_endpoint"], code_verifier=self.verifier, nonce=self.nonce, **parameters)
        landed = self.person.go(url, self.registration["redirect_uri"])
        fields = dict(parse_qsl(urlsplit(landed).query))
        if fields.pop("state", None) != state:
            raise SystemExit(f"the state came back changed: {landed}")
        promised = self.metadata.get("authorization_response_iss_parameter_supported", False)
        if fields.get("iss", None if promised else self.issuer) != self.issuer:
            raise SystemExit(f"RFC 9207: the answer is not from this issuer: {landed}")
        self.landed, self.state = landed, state
        return fields

    def step_authorize(self, parameters):
        fields = self.authorize(parameters)
        return {"fields": sorted(fields), "error": fields.get("error"), "pages": len(self.person.pages)}

    def step_sign_in(self, parameters):
        fields = self.authorize(parameters)
        if "error" in fields:
            raise SystemExit(f"the issuer refused: {fields}")
        self.token = dict(self.client.fetch_token(
            self.metadata["token_endpoint"], authorization_response=self.landed, state=self.state,
            code_verifier=self.verifier))
        now = int(time.time())
        result = self.claims(self.nonce)
        auth_time = result["claims"].get("auth_time")
        age = now - auth_time if auth_time is not None else None
        return dict(result, members=sorted(self.token), pages=len(self.person.pages), seconds_since_auth=age)

    def step_next_second(self, parameters):
        now = time.time()
        time.sleep(int(now) + 1.01 - now)
        return {}

    def step_userinfo(self, parameters):
        answer = self.http.get(
            self.metadata["userinfo_endpoint"], timeout=30,
            headers={"Authorization": "Bearer " + self.token["access_token"]})
        return {"status": answer.status_code, "claims": answer.json() if answer.ok else None}

    def step_refresh(self, parameters):
        before = dict(self.token)
        answer = self.client.refresh_token(self.metadata["token_endpoint"], refresh_token=before["refresh_token"])
        self.token = dict(before, **answer)
        return dict(self.claims(), rotated=self.token["refresh_token"] != before["refresh_token"],
                    renewed=self.token["access_token"] != before["access_token"])

    def step_introspect(self, parameters):
        kind = parameters["token"]
        answer = self.client.introspect_token(
            self.metadata["introspection_endpoint"], token=self.token[kind], token_type_hint=kind)
        return {"status": answer.status_code, "answer": answer.json()}

    def step_revoke(self, parameters):
        kind = parameters["token"]
        answer = self.client.revoke_token(
            self.metadata["revocation_endpoint"], token=self.token[kind], token_type_hint=kind)
        return {"status": answer.status_code}

    def step_logout(self, parameters):
        state = secrets.token_urlsafe(8)
        query = {"id_token_hint": self.token["id_token"], "state": state, **parameters}
        url = requests.Request("GET", self.metadata["end_session_endpoint"], params=query).prepare().url
        landed = self.person.go(url, parameters["post_logout_redirect_uri"])
        return {"state_came_back": dict(parse_qsl(urlsplit(landed).query)).get("state") == state,
                "pages": len(self.person.pages)}


def main():
    registration = json.load(sys.stdin)
    app = App(registration)
    results = []
    for step in registration["steps"]:
        results.append(getattr(app, "step_" + step["do"])(step.get("with", {})))
    json.dump(results, sys.stdout)


main()
