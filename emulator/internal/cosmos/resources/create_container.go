package resources

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CreateContainer makes a container in a database.
func CreateContainer(c *operation.Call) *wire.Error {
	v, err := c.Object()
	if err != nil {
		return err
	}
	def, err := engine.ParseDefinition(v)
	if err != nil {
		return err
	}
	if err := checkNew(c, def); err != nil {
		return err
	}
	asked, err := c.ReadProvisioned()
	if err != nil {
		return err
	}
	def.ETag, def.Timestamp = c.Account.Random.GUID().ETag(), c.Account.Now().Unix()
	all, d := &c.Account.Catalog, c.Database
	if problem := all.Changing.Close(c.Ctx); problem != nil {
		return c.Internal(problem)
	}
	defer all.Changing.Open()
	if all.ByRID[d.RID] != d {
		return wire.OwnerNotFound()
	}
	if d.Containers[def.Resource.Field("id").Str()] != nil {
		return wire.Conflict()
	}
	if asked.Rate() == 0 && all.Offers[d.RID] == nil {
		asked.Manual = throughput.MinManual
	}
	one, problem := engine.NewContainer(c.Account.State, d, all.LastColl+1, d.Ordinal+1, def, engine.NewPartitions(&def.Key, throughput.StartingPartitions(asked.Rate())))
	if problem != nil {
		return c.Internal(problem)
	}
	if problem := c.Account.AddContainer(c.Ctx, one, asked); problem != nil {
		return c.Internal(problem)
	}
	c.Container = one
	c.Charge = throughput.ChargeMetadataWrite
	replyContainer(c, http.StatusCreated, one)
	return nil
}

// checkNew checks what a definition may say once only: what is there is not held to it again.
func checkNew(c *operation.Call, def *engine.Definition) *wire.Error {
	for _, path := range def.Key.Paths {
		if err := engine.CheckKeyPath(path); err != nil {
			return err
		}
	}
	if err := index.CheckBoxes(def.Resource); err != nil {
		return err
	}
	return checkEncryptedWith(c, def.Resource.Field("clientEncryptionPolicy"))
}

func replyContainer(c *operation.Call, status int, one *engine.Container) {
	c.Reply(status, one.Resource())
	c.Out.Set("x-ms-alt-content-path", "dbs/"+one.Database.Name)
	c.Out.Set(wire.HeaderOwner, one.Database.RID)
}

// checkEncryptedWith says whether the keys of a policy are there.
func checkEncryptedWith(c *operation.Call, policy doc.Value) *wire.Error {
	keys := c.Database.EncryptionKeys()
	for _, one := range policy.Field("includedPaths").Elements() {
		id := one.Field("clientEncryptionKeyId").Str()
		found, err := c.FindChild(keys, id)
		if err != nil {
			return err
		}
		if found == nil {
			return wire.InvalidInput("ClientEncryptionKey with id '[%s]' does not exist.", id)
		}
	}
	return nil
}
