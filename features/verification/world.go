package verification

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/tables"
	schema "github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

const (
	adminToken = "the administrator of the specs"
	table      = schema.Table
)

// world is one scenario's service, its clients and their cases.
type world struct {
	*steps.World
	*httpapi.Service // the clients' requests to the service

	keyset    []byte // used instead of KMS
	issuer    *auth.Issuer
	clients   map[string]*client
	cases     map[string]string // case ids, by their names in steps
	documents map[string]*document
	sessions  map[string]string // tokens of sessions
	files     string            // folder of uploads
	creation  creation          // last request with an idempotency key
	startup   error
	swept     jobs.Summary // summary of the last job
}

// client is a company whose customers are verified.
type client struct{ id, keyID, key string }

// document is a file that was announced.
type document struct {
	caseName, id string
	url          string
	kind         string
	content      []byte
}

// Steps registers the steps of this system.
func Steps(sc *godog.ScenarioContext, base *steps.World) {
	w := &world{
		World: base, Service: httpapi.New(base, "/verification"), clients: map[string]*client{}, cases: map[string]string{},
		documents: map[string]*document{}, sessions: map[string]string{},
	}
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		if base.Target == nil { // the scenario does not apply to the target
			return ctx, nil
		}
		return ctx, w.open(ctx)
	})
	w.Service.Steps(sc)
	w.caseSteps(sc)
	w.reviewSteps(sc)
	w.documentSteps(sc)
	w.credentialSteps(sc)
	w.auditSteps(sc)
	w.contactSteps(sc)
	w.expirySteps(sc)
	w.schemaSteps(sc)
	w.hotKeySteps(sc)
	w.repeatSteps(sc)
	w.rawSteps(sc)
	w.access(sc)
}

// open creates the table without the features that take longest, recovery and the KMS key. Scenarios about these
// recreate it.
func (w *world) open(ctx context.Context) error {
	var err error
	if w.keyset, err = pii.NewLocal(); err != nil {
		return err
	}
	w.Client = dynamodb.NewFromConfig(inRegion(w.Target.Config))
	w.Once = dynamodb.NewFromConfig(inRegion(w.Target.Config), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	w.Set("today", w.Clock.Now().UTC().Format("2006-01-02"))
	if err := tables.Create(ctx, w.Client, schema.Schema(w.Prefix).Tables); err != nil {
		return err
	}
	return w.start(w.RecordedConfig())
}

// inRegion returns the config for the only region where the data may be.
func inRegion(cfg aws.Config) aws.Config {
	cfg = cfg.Copy()
	cfg.Region = schema.Region
	return cfg
}

// config returns the configuration of an instance of the service, with the identity in cfg.
func (w *world) config(cfg aws.Config) backend.Config {
	return backend.Config{
		Systems: []string{"verification"}, AWS: inRegion(cfg), TablePrefix: w.Prefix, AdminToken: adminToken,
		Pepper:    "the pepper of the specs",
		PIIKeyset: w.keyset, Uploads: w.files, Now: w.Clock.Now, Logger: w.Logger(), Wait: pause.For,
	}
}

// start starts or restarts the service.
func (w *world) start(cfg aws.Config) error {
	server, err := backend.New(w.config(cfg))
	if err != nil {
		return err
	}
	w.issuer = server.Issuer()
	w.Start(server)
	return nil
}

func administrator(h http.Header) { httpapi.Bearer(adminToken)(h) }

// as returns a client's key. The client is created when a step first names it.
func (w *world) as(ctx context.Context, name string) (httpapi.Credential, error) {
	c, err := w.client(ctx, name)
	if err != nil {
		return nil, err
	}
	return httpapi.Header("X-API-Key", c.key), nil
}

func (w *world) client(ctx context.Context, name string) (*client, error) {
	if c, ok := w.clients[name]; ok {
		return c, nil
	}
	answer := w.Send(ctx, administrator, http.MethodPost, "/api-keys",
		map[string]string{"clientId": "client_" + strings.ToLower(name)})
	made, err := httpapi.Decode[struct{ KeyID, ClientID, APIKey string }](answer)
	if err != nil {
		return nil, err
	}
	c := &client{id: made.ClientID, keyID: made.KeyID, key: made.APIKey}
	w.clients[name] = c
	w.Set("key of "+name, c.key)
	w.Set("secret of the key of "+name, secretOf(c.key))
	w.Set("key id of "+name, c.keyID)
	w.Set("client "+name, c.id)
	return c, nil
}

// act is like Act, as a client.
func (w *world) act(ctx context.Context, name, method, path string, body any) error {
	as, err := w.as(ctx, name)
	if err == nil {
		w.SendStep(ctx, as, method, path, body)
	}
	return err
}

// reviewer returns a token that is valid for an hour of the scenario's time.
func (w *world) reviewer(name string) (httpapi.Credential, error) {
	token, err := w.issuer.Token(name, time.Hour, "reviewer")
	return httpapi.Bearer(token), err
}

func (w *world) review(ctx context.Context, name, method, path string, body any) error {
	as, err := w.reviewer(name)
	if err == nil {
		w.SendStep(ctx, as, method, path, body)
	}
	return err
}

// path returns the path of a case that a step names.
func (w *world) path(name string) (string, error) {
	id, ok := w.cases[name]
	if !ok {
		return "", fmt.Errorf("there is no case %q in this scenario", name)
	}
	return "/cases/" + id, nil
}
