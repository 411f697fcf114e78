package emulator

import (
	"log/slog"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// Option sets something other than its default.
type Option func(*options)

type options struct {
	addr    string
	dir     string
	rootKey string
	isolate bool
	logger  *slog.Logger
	seed    uint64
	start   time.Time // of a manual clock; zero for a real one

	likeCloud []Piece
}

func defaults() options {
	return options{addr: "127.0.0.1:0", seed: 1}
}

func (o options) clock() *clock.Clock {
	if o.start.IsZero() {
		return clock.Real()
	}
	return clock.Manual(o.start)
}

// WithDynamoDBAddr sets the host and port on which DynamoDB answers. The default is 127.0.0.1:0, a free port.
func WithDynamoDBAddr(addr string) Option { return func(o *options) { o.addr = addr } }

// WithData keeps the state in a folder, which is made if it is missing: an answered write survives whatever
// happens to the process. The folder is encrypted: see WithRootKey. By default the state is in memory.
func WithData(dir string) Option { return func(o *options) { o.dir = dir } }

// WithRootKey names the file of the root key, 32 bytes in base64, by which the folder of WithData is encrypted. It is made
// with the folder; without it the data cannot be read again. By default it is the file root.key in the folder, which keeps
// the data from nobody who has the folder.
func WithRootKey(file string) Option { return func(o *options) { o.rootKey = file } }

// WithManualClock has the time stand still at start, to be moved by Advance. By default it is the
// machine's.
func WithManualClock(start time.Time) Option { return func(o *options) { o.start = start } }

// WithIsolation gives each access key and region tables of its own. By default all requests share one
// account.
func WithIsolation() Option { return func(o *options) { o.isolate = true } }

// WithLogger sets where the emulator reports faults of its own, at level error, and what goes on, at level
// debug. By default it reports nothing.
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.logger = logger } }

// WithSeed sets what everything random in the emulator comes from: request ids, table ids. The default is 1. On a
// folder that has state, the emulator goes on where it was, so that no id comes twice.
func WithSeed(seed int64) Option { return func(o *options) { o.seed = uint64(seed) } }
