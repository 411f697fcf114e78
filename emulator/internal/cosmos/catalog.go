package cosmos

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The kinds of things that are kept under partMeta.
const (
	metaDatabase  = 'd'
	metaContainer = 'c'
)

// catalog is all databases and containers. Who changes one closes changing for the whole of the change, the store's part
// included, and takes mu where it changes what is found here: who finds something waits for no change.
type catalog struct {
	changing  *store.Gate
	mu        sync.RWMutex         // guards the rest, which is changed only while changing is closed
	databases map[string]*database // by name
	byRID     map[string]*database
	offers    map[string]*offer // by the resource id of what they are for
	lastDB    uint32            // the highest number that was given
	lastColl  uint32
	lastOffer uint32
}

// load takes the catalogue from the store.
func (c *catalog) load(s *state) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.databases, c.byRID = map[string]*database{}, map[string]*database{}
	c.offers = map[string]*offer{}
	forgetNames(s.store.Names())
	c.lastDB, c.lastColl, c.lastOffer = 0, 0, 0
	err := s.store.View(func(r *store.Reader) error {
		if err := eachMeta(r, metaDatabase, func(number uint32, v doc.Value) error {
			c.add(databaseOf(number, v))
			return nil
		}); err != nil {
			return err
		}
		if err := eachMeta(r, metaOffer, func(number uint32, v doc.Value) error {
			c.addOffer(offerOf(number, v))
			return nil
		}); err != nil {
			return err
		}
		return eachMeta(r, metaContainer, func(number uint32, v doc.Value) error { return c.loadContainer(s, number, v) })
	})
	for _, d := range c.databases {
		for _, one := range d.containers {
			c.distribute(one)
		}
	}
	return err
}

func (c *catalog) loadContainer(s *state, number uint32, v doc.Value) error {
	d := c.byRID[v.Field("database").Str()]
	if d == nil {
		return fmt.Errorf("container %d in the store has no database", number)
	}
	container, err := containerOf(s, d, number, v)
	if err != nil {
		return err
	}
	d.add(container)
	nameContainer(s.store.Names(), number, d.name, container.name)
	c.lastColl = max(c.lastColl, number)
	return nil
}

// eachMeta reads all things of a kind whose names are numbers.
func eachMeta(r *store.Reader, kind byte, visit func(number uint32, v doc.Value) error) error {
	prefix := metaKey(kind, nil)
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	for it.Next() {
		v, err := doc.Parse(it.Value())
		if err != nil || len(it.Key()) != len(prefix)+4 {
			return errors.Join(errors.New("a definition in the store cannot be read"), err)
		}
		if err := visit(binary.BigEndian.Uint32(it.Key()[len(prefix):]), v); err != nil {
			return err
		}
	}
	return it.Close()
}

func numbered(kind byte, number uint32) []byte {
	return metaKey(kind, store.AppendUint32(nil, number))
}

func (c *catalog) add(d *database) {
	c.databases[d.name], c.byRID[d.rid] = d, d
	c.lastDB = max(c.lastDB, d.number)
}

// addDatabase adds a database that was made.
func (c *catalog) addDatabase(d *database) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(d)
}

// forget removes a container that was deleted, with its offer.
func (c *catalog) forget(one *container) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.offers, one.rid)
	one.database.remove(one)
	forgetContainer(one.state.store.Names(), one.number)
}

// forgetDatabase removes a database that was deleted, with its containers' offers and its own.
func (c *catalog) forgetDatabase(d *database) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range d.containers {
		delete(c.offers, one.rid)
		forgetContainer(one.state.store.Names(), one.number)
	}
	delete(c.offers, d.rid)
	delete(c.databases, d.name)
	delete(c.byRID, d.rid)
}

// database finds a database by its name or resource id.
func (c *catalog) database(id string) *database {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.find(id)
}

func (c *catalog) find(id string) *database {
	if d := c.databases[id]; d != nil {
		return d
	}
	return c.byRID[id]
}

// container finds a container by the names, or resource ids, of its database and its own.
func (c *catalog) container(database, id string) *container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if d := c.find(database); d != nil {
		return d.find(id)
	}
	return nil
}

// byNumber finds a container by its number; nil: it is not there any more.
func (c *catalog) byNumber(number uint32) *container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, d := range c.databases {
		for _, one := range d.containers {
			if one.number == number {
				return one
			}
		}
	}
	return nil
}

// all are the databases in the order of their creation.
func (c *catalog) all() []*database {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*database
	for _, d := range c.databases {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *database) int { return strings.Compare(a.rid, b.rid) })
	return all
}

// containersOf are the containers of a database in the order of their creation.
func (c *catalog) containersOf(d *database) []*container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*container
	for _, one := range d.containers {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *container) int { return int(a.number) - int(b.number) })
	return all
}

// saveCounters writes how far the numbers of all containers are given.
func (c *catalog) saveCounters() error {
	var errs []error
	for _, d := range c.all() {
		for _, one := range c.containersOf(d) {
			errs = append(errs, one.saveCounters())
		}
	}
	return errors.Join(errs...)
}
