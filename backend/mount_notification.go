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
		Name: "notification", Title: "Notifications", Says: "What happens in a social app reaches its users: in the app, and on their phones when it is not quiet.",
		Store: CosmosDB, mount: mountNotification,
		containers: func(ctx context.Context, cfg Config) ([]string, error) {
			return notification.Create(ctx, cfg.Cosmos, cfg.TablePrefix+notification.Database, cfg.CosmosThroughput)
		},
	}
}

// mountNotification has a worker that asks for work as documented, each second.
func mountNotification(mux *http.ServeMux, cfg Config) (*worker, error) {
	service, err := NewNotification(cfg)
	if err != nil {
		return nil, err
	}
	return &worker{"notifications each second", time.Second, func(ctx context.Context) (bool, error) {
		did, err := service.Work(ctx)
		return did.Busy(), err
	}}, service.Mount(mux)
}

// NewNotification makes the service of notifications by itself, as jobs use it.
func NewNotification(cfg Config) (*notification.Service, error) {
	cfg = cfg.complete()
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

// What the push gateway takes by default: the Firebase project, and the bundle id of the iOS app.
const (
	gatewayProject = "tabletop"
	gatewayTopic   = "com.example.app"
)

// gatewaySenders speak FCM and APNs to the gateway at PushURL, which takes any credentials of the right form. Expo's
// own service takes neither.
func gatewaySenders(cfg Config) (map[notification.Platform]push.Sender, error) {
	if cfg.PushURL == "" || strings.TrimSuffix(cfg.PushURL, "/") == push.ExpoURL {
		return nil, nil
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	var id [5]byte // a key of its own: APNs takes a new token of a key every twenty minutes only
	rand.Read(id[:])
	key := push.Key{ID: strings.ToUpper(hex.EncodeToString(id[:])), Team: "TABLETOP00", Private: private}
	bearer := func(context.Context) (string, error) { return "desk", nil }
	return map[notification.Platform]push.Sender{
		notification.FCM:  push.NewFCM(cfg.PushURL, gatewayProject, bearer, cfg.pushClient(), cfg.Wait),
		notification.APNs: push.NewAPNs(cfg.PushURL, gatewayTopic, key, cfg.Now, cfg.pushClient(), cfg.Wait),
	}, nil
}
