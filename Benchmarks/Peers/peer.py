"""What the scripts of this folder share: each runs another server for BrokerBench.

A script is started as `NAME FOLDER USERS ISSUER CLIENT`: a folder in memory for all files, how many users (or sessions)
to make, and the provider whose ID tokens people sign in with. It prints one line of JSON with what BrokerBench asks the
server, and ends with its standard input.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Answers with the redirect itself."""

    def http_error_302(self, request, response, code, message, headers):
        return response

    http_error_303 = http_error_302


def openssl(*arguments, text=None):
    return subprocess.run(["openssl", *arguments], input=text, check=True, capture_output=True, text=True).stdout


def es256_key():
    """A new key of P-256: the private and the public one, as PEM."""
    private = openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    return private, openssl("pkey", "-pubout", text=private)


class Peer:
    """A server in processes of its own, at a free port of 127.0.0.1."""

    def __init__(self):
        self.folder, users, self.issuer, self.client = sys.argv[1:5]
        self.users = int(users)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def run(self, command, environment=None, text=None):
        """Runs a program to its end; `text` is its standard input."""
        subprocess.run(
            command, cwd=self.folder, check=True, env={**os.environ, **(environment or {})}, input=text, text=True,
            stdout=sys.stderr)

    def start(self, command, ready, environment=None):
        """Starts the server and waits until it answers at the path `ready`, whatever it answers."""
        log = open(f"{self.folder}/output.log", "w")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
            env={**os.environ, **(environment or {})})
        atexit.register(self.stop)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        for _ in range(600):
            try:
                urllib.request.urlopen(self.url + ready).read()
                return
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)
            if self.process.poll() is not None:
                break
        self.fail()

    def fail(self):
        sys.stderr.write(open(f"{self.folder}/output.log").read()[-2000:])
        sys.exit(1)

    def token(self, path, form):
        """What a token endpoint answers."""
        body = urllib.parse.urlencode(form).encode()
        return json.load(urllib.request.urlopen(self.url + path, body))

    def serve_refresh(self, path, tokens, rotates=True, **parameters):
        """Has refresh tokens exchanged until the standard input ends."""
        form = urllib.parse.urlencode({"grant_type": "refresh_token", **parameters})
        self.serve({
            "path": path, "contentType": "application/x-www-form-urlencoded", "rotates": rotates,
            "prefix": form + "&refresh_token=", "suffix": "", "tokens": tokens, "expects": "access_token",
        })

    def serve_sign_in(self, path, prefix, suffix):
        """Has people sign in with ID tokens, each between `prefix` and `suffix`, until the standard input ends."""
        self.serve({
            "path": path, "contentType": "application/json", "rotates": False, "prefix": prefix, "suffix": suffix,
            "expects": "session_token",
        })

    def serve(self, question):
        print(json.dumps({"port": self.port, "process": self.process.pid, **question}), flush=True)
        sys.stdin.read()

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
