package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxSnapshots is how many snapshots are kept at a time: each is in memory.
const maxSnapshots = 32

// State is the topic of the emulator's whole state.
type State struct {
	control.State
	snapshots *snapshots
}

// NewState returns the topic of the state s.
func NewState(s control.State) State { return State{s, &snapshots{}} }

// Name implements Topic.
func (State) Name() string { return "state" }

type snapshotPath struct {
	ID string `path:"id" minLength:"1" maxLength:"64" doc:"ID of the snapshot"`
}

type snapshotRequest struct {
	Body *struct {
		ID string `json:"id,omitempty" pattern:"^[A-Za-z0-9._-]{1,64}$" patternDescription:"1 to 64 letters, digits and . _ -" doc:"ID of the snapshot; default: the next number" example:"before"`
	} `required:"false"`
}

type snapshotList struct {
	Snapshots []snapshot `json:"snapshots" nullable:"false"`
}

// Routes implements Topic.
func (s State) Routes(api huma.API) {
	add(api, huma.Operation{OperationID: "reset", Method: http.MethodPost, Path: "/reset", Summary: "Delete all data",
		Description:   "Deletes the tables and the data of all services. Snapshots and the clock do not change.",
		DefaultStatus: http.StatusNoContent},
		func(ctx context.Context, _ *struct{}) (*struct{}, error) { return nil, s.Reset(ctx) })
	add(api, huma.Operation{OperationID: "take-snapshot", Method: http.MethodPost, Path: "/snapshots",
		Summary:       "Create a snapshot",
		Description:   "Copies the state of all services, for a later restore. Snapshots are in memory; at most 32, of less than 4 GiB each.",
		DefaultStatus: http.StatusCreated},
		func(_ context.Context, in *snapshotRequest) (*reply[snapshot], error) {
			id := ""
			if in.Body != nil {
				id = in.Body.ID
			}
			taken, err := s.snapshots.add(id, s.State)
			return &reply[snapshot]{taken}, err
		})
	add(api, huma.Operation{OperationID: "list-snapshots", Method: http.MethodGet, Path: "/snapshots",
		Summary: "List snapshots", Description: "Oldest first."},
		func(context.Context, *struct{}) (*reply[snapshotList], error) {
			return &reply[snapshotList]{snapshotList{s.snapshots.list()}}, nil
		})
	add(api, huma.Operation{OperationID: "restore-snapshot", Method: http.MethodPost, Path: "/snapshots/{id}/restore",
		Summary:       "Restore a snapshot",
		Description:   "Replaces the current state. The clock does not change, and the snapshot is kept.",
		DefaultStatus: http.StatusNoContent},
		func(ctx context.Context, in *snapshotPath) (*struct{}, error) {
			found, err := s.snapshots.find(in.ID)
			if err != nil {
				return nil, err
			}
			return nil, found.restore(ctx)
		})
	add(api, huma.Operation{OperationID: "delete-snapshot", Method: http.MethodDelete, Path: "/snapshots/{id}",
		Summary: "Delete a snapshot", DefaultStatus: http.StatusNoContent},
		func(_ context.Context, in *snapshotPath) (*struct{}, error) { return nil, s.snapshots.remove(in.ID) })
}

// snapshot is a copy of the state.
type snapshot struct {
	ID      string                      `json:"id" example:"before"`
	Taken   time.Time                   `json:"taken" doc:"By the emulator's clock"`
	restore func(context.Context) error // brings it back
}

// snapshots are the snapshots that are kept. It is safe for concurrent use.
type snapshots struct {
	mu      sync.Mutex // never held while the state is copied, which takes long for much data
	all     []snapshot
	copying []string // IDs of snapshots that are being taken
	serial  int
}

func (s *snapshots) add(id string, state control.State) (snapshot, error) {
	id, err := s.reserve(id)
	if err != nil {
		return snapshot{}, err
	}
	var taken snapshot
	defer func() { // also after a panic
		s.mu.Lock()
		defer s.mu.Unlock()
		s.copying = slices.DeleteFunc(s.copying, func(other string) bool { return other == id })
		if taken.restore != nil {
			s.all = append(s.all, taken)
		}
	}()
	restore, err := state.TakeSnapshot()
	if errors.As(err, new(*store.SnapshotSizeError)) {
		err = refuse(http.StatusConflict, err)
	}
	if err == nil {
		taken = snapshot{id, state.Now().UTC(), restore}
	}
	return taken, err
}

// reserve returns the ID of a snapshot that is going to be taken, by default the next number.
func (s *snapshots) reserve(id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all)+len(s.copying) == maxSnapshots {
		return "", refuse(http.StatusConflict,
			fmt.Errorf("there are already %d snapshots, the maximum: delete one first", maxSnapshots))
	}
	for id == "" {
		s.serial++
		if next := fmt.Sprint(s.serial); !s.uses(next) {
			id = next
		}
	}
	if s.uses(id) {
		return "", refuse(http.StatusConflict,
			fmt.Errorf("snapshot %s already exists: delete it or choose another ID", id))
	}
	s.copying = append(s.copying, id)
	return id, nil
}

// uses reports whether a snapshot has an ID, or will have it. REQUIRES: s.mu is held.
func (s *snapshots) uses(id string) bool { return s.index(id) >= 0 || slices.Contains(s.copying, id) }

func (s *snapshots) index(id string) int {
	return slices.IndexFunc(s.all, func(one snapshot) bool { return one.ID == id })
}

func (s *snapshots) list() []snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]snapshot{}, s.all...)
}

func (s *snapshots) find(id string) (snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(id); i >= 0 {
		return s.all[i], nil
	}
	return snapshot{}, noSnapshot()
}

func (s *snapshots) remove(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(id)
	if i < 0 {
		return noSnapshot()
	}
	s.all = slices.Delete(s.all, i, i+1)
	return nil
}

func noSnapshot() error {
	return refuse(http.StatusNotFound, errors.New("snapshot not found: list the snapshots with GET "+
		control.Path+"/snapshots"))
}
