package dynamo

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestTablesThatFailAreForgotten creates and restores tables, which fails at the end.
func TestTablesThatFailAreForgotten(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := openService(t, state, clock.Manual(time.Unix(1_800_000_000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", strings.TrimSuffix(sessions, "}")+
		`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	a := s.engine.SharedAccount.Load()
	sample, err := a.Table("sessions")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is full")
	newDefinition := func() *engine.Definition {
		def := sample.Def.Clone()
		def.Name, def.ID = "other", s.engine.NewID()
		return def
	}
	remembered := func() [2]int {
		e := reflect.ValueOf(s.engine).Elem()
		return [2]int{e.FieldByName("slots").FieldByName("all").Len(),
			e.FieldByName("Logs").Elem().FieldByName("logs").Len()}
	}
	want := remembered()

	def := newDefinition()
	if _, err := a.Publish(t.Context(), def, func(*store.Tx) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if got := remembered(); got != want {
		t.Errorf("after a table that could not be created there are %d gates and logs, want %d", got, want)
	}

	def = newDefinition()
	if err := backup.Reserve(t.Context(), a, def, "nothing"); err != nil {
		t.Fatal(err)
	}
	if err := backup.FillReserved(t.Context(), a, def, func(*engine.Table) error { return broken },
		nil); !errors.Is(err, broken) {
		t.Error(err)
	}
	if got := remembered(); got != want {
		t.Errorf("after a table that could not be filled there are %d gates and logs, want %d", got, want)
	}
	if name := state.Names().Of(engine.AppendTablePrefix(nil, def.ID)); name != "" {
		t.Errorf("the keys of a table that could not be filled are those of %s", name)
	}
}
