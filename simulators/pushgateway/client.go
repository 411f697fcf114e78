package pushgateway

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Client controls a gateway in another process, as the phones that register with it do.
type Client struct{ http sim.Client }

// NewClient returns a client of the gateway at baseURL, such as http://127.0.0.1:8090. A nil client is
// http.DefaultClient.
func NewClient(baseURL string, client *http.Client) *Client {
	return &Client{sim.Client{BaseURL: baseURL, HTTP: client}}
}

// Install calls Gateway.Install.
func (c *Client) Install(ctx context.Context, id, platform, project string) (p Phone, err error) {
	request := map[string]string{"id": id, "platform": platform, "project": project}
	_, err = c.http.Do(ctx, sim.Call{Method: http.MethodPost, Path: "/gateway/phones", In: request, Out: &p})
	return p, err
}

// Rotate calls Gateway.Rotate. Errors: the phone does not have the app.
func (c *Client) Rotate(ctx context.Context, id string) (Phone, error) {
	return c.change(ctx, id, "rotate")
}

// Uninstall calls Gateway.Uninstall. Errors: the phone does not have the app.
func (c *Client) Uninstall(ctx context.Context, id string) (Phone, error) {
	return c.change(ctx, id, "uninstall")
}

func (c *Client) change(ctx context.Context, id, action string) (p Phone, err error) {
	path := "/gateway/phones/" + url.PathEscape(id) + "/" + action
	_, err = c.http.Do(ctx, sim.Call{Method: http.MethodPost, Path: path, Out: &p})
	return p, err
}

// Deliveries returns all notifications after number, in order of arrival.
func (c *Client) Deliveries(ctx context.Context, number int64) (all []Delivery, err error) {
	for {
		var page struct{ Deliveries []Delivery }
		path := fmt.Sprintf("/gateway/deliveries?after=%d", number)
		if _, err := c.http.Do(ctx, sim.Call{Method: http.MethodGet, Path: path, Out: &page}); err != nil {
			return all, err
		}
		if len(page.Deliveries) == 0 {
			return all, nil
		}
		all = append(all, page.Deliveries...)
		number = all[len(all)-1].Number // not their count: the gateway discards its oldest deliveries
	}
}
