// Package telemetryapi is a small client of the telemetry backend's HTTP API, for devices and the admin.
//
// Simulators and load tests use it and share no code with the backend: what they prove, they prove over the wire.
package telemetryapi

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// MaxReadings is the maximum number of readings in a request.
const MaxReadings = 100

// Client calls a backend. A nil HTTP is http.DefaultClient.
type Client struct {
	BaseURL    string // such as http://127.0.0.1:8080
	APIKey     string // 64 hex characters; needed for data
	AdminToken string // needed for API keys and for the hottest devices
	HTTP       *http.Client
}

// WithKey returns a copy of the client with another API key.
func (c *Client) WithKey(key string) *Client {
	copied := *c
	copied.APIKey = key
	return &copied
}

// Register registers a device after a boot; the first call assigns its confirmation id, later ones keep it.
func (c *Client) Register(ctx context.Context, r Registration) (Device, error) {
	var d Device
	err := c.do(ctx, http.MethodPost, "/telemetry/devices", r, &d)
	return d, err
}

// Send delivers 1 to 100 readings.
func (c *Client) Send(ctx context.Context, readings []Reading) (Ack, error) {
	var ack Ack
	err := c.do(ctx, http.MethodPost, "/telemetry/readings", readingsBody{readings}, &ack)
	return ack, err
}

type readingsBody struct {
	Readings []Reading `json:"readings"`
}

// Readings returns one page of a device's readings between these epoch milliseconds, both inclusive, oldest first.
func (c *Client) Readings(ctx context.Context, hardwareID string, from, to int64, limit int,
	cursor string) (Page, error) {
	q := url.Values{"from": {strconv.FormatInt(from, 10)}, "to": {strconv.FormatInt(to, 10)}, "order": {"asc"}}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	if cursor != "" {
		q.Set("cursor", cursor)
	}
	var page Page
	err := c.do(ctx, http.MethodGet, "/telemetry/devices/"+hardwareID+"/readings?"+q.Encode(), nil, &page)
	return page, err
}

// CreateKey creates an API key; it needs the admin token.
func (c *Client) CreateKey(ctx context.Context, description string) (Key, error) {
	var k Key
	err := c.do(ctx, http.MethodPost, "/telemetry/api-keys", map[string]string{"description": description}, &k)
	return k, err
}

// RevokeKey revokes an API key; it needs the admin token.
func (c *Client) RevokeKey(ctx context.Context, keyID string) error {
	return c.do(ctx, http.MethodDelete, "/telemetry/api-keys/"+keyID, nil, nil)
}

// Hottest returns the devices with the most writes in the last minute, in descending order; it needs the admin token.
func (c *Client) Hottest(ctx context.Context) ([]HotDevice, error) {
	var list struct {
		Devices []HotDevice `json:"devices"`
	}
	err := c.do(ctx, http.MethodGet, hottestPath, nil, &list)
	return list.Devices, err
}

const hottestPath = "/telemetry/hot-devices"

// do sends a request and decodes the response into out. Errors: a *Problem for a response that is not 2xx.
func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	call := sim.Call{Method: method, Path: path, Header: http.Header{}, In: in, Out: out}
	if c.APIKey != "" {
		call.Header.Set("X-API-Key", c.APIKey)
	}
	if c.AdminToken != "" && (path == hottestPath || strings.HasPrefix(path, "/telemetry/api-keys")) {
		call.Header.Set("Authorization", "Bearer "+c.AdminToken)
	}
	_, err := (&sim.Client{BaseURL: c.BaseURL, HTTP: c.HTTP}).Do(ctx, call)
	return err
}
