/// The script of the handler page. What belongs to a sign-in waits in the browser's session storage under the `state`
/// the provider sends back, so that only the window that set out can come back.
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
            sessionStorage.setItem(slot(work.state), JSON.stringify(work.luggage));
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
            var luggage = JSON.parse(kept);
            deliver(luggage, event(luggage, { urlResponse: url, postBody: work.form || null }));
          }

          function fail() {
            deliver(work.luggage, event(work.luggage, { error: work.error }));
          }

          function event(luggage, outcome) {
            return {
              type: luggage.type,
              eventId: luggage.eventId || null,
              urlResponse: outcome.urlResponse || null,
              sessionId: luggage.sessionId || null,
              postBody: outcome.postBody || null,
              tenantId: null,
              error: outcome.error || null
            };
          }

          function deliver(luggage, authEvent) {
            var message = {
              eventType: "sendAuthEvent",
              data: { authEvent: authEvent, storageKey: luggage.key },
              eventId: luggage.eventId || null
            };
            if (!luggage.isPopup) {
              sessionStorage.setItem("firebase:redirectEvent:" + luggage.key, JSON.stringify(authEvent));
              sessionStorage.setItem("broker:origin:" + luggage.key, luggage.origin);
              location.replace(luggage.redirectUrl);
            } else if (!window.opener || window.opener.closed) {
              say("alone");
            } else if (luggage.byMessage) {
              // The browser delivers it to a page of this origin and to no other.
              window.opener.postMessage(message, luggage.origin);
            } else {
              toFrame(luggage, message, 40);
            }
          }

          // The SDK's frame may still be loading.
          function toFrame(luggage, message, attempts) {
            var frame = frameOf(luggage);
            if (frame) return frame.postMessage(message, location.origin);
            if (attempts === 0) return say("alone");
            setTimeout(function () { toFrame(luggage, message, attempts - 1); }, 250);
          }

          function frameOf(luggage) {
            var frames = window.opener.frames;
            for (var i = 0; i < frames.length; i++) {
              try {
                var place = frames[i].location;
                if (place.origin !== location.origin || !/\\/auth\\/iframe$/.test(place.pathname)) continue;
                var query = new URLSearchParams(place.search);
                if (query.get("apiKey") === luggage.apiKey && query.get("appName") === luggage.appName) {
                  return frames[i];
                }
              } catch (foreign) {
                // A frame of another site, which is not ours to look into.
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
