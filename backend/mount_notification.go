package backend

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/backend/push"
)

func notifications() System {
	return System{
		Name: "notification", Title: "Notifications",
		Summary: "Users of a social app are notified in the app and, outside their quiet hours, by push.",
		Store:   CosmosDB, Invariants: notification.Invariants, mount: mountNotification,
		createContainers: func(ctx context.Context, cfg Config) ([]string, error) {
			return notification.Create(ctx, cfg.Cosmos, cfg.TablePrefix+notification.Database, cfg.CosmosThroughput)
		},
	}
}

// mountNotification mounts the service and returns a worker that runs the documented query for work every second.
func mountNotification(mux *http.ServeMux, cfg Config) (*worker, error) {
	service, err := NewNotification(cfg)
	if err != nil {
		return nil, err
	}
	return &worker{"notifications", "second", time.Second, func(ctx context.Context) (bool, error) {
		round, err := service.Work(ctx)
		return round.Busy(), err
	}}, service.Mount(mux)
}

// NewNotification returns the notification service by itself, for jobs.
func NewNotification(cfg Config) (*notification.Service, error) {
	cfg = cfg.withDefaults()
	senders := cfg.Senders
	if senders == nil {
		var err error
		if senders, err = gatewaySenders(cfg); err != nil {
			return nil, err
		}
	}
	return notification.New(notification.Config{
		Client: cfg.Cosmos, Database: cfg.TablePrefix + notification.Database, AdminToken: cfg.AdminToken, Tokens: cfg.Tokens,
		Push: senders, Now: cfg.Now, Logger: cfg.Logger, Wait: cfg.Wait,
	})
}

// Defaults of the push gateway: the Firebase project, and the bundle id of the iOS app.
const (
	gatewayProject = "tabletop"
	gatewayTopic   = "com.example.app"
)

// gatewaySenders returns senders that use the APIs of FCM and APNs at PushURL's gateway, which accepts any well-formed
// credentials. Expo's own service supports neither API.
func gatewaySenders(cfg Config) (map[notification.Platform]push.Sender, error) {
	if cfg.PushURL == "" || strings.TrimSuffix(cfg.PushURL, "/") == push.ExpoURL {
		return nil, nil
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	var id [5]byte // a unique key id: APNs accepts a new token of a key only every twenty minutes
	rand.Read(id[:])
	key := push.Key{ID: strings.ToUpper(hex.EncodeToString(id[:])), Team: "TABLETOP00", Private: private}
	bearer := func(context.Context) (string, error) { return "local", nil }
	return map[notification.Platform]push.Sender{
		notification.FCM: push.NewFCM(cfg.PushURL, gatewayProject, bearer, cfg.pushClient(push.NewClient), cfg.Wait),
		notification.APNs: push.NewAPNs(cfg.PushURL, gatewayTopic, key, cfg.Now, cfg.pushClient(push.NewAPNsClient),
			cfg.Wait),
	}, nil
}
