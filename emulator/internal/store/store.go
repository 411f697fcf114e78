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

// Options say where a [Store] keeps its state. The zero value is a store in memory that logs nothing.
type Options struct {
	// Dir is the folder of the state; it is made when missing. Empty means memory.
	Dir string
	// Encrypt encrypts a folder that is made, and refuses one that is not encrypted. An encrypted folder is opened, and
	// stays encrypted, without it too.
	Encrypt bool
	// RootKey is the path of the key that the folder's own key is wrapped by, made with the folder when missing. Empty
	// means the file root.key in the folder. A folder that is made with a RootKey is encrypted.
	RootKey string
	// Logger receives failures at error level, warnings of a slow or nearly full disk, and what Pebble has to say at
	// debug level. Nil discards it.
	Logger *slog.Logger
	// MinFree is the free space in bytes that Dir's disk keeps: below it writes are refused with a [*SpaceError] until
	// there is more. On a small disk a tenth of the disk is enough. Zero means no limit.
	MinFree uint64
	// Disk is the file system that Dir is on, without the root key; nil means that of the machine. For tests of
	// failures.
	Disk vfs.FS
	// AcceptLoss opens a folder of which acknowledged writes are missing, with what is left; it has no effect on any
	// other.
	AcceptLoss bool
	// Survey is called by [Check] and what checks a folder, with a store that can only be read, to name what lies in it
	// ([Store.Names]) and to set the [Sealer] that opens its values; nil: names are not known, and sealed values are
	// not opened.
	Survey func(*Store)
	// Pause is called where others may overtake: before an update waits for its latches, before and after its commit,
	// and before and after a view takes its snapshot; nil: it is not. For tests of interleavings.
	Pause func()
}

// Store is an ordered map from keys to values with atomic updates. It is safe for concurrent use.
type Store struct {
	db      database
	lock    *pebble.Lock   // the folder's; nil in memory
	record  *integrityFile // the folder's; nil in memory
	folder  *folder        // nil in memory
	marker  *marker        // the folder's; nil in memory
	copies  *checkpointFS  // of backups; nil in memory
	reads   *diskReads     // the folder's; nil in memory
	tables  *tableFS       // nil in a folder
	durable bool
	data    string                   // the folder of the database's files; empty in memory
	opened  chan struct{}            // closed when Open is about to end
	seen    atomic.Pointer[seenKeys] // nil in a folder that held keys when it was opened
	sealer  atomic.Pointer[Sealer]   // nil where nothing is sealed
	gate    *Gate                    // passed by every update, and closed by those that run alone
	latches latchTable
	watches watches
	names   Names
	turns   turns
	gates   atomic.Uint64 // how many NewGate has made
	pause   func()        // never nil
	ops     operations
	txs     poison.Pool // of *Tx

	minFree   uint64
	condition *condition
	space     *spaceWatch  // nil without Options.MinFree
	unsynced  atomic.Int64 // updates that readers may see and that may not be on stable storage yet

	backingUp atomic.Bool

	closeMu sync.Mutex
	onClose []func() error
}

// Open opens or creates a store. A folder that cannot be used is refused with an [*OpenError].
func Open(opts Options) (*Store, error) {
	logger := opts.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	s := &Store{durable: opts.Dir != "", ops: newOperations(), gate: newGate(0), condition: newCondition(logger), minFree: opts.MinFree, pause: opts.Pause}
	s.opened, s.condition.names = make(chan struct{}), &s.names
	defer close(s.opened)
	if s.pause == nil {
		s.pause = func() {}
	}
	s.txs.New = func() any { return &Tx{store: s} }
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
	s.seen.Store(newSeenKeys())
	db, err := pebble.Open("", memorySettings(s.condition, s.tables))
	if err != nil {
		return err
	}
	s.db = db
	return nil
}

// OnClose registers fn to run at the start of [Store.Close], while the store still works; the last registered runs
// first.
func (s *Store) OnClose(fn func() error) {
	s.closeMu.Lock()
	defer s.closeMu.Unlock()
	s.onClose = append(s.onClose, fn)
}

// releaseLimit is how long closing the database may take, in which each operation of the disk may take stallTime,
// before the store fails and what still waits for the disk is left behind.
const releaseLimit = stallTime + closeLimit

// Close runs what [Store.OnClose] registered, waits for running operations, and releases memory or the folder. All
// errors are joined. After a [*Failure] of the disk it returns that; it waits no longer than 5 seconds then, and leaves
// behind what still waits for the disk, with the folder's lock; both go once the disk answers. A disk that does not
// answer is a failure after 60 seconds. A second Close does nothing and returns [ErrClosed].
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
	if s.condition.wait(drained) != nil {
		return s.Err()
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		errs = append(errs, s.release()...)
	}()
	late := time.AfterFunc(releaseLimit, func() {
		s.condition.fail(&Failure{Op: "close", Path: "the database", Err: errNotAnswered})
	})
	defer late.Stop()
	if s.condition.wait(closed) != nil || s.condition.frozen.Load() {
		return s.Err()
	}
	return errors.Join(errs...)
}

// release closes the database and gives everything back.
func (s *Store) release() []error {
	err := s.db.Close()
	errs := []error{err}
	if s.record != nil {
		errs = append(errs, s.record.close(err == nil && !s.condition.frozen.Load()))
	}
	s.space.close()
	if s.reads != nil {
		s.reads.close()
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

// OnDisk says whether the state is in a folder.
func (s *Store) OnDisk() bool { return s.durable }
