package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The kinds of things that are kept under partMeta.
const (
	MetaDatabase  = keyspace.CatalogDatabase
	metaContainer = keyspace.CatalogContainer
)

// Catalog is all databases and containers. Who changes one closes changing for the whole of the change, the store's part
// included, and takes mu where it changes what is found here: who finds something waits for no change.
type Catalog struct {
	Changing  *store.Gate
	mu        sync.RWMutex         // guards the rest, which is changed only while changing is closed
	Databases map[string]*Database // by name
	ByRID     map[string]*Database
	Offers    map[string]*Offer // by the resource id of what they are for
	LastDB    uint32            // the highest number that was given
	LastColl  uint32
	lastOffer uint32
}

// load takes the catalogue from the store.
func (c *Catalog) load(s *State) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Databases, c.ByRID = map[string]*Database{}, map[string]*Database{}
	c.Offers = map[string]*Offer{}
	forgetNames(s.Store.Names())
	c.LastDB, c.LastColl, c.lastOffer = 0, 0, 0
	err := s.Store.View(func(r *store.Reader) error {
		if err := eachMeta(r, MetaDatabase, func(number uint32, v doc.Value) error {
			c.add(databaseOf(number, v))
			return nil
		}); err != nil {
			return err
		}
		if err := eachMeta(r, MetaOffer, func(number uint32, v doc.Value) error {
			c.addOffer(offerOf(number, v))
			return nil
		}); err != nil {
			return err
		}
		return eachMeta(r, metaContainer, func(number uint32, v doc.Value) error { return c.loadContainer(s, number, v) })
	})
	for _, d := range c.Databases {
		for _, one := range d.Containers {
			c.distribute(one)
		}
	}
	return err
}

func (c *Catalog) loadContainer(s *State, number uint32, v doc.Value) error {
	d := c.ByRID[v.Field("database").Str()]
	if d == nil {
		return fmt.Errorf("container %d in the store has no database", number)
	}
	container, err := containerOf(s, d, number, v)
	if err != nil {
		return err
	}
	d.add(container)
	nameContainer(s.Store.Names(), number, d.Name, container.Name)
	c.LastColl = max(c.LastColl, number)
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

// Numbered returns the key of a thing of the catalogue whose name is a number.
func Numbered(kind byte, number uint32) []byte {
	return metaKey(kind, store.AppendUint32(nil, number))
}

func (c *Catalog) add(d *Database) {
	c.Databases[d.Name], c.ByRID[d.RID] = d, d
	c.LastDB = max(c.LastDB, d.Number)
}

// AddDatabase adds a database that was made.
func (c *Catalog) AddDatabase(d *Database) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(d)
}

// Forget removes a container that was deleted, with its offer.
func (c *Catalog) Forget(one *Container) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.Offers, one.RID)
	one.Database.remove(one)
	forgetContainer(one.State.Store.Names(), one.Number)
}

// ForgetDatabase removes a database that was deleted, with its containers' offers and its own.
func (c *Catalog) ForgetDatabase(d *Database) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range d.Containers {
		delete(c.Offers, one.RID)
		forgetContainer(one.State.Store.Names(), one.Number)
	}
	delete(c.Offers, d.RID)
	delete(c.Databases, d.Name)
	delete(c.ByRID, d.RID)
}

// Database finds a database by its name or resource id.
func (c *Catalog) Database(id string) *Database {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.find(id)
}

func (c *Catalog) find(id string) *Database {
	if d := c.Databases[id]; d != nil {
		return d
	}
	return c.ByRID[id]
}

// Container finds a container by the names, or resource ids, of its database and its own.
func (c *Catalog) Container(database, id string) *Container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if d := c.find(database); d != nil {
		return d.find(id)
	}
	return nil
}

// byNumber finds a container by its number; nil: it is not there any more.
func (c *Catalog) byNumber(number uint32) *Container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, d := range c.Databases {
		for _, one := range d.Containers {
			if one.Number == number {
				return one
			}
		}
	}
	return nil
}

// All are the databases in the order of their creation.
func (c *Catalog) All() []*Database {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*Database
	for _, d := range c.Databases {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *Database) int { return strings.Compare(a.RID, b.RID) })
	return all
}

// ContainersOf are the containers of a database in the order of their creation.
func (c *Catalog) ContainersOf(d *Database) []*Container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*Container
	for _, one := range d.Containers {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *Container) int { return int(a.Number) - int(b.Number) })
	return all
}

// SaveCounters writes how far the numbers of all containers are given.
func (c *Catalog) SaveCounters() error {
	var errs []error
	for _, d := range c.All() {
		for _, one := range c.ContainersOf(d) {
			errs = append(errs, one.saveCounters())
		}
	}
	return errors.Join(errs...)
}

// SaveDatabase writes one thing of the catalogue.
func (s *State) SaveDatabase(ctx context.Context, key, value []byte) error {
	return s.Store.UpdateContext(ctx, store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, value) })
}
