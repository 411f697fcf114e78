package store

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// ErrClosed is returned by every method of a [Store] after Close.
var ErrClosed = errors.New("the store is closed")

// Options configure a [Store]. The zero value is a store in memory that logs nothing.
type Options struct {
	// Dir is the folder of the state; it is created if missing. Empty means memory.
	Dir string
	// Encrypt encrypts a folder that is created, and makes Open refuse an existing folder that is not encrypted. An
	// existing encrypted folder opens, and stays encrypted, without Encrypt too.
	Encrypt bool
	// RootKey is the path of the key that wraps the folder's own key. It is created with the folder if missing. Empty
	// means the file root.key in the folder. A folder that is created with a RootKey is encrypted.
	RootKey string
	// Logger receives failures at error level, warnings of a slow or nearly full disk, and Pebble's messages at debug
	// level. Nil discards them.
	Logger *slog.Logger
	// MinFree is the free space in bytes to keep on Dir's disk: below it, writes are refused with a [*SpaceError] until
	// there is more. On a small disk a tenth of the disk is enough. Zero means no limit.
	MinFree uint64
	// Disk is the file system of Dir, except for the root key; nil means the machine's. For tests of failures.
	Disk vfs.FS
	// Cache is the size in bytes of the cache of what is on Dir's disk, which includes up to three memtables: of 8 MiB, or
	// of an eighth of a larger cache, at most 16 MiB. Zero means 32 MiB.
	Cache int64
	// AcceptLoss opens a folder that has lost acknowledged writes, with the data that remains. It has no effect on any
	// other folder.
	AcceptLoss bool
	// Survey is called by [Check] and other functions that check a folder, with a read-only store, to name what is in
	// it ([Store.Names]) and to set the [Sealer] that opens its values. If it is nil, names are not known and sealed
	// values are not opened.
	Survey func(*Store)
	// Begun is called by [Salvage] before it creates the new folder. It may be nil.
	Begun func()
	// Pause is called where other goroutines may overtake: before an update waits for its latches, before and after its
	// commit, and before and after a view takes its snapshot. It may be nil. For tests of interleavings.
	Pause func()

	memTable int // bytes; 0: as Cache says
	// unmarked creates the folder without its marker: until that is written, the folder is incomplete and does not open.
	unmarked bool
}

// Store is an ordered map from keys to values with atomic updates. It is safe for concurrent use.
type Store struct {
	db          database
	lock        *pebble.Lock   // the folder's; nil in memory
	record      *integrityFile // the folder's; nil in memory
	folder      *folder        // nil in memory
	marker      *marker        // the folder's; nil in memory
	checkpoints *checkpointFS  // of backups; nil in memory
	guard       *guardFS       // nil in memory
	tables      *tableFS       // nil in a folder
	durable     bool
	data        string        // the folder of the database's files; empty in memory
	opened      chan struct{} // closed when Open returns
	rows        rows
	copies      poison.Pool               // of *[]byte, memory for values from rows
	filter      atomic.Pointer[keyFilter] // nil in a folder that held keys when it was opened
	sealer      atomic.Pointer[Sealer]    // nil: no value is sealed
	gate        *Gate                     // every update passes it; updates that run alone close it
	latches     latchTable
	watches     watches
	names       Names
	turns       turns
	gates       atomic.Uint64 // number of gates that NewGate has made
	pause       func()        // never nil
	ops         operations
	txs         poison.Pool // of *Tx

	minFree   uint64
	condition *condition
	space     *spaceWatch  // nil without Options.MinFree
	unsynced  atomic.Int64 // updates that are visible to readers but may not be on stable storage yet

	backingUp atomic.Bool

	closeMu     sync.Mutex
	onClose     []func() error
	markAtClose bool // the folder is complete once the database is closed, and gets its marker then
}

// Open opens or creates a store. Errors: an [*OpenError] for a folder that cannot be used.
func Open(opts Options) (*Store, error) {
	logger := opts.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	s := &Store{durable: opts.Dir != "", ops: newOperations(), gate: newGate(0), condition: newCondition(logger),
		minFree: opts.MinFree, pause: opts.Pause}
	s.opened, s.condition.names = make(chan struct{}), &s.names
	defer close(s.opened)
	if s.pause == nil {
		s.pause = func() {}
	}
	s.txs.New = func() any { return &Tx{store: s} }
	s.copies.New = func() any { return new([]byte) }
	open := s.openMemory
	if s.durable {
		open = func(logger *slog.Logger) error { return s.openFolder(opts, logger) }
	}
	if err := open(logger); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) openMemory(logger *slog.Logger) error {
	s.tables = newTableFS()
	s.filter.Store(newKeyFilter())
	db, err := pebble.Open("", memorySettings(s.condition, s.tables))
	if err != nil {
		return err
	}
	s.db = db
	return nil
}

// OnClose registers fn to run at the start of [Store.Close], while the store still works. The functions run in reverse
// order of registration.
func (s *Store) OnClose(fn func() error) {
	s.closeMu.Lock()
	defer s.closeMu.Unlock()
	s.onClose = append(s.onClose, fn)
}

// releaseLimit is how long closing the database may take, in which each disk operation may take stallTime. After that
// the store fails, and operations that still wait for the disk are abandoned.
const releaseLimit = stallTime + closeLimit

// Close runs the functions of [Store.OnClose], waits for running operations, and releases memory or the folder. All
// errors are joined. After a [*Failure] Close returns that failure within 5 seconds; operations that still run, or wait
// for the disk, keep the folder's lock until they end. A disk that does not answer within 60 seconds is a failure. A
// second Close does nothing and returns [ErrClosed].
func (s *Store) Close() error {
	var errs []error
	for fn := s.nextOnClose(); fn != nil; fn = s.nextOnClose() {
		errs = append(errs, fn())
	}
	s.condition.closing.Store(true)
	drained, ok := s.ops.stop()
	if !ok {
		return ErrClosed
	}
	closed := make(chan struct{})
	go func() { // it continues after a failure, so that the last operation, whenever it ends, leaves nothing behind
		defer close(closed)
		<-drained
		late := time.AfterFunc(releaseLimit, func() {
			s.condition.fail(&Failure{Op: "close", Path: "the database", Err: errNotAnswered})
		})
		defer late.Stop()
		errs = append(errs, s.release()...)
	}()
	if s.condition.wait(closed) != nil || s.condition.frozen.Load() {
		return s.Err()
	}
	return errors.Join(errs...)
}

// release closes the database and releases all resources.
func (s *Store) release() []error {
	err := s.db.Close()
	errs := []error{err}
	if s.record != nil {
		errs = append(errs, s.record.close(err == nil && !s.condition.frozen.Load()))
	}
	if s.markAtClose && s.condition.err() == nil && errors.Join(errs...) == nil {
		errs = append(errs, s.marker.write(s.folder.disk, s.folder.dir))
	}
	s.space.close()
	if s.guard != nil {
		s.guard.stopReads()
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	if s.tables != nil {
		s.tables.release()
	}
	return errs
}

func (s *Store) nextOnClose() func() error {
	s.closeMu.Lock()
	defer s.closeMu.Unlock()
	if len(s.onClose) == 0 {
		return nil
	}
	fn := s.onClose[len(s.onClose)-1]
	s.onClose = s.onClose[:len(s.onClose)-1]
	return fn
}

// OnDisk reports whether the state is in a folder.
func (s *Store) OnDisk() bool { return s.durable }
