package fleet

import (
	"context"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// keyring holds the API keys of a fleet: one that was given, or one created for each hundred devices.
type keyring struct {
	clients    []*telemetryapi.Client
	createdIDs []string
	admin      *telemetryapi.Client
	log        func(msg string, args ...any)
}

const devicesPerKey = 100

func newKeyring(ctx context.Context, r *run) (*keyring, error) {
	c := &telemetryapi.Client{BaseURL: r.cfg.BaseURL, APIKey: r.cfg.APIKey, HTTP: r.cfg.HTTP}
	if r.cfg.APIKey != "" {
		return &keyring{clients: []*telemetryapi.Client{c}}, nil
	}
	c.AdminToken = r.cfg.AdminToken
	k := &keyring{admin: c, log: r.cfg.Logger.Warn}
	for n := 0; n < len(r.cfg.numbers()); n += devicesPerKey {
		err := r.sender.withRetries(ctx, func() error {
			key, err := c.CreateKey(ctx, fmt.Sprintf("simulated fleet, seed %d, devices from %d", r.cfg.Seed, n))
			if err != nil {
				return err
			}
			k.createdIDs = append(k.createdIDs, key.KeyID)
			k.clients = append(k.clients, &telemetryapi.Client{BaseURL: c.BaseURL, APIKey: key.APIKey, HTTP: c.HTTP})
			return nil
		})
		if err != nil {
			k.revoke(ctx)
			return nil, err
		}
	}
	return k, nil
}

// client returns the client with the key of the device at this place among those that are simulated.
func (k *keyring) client(n int) *telemetryapi.Client {
	return k.clients[n/devicesPerKey%len(k.clients)]
}

// revoke revokes the keys that were created for the run, even if its context has ended.
func (k *keyring) revoke(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	for _, id := range k.createdIDs {
		if err := k.admin.RevokeKey(ctx, id); err != nil {
			k.log("API key not revoked", "key_id", id, "error", err)
			return
		}
	}
}
