package identity

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/identities"
)

// Config is what a Service needs. Store and Clock are the caller's.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// File is who is there from the start; nil for nobody. What the admin API changes is kept in the store.
	File *identities.Directory
}

// Service knows who is there. Where nobody is, it lets everything pass.
type Service struct {
	store *store.Store
	clock *clock.Clock
	log   *slog.Logger
	file  *identities.Directory

	changing sync.Mutex // one change at a time
	now      atomic.Pointer[state]
	memory   poison.Pool // of *scratch
}

// New makes a Service of what is in the file and in the store.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, file: c.File, memory: scratches()}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s, s.Reload()
}

// Gate is the gate of a service, named as signatures name it: dynamodb, kms, monitoring, sts.
func (s *Service) Gate(service string) Gate { return &gate{Service: s, service: service} }

// state is who is there at a moment, ready to be asked. It is replaced as a whole.
type state struct {
	directory *identities.Directory
	keys      map[string]*credential // by access key
	vault     *vault

	tablePolicies bool // the directory has policies of tables

	mu       sync.RWMutex
	sessions map[string]*credential // by token: those that were found whole
}

// maxSessions is how many sessions are kept ready; more begin anew.
const maxSessions = 4096

func newState(d *identities.Directory, v *vault) *state {
	st := &state{directory: d, vault: v, keys: map[string]*credential{}, sessions: map[string]*credential{}, tablePolicies: d.HasTablePolicies()}
	for key := range d.Keys() {
		c := userCredential(key.ID, key.User)
		if c.secret = key.Secret; c.secret == "" {
			c.secret = v.secretOf(key.ID)
		}
		c.who.Space = st.space(c.who.Account)
		st.keys[key.ID] = c
	}
	return st
}

// space is whose resources an account's requests see.
func (st *state) space(account string) string {
	if st.directory.Region == "" {
		return account
	}
	return account + "/" + st.directory.Region
}

// session is the credential of a token, which need not be of this emulator.
func (st *state) session(accessKey, token string) (*credential, bool) {
	st.mu.RLock()
	c, ok := st.sessions[token]
	st.mu.RUnlock()
	if ok {
		return c, c.id == accessKey
	}
	if c, ok = st.openSession(accessKey, token); !ok {
		return nil, false
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.sessions) >= maxSessions {
		clear(st.sessions)
	}
	st.sessions[token] = c
	return c, true
}
