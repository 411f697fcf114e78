package backend

import (
	"net/http"

	"github.com/tabletop-db/tabletop/backend/devicetoken"
	"github.com/tabletop-db/tabletop/backend/push"
	"github.com/tabletop-db/tabletop/backend/tables"
)

func deviceTokens() System {
	return System{
		Name: "devicetoken", Title: "Device tokens",
		Summary:     "Phones register their push tokens and receive their user's notifications.",
		Schema:      func(prefix string) tables.Schema { return devicetoken.Schema(prefix, "") },
		Description: devicetoken.Description, Invariants: devicetoken.Invariants, mount: mountDeviceTokens,
	}
}

func mountDeviceTokens(mux *http.ServeMux, cfg Config) (*worker, error) {
	config := devicetoken.Config{
		Client: newClient(cfg), TablePrefix: cfg.TablePrefix, Tokens: cfg.Tokens, AdminToken: cfg.AdminToken,
		ActiveIndex: cfg.ActiveIndex, Now: cfg.Now, Logger: cfg.Logger, Wait: cfg.Wait,
	}
	if cfg.PushURL != "" {
		config.Push = push.NewExpo(cfg.PushURL, cfg.pushClient(push.NewClient), cfg.Wait)
	}
	service, err := devicetoken.New(config)
	if err != nil {
		return nil, err
	}
	return nil, service.Mount(mux)
}
