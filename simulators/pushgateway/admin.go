package pushgateway

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// pageSize is the maximum number of deliveries in a response, and the default.
const pageSize = 1000

// Guide returns what a gateway serves at a URL, as lines of text: its APIs, and the first commands to try.
func Guide(url string) string {
	return fmt.Sprintf(`Expo         %[1]s/--/api/v2/push/send
FCM          %[1]s/v1/projects/…/messages:send
APNs         %[1]s/3/device/…   HTTP/2 without TLS
Deliveries   %[1]s/gateway/deliveries
New phone    curl -d '{"platform":"ios"}' %[1]s/gateway/phones
`, url)
}

func (g *Gateway) mountAdmin() {
	g.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, Guide("http://"+r.Host))
	})
	g.mux.HandleFunc("GET /gateway/phones", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"phones": g.Phones()})
	})
	g.mux.HandleFunc("POST /gateway/phones", g.installPhone)
	g.mux.HandleFunc("GET /gateway/phones/{id}", phoneRoute(g.Phone))
	g.mux.HandleFunc("POST /gateway/phones/{id}/rotate", phoneRoute(g.Rotate))
	g.mux.HandleFunc("POST /gateway/phones/{id}/uninstall", phoneRoute(g.Uninstall))
	g.mux.HandleFunc("GET /gateway/deliveries", g.listDeliveries)
	g.mux.HandleFunc("POST /gateway/faults", g.addFault)
	g.mux.HandleFunc("GET /gateway/healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
}

// installPhone handles POST /gateway/phones {"platform", "id"?, "project"?}.
func (g *Gateway) installPhone(w http.ResponseWriter, r *http.Request) {
	var request struct{ ID, Platform, Project string }
	if !decodeBody(w, r, &request) {
		return
	}
	p, err := g.Install(request.ID, request.Platform, request.Project)
	if err != nil {
		writeProblem(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	writeJSON(w, http.StatusOK, p)
}

// phoneRoute responds with the result of do for the phone in the path.
func phoneRoute(do func(id string) (Phone, bool)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p, ok := do(r.PathValue("id"))
		if !ok {
			writeProblem(w, http.StatusNotFound, "no such phone with the app installed")
			return
		}
		writeJSON(w, http.StatusOK, p)
	}
}

// listDeliveries handles GET /gateway/deliveries?after=&limit=, oldest first.
func (g *Gateway) listDeliveries(w http.ResponseWriter, r *http.Request) {
	number := func(name string, fallback int64) (int64, bool) {
		text := r.URL.Query().Get(name)
		if text == "" {
			return fallback, true
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			writeProblem(w, http.StatusUnprocessableEntity, fmt.Sprintf("%s: use a non-negative integer", name))
			return 0, false
		}
		return n, true
	}
	after, ok := number("after", 0)
	if !ok {
		return
	}
	limit, ok := number("limit", pageSize)
	if !ok {
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"deliveries": g.Deliveries(after, int(min(max(1, limit), pageSize)))})
}

func (g *Gateway) addFault(w http.ResponseWriter, r *http.Request) {
	f := Fault{Times: 1}
	if !decodeBody(w, r, &f) {
		return
	}
	if err := g.Fail(f); err != nil {
		writeProblem(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// decodeBody decodes a JSON object and rejects unknown fields.
func decodeBody(w http.ResponseWriter, r *http.Request, into any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		writeProblem(w, http.StatusBadRequest, "the body is not valid JSON: "+err.Error())
		return false
	}
	return true
}

// writeProblem writes an error of the gateway itself as problem details (RFC 9457).
func writeProblem(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"title": http.StatusText(status), "status": status, "detail": detail})
}
