/// The script of the handler page. It stores the SDK's request in the browser's session storage under the `state` that the
/// provider sends back, so that only the window that started can finish.
enum HandlerScript {
    static let text = """
        (function () {
          "use strict";
          var work = JSON.parse(document.getElementById("data").textContent);

          function say(id) {
            document.getElementById("working").hidden = true;
            document.getElementById(id).hidden = false;
          }

          function slot(state) { return "broker:sign-in:" + state; }

          function begin() {
            sessionStorage.setItem(slot(work.state), JSON.stringify(work.request));
            location.replace(work.authorizationUrl);
          }

          // A provider answers in the query, in a posted form or in the fragment.
          function stateOfAnswer() {
            var places = [location.search, work.form || "", location.hash.slice(1)];
            for (var i = 0; i < places.length; i++) {
              var state = new URLSearchParams(places[i]).get("state");
              if (state) return state;
            }
            return null;
          }

          function resume() {
            var state = stateOfAnswer();
            var kept = state && sessionStorage.getItem(slot(state));
            if (!kept) return say("lost");
            sessionStorage.removeItem(slot(state));
            var url = location.href;
            history.replaceState(null, "", location.pathname);
            var request = JSON.parse(kept);
            deliver(request, event(request, { urlResponse: url, postBody: work.form || null }));
          }

          function fail() {
            deliver(work.request, event(work.request, { error: work.error }));
          }

          function event(request, outcome) {
            return {
              type: request.type,
              eventId: request.eventId || null,
              urlResponse: outcome.urlResponse || null,
              sessionId: request.sessionId || null,
              postBody: outcome.postBody || null,
              tenantId: null,
              error: outcome.error || null
            };
          }

          function deliver(request, authEvent) {
            var message = {
              eventType: "sendAuthEvent",
              data: { authEvent: authEvent, storageKey: request.key },
              eventId: request.eventId || null
            };
            if (!request.isPopup) {
              sessionStorage.setItem("firebase:redirectEvent:" + request.key, JSON.stringify(authEvent));
              sessionStorage.setItem("broker:origin:" + request.key, request.origin);
              location.replace(request.redirectUrl);
            } else if (!window.opener || window.opener.closed) {
              say("alone");
            } else if (request.byMessage) {
              // The browser delivers it to a page of this origin and to no other.
              window.opener.postMessage(message, request.origin);
            } else {
              toFrame(request, message, 40);
            }
          }

          // The SDK's frame may still be loading.
          function toFrame(request, message, attempts) {
            var frame = frameOf(request);
            if (frame) return frame.postMessage(message, location.origin);
            if (attempts === 0) return say("alone");
            setTimeout(function () { toFrame(request, message, attempts - 1); }, 250);
          }

          function frameOf(request) {
            var frames = window.opener.frames;
            for (var i = 0; i < frames.length; i++) {
              try {
                var place = frames[i].location;
                if (place.origin !== location.origin || !/\\/auth\\/iframe$/.test(place.pathname)) continue;
                var query = new URLSearchParams(place.search);
                if (query.get("apiKey") === request.apiKey && query.get("appName") === request.appName) {
                  return frames[i];
                }
              } catch (foreign) {
                // A frame of another site, whose location is not readable.
              }
            }
            return null;
          }

          try {
            ({ begin: begin, resume: resume, fail: fail })[work.step]();
          } catch (refused) {
            say("no-storage");
          }
        })();
        """
}
