package resources

import (
	"net/http"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// fixed are the members of a container that a replace must leave as they are.
var fixed = []string{"id", "partitionKey", "conflictResolutionPolicy"}

// ReplaceContainer gives a container another definition.
func ReplaceContainer(c *operation.Call) *wire.Error {
	return operation.Do(c, readDefinition, runReplaceContainer)
}

func runReplaceContainer(r *operation.Run, in definitionInput) *wire.Error {
	def := in.definition
	if err := index.CheckBoxes(def.Resource); err != nil {
		return err
	}
	all, one := &r.Account.Catalog, r.Container
	if problem := all.Changing.Close(r.Ctx); problem != nil {
		return r.Internal(problem)
	}
	defer all.Changing.Open()
	was := one.Definition.Load()
	if one.Gone.Load() {
		return wire.NotFound(one.Name)
	}
	if err := in.want.CheckMatch(was.ETag); err != nil {
		return err
	}
	if !doc.Equal(def.Resource.Field("clientEncryptionPolicy"), was.Resource.Field("clientEncryptionPolicy")) {
		return wire.InvalidInput("'clientEncryptionPolicy' cannot be changed as part of collection replace operation.")
	}
	for _, name := range fixed {
		if !doc.Equal(def.Resource.Field(name), was.Resource.Field(name)) {
			return wire.InvalidInput("The %s of a container cannot be changed.", name)
		}
	}
	if !slices.EqualFunc(def.Unique, was.Unique, engine.UniqueKey.Equal) {
		return wire.Forbidden("The unique index cannot be modified. To change the unique index, remove the collection and re-create a new one.")
	}
	def.ETag, def.Timestamp = r.Account.Random.GUID().ETag(), r.Account.Now().Unix()
	if problem := r.Account.Store.UpdateContext(r.Ctx, store.Latch().Alone(one.Gate), func(tx *store.Tx) error { return one.Redefine(tx, def) }); problem != nil {
		return r.Internal(problem)
	}
	if problem := r.Account.Expiry.Schedule(); problem != nil {
		return r.Internal(problem)
	}
	r.Charge = throughput.ChargeMetadataWrite
	replyContainer(r, http.StatusOK, one)
	return nil
}
