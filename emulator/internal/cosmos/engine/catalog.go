package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Catalog holds all databases and containers. A change closes the gate changing for its whole duration, including the
// store transaction, and takes mu only to update the maps, so that lookups never wait for a change.
type Catalog struct {
	changing      *store.Gate
	mu            sync.RWMutex         // guards the fields below, which change only while changing is closed
	databases     map[string]*Database // by name
	byRID         map[string]*Database
	offers        map[string]*Offer // by the resource id of their database or container
	lastDatabase  uint32            // the highest number assigned so far
	lastContainer uint32
	lastOffer     uint32
}

// load reads the catalogue from the store.
func (c *Catalog) load(s *State) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.databases, c.byRID = map[string]*Database{}, map[string]*Database{}
	c.offers = map[string]*Offer{}
	unregisterNames(s.Store.Names())
	c.lastDatabase, c.lastContainer, c.lastOffer = 0, 0, 0
	err := s.Store.View(func(r *store.Reader) error {
		if err := eachMeta(r, metaDatabase, func(number uint32, v doc.Value) error {
			c.add(parseDatabase(number, v))
			return nil
		}); err != nil {
			return err
		}
		if err := eachMeta(r, metaOffer, func(number uint32, v doc.Value) error {
			c.addOffer(parseOffer(number, v))
			return nil
		}); err != nil {
			return err
		}
		return eachMeta(r, metaContainer, func(number uint32, v doc.Value) error { return c.loadContainer(s, number, v) })
	})
	for _, d := range c.databases {
		for _, container := range d.containers {
			c.distributeThroughput(container)
		}
	}
	return err
}

func (c *Catalog) loadContainer(s *State, number uint32, v doc.Value) error {
	d := c.byRID[v.Field("database").Str()]
	if d == nil {
		return fmt.Errorf("container %d in the store has no database", number)
	}
	container, err := parseContainer(s, d, number, v)
	if err != nil {
		return err
	}
	d.add(container)
	registerContainerName(s.Store.Names(), number, d.Name, container.Name)
	c.lastContainer = max(c.lastContainer, number)
	return nil
}

func (c *Catalog) add(d *Database) {
	c.databases[d.Name], c.byRID[d.RID] = d, d
	c.lastDatabase = max(c.lastDatabase, d.number)
}

// addDatabase adds a newly created database.
func (c *Catalog) addDatabase(d *Database) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(d)
}

// removeContainer removes a deleted container and its offer.
func (c *Catalog) removeContainer(container *Container) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.offers, container.RID)
	container.Database.remove(container)
	unregisterContainerName(container.State.Store.Names(), container.Number)
}

// removeDatabase removes a deleted database, its containers, and the offers of all of them.
func (c *Catalog) removeDatabase(d *Database) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, container := range d.containers {
		delete(c.offers, container.RID)
		unregisterContainerName(container.State.Store.Names(), container.Number)
	}
	delete(c.offers, d.RID)
	delete(c.databases, d.Name)
	delete(c.byRID, d.RID)
}

// Database returns the database with a name or resource id, or nil.
func (c *Catalog) Database(id string) *Database {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.findDatabase(id)
}

func (c *Catalog) findDatabase(id string) *Database {
	if d := c.databases[id]; d != nil {
		return d
	}
	return c.byRID[id]
}

// Container returns a container, or nil. Both the database and the container are given by name or resource id.
func (c *Catalog) Container(database, id string) *Container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if d := c.findDatabase(database); d != nil {
		return d.findContainer(id)
	}
	return nil
}

// containerByNumber returns the container with a number, or nil if it no longer exists.
func (c *Catalog) containerByNumber(number uint32) *Container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, d := range c.databases {
		for _, container := range d.containers {
			if container.Number == number {
				return container
			}
		}
	}
	return nil
}

// Databases returns the databases in order of creation.
func (c *Catalog) Databases() []*Database {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*Database
	for _, d := range c.databases {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *Database) int { return strings.Compare(a.RID, b.RID) })
	return all
}

// Containers returns the containers of a database in order of creation.
func (c *Catalog) Containers(d *Database) []*Container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []*Container
	for _, container := range d.containers {
		all = append(all, container)
	}
	slices.SortFunc(all, func(a, b *Container) int { return int(a.Number) - int(b.Number) })
	return all
}

// SaveCounters stores the sequences and item counts of all containers.
func (c *Catalog) SaveCounters() error {
	var errs []error
	for _, d := range c.Databases() {
		for _, container := range c.Containers(d) {
			errs = append(errs, container.saveCounters())
		}
	}
	return errors.Join(errs...)
}
