package emulator

import (
	"io"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/internal/cost"
	"github.com/tabletop-db/tabletop/internal/identities"
)

// Option sets something other than its default.
type Option func(*options)

type options struct {
	webhook cloudwatch.Webhook // of the actions of alarms
	addr    string
	dir     string
	rootKey string
	encrypt bool   // the data folder
	accept  bool   // losses of the data folder
	minFree uint64 // bytes
	disk    vfs.FS // of tests of its failures; nil: that of the machine
	isolate bool
	logger  *slog.Logger
	seed    uint64
	start   time.Time // of the clock; zero for the machine's time
	moving  bool      // whether a clock with a start of its own goes on from there
	speed   float64   // of the clock

	likeCloud []Piece
	faults    []Fault
	showCost  string // the region whose prices CostHeader shows; empty: it is not sent

	recording  io.Writer                             // of all requests; nil for none
	identities func() (*identities.Directory, error) // nil: nobody is asked who they are

	cosmos   cosmosOptions
	inflight inflight.Limits // what requests and answers under way may hold; tests have others than the default

	budget budget.Limits // of a request to KMS, STS and CloudWatch; tests have others than the default

	admin      bool     // answered beyond loopback too
	adminHosts []string // names by which admin requests may call the emulator

	console func(control.Emulator) control.Console // nil: there is none

	trustedHosts []string // names by which clients may call the services, and whose pages may
}

func defaults() options {
	return options{addr: "127.0.0.1:0", seed: 1, minFree: DefaultMinFreeSpace, speed: 1, cosmos: cosmosOptions{addr: "127.0.0.1:0"}}
}

// clock makes the clock. A speed that it cannot have is an error.
func (o options) clock() (*clock.Clock, error) {
	if o.start.IsZero() {
		c := clock.Real()
		return c, c.SetSpeed(o.speed)
	}
	c := clock.Manual(o.start)
	if o.moving {
		c.Resume()
	}
	return c, c.SetSpeed(o.speed)
}

// WithDynamoDBAddr sets the host and port on which DynamoDB answers. The default is 127.0.0.1:0, a free port.
func WithDynamoDBAddr(addr string) Option { return func(o *options) { o.addr = addr } }

// WithData keeps the state in a folder, which is made if it is missing: an answered write survives whatever happens to
// the process. The folder is not encrypted unless WithEncryption or WithRootKey says so. By default the state is in
// memory.
func WithData(dir string) Option { return func(o *options) { o.dir = dir } }

// WithEncryption encrypts the folder of WithData when it is made, by a root key: see WithRootKey. An encrypted folder
// is opened, and stays encrypted, without it too. A folder that is there and is not encrypted makes Start fail.
func WithEncryption() Option { return func(o *options) { o.encrypt = true } }

// WithRootKey names the file of the root key, 32 bytes in base64, by which the folder of WithData is encrypted: a
// folder that is made with one is. The file is made with the folder; without it the data cannot be read again. By
// default it is the file root.key in the folder, which keeps the data from nobody who has the folder.
func WithRootKey(file string) Option { return func(o *options) { o.rootKey = file } }

// WithAcceptLoss opens a data folder of which answered writes are missing, with those that are left, in place of
// refusing it. The loss is logged, and the damaged files are kept in the folder, below lost-1. It has no effect on any
// other folder.
func WithAcceptLoss() Option { return func(o *options) { o.accept = true } }

// WithManualClock has the time stand still at start, to be moved by Advance. By default it is the
// machine's.
func WithManualClock(start time.Time) Option {
	return func(o *options) { o.start, o.moving = start, false }
}

// WithClockStart has the time go on from start, as fast as the machine's or by WithSpeed. By default it is the
// machine's.
func WithClockStart(start time.Time) Option {
	return func(o *options) { o.start, o.moving = start, true }
}

// WithSpeed has the time go by factor times as fast as the machine's, from 0.001 to 1,000,000. The default is 1.
func WithSpeed(factor float64) Option { return func(o *options) { o.speed = factor } }

// WithIsolation gives each access key and region tables of its own. By default all requests share one
// account.
func WithIsolation() Option { return func(o *options) { o.isolate = true } }

// WithLogger sets where the emulator reports faults of its own, at level error, and what goes on, at level
// debug. By default it reports nothing.
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.logger = logger } }

// WithSeed sets what everything random in the emulator comes from: request ids, table ids. The default is 1. On a
// folder that has state, the emulator goes on where it was, so that no id comes twice.
func WithSeed(seed int64) Option { return func(o *options) { o.seed = uint64(seed) } }

// WithAdmin answers the admin API, below /_tabletop/, also when the emulator listens beyond loopback; then whoever
// reaches the port can command it. Requests name the emulator by an IP address, as localhost, or by one of hosts, such
// as the name of its container. By default only an emulator on loopback is commanded, by loopback's names alone.
func WithAdmin(hosts ...string) Option {
	return func(o *options) { o.admin, o.adminHosts = true, append(o.adminHosts, hosts...) }
}

// WithConsole answers the admin API below /_tabletop/ and Prometheus at /metrics by what build returns. It is there for
// [console.Option], which is what to use. By default neither is answered, and a program does not have the libraries
// that they need.
//
// [console.Option]: https://pkg.go.dev/github.com/tabletop-db/tabletop/emulator/console#Option
func WithConsole(build func(control.Emulator) control.Console) Option {
	return func(o *options) { o.console = build }
}

// WithTrustedHosts names hosts by which clients may call DynamoDB and Cosmos DB, and whose web pages may send them
// requests, beside those that are trusted anyway: addresses, names without a dot, such as a container's, and names that
// nobody can register, such as host.docker.internal. Requests by other names, or of other pages, are refused, for a
// browser may send them for a page that somebody visits.
func WithTrustedHosts(names ...string) Option {
	return func(o *options) { o.trustedHosts = append(o.trustedHosts, names...) }
}

// WithRecording writes all requests to DynamoDB, with their answers, to w until the emulator is closed: JSON lines, as
// tabletop replay reads them. What items hold is in it, secrets and signatures are not. A failure to write ends the
// recording, and Close returns it.
func WithRecording(w io.Writer) Option { return func(o *options) { o.recording = w } }

// WithShowCost has each answer of DynamoDB say in CostHeader what the request costs on demand in a region, us-east-1
// where it is empty. A region that there are no prices of makes Start fail.
func WithShowCost(region string) Option {
	if region == "" {
		region = cost.DefaultRegion
	}
	return func(o *options) { o.showCost = region }
}
