package cosmos

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// createContainer makes a container in a database.
func createContainer(c *call) *Error {
	v, err := c.object()
	if err != nil {
		return err
	}
	def, err := parseDefinition(v)
	if err != nil {
		return err
	}
	if err := c.checkNew(def); err != nil {
		return err
	}
	asked, err := c.readProvisioned()
	if err != nil {
		return err
	}
	def.etag, def.ts = c.account.random.GUID().ETag(), c.account.now().Unix()
	all, d := &c.account.catalog, c.database
	if problem := all.changing.Close(c.ctx); problem != nil {
		return c.internal(problem)
	}
	defer all.changing.Open()
	if all.byRID[d.rid] != d {
		return ownerNotFound()
	}
	if d.containers[def.resource.Field("id").Str()] != nil {
		return conflict()
	}
	if asked.rate() == 0 && all.offers[d.rid] == nil {
		asked.manual = minManual
	}
	one, problem := newContainer(c.account.state, d, all.lastColl+1, d.ordinal+1, def, newPartitions(&def.key, startingPartitions(asked.rate())))
	if problem != nil {
		return c.internal(problem)
	}
	if problem := c.account.addContainer(c.ctx, one, asked); problem != nil {
		return c.internal(problem)
	}
	c.container = one
	c.charge = chargeMetadataWrite
	c.replyContainer(http.StatusCreated, one)
	return nil
}

// checkNew checks what a definition may say once only: what is there is not held to it again.
func (c *call) checkNew(def *definition) *Error {
	for _, path := range def.key.Paths {
		if err := checkKeyPath(path); err != nil {
			return err
		}
	}
	if err := checkBoxes(def.resource); err != nil {
		return err
	}
	return c.checkEncryptedWith(def.resource.Field("clientEncryptionPolicy"))
}

// checkKeyPath checks a path of a partition key: names with other characters than letters, digits and underscores are quoted.
func checkKeyPath(path string) *Error {
	p, err := doc.ParseValuePath(path)
	if err != nil || strings.HasSuffix(path, "/?") || slices.Contains(p.Steps, doc.PathStep{Element: true}) {
		return badKeyPath(path)
	}
	return nil
}

// badKeyPath is a path that is none of a partition key, in the service's words, with its place.
func badKeyPath(path string) *Error {
	at := len(path) - 1
	var wrong *doc.PathError
	if _, err := doc.ParseValuePath(path); errors.As(err, &wrong) {
		for at = wrong.At; at < len(path) && path[at] == ' '; { // the service leaves spaces out
			at++
		}
	}
	return serviceError("The partition key component definition path '%s' could not be accepted, failed near position '%d'. Partition key paths must contain only valid characters and not contain a trailing slash or wildcard character.", path, at)
}

// addContainer stores a new container, its offer if it has one of its own, and that its database gave it a number which no other one
// gets; then it is in the catalogue, which the caller is changing.
func (s *state) addContainer(ctx context.Context, one *container, asked Provisioned) error {
	d := *one.database
	d.ordinal = one.ordinal
	var own *offer
	if asked.rate() > 0 {
		own = s.newOffer(one.rid, one.link(), asked)
	}
	err := s.store.UpdateContext(ctx, store.Latch(numbered(metaContainer, one.number)), func(tx *store.Tx) error {
		if own != nil {
			if err := tx.Set(numbered(metaOffer, own.number), own.record()); err != nil {
				return err
			}
		}
		if err := tx.Set(numbered(metaDatabase, d.number), d.record()); err != nil {
			return err
		}
		return tx.Set(numbered(metaContainer, one.number), one.record(one.definition.Load()))
	})
	if err != nil {
		return err
	}
	all := &s.catalog
	all.mu.Lock()
	defer all.mu.Unlock()
	all.lastColl = max(all.lastColl, one.number)
	one.database.add(one)
	nameContainer(s.store.Names(), one.number, d.name, one.name)
	if own != nil {
		all.addOffer(own)
	}
	all.distribute(one)
	return nil
}

func (c *call) replyContainer(status int, one *container) {
	c.reply(status, one.resource())
	c.out.set("x-ms-alt-content-path", "dbs/"+one.database.name)
	c.out.set(headerOwner, one.database.rid)
}
