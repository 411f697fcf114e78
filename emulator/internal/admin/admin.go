package admin

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics/scrape"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/util/strictjson"
)

// maxBody is the size in bytes of the largest request, unless the operation sets another.
const maxBody = 1 << 20

// Topic is one group of operations.
type Topic interface {
	// Name is the group's heading on the docs page and the tag of its operations.
	Name() string
	// Routes registers the operations with add.
	Routes(api huma.API)
}

// Config configures the API.
type Config struct {
	Guard   control.Guard
	Version string       // of the emulator
	Logger  *slog.Logger // logs failures of the emulator; nil: nothing is logged
	Topics  []Topic      // in the order of the docs page
}

// New returns the handler of all paths under control.Path. It is built at its first request.
func New(c Config) http.Handler {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	built := sync.OnceValues(c.build)
	return c.Guard.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux, err := built()
		if err != nil {
			c.Logger.Error("the admin API could not be built", "error", err)
			control.WriteProblem(w, http.StatusInternalServerError, "the admin API could not be built: see the emulator's log")
			return
		}
		serve(mux, w, r)
	}))
}

// Console returns an emulator's admin API and its Prometheus metrics.
func Console(e control.Emulator) control.Console {
	return control.Console{
		Admin:   New(Config{Guard: e.Guard, Version: e.Version, Logger: e.Logger, Topics: topics(e)}),
		Metrics: e.Guard.Wrap(scrape.Handler(e.Metrics...)),
	}
}

// topics returns all topics, in the order of the docs page.
func topics(e control.Emulator) []Topic {
	return []Topic{
		Info(e.About), Clock{e.Clock}, NewState(e.State), Backup{Begin: e.Backup, Logger: e.Logger}, Recording{e.Recorder},
		Faults{e.Faults}, Cost{e.Usage}, Heat(e.Heat), Identities{e.Identities},
	}
}

// build creates the routes and their documents.
func (c Config) build() (*http.ServeMux, error) {
	mux := http.NewServeMux()
	api := humago.New(mux, c.openAPI())
	for _, topic := range c.Topics {
		topic.Routes(group{api, topic.Name(), c.Logger})
	}
	return mux, c.mountDocs(mux, api.OpenAPI())
}

func (c Config) openAPI() huma.Config {
	config := huma.DefaultConfig("Tabletop emulator", c.Version)
	config.Info.Description = "Controls a running emulator: its clock, its data, faults, recordings, backups and identities."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", "" // apidocs serves its own
	config.CreateHooks = nil                                             // no $schema in responses
	config.RejectUnknownQueryParameters = true
	config.Formats = strictjson.Formats()
	return config
}

// group is the API with the tag and log of one topic.
type group struct {
	huma.API
	name string
	log  *slog.Logger
}

// reply is a response with a body.
type reply[T any] struct{ Body T }

// add registers an operation, whose path is relative to control.Path. Errors of handle are answered as problem details:
// those of huma and of refuse with their own status; control.ErrStillRunning and the store's unavailability with 503;
// any other error as a failure of the emulator.
func add[I, O any](api huma.API, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	op.Path = control.Path + op.Path
	if op.MaxBodyBytes == 0 {
		op.MaxBodyBytes = maxBody
	}
	log := slog.New(slog.DiscardHandler)
	if g, ok := api.(group); ok {
		op.Tags, log, api = []string{g.name}, g.log, g.API // huma looks for its configuration there
	}
	huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		var known huma.StatusError
		if err != nil && !errors.As(err, &known) {
			if text, ok := store.Unavailable(err); ok { // it has been logged already
				return out, huma.Error503ServiceUnavailable(text)
			}
			if errors.Is(err, control.ErrStillRunning) {
				return out, huma.Error503ServiceUnavailable(err.Error())
			}
			log.Error("an admin request failed", "operation", op.OperationID, "error", err)
			err = huma.Error500InternalServerError(err.Error())
		}
		return out, err
	})
}

// refuse returns the error for a request that is understood but refused; err states why and what to do instead.
func refuse(status int, err error) error {
	if err == nil {
		return nil
	}
	return huma.NewError(status, err.Error())
}

// serve responds to requests without a route with problem details.
func serve(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	handler, pattern := mux.Handler(r)
	clean := path.Clean(r.URL.Path) == r.URL.Path // the mux would redirect to the clean path
	if pattern != "" && clean {
		mux.ServeHTTP(w, r)
		return
	}
	recorder := &statusRecorder{header: w.Header(), status: http.StatusNotFound}
	if clean {
		handler.ServeHTTP(recorder, r)
	}
	control.WriteProblem(w, recorder.status, r.Method+" "+r.URL.Path+" does not exist: see "+control.Path+"/docs")
}

// statusRecorder captures a handler's status and headers without its body.
type statusRecorder struct {
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (s *statusRecorder) Header() http.Header { return s.header }

// Write implements http.ResponseWriter.
func (s *statusRecorder) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader implements http.ResponseWriter.
func (s *statusRecorder) WriteHeader(status int) { s.status = status }
