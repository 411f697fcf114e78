package backend

import (
	"context"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/push"
)

func kefirTracker() System {
	return System{
		Name: "kefir", Title: "Kefir tracker", Summary: "Brewers track their batches and get reminders.",
		Schema: kefir.Schema, Description: kefir.Description, Invariants: kefir.Invariants, mount: mountKefir,
	}
}

func mountKefir(mux *http.ServeMux, cfg Config) (*worker, error) {
	service, err := kefir.New(kefir.Config{
		Client: newClient(cfg), TablePrefix: cfg.TablePrefix, AdminToken: cfg.AdminToken, Tokens: cfg.Tokens,
		Now: cfg.Now, Logger: cfg.Logger, Wait: cfg.Wait,
	})
	if err != nil {
		return nil, err
	}
	return reminders(service, cfg), service.Mount(mux)
}

// reminders returns the worker that sends kefir's due reminders; nil without a push service.
func reminders(service *kefir.Service, cfg Config) *worker {
	if cfg.PushURL == "" {
		return nil
	}
	scheduler := kefir.NewScheduler(service, push.NewExpo(cfg.PushURL, cfg.pushClient(push.NewClient), cfg.Wait))
	return &worker{"kefir reminders", "minute", time.Minute, func(ctx context.Context) (bool, error) {
		_, err := scheduler.RunOnce(ctx)
		return false, err
	}}
}
