package emulator

import (
	"io"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// Option changes a setting of an emulator from its default.
type Option func(*options)

type options struct {
	webhook    cloudwatch.Webhook // for alarm actions
	addr       string
	dir        string
	s3Dir      string
	rootKey    string
	encrypt    bool   // whether to encrypt the data folder
	acceptLoss bool   // whether to accept losses of the data folder
	minFree    uint64 // bytes
	memory     int64  // bytes; 0: no limit
	disk       vfs.FS // for tests of disk failures; nil: the machine's disk
	isolate    bool
	regions    []string // that are kept apart from us-east-1 and each other
	accountID  string
	logger     *slog.Logger
	seed       uint64
	start      time.Time // of the clock; zero: the machine's time
	moving     bool      // whether a clock with its own start runs on from it
	speed      float64   // of the clock

	likeCloud []Piece
	faults    []Fault
	record    func(explore.Request) // receives each request for items; nil: none
	showCost  string                // region whose prices CostHeader shows; empty: CostHeader is not sent

	recording  io.Writer                             // receives all requests; nil: none
	identities func() (*identities.Directory, error) // nil: requests are not authenticated

	cosmos   cosmosOptions
	inflight inflight.Limits // limits of the memory of requests and responses in progress; tests change them

	budget budget.Limits // of a request to KMS, STS and CloudWatch; tests change it

	admin      bool     // whether the admin API answers beyond loopback too
	adminHosts []string // host names that admin requests may use

	console func(control.Emulator) control.Console // nil: no admin API and no metrics

	trustedHosts []string // host names that clients and the origins of web pages may use
}

func defaults() options {
	return options{addr: "127.0.0.1:0", accountID: accounts.Default, seed: 1, minFree: DefaultMinFreeSpace, speed: 1,
		cosmos: cosmosOptions{httpsAddr: "127.0.0.1:0"}}
}

// clock returns the clock that the options describe. Errors: a speed out of range.
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

// WithDynamoDBAddr sets the host and port of DynamoDB. The default is 127.0.0.1:0, a free port.
func WithDynamoDBAddr(addr string) Option { return func(o *options) { o.addr = addr } }

// WithData keeps the state in a folder, which is created if it does not exist. An acknowledged write survives a crash
// of the process. The folder is not encrypted unless WithEncryption or WithRootKey is given. By default the state is in
// memory.
func WithData(dir string) Option { return func(o *options) { o.dir = dir } }

// WithS3Dir sets the folder of the S3 buckets that tables are exported to and imported from. Each bucket is a folder in
// it, and each object a file, which other programs may read and write. The folder is created when something is first
// stored; it is not encrypted, and backups of the emulator's state do not contain it. By default it is the folder s3 in
// that of WithData, or else a temporary folder that Close removes.
func WithS3Dir(dir string) Option { return func(o *options) { o.s3Dir = dir } }

// WithEncryption encrypts the folder of WithData with a root key when the folder is created: see WithRootKey. An
// existing encrypted folder opens, and stays encrypted, without this option. Start fails if the folder exists and is
// not encrypted.
func WithEncryption() Option { return func(o *options) { o.encrypt = true } }

// WithRootKey names the file of the root key, 32 bytes in base64, that encrypts the folder of WithData. A folder that
// is created with a root key is encrypted. The key file is created with the folder; without it the data cannot be read.
// By default it is the file root.key in the folder, which does not protect the data from anyone who has the folder.
func WithRootKey(file string) Option { return func(o *options) { o.rootKey = file } }

// WithAcceptLoss opens a data folder that has lost acknowledged writes with the data that remains, instead of refusing
// to open it. The loss is logged, and the damaged files are kept in the folder under lost-1. It has no effect on an
// undamaged folder.
func WithAcceptLoss() Option { return func(o *options) { o.acceptLoss = true } }

// WithManualClock sets the clock to start and stops it; Advance moves it. By default the clock is the machine's.
func WithManualClock(start time.Time) Option {
	return func(o *options) { o.start, o.moving = start, false }
}

// WithClockStart sets the clock to start, from where it runs at the machine's speed or at that of WithSpeed. By default
// the clock is the machine's.
func WithClockStart(start time.Time) Option {
	return func(o *options) { o.start, o.moving = start, true }
}

// WithSpeed makes the clock run factor times as fast as the machine's, from 0.001 to 1,000,000. The default is 1.
func WithSpeed(factor float64) Option { return func(o *options) { o.speed = factor } }

// WithIsolation gives each pair of access key and region its own tables. By default all requests share one account.
func WithIsolation() Option { return func(o *options) { o.isolate = true } }

// WithLogger sets the logger for the emulator's own failures, at level error, and its activity, at level debug. By
// default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.logger = logger } }

// WithSeed sets the seed of everything random in the emulator, such as request ids and table ids. The default is 1. On
// a folder that has state, the emulator continues the sequence, so that no id repeats.
func WithSeed(seed int64) Option { return func(o *options) { o.seed = uint64(seed) } }

// WithAdmin makes the admin API, under /_tabletop/, answer also when the emulator listens beyond loopback; then anyone
// who can reach the port can control the emulator. Requests must name the emulator by an IP address, as localhost, or
// by one of hosts, such as the name of its container. By default the admin API answers only an emulator on loopback,
// under loopback's names.
func WithAdmin(hosts ...string) Option {
	return func(o *options) { o.admin, o.adminHosts = true, append(o.adminHosts, hosts...) }
}

// WithConsole makes the handlers that build returns answer the admin API under /_tabletop/ and Prometheus metrics at
// /metrics. Use [console.Option], which calls it. By default neither is served, so that a program does not link the
// libraries that they need.
//
// [console.Option]: https://pkg.go.dev/github.com/tabletop-db/tabletop/emulator/console#Option
func WithConsole(build func(control.Emulator) control.Console) Option {
	return func(o *options) { o.console = build }
}

// WithTrustedHosts names hosts that clients may use to call DynamoDB and Cosmos DB, and whose web pages may send
// requests to them. Always trusted are IP addresses, names without a dot, such as a container's, and names that nobody
// can register, such as host.docker.internal. Requests with another host or origin are refused, because a browser may
// send them on behalf of a page that the user visits.
func WithTrustedHosts(names ...string) Option {
	return func(o *options) { o.trustedHosts = append(o.trustedHosts, names...) }
}

// WithRecording writes all requests to DynamoDB and Cosmos DB, with their responses, to w until the emulator is closed,
// as JSON lines that tabletop replay reads. The recording contains items, but no secrets and no signatures. A failed
// write ends the recording, and Close returns the error.
func WithRecording(w io.Writer) Option { return func(o *options) { o.recording = w } }

// WithShowCost adds CostHeader to each DynamoDB response: what the request costs on demand in a region. An empty region
// means us-east-1. Start fails if the region has no prices.
func WithShowCost(region string) Option {
	if region == "" {
		region = cost.DefaultRegion
	}
	return func(o *options) { o.showCost = region }
}
