package engine

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestNumbersOfOlderVersionsAreNotReused creates users beside those with the random numbers of an older version, also
// after the block of free numbers is used up.
func TestNumbersOfOlderVersionsAreNotReused(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	update := func(fn func(*store.Tx) error) {
		if err := s.Update(store.Latches{}, fn); err != nil {
			t.Fatal(err)
		}
	}
	users, taken := newDatabase(1, "db").Users(), map[uint64]bool{}
	create := func(tx *store.Tx, number uint64) error {
		if taken[number] || number == 0 || number >= childNumbers {
			t.Errorf("%d is not a new number", number)
		}
		taken[number] = true
		child := ChildResource{Number: number, Body: doc.Object(doc.Member{Name: "id", Value: doc.String("u")})}
		return tx.Set(users.Key(fmt.Sprint(number)), child.Record())
	}
	for _, n := range []uint64{3, 7, childNumbers - 3, childNumbers - 1} {
		update(func(tx *store.Tx) error { return create(tx, n) })
	}
	for i := range 10 {
		if i == 5 {
			update(func(tx *store.Tx) error { return tx.Set(users.numbersKey, block{9, 9}.record()) })
		}
		update(func(tx *store.Tx) error {
			number, err := users.NewNumber(tx)
			return errors.Join(err, create(tx, number))
		})
	}
}
