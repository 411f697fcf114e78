package identity

import (
	"cmp"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// Config configures a Service. Store and Clock belong to the caller.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// File has the initial identities; nil: none. Changes of the admin API are in the store.
	File *identities.Directory
	// AccountID is the account of requests without identities, twelve digits; empty: DefaultAccount. With another one,
	// the file must be of the same account.
	AccountID string
}

// Service holds the identities. Without any, it allows everything.
type Service struct {
	store *store.Store
	clock *clock.Clock
	log   *slog.Logger
	file  *identities.Directory

	account string // of requests without identities

	changing  sync.Mutex // one change at a time
	current   atomic.Pointer[state]
	scratches poison.Pool // of *scratch
}

// New returns a Service with the identities of the file and of the store.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, file: c.File, scratches: scratches(),
		account: cmp.Or(c.AccountID, DefaultAccount)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s, s.Reload()
}

// Gate returns the gate of a service, by its name in signatures: dynamodb, kms, monitoring, sts.
func (s *Service) Gate(service string) Gate { return &gate{Service: s, service: service} }

// state is the current set of identities, prepared for lookups. It is replaced as a whole.
type state struct {
	directory *identities.Directory
	account   string                 // whose space is the one of requests without identities
	keys      map[string]*credential // by access key
	issuer    *tokenIssuer

	tablePolicies bool // whether the directory has table policies

	mu       sync.RWMutex
	sessions map[string]*credential // by token: cached sessions whose tokens are valid
}

// maxSessions is how many sessions are cached; a full cache is emptied.
const maxSessions = 4096

func newState(d *identities.Directory, v *tokenIssuer, account string) *state {
	st := &state{directory: d, issuer: v, account: account, keys: map[string]*credential{},
		sessions: map[string]*credential{}, tablePolicies: d.HasTablePolicies()}
	for key := range d.Keys() {
		c := userCredential(key.ID, key.User)
		if c.secret = key.Secret; c.secret == "" {
			c.secret = v.secretOf(key.ID)
		}
		c.principal.Space = st.space(c.principal.Account)
		st.keys[key.ID] = c
	}
	return st
}

// space returns the name of the space of resources that an account's requests see.
func (st *state) space(account string) string {
	if account == st.account {
		account = DefaultAccount
	}
	if st.directory.Region == "" {
		return account
	}
	return account + "/" + st.directory.Region
}

// session returns the credential of a token, which may not be valid.
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
