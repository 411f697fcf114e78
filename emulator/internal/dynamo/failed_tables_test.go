package dynamo

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/panics"
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

// failingExtension fails the change of a table.
type failingExtension struct {
	engine.BaseExtension
	fail func() error
}

func (p failingExtension) PrepareChange(*engine.Account, *engine.Table, *engine.Table) (engine.Writes, error) {
	return func(*store.Tx) error { return p.fail() }, nil
}

// TestTablesThatCannotBePublishedLeaveNothing fills tables whose publication fails or panics.
func TestTablesThatCannotBePublishedLeaveNothing(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is full")
	for name, fail := range map[string]func() error{
		"error": func() error { return broken },
		"panic": func() error { panic(broken) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newEncryptedService(t, t.TempDir())
			v.call("CreateTable", sealedOrders)
			v.fill(0, 3)
			source, def := reserveCopy(t, v.Service, "orders")
			extensions := v.engine.Extensions
			v.engine.Extensions = append(slices.Clone(extensions), failingExtension{fail: fail})
			err := panics.AsError("the restore", func() error {
				return fillCopy(t, v.Service, source, def, func() {})
			})
			if err == nil || !strings.Contains(err.Error(), broken.Error()) {
				t.Errorf("the restore returns %v", err)
			}
			v.engine.Extensions = extensions
			v.call("DeleteTable", `{"TableName":"orders"}`)
			if err := v.clock.Advance(3 * 24 * time.Hour); err != nil {
				t.Fatal(err)
			}
			for _, space := range []byte{engine.SpaceCatalog, engine.SpaceItems, engine.SpaceKeys} {
				if n := keysUnder(t, v.store, []byte{space}); n != 0 {
					t.Errorf("%d keys of space %q are left", n, space)
				}
			}
			v.call("CreateTable", strings.Replace(sealedOrders, `"orders"`, `"copy"`, 1))
		})
	}
}
