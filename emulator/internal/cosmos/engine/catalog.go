package engine

import (
	"errors"
	"slices"
)

func (c *Catalog) add(d *Database) {
	c.databases[d.Name], c.byRID[d.RID] = d, d
	c.lastDatabase = max(c.lastDatabase, d.number)
}

// addDatabase adds a newly created database and its offer; nil: none.
func (c *Catalog) addDatabase(d *Database, offer *Offer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(d)
	c.addOffer(offer)
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

// Container returns a container, or nil. Both the database and the container are given by name or resource id. A
// container that is being restored is not found.
func (c *Catalog) Container(database, id string) *Container {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if d := c.findDatabase(database); d != nil {
		if found := d.findContainer(id); found != nil && !found.restoring.Load() {
			return found
		}
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
	slices.SortFunc(all, func(a, b *Database) int { return int(a.number) - int(b.number) })
	return all
}

// Containers returns the containers of a database in order of creation, without those that are being restored.
func (c *Catalog) Containers(d *Database) []*Container {
	return slices.DeleteFunc(c.allContainers(d), func(container *Container) bool { return container.restoring.Load() })
}

// allContainers returns the containers of a database in order of creation, with those that are being restored.
func (c *Catalog) allContainers(d *Database) []*Container {
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
