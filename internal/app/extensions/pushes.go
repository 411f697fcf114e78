package extensions

import (
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

const (
	maxPhones     = 500 // that the page shows, those of the latest deliveries
	maxDeliveries = 200 // of a phone that the page shows, and as many refusals
)

// gatewayAt is a push gateway and its address.
type gatewayAt struct {
	*pushgateway.Gateway
	url string
}

// SetGateway sets the running push gateway and its URL.
func (x *Extensions) SetGateway(g *pushgateway.Gateway, url string) {
	x.gateway.Store(&gatewayAt{g, url})
}

// pushesHandler returns the API of the console's page about push messages.
func (x *Extensions) pushesHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", respond(x.phones))
	mux.HandleFunc("POST /phones", respond(x.installPhone))
	mux.HandleFunc("GET /latest", respond(x.latestPushes))
	return mux
}

// runningGateway returns the push gateway. Errors: it has not started yet.
func (x *Extensions) runningGateway() (*gatewayAt, error) {
	if g := x.gateway.Load(); g != nil {
		return g, nil
	}
	return nil, &problem{http.StatusServiceUnavailable, errors.New("the push gateway is starting: try again")}
}

// phonesView is the phones of the gateway.
type phonesView struct {
	URL    string                `json:"url"`   // of the gateway
	Total  int                   `json:"total"` // number of phones
	Phones []pushgateway.Summary `json:"phones"`
}

// phones lists the phones with what they received.
func (x *Extensions) phones(*http.Request) (any, error) {
	g, err := x.runningGateway()
	if err != nil {
		return nil, err
	}
	all := g.Summaries()
	return phonesView{g.url, len(all), all[:min(len(all), maxPhones)]}, nil
}

// installPhone creates a phone with the app.
func (x *Extensions) installPhone(r *http.Request) (any, error) {
	var in struct {
		Platform string `json:"platform"`
	}
	if err := decode(r, &in); err != nil {
		return nil, err
	}
	g, err := x.runningGateway()
	if err != nil {
		return nil, err
	}
	p, err := g.Install("", in.Platform, "")
	if err != nil {
		return nil, invalid("%v", err)
	}
	return p, nil
}

// pushesView is what a phone received last, newest first.
type pushesView struct {
	Deliveries []pushgateway.Delivery `json:"deliveries"`
	Refusals   []pushgateway.Refusal  `json:"refusals"`
}

// latestPushes returns what the phone of the parameter phone received last, or all phones if it is empty.
func (x *Extensions) latestPushes(r *http.Request) (any, error) {
	g, err := x.runningGateway()
	if err != nil {
		return nil, err
	}
	v := pushesView{Deliveries: []pushgateway.Delivery{}, Refusals: []pushgateway.Refusal{}}
	deliveries, refusals := g.Latest(r.URL.Query().Get("phone"), maxDeliveries)
	v.Deliveries, v.Refusals = append(v.Deliveries, deliveries...), append(v.Refusals, refusals...)
	return v, nil
}
